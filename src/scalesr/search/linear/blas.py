"""Matrix routines on one thread: small problems lose more than they gain by more, and results depend on none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock, Thread

from threadpoolctl import ThreadpoolController


@contextmanager
def one_thread() -> Iterator[None]:
    """Within this block numpy's linear algebra uses the calling thread only."""
    limit = _limit()
    limit.enter()
    try:
        yield
    finally:
        limit.leave()


class _Limit:
    """One thread for as long as anybody works in such a block: the libraries know one number for the whole process.

    Where fits run in several threads of a program, the one that ends first must not give the others more threads.
    """

    def __init__(self) -> None:
        self._controller = ThreadpoolController()  # looking for the libraries takes longer than a small fit
        self._lock, self._n_inside = Lock(), 0
        self._restore: Callable[[], None] | None = None

    def enter(self) -> None:
        with self._lock:
            if self._n_inside == 0:
                _in_a_thread(self._begin)
            self._n_inside += 1

    def leave(self) -> None:
        with self._lock:
            self._n_inside -= 1
            if self._n_inside == 0 and self._restore is not None:
                _in_a_thread(self._restore)

    def _begin(self) -> None:
        self._restore = self._controller.limit(limits=1, user_api="blas").restore_original_limits


def _in_a_thread(call: Callable[[], None]) -> None:
    """A call in a thread that ends with it.

    Threadpoolctl lets nobody but the thread that set a limit change it for as long as that thread lives, and it need
    not be the one that leaves last.
    """
    thread = Thread(target=call)
    thread.start()
    thread.join()


@cache
def _limit() -> _Limit:
    return _Limit()
