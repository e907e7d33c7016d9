"""Matrix routines on one thread: small problems lose more than they gain by more, and results depend on none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from threadpoolctl import ThreadpoolController


@contextmanager
def one_thread() -> Iterator[None]:
    """Within this block numpy's linear algebra uses the calling thread only."""
    with _controller().limit(limits=1, user_api="blas"):
        yield


@cache
def _controller() -> ThreadpoolController:
    """The libraries in use; looking for them takes longer than a small fit, so it is done once."""
    return ThreadpoolController()
