"""Work shared out over threads; kernels let go of the interpreter lock, so the threads run at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager


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


@contextmanager
def kept_to_one(get: Callable[[], int], put: Callable[[int], None]) -> Iterator[None]:
    """A block in which a library that tells and takes its number of threads has one."""
    before = get()
    put(1)
    try:
        yield
    finally:
        put(before)
