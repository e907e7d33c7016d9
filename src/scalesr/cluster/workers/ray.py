"""Workers of Ray: a cluster by its address, or processes of a local one. The only place that loads Ray."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

from scalesr.cluster.job import Done, Job, failed
from scalesr.cluster.workers.local import MOST_DEATHS
from scalesr.errors import DataError, MissingExtra


def on_ray(
    jobs: Sequence[Job], work: Callable[[Job], Done], address: str | None, n_workers: int
) -> Generator[Done, None, None]:
    """Jobs on Ray's workers, which does again what a dead worker had."""
    try:
        import ray
    except ImportError as error:
        raise MissingExtra("Workers of Ray need ray: pip install 'scalesr[ray]'.") from error
    is_ours = not ray.is_initialized()  # else the user has connected already, and stays so
    if is_ours:
        _connect(ray, address, n_workers)
    try:
        remote = ray.remote(num_cpus=1, max_retries=MOST_DEATHS)(work)
        at_work = {remote.remote(job): job for job in jobs}
        while at_work:
            (ended, *_), _ = ray.wait(list(at_work), num_returns=1)
            job = at_work.pop(ended)
            try:
                done = ray.get(ended)
            except ray.exceptions.RayError as error:
                done = failed(job, f"The cluster could not do it: {type(error).__name__}: {error}")
            yield done
    finally:
        if is_ours:
            ray.shutdown()


def _connect(ray: Any, address: str | None, n_workers: int) -> None:
    if address is None:
        ray.init(num_cpus=n_workers, include_dashboard=False, log_to_driver=False)
        return
    try:
        ray.init(address=address, log_to_driver=False)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise DataError(
            f"No cluster of Ray answers at {address} ({error}); start one, or correct the address."
        ) from error
