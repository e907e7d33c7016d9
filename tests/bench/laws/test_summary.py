import pytest

from scalesr_bench.laws.runs import LawRun
from scalesr_bench.laws.summary import by_problem, failures, summarise


def run(finding="right", problem="p", *, method="m", noise=0.0, seconds=1.0, **rest):
    return LawRun(method, "s", problem, "x", noise, rest.pop("seed", 0), finding, 100, seconds, **rest)


def test_a_summary_counts_rates_verdicts_and_times():
    runs = [
        run(verdict="exact", numeric=True, form=True, paper=True, verdict_right=True, stages={"a": 1.0, "b": 2.0}),
        run(verdict="exact", wrong_exact=True, symbolic=True, seconds=3.0, stages={"a": 3.0}),
        run("form", verdict="approximate", seconds=7.0, extra_used=("extra1",)),
        run("error", seconds=5.0),
    ]
    (line,) = summarise(runs)
    assert (line.suite, line.method, line.noise, line.n_runs, line.n_errors) == ("s", "m", 0.0, 4, 1)
    assert (line.n_right, line.share, line.n_numeric, line.n_symbolic) == (2, 0.5, 1, 1)
    assert (line.n_form, line.n_paper, line.n_verdict_right, line.n_wrong_exact, line.n_extra_used) == (1, 1, 1, 1, 1)
    assert (line.low, line.high) == pytest.approx((0.15, 0.85), abs=0.005)  # Wilson, 2 of 4
    assert (line.median_seconds, line.slowest_seconds) == (4.0, 7.0)
    assert line.verdicts == {"exact": 2, "approximate": 1}
    assert line.median_seconds_per_stage == {"a": 0.5, "b": 0.0}


def test_methods_and_noise_levels_have_lines_of_their_own():
    lines = summarise([run(), run(method="n"), run(noise=0.1), run("form", noise=0.1)])
    assert [(line.method, line.noise, line.share) for line in lines] == [("m", 0.0, 1), ("n", 0.0, 1), ("m", 0.1, 0.5)]


def test_problems_are_counted_over_seeds():
    lines = by_problem([run(), run("form", seed=1, seconds=3.0), run(problem="q", paper=True)])
    assert [(line.problem, line.n_right, line.n_runs, line.n_paper) for line in lines] == [
        ("p", 1, 2, 0),
        ("q", 1, 1, 1),
    ]
    assert (lines[0].median_seconds, lines[0].slowest_seconds) == (2.0, 3.0)


def test_a_wrong_exact_is_listed_even_if_the_law_is_right():
    assert [missed.finding for missed in failures([run(), run(wrong_exact=True), run("size")])] == ["right", "size"]
