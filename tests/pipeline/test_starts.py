"""A search in all variables that begins with what is known finds what one without does not."""

import numpy as np
import pytest

from scalesr.expr.canonical import canonical_key
from scalesr.expr.evaluate import evaluate
from scalesr.expr.text import parse
from scalesr.pipeline.config import PIPELINE
from scalesr.pipeline.starts import starting_forms
from scalesr.records.budget import Budget
from scalesr.records.sweep import Sweep
from scalesr.search.genetic.search import GeneticSearch

X = np.random.default_rng(0).uniform(0.5, 2.5, (60, 3))
LAW = "2.1*x0^1.6/(1 + 0.6*x2 + x1^2)"  # no sum and no product of its curves
CURVES = ["C*x0^C", "C/(x1^2 + C)", "C/(x2 + C)"]
BAD = ["C*tanh(C*x0) + C*x1^5", "C*log(x2 + C)*x0^4", "C*exp(C*x1)/(x0 + C)", "C*x2^6 + C*x0"]


def ranked(start, law=LAW, n_fits=2000, seed=0):
    sweep = Sweep.from_groups([X], [evaluate(parse(law), X)])
    budget = Budget(n_fits=n_fits, target_error=1e-9)
    return GeneticSearch(start=start).search(sweep, budget, rng=np.random.default_rng(seed))


def forms(texts):
    return starting_forms([], [parse(text) for text in texts])


def test_a_law_that_is_missed_without_starts_is_found_with_the_formulas_of_its_curves():
    assert ranked(()).best.error > 1e-3
    assert ranked(forms(CURVES)).best.error < 1e-9


def test_bad_starts_leave_room_for_the_law():
    bad = starting_forms([parse(text) for text in BAD] * 50, [parse(text) for text in BAD])
    assert ranked(bad, "2*x0*x1 + sin(x1)").best.error < 1e-9


def test_the_same_starts_and_seed_give_the_same_ranking():
    first, second = (ranked(forms(CURVES), n_fits=300) for _ in range(2))
    assert [str(s.expression) for s in first.skeletons] == [str(s.expression) for s in second.skeletons]
    assert [s.error for s in first.skeletons] == [s.error for s in second.skeletons]


def test_starts_are_laws_then_curves_then_what_is_joined_of_them():
    found = starting_forms([parse("2*x0*x1 + 3")], [parse("C*exp(C*x0) + C"), parse("C*x1^2")])
    assert [str(form) for form in found] == [
        "x0*x1", "exp(C*x0)", "x1^2", "exp(C*x0)*x1^2", "exp(C*x0) + x1^2",
    ]  # fmt: skip


@pytest.mark.parametrize("pattern", ["exp(C*x0)*sin(C*x1) + x2", "(exp(C*x0) + sin(C*x1))*x2"])
def test_three_curves_are_joined_both_ways(pattern):
    keys = [canonical_key(form) for form in forms(["C*exp(C*x0)", "C*sin(C*x1)", "C*x2"])]
    assert canonical_key(parse(pattern)) in keys


def test_starts_are_few_and_without_constants_alone():
    laws = [parse(f"{n}.5*x0^{n} + 1") for n in range(2, 60)]
    parts = [parse(f"C*x1^{n}") for n in range(2, 60)]
    found = starting_forms([parse("3"), *laws], [parse("C"), *parts])
    assert len(found) <= PIPELINE.most_laws + PIPELINE.most_parts + PIPELINE.most_parts**2 + 2 * PIPELINE.most_parts**3
    assert all(form.variables for form in found)
