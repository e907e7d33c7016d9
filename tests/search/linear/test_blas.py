"""One thread for linear algebra, also where several threads of a program ask for it."""

from threading import Event, Thread

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from scalesr.search.linear.blas import one_thread


def n_threads() -> set[int]:
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


def set_to(number: int) -> None:
    """Sets the number in a thread that ends at once, as a limit belongs to the thread that set it."""
    thread = Thread(target=lambda: threadpool_limits(number, user_api="blas"))
    thread.start()
    thread.join()


@pytest.fixture(autouse=True)
def two_threads():
    """What the user's own work has."""
    before = max(n_threads(), default=1)
    set_to(2)
    if n_threads() != {2}:
        pytest.skip("This machine's linear algebra has one thread.")
    yield
    set_to(before)


def test_within_the_block_there_is_one_thread_and_then_as_many_as_before():
    with one_thread():
        with one_thread():
            assert n_threads() == {1}
        assert n_threads() == {1}
    assert n_threads() == {2}


def test_an_error_gives_the_threads_back():
    with pytest.raises(ZeroDivisionError), one_thread():
        raise ZeroDivisionError
    assert n_threads() == {2}


def test_a_thread_that_ends_leaves_the_other_ones_block_as_it_is():
    begun, may_end = Event(), Event()

    def other():
        with one_thread():
            begun.set()
            may_end.wait(60)

    thread = Thread(target=other)
    thread.start()
    begun.wait(60)
    with one_thread():
        may_end.set()
        thread.join(60)
        assert n_threads() == {1}
    assert n_threads() == {2}
