"""Which workers a batch runs on: a backend by its name, and a cluster by its address."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, Final

from joblib import effective_n_jobs
from joblib.parallel import ThreadingBackend, get_active_backend

from scalesr.cluster.job import Done, Job
from scalesr.cluster.work import find_law, find_law_alone
from scalesr.cluster.workers.dask import on_dask
from scalesr.cluster.workers.local import in_processes, in_threads, in_turn
from scalesr.cluster.workers.ray import on_ray
from scalesr.errors import SettingError
from scalesr.records.engine import ready_engine

BACKENDS: Final = ("joblib", "dask", "ray")
DASK: Final = "dask://"  # a scheduler's address as one option; to Dask itself it is tcp://
RAY: Final = "ray://"


def backend_of(backend: str | None, cluster: str | None) -> str:
    """The backend's name; an address tells it."""
    if backend is not None and backend not in BACKENDS:
        raise SettingError(f"backend={backend!r} is unknown; known are {', '.join(BACKENDS)}.")
    if cluster is None:
        return backend or "joblib"
    told = "dask" if cluster.startswith((DASK, "tcp://", "tls://")) else "ray" if cluster.startswith(RAY) else None
    if told is None:
        raise SettingError(
            f"cluster={cluster!r} is not an address of a cluster; give dask://HOST:PORT or ray://HOST:PORT."
        )
    if backend is not None and backend != told:
        raise SettingError(
            f"cluster={cluster!r} is a cluster of {told}, and backend={backend!r}; leave one of them out."
        )
    return told


def results(
    jobs: Sequence[Job], backend: str, cluster: str | None, n_jobs: int | None
) -> Generator[Done, None, None]:  # fmt: skip
    """What comes of jobs, as it comes."""
    if not jobs:
        return in_turn(jobs, find_law)
    n_workers = min(n_workers_of(n_jobs), len(jobs))
    if cluster is None:
        ready_engine()  # once, not by every worker
    if backend == "dask":
        return on_dask(jobs, find_law_alone, None if cluster is None else _tcp(cluster), n_workers)
    if backend == "ray":
        return on_ray(jobs, find_law_alone, cluster, n_workers)
    if n_workers == 1:
        return in_turn(jobs, find_law)
    if isinstance(get_active_backend()[0], ThreadingBackend):
        return in_threads(jobs, find_law, n_workers)
    return in_processes(jobs, find_law_alone, n_workers)


def n_workers_of(n_jobs: Any) -> int:
    """Workers by joblib's rules; without a number what `parallel_config` says, or every core: laws are independent."""
    if n_jobs is not None and (isinstance(n_jobs, bool) or not isinstance(n_jobs, int) or n_jobs == 0):
        raise SettingError(f"n_jobs={n_jobs!r} is not a number of workers; give 1 or more, -1 for every core, or None.")
    asked = get_active_backend()[1] if n_jobs is None else n_jobs
    return int(effective_n_jobs(-1 if n_jobs is None and asked in (None, 1) else asked))


def _tcp(address: str) -> str:
    return f"tcp://{address.removeprefix(DASK)}" if address.startswith(DASK) else address
