"""The scorer: one fit per family, budgets, interrupts, ranking and the criterion behind it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scalesr.evidence.criterion import description_length, is_within_noise
from scalesr.expr.expression import Expression
from scalesr.expr.text import parse
from scalesr.records.budget import Budget, Progress
from scalesr.records.sweep import Sweep
from scalesr.search.scoring import Scorer

X = np.linspace(0.1, 3, 60)


def skeleton(text: str) -> Expression:
    return parse(text, ["x"])


def decays(noise: float = 0.0) -> Sweep:
    """Three exponential curves with constants of their own."""
    rng = np.random.default_rng(3)
    curves = [a * np.exp(-b * X) + 1 + noise * rng.standard_normal(60) for a, b in ((1, 2), (2, 1), (3, 0.5))]
    return Sweep.from_groups([X] * 3, curves, noise=noise, names=["x"])


def test_two_ways_to_write_a_family_cost_one_fit() -> None:
    scorer = Scorer(decays(), Budget())
    errors = scorer.score([skeleton("C*exp(C*x) + C"), skeleton("C + exp(C*x)*C + C")])
    assert errors[0] == errors[1] < 1e-13
    assert (scorer.n_scored, scorer.n_fits) == (1, 3)
    scorer.score([skeleton("exp(C*x)*C + C")])
    assert scorer.n_fits == 3
    assert scorer.knows(skeleton("C + C*exp(x*C)"))


def test_the_ranking_holds_constants_and_covariance_of_every_group() -> None:
    scorer = Scorer(decays(0.01), Budget())
    with scorer.running():
        scorer.score([skeleton(text) for text in ("C*x + C", "C*exp(C*x) + C", "C*x^2 + C*x + C", "log(-x)")])
    ranking = scorer.ranking()
    best = ranking.best
    assert best is not None
    assert str(best.expression) == "C*exp(C*x0) + C"
    assert best.constants.shape == (3, 3)
    assert best.covariance.shape == (3, 3, 3)
    assert best.within_noise
    assert best.constants[1] == pytest.approx([2, -1, 1], abs=0.1)
    assert ranking.sentence == "C*exp(C*x) + C fits within the noise."
    assert len(ranking.skeletons) == 3  # the logarithm has no values here
    errors = [s.error for s in ranking.front]
    assert errors == sorted(errors, reverse=True)
    assert [s.complexity for s in ranking.front] == sorted(s.complexity for s in ranking.front)


def test_the_budget_of_fits_ends_the_search_after_the_batch_in_hand() -> None:
    scorer = Scorer(decays(), Budget(n_fits=3))
    with scorer.running():
        scorer.score([skeleton("C*x")])
        scorer.score([skeleton("C*x^2")])
        pytest.fail("the budget was not kept")
    assert scorer.ranking().ended == "The limit of 3 fits was reached."
    assert scorer.n_scored == 1


def test_the_time_limit_is_asked_before_each_batch() -> None:
    ticks = iter(range(1000))
    scorer = Scorer(decays(), Budget(seconds=2), clock=lambda: next(ticks))
    with scorer.running():
        scorer.score([skeleton(f"C*x^{k}") for k in range(2, 400)])
        pytest.fail("the time limit was not kept")
    assert "time limit of 2 s" in scorer.ranking().ended
    assert 0 < scorer.n_scored < 398


def test_the_target_error_ends_the_search() -> None:
    scorer = Scorer(decays(), Budget(target_error=1e-9))
    with scorer.running():
        scorer.score([skeleton("C*exp(C*x) + C")])
        scorer.score([skeleton("C*x")])
        pytest.fail("the target was not noticed")
    assert "target error" in scorer.ranking().ended


def test_an_interrupt_keeps_the_best_so_far() -> None:
    def interrupt(progress: Progress) -> None:
        raise KeyboardInterrupt

    scorer = Scorer(decays(), Budget(), progress=interrupt)
    with scorer.running():
        scorer.score([skeleton("C*x")])
    ranking = scorer.ranking()
    assert ranking.ended == "The search was interrupted."
    assert ranking.best is not None


def test_other_errors_are_not_swallowed() -> None:
    scorer = Scorer(decays(), Budget())
    with pytest.raises(ZeroDivisionError), scorer.running():
        raise ZeroDivisionError


def test_progress_tells_the_stage_the_count_and_the_best() -> None:
    seen: list[Progress] = []
    scorer = Scorer(decays(), Budget(), progress=seen.append)
    scorer.stage = "trying"
    scorer.score([skeleton("C*x + C")])
    assert seen[-1].stage == "trying"
    assert seen[-1].n_scored == 1
    assert seen[-1].best == "C*x0 + C"
    assert 0 < seen[-1].error < 1


def test_any_number_of_threads_gives_the_same_ranking() -> None:
    texts = ["C*x + C", "C*exp(C*x) + C", "C/(x + C)", "C*log(x) + C", "C*sin(C*x + C)", "C*x^C + C"]
    rankings = []
    for n_threads in (1, 2):
        scorer = Scorer(decays(), Budget(), n_threads=n_threads)
        scorer.score([skeleton(text) for text in texts])
        rankings.append([(str(s.expression), s.score, s.constants.tolist()) for s in scorer.ranking().skeletons])
    assert rankings[0] == rankings[1]


def test_an_empty_ranking_says_so() -> None:
    scorer = Scorer(decays(), Budget())
    scorer.complete_up_to = 4
    ranking = scorer.ranking()
    assert ranking.best is None
    assert ranking.sentence == "No formula up to size 4 fits within the noise."


def test_on_exact_data_the_simpler_of_two_exact_laws_wins() -> None:
    sweep = decays()
    short, long = skeleton("C*exp(C*x) + C"), skeleton("C*exp(C*x) + C*x + C")
    rounding = sweep.n_rows * (1e-16 * sweep.scale) ** 2
    assert description_length(short, rounding, sweep) < description_length(long, 0.0, sweep)


def test_with_noise_a_term_must_earn_its_constants() -> None:
    sweep = decays(0.05)
    rss = sweep.n_rows * sweep.noise**2 if sweep.noise else 0.0
    short, long = skeleton("C*exp(C*x) + C"), skeleton("C*exp(C*x) + C*x + C")
    assert description_length(short, rss, sweep) < description_length(long, 0.97 * rss, sweep)
    assert description_length(short, rss, sweep) > description_length(long, 0.5 * rss, sweep)


def test_what_is_within_noise_follows_chi_square() -> None:
    sweep = Sweep.from_groups([X], [X], noise=0.1)
    expected = (60 - 2) * 0.1**2
    assert is_within_noise(expected, 2, sweep)
    assert is_within_noise(1.5 * expected, 2, sweep)
    assert not is_within_noise(2 * expected, 2, sweep)
    assert not is_within_noise(0.0, 60, sweep)  # as many constants as rows: no claim
    assert not is_within_noise(math.inf, 2, sweep)
    assert not is_within_noise(0.0, 2, Sweep.from_groups([X], [X]))  # unknown noise: no claim


def test_targets_too_small_to_square_are_still_ranked() -> None:
    tiny = Sweep.from_groups([X], [1e-160 * X], noise=0.0)
    assert math.isfinite(description_length(skeleton("C*x"), 0.0, tiny))
