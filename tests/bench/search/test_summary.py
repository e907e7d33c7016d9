from scalesr_bench.search.runs import SearchRun
from scalesr_bench.search.summary import failures, summarise


def run(finding, noise=0.0, **rest):
    return SearchRun("m", "s", "x", noise, rest.pop("seed", 0), finding, **rest)


def test_a_summary_counts_what_was_searched():
    runs = [
        run("right", rank=1, seconds=2.0, seconds_to_best=0.5, n_fits=10),
        run("right", rank=1, seconds=4.0, seconds_to_best=1.5, n_fits=20),
        run("form", rank=4, seconds=6.0, n_fits=30),
        run("error", found="ValueError", seconds=8.0),
        run("flat"),
    ]
    (line,) = summarise(runs)
    assert (line.n_runs, line.n_flat, line.n_errors, line.n_recovered, line.n_in_top) == (4, 1, 1, 2, 3)
    assert (line.share, line.median_seconds, line.median_seconds_to_right) == (0.5, 5.0, 1.0)
    assert (line.median_fits, line.median_rank, line.slowest_seconds) == (15.0, 1, 8.0)
    assert [missed.finding for missed in failures(runs)] == ["form", "error"]


def test_noise_levels_have_lines_of_their_own():
    lines = summarise([run("form", 0.01), run("right", 0.0), run("nothing", 0.01, seed=1), run("flat", 0.1)])
    assert [(line.noise, line.n_runs, line.share) for line in lines] == [(0.0, 1, 1.0), (0.01, 2, 0.0)]
    assert lines[1].median_rank is None
