import pytest

from scalesr.errors import DataError
from scalesr_bench.laws.measure import LawSettings, choose, plan
from scalesr_bench.laws.suites import LAW_SUITES, named_suite, select, suite_of, usual_noise
from scalesr_bench.problems.feynman import FEYNMAN


@pytest.mark.parametrize(
    ("suite", "count"),
    [
        ("paper", 10),
        ("more-variables", 14),
        ("many-variables", 30),
        ("no-law", 120),
        ("feynman", 100),
        ("strogatz", 14),
        ("paper,strogatz", 24),
        ("srbench", 114),
        ("empirical", 10),
        ("real", 9),
        ("livermore", 25),
        ("science", 63),
        ("hard-poles", 23),
        ("hard-decades", 23),
        ("hard-oscillations", 23),
        ("hard-many-terms", 24),
    ],
)
def test_a_suite_is_whole(suite, count):
    assert len(suite_of(suite)) == count


def test_laws_with_more_variables_have_at_least_three():
    assert all(problem in FEYNMAN and problem.n_variables >= 3 for problem in suite_of("more-variables"))


def test_drawn_suites_follow_their_seed():
    assert suite_of("many-variables", law_seed=1) != suite_of("many-variables")
    assert suite_of("no-law", law_seed=1) != suite_of("no-law")


def test_some_suites_have_parts_and_the_usual_one_is_seen():
    seen, unseen = suite_of("science"), suite_of("science", part="unseen")
    assert suite_of("science", part="seen") == seen
    assert set(seen).isdisjoint(unseen)
    assert set(suite_of("paper,science", part="unseen")) == {*suite_of("paper"), *unseen}
    assert suite_of("hard-poles") == suite_of("hard-poles", part="seen")
    assert set(suite_of("hard-poles")).isdisjoint(suite_of("hard-poles", part="unseen"))
    with pytest.raises(DataError, match="paper has no parts"):
        suite_of("paper", part="unseen")


def test_the_kind_of_hard_laws_names_their_suite():
    assert named_suite("hard", "poles") == "hard-poles"
    assert named_suite("paper") == "paper"
    with pytest.raises(DataError, match="paper has no kinds"):
        named_suite("paper", "poles")
    with pytest.raises(DataError, match="Unknown kind ''"):
        named_suite("hard")


def test_results_of_different_parts_go_to_different_files():
    parts = [LawSettings("science", part=part).label for part in ("", "seen", "unseen", "all")]
    assert parts == ["laws-science-seen", "laws-science-seen", "laws-science-unseen", "laws-science-all"]


def test_suites_have_their_usual_noise():
    assert usual_noise("science") == (0.0, 0.01, 0.1)
    assert usual_noise("srbench") == (0.0, 0.001, 0.01, 0.1)
    assert usual_noise("empirical") == (0.1,)
    assert usual_noise("nguyen") == (0.0,)


def test_problems_are_chosen_by_name_or_pattern():
    chosen = select(suite_of("paper"), ["Jin-6", "Nguyen-1*"])
    assert [problem.name for problem in chosen.sources] == ["Nguyen-10", "Nguyen-11", "Nguyen-12", "Jin-6"]
    assert not chosen.is_whole
    assert select(suite_of("paper")).is_whole


def test_unknown_names_are_refused():
    with pytest.raises(DataError, match="Unknown suite 'nonsense'"):
        suite_of("nonsense")
    with pytest.raises(DataError, match="No problem is called 'Jin-7'"):
        select(suite_of("paper"), ["Jin-6", "Jin-7"])
    assert "nonsense" not in LAW_SUITES


def test_a_plan_has_every_combination_once():
    settings = LawSettings("paper", ("default", "paper"), ("Jin-*",), noises=(0.0, 0.1), first_seed=4, n_seeds=2)
    jobs = plan(settings, choose(settings))
    assert len(jobs) == 2 * 6 * 2 * 2
    assert {job.seed for job in jobs.values()} == {4, 5}


@pytest.mark.parametrize("bad", [{"noises": (2.0,)}, {"time_limit": 0.0}])
def test_settings_that_make_no_sense_are_refused(bad):
    with pytest.raises(DataError, match=r"noise|time limit"):
        LawSettings("paper", **bad)


def test_results_of_different_kinds_go_to_different_files():
    kinds = [
        {},
        {"noises": (0.01, 0.1)},
        {"n_extra": 5},
        {"oracle": True},
        {"rows": (100,)},
        {"rows": (100, 200)},
        {"noises": (0.01, 0.1), "noise_kind": "counts"},
    ]
    labels = [LawSettings("paper", **kind).label for kind in kinds]
    assert labels[0] == "laws-paper"
    assert len(set(labels)) == len(kinds)
