import numpy as np
import pytest

from scalesr.errors import DataError
from scalesr_bench.laws.counting import can_be_counted, counted
from scalesr_bench.laws.drawing import draw_table
from scalesr_bench.laws.measure import LawResult, LawSettings, choose, plan
from scalesr_bench.laws.runs import LawJob, LawRun, run_job
from scalesr_bench.laws.suites import countable, select, suite_of, usual_noise
from scalesr_bench.laws.target_noise import KINDS, TargetNoise, read_kind
from scalesr_bench.problems.listing import read_listing
from scalesr_bench.problems.no_law import tables_without_law

POSITIVE, BOTH = read_listing(
    "own",
    """
    positive | 3e-9*x*exp(y) | x y [1, 2]    | 4000
    both     | x - y         | x y [1, 2]    | 4000
    """,
)


def drawn_pair(kind, noise, problem=POSITIVE, **rest):
    return draw_table(problem, seed=0, **rest), draw_table(problem, seed=0, noise=noise, kind=kind, **rest)


@pytest.mark.parametrize("kind", KINDS)
def test_noise_of_every_kind_leaves_the_rows_and_can_be_repeated(kind):
    clean, noisy = drawn_pair(kind, 0.1)
    assert np.array_equal(clean.data.columns, noisy.data.columns)
    assert not np.array_equal(clean.data.y, noisy.data.y)
    assert np.array_equal(noisy.data.y, drawn_pair(kind, 0.1)[1].data.y)
    assert (noisy.noise.kind, noisy.is_noisy, clean.is_noisy) == (kind, True, False)


def test_proportional_noise_is_a_share_of_each_value():
    clean, noisy = drawn_pair("proportional", 0.1)
    errors = noisy.data.y / clean.data.y - 1
    large = clean.data.y > np.median(clean.data.y)
    assert errors[large].std() == pytest.approx(0.1, rel=0.05)
    assert errors[~large].std() == pytest.approx(0.1, rel=0.05)


def test_counts_are_whole_with_a_variance_of_their_mean_and_the_scaled_law_is_the_truth():
    noisy = draw_table(POSITIVE, seed=0, noise=0.05, kind="counts")
    y, mean = noisy.data.y, noisy.source.values(noisy.data.table)
    assert np.array_equal(y, np.round(y))
    assert mean.mean() == pytest.approx(400, rel=0.03)  # 1/level^2
    assert np.mean((y - mean) ** 2 / mean) == pytest.approx(1, rel=0.1)
    ratio = mean / POSITIVE.values(noisy.data.table)
    assert np.ptp(ratio) < 1e-9 * ratio.mean()


def test_the_scale_of_counts_does_not_depend_on_the_rows_that_are_drawn():
    texts = {
        draw_table(POSITIVE, seed=s, noise=0.1, kind="counts", n_rows=n).source.text for s, n in ((0, 10), (1, 99))
    }
    assert texts == {counted(POSITIVE, 0.1).text}


def test_outliers_are_a_twentieth_of_the_rows_and_far_off():
    clean, noisy = drawn_pair("outliers", 0.01)
    off = np.abs(noisy.data.y - clean.data.y) / (0.01 * clean.data.y.std())
    far = np.sort(off)[-200:]  # 5 % of 4000
    assert far[0] > 10 - 5
    assert far[-1] < 100 + 5
    assert np.median(far) == pytest.approx(np.sqrt(1000), rel=0.2)  # log-uniform
    assert np.sort(off)[:-200].std() < 1
    signs = np.sign(noisy.data.y - clean.data.y)[off > 8]
    assert 0.3 < np.mean(signs > 0) < 0.7


def test_a_table_of_few_rows_has_one_outlier():
    clean, noisy = drawn_pair("outliers", 0.01, n_rows=10)
    off = np.abs(noisy.data.y - clean.data.y) / (0.01 * clean.data.y.std())
    assert (off > 6).sum() == 1


def test_no_noise_is_no_noise_of_any_kind():
    values = np.array([1.0, 2.0])
    for kind in KINDS:
        assert np.array_equal(TargetNoise(kind, 0.0).added_to(values, np.random.default_rng(0)), values)


def test_an_oracle_counts_where_there_is_something_to_count():
    found = TargetNoise("counts", 0.1).added_to(np.array([100.0, -1.0, np.nan]), np.random.default_rng(0))
    assert found[0] == round(found[0]) > 0
    assert np.isnan(found[1:]).all()


def test_what_is_not_positive_is_skipped_and_named():
    assert can_be_counted(POSITIVE)
    assert not any(map(can_be_counted, (BOTH, tables_without_law()[0])))
    chosen = countable(select([POSITIVE, BOTH]))
    assert (chosen.sources, chosen.skipped) == ((POSITIVE,), ("both",))
    assert "skipped: both." in " ".join(LawResult(LawSettings("own", noise_kind="counts"), chosen, ()).notes)
    with pytest.raises(DataError, match="choose another --noise-kind"):
        countable(select([BOTH]))
    with pytest.raises(DataError, match="own/both is not positive"):
        draw_table(BOTH, seed=0, noise=0.1, kind="counts")


def test_a_plan_has_each_number_of_rows_and_no_kind_without_noise():
    settings = LawSettings(
        "paper", problems=("Jin-*",), noises=(0.0, 0.1), n_seeds=1, rows=(10, 20), noise_kind="outliers"
    )
    jobs = plan(settings, choose(settings)).values()
    assert len(jobs) == 6 * 2 * 2
    assert {(job.n_rows, job.noise, job.noise_kind) for job in jobs} == {
        (10, 0.0, None), (20, 0.0, None), (10, 0.1, "outliers"), (20, 0.1, "outliers"),
    }  # fmt: skip


def test_a_run_tells_kind_and_rows():
    job = LawJob("tests.bench.stub_method:plane", POSITIVE, 0, 5.0, noise=0.1, n_rows=50, noise_kind="counts")
    run = LawRun.from_record(run_job(job))
    assert (run.noise_kind, run.given_rows, run.n_rows) == ("counts", 50, 50)
    assert run.truth == counted(POSITIVE, 0.1).text
    assert run.condition.words == "noise 0.1 counts, 50 rows"


def test_kinds_have_usual_levels_and_unknown_ones_are_refused():
    assert usual_noise("science", "outliers") == (0.01,)
    assert usual_noise("science", "constant") == usual_noise("science") == (0.0, 0.01, 0.1)
    assert read_kind("") is None
    assert [read_kind(kind) for kind in KINDS] == list(KINDS)
    with pytest.raises(DataError, match="Unknown kind of noise 'pink'; it is one of constant"):
        read_kind("pink")


def test_most_seen_laws_of_science_can_be_counted():
    assert sum(map(can_be_counted, suite_of("science"))) > 35
