"""Workers of Dask: a cluster by its address, or processes of a local one. The only place that loads Dask."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, Final

from scalesr.cluster.job import Done, Job, failed
from scalesr.cluster.workers.local import MOST_DEATHS
from scalesr.errors import DataError, MissingExtra

ANY_PORT: Final = "127.0.0.1:0"  # for the health of the scheduler; that of Dask's own may be another cluster's


def on_dask(
    jobs: Sequence[Job], work: Callable[[Job], Done], address: str | None, n_workers: int
) -> Generator[Done, None, None]:
    """Jobs on the workers of a scheduler, which hands what a dead worker had to another one."""
    try:
        import distributed
    except ImportError as error:
        raise MissingExtra("Workers of Dask need distributed: pip install 'scalesr[dask]'.") from error
    with ExitStack() as open_until_the_end:
        if address is None:
            address = open_until_the_end.enter_context(_local_scheduler(distributed, n_workers))
        client = open_until_the_end.enter_context(_client(distributed, address))
        futures = {
            client.submit(work, job, key=f"{place}-{job.name}", pure=False, priority=-place, retries=MOST_DEATHS): job
            for place, job in enumerate(jobs)
        }
        for future in distributed.as_completed(list(futures), loop=client.loop):
            job = futures.pop(future)
            yield future.result() if future.status == "finished" else failed(job, _why(future))
            future.release()


@contextmanager
def _local_scheduler(distributed: Any, n_workers: int) -> Iterator[str]:
    """The address of a cluster on this machine, whose workers have nothing left to do when it is left."""
    with distributed.LocalCluster(
        n_workers=n_workers, threads_per_worker=1, processes=True, silence_logs=logging.ERROR,
        dashboard_address=ANY_PORT, scheduler_kwargs={"dashboard": False},
    ) as cluster:  # fmt: skip
        try:
            yield cluster.scheduler_address
        finally:  # a worker that is asked to end by itself may take its five seconds
            cluster.sync(_end_at_once, list(cluster.workers.values()))


async def _end_at_once(workers: Sequence[Any]) -> None:
    """Kill the processes; a worker that is not gone yet when no time is left for it is an error that says no more."""
    await asyncio.gather(*(worker.close(timeout=0) for worker in workers), return_exceptions=True)


def _client(distributed: Any, address: str) -> Any:
    try:
        return distributed.Client(address, set_as_default=False)
    except (OSError, ValueError) as error:
        raise DataError(
            f"No scheduler of Dask answers at {address} ({error}); start one, or correct the address."
        ) from error


def _why(future: Any) -> str:
    error = future.exception()
    kind = type(error).__name__
    if kind == "KilledWorker":
        return (
            "The workers that were given this table died, one after the other; it may need more memory than they have."
        )
    return f"The cluster could not do it: {kind}: {error}"
