"""Work shared out over threads; kernels let go of the interpreter lock, so the threads run at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.fit_memory import FitMemory

SECONDS_BETWEEN_LOOKS = 0.05


def share_out(work: Callable[[slice], None], n_items: int, n_threads: int) -> None:
    """Call `work` on slices that cover all items, several per thread so that none waits long.

    Slices are independent of each other, so the number of threads never changes a result.
    """
    if n_items == 0:
        return
    if n_threads <= 1 or n_items == 1:
        work(slice(0, n_items))
        return
    size = max(1, -(-n_items // (4 * n_threads)))
    slices = [slice(start, min(start + size, n_items)) for start in range(0, n_items, size)]
    with ThreadPoolExecutor(n_threads) as pool:
        list(pool.map(work, slices))  # the list raises what a thread raised


class Watch(Protocol):
    """Whoever may end work before it is done, counts it and may have its results kept."""

    @property
    def memory(self) -> FitMemory | None:
        """Where results of fits are kept; None for nowhere."""
        ...

    def check(self) -> None:
        """Raise an exception if work is to end now."""
        ...

    def spend(self, work: float) -> None:
        """Count work that has been done."""
        ...


def share_out_watched(
    work: Callable[[slice], None], n_items: int, n_threads: int, halt: NDArray[np.int64], watch: Watch | None
) -> None:
    """The same for work that takes long and looks at `halt`: an interrupt ends it soon, and so does the watch.

    Compiled code hears of nothing while it runs, so it runs in other threads and this one looks out for it.
    """
    size = max(1, -(-n_items // (4 * n_threads)))
    with ThreadPoolExecutor(n_threads) as pool:
        waiting = {pool.submit(work, slice(at, min(at + size, n_items))) for at in range(0, n_items, size)}
        try:
            while waiting:
                done, waiting = wait(waiting, timeout=SECONDS_BETWEEN_LOOKS, return_when=FIRST_EXCEPTION)
                for one in done:
                    one.result()
                if watch is not None and waiting:
                    watch.check()
        except BaseException:
            halt[0] = 1
            raise


@contextmanager
def kept_to_one(get: Callable[[], int], put: Callable[[int], None]) -> Iterator[None]:
    """A block in which a library that tells and takes its number of threads has one."""
    before = get()
    put(1)
    try:
        yield
    finally:
        put(before)
