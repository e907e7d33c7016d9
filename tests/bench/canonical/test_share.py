from __future__ import annotations

import json

import numpy as np

from scalesr.expr.evaluate import evaluate
from scalesr.expr.text import parse
from scalesr_bench.canonical.family_tests import contains, mutually_fitting
from scalesr_bench.canonical.random_formulas import CLOSED, random_formula
from scalesr_bench.canonical.rewrites import rewritten
from scalesr_bench.canonical.share import measure, share

ROWS = np.random.default_rng(4).uniform(0.3, 1.8, (40, 2))


def test_the_measurement_is_ready_for_json_and_finds_no_false_merge() -> None:
    found = measure(30, seed=5)
    assert json.loads(json.dumps(found)) == found
    for kind in ("closed", "skeletons"):
        assert found["false_merges"][kind]["false"] == 0
        assert found[kind]["rewritten"]["share_with_same_key"] > 0.9


def test_the_same_seed_gives_the_same_pairs() -> None:
    first, second = measure(15, seed=2), measure(15, seed=2)
    for found in (first, second):
        del found["keys_per_second"]
    assert first == second


def test_a_missed_pair_is_named() -> None:
    found = share([(parse("x0"), parse("x0 + 0")), (parse("x0"), parse("x1"))])
    assert (found.pairs, found.same_key, found.missed) == (2, 1, ("x0 | x1",))


def test_rewrites_keep_the_values() -> None:
    rng = np.random.default_rng(6)
    for _ in range(300):
        expr = random_formula(int(rng.integers(3, 9)), CLOSED, rng)
        before, after = evaluate(expr, ROWS), evaluate(rewritten(expr, 3, rng), ROWS)
        known = np.isfinite(before) & np.isfinite(after) & (np.abs(before) < 1e3)
        differences = np.abs(after[known] - before[known])
        # one row may lie beside a pole, half of them do not
        assert not known.any() or np.median(differences) < 1e-6, str(expr)


def test_families_contain_each_other_or_not() -> None:
    rng = np.random.default_rng(7)
    assert contains(parse("C*x0 + C"), parse("x0 + C"), ROWS, rng)
    assert not contains(parse("x0 + C"), parse("C*x0 + C"), ROWS, rng)
    pool = [parse(text) for text in ("C*exp(x0)", "exp(x0 + C)", "exp(x0)/C", "C*x0")]
    assert (pool[0], pool[2]) in mutually_fitting(pool, rng)
