import pytest

from scalesr.errors import DataError
from scalesr_bench.problems.listing import read_listing
from scalesr_bench.search.methods import METHODS, make_search
from scalesr_bench.search.runs import SearchRun, run_job
from scalesr_bench.search.suite import SearchJob
from scalesr_bench.search.sweeps import SweepProblem

STUB = "tests.bench.stub_search:ListSearch"
WAVE, LOGARITHM, SATURATED = read_listing(
    "own",
    """
    wave      | a*sin(x) + 1 | a [1, 2]; x [0, 3]
    logarithm | log(a*x)     | a [1, 2]; x [1, 3]
    saturated | tanh(a*x)    | a [50, 60]; x [1, 3]
    """,
)


def run(problem, *, method=STUB, noise=0.0):
    return SearchRun.from_record(run_job(SearchJob(method, SweepProblem(problem, 1), noise, 0, 5.0)))


@pytest.mark.parametrize("noise", [0.0, 0.01])
def test_a_run_tells_what_was_found(noise):
    found = run(WAVE, noise=noise)
    assert (found.finding, found.found, found.rank) == ("right", "C*sin(x) + C", 1)
    assert (found.sweep, found.truth, found.noise, found.seed) == ("own/wave in x", "a*sin(x) + 1", noise, 0)
    assert 0 < found.seconds_to_best <= found.seconds
    assert (found.n_scored, found.n_fits) == (8, 24)
    assert found.error < 1.2 * noise + 1e-9


def test_a_law_beyond_the_search_is_missed():
    found = run(LOGARITHM)
    assert found.finding == "form"
    assert found.rank is None


def test_constant_sweeps_are_not_searched():
    assert run(SATURATED).finding == "flat"


def test_an_error_is_a_finding():
    found = run(WAVE, method="tests.bench.stub_search:BrokenSearch")
    assert (found.finding, found.found) == ("error", "ValueError: no luck today")


@pytest.mark.parametrize("method", METHODS)
def test_every_named_method_can_be_made(method):
    assert make_search(method) is not None


@pytest.mark.parametrize("method", ["nonsense", "tests.bench.stub_search:Missing", "no.such.module:Search"])
def test_an_unknown_method_is_refused(method):
    with pytest.raises(DataError, match=r"Unknown method|cannot be loaded"):
        make_search(method)
