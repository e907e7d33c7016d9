"""How many pairs of equal formulas the canonical form finds, and whether it merges any that differ.

Pairs that are equal come from three sources that know nothing of the rules: random rewrites, sympy,
and chance (random formulas with the same values; random skeletons that fit each other's samples).
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.canonical import canonical, canonical_key, canonical_keys
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.expr.redundancy import family_rank
from scalesr.expr.simplify import simplify
from scalesr.expr.sympy_bridge import from_sympy, to_sympy
from scalesr_bench.canonical.family_tests import contains, mutually_fitting, sample
from scalesr_bench.canonical.random_formulas import CLOSED, SKELETONS, Mixture, random_formula
from scalesr_bench.canonical.rewrites import rewritten

SIZES: Final = (4, 10)  # nodes of random formulas
SMALL: Final = (3, 7)  # nodes of random skeletons that are compared with each other
MAX_STEPS: Final = 6  # rewrites per pair
SYMPY_REWRITES: Final = ("expand", "factor", "together", "apart", "cancel", "powsimp", "trigsimp")
SYMPY_SHARE: Final = 0.1  # of the pairs: sympy is slow
ONE_COLUMN: Final = Mixture(n_columns=1, variable_share=0.5, open_share=0.45)
DIGITS: Final = 9  # in which equal values agree

Pair = tuple[Expression, Expression]


@dataclass(frozen=True, slots=True)
class Share:
    """Equal pairs, and how many of them are found to be."""

    pairs: int
    same_key: int
    same_simplified: int
    missed: tuple[str, ...]  # a few of the pairs that are not found

    def as_json(self) -> dict[str, object]:
        total = max(self.pairs, 1)
        return {
            "pairs": self.pairs,
            "share_with_same_key": self.same_key / total,
            "share_with_same_simplified_form": self.same_simplified / total,
            "missed": list(self.missed),
        }


def measure(n: int = 2000, seed: int = 0) -> dict[str, Any]:
    """All shares over about `n` pairs per source, the false merges, and the speed; ready for JSON."""
    rng = np.random.default_rng(seed)
    sources: dict[str, dict[str, Iterable[Pair]]] = {
        "closed": {
            "rewritten": rewritten_pairs(n, CLOSED, rng),
            "sympy": sympy_pairs(int(SYMPY_SHARE * n), CLOSED, rng),
            "coincident": coincident_pairs(20 * n, rng),
        },
        "skeletons": {
            "rewritten": rewritten_pairs(n, SKELETONS, rng),
            "sympy": sympy_pairs(int(SYMPY_SHARE * n), SKELETONS, rng),
            "coincident": mutually_fitting(_small_skeletons(max(n // 15, 10), rng), rng),
        },
    }
    shares = {
        kind: {source: share(pairs).as_json() for source, pairs in by_source.items()}
        for kind, by_source in sources.items()
    }
    merges = {"closed": false_closed_merges(10 * n, rng), "skeletons": false_skeleton_merges(n, rng)}
    return {"n": n, "seed": seed, **shares, "false_merges": merges, "keys_per_second": keys_per_second(10 * n, rng)}


def share(pairs: Iterable[Pair], *, n_missed: int = 10) -> Share:
    """How many of these equal pairs have the same key, and the same simplified form."""
    total = same_key = same_simplified = 0
    missed: list[str] = []
    for first, second in pairs:
        total += 1
        if canonical_key(first) == canonical_key(second):
            same_key += 1
        elif len(missed) < n_missed:
            missed.append(f"{first} | {second}")
        same_simplified += _rounded(simplify(first)) == _rounded(simplify(second))
    return Share(total, same_key, same_simplified, tuple(missed))


def _rounded(expr: Expression) -> tuple[bytes, bytes, tuple[str, ...]]:
    """A formula with 12 digits per number."""
    return expr.codes.tobytes(), expr.args.tobytes(), tuple(f"{value:.12g}" for value in expr.constants.tolist())


def _formulas(sizes: tuple[int, int], mixture: Mixture, rng: np.random.Generator) -> Iterator[Expression]:
    """Endless random formulas that depend on a variable."""
    while True:
        expr = random_formula(int(rng.integers(sizes[0], sizes[1] + 1)), mixture, rng)
        if expr.variables and _has_values(expr, rng):
            yield expr


def _rows(n_rows: int, n_columns: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Rows of which two thirds are positive, as roots and logarithms need."""
    rows = rng.uniform(0.2, 1.6, (n_rows, n_columns))
    rows[::3] *= rng.choice([-1.0, 1.0], rows[::3].shape)
    return rows


def _has_values(expr: Expression, rng: np.random.Generator) -> bool:
    """Whether a formula is finite and no constant on some rows, for some constants."""
    return any(sample(expr, _rows(12, 2, rng), rng) is not None for _ in range(3))


def rewritten_pairs(n: int, mixture: Mixture, rng: np.random.Generator) -> Iterator[Pair]:
    """Random formulas beside what random rewrites make of them."""
    for expr, _ in zip(_formulas(SIZES, mixture, rng), range(n), strict=False):
        other = rewritten(expr, int(rng.integers(1, MAX_STEPS + 1)), rng)
        if other != expr:
            yield expr, other


def sympy_pairs(n: int, mixture: Mixture, rng: np.random.Generator) -> Iterator[Pair]:
    """Random formulas beside what sympy makes of them, if every open constant still stands once."""
    done = 0
    for expr in _formulas(SIZES, mixture, rng):
        if done == n:
            return
        other = _sympy_rewritten(expr, SYMPY_REWRITES[rng.integers(len(SYMPY_REWRITES))])
        if other is not None and other != expr and other.n_open == expr.n_open and _agree(expr, other, rng):
            done += 1
            yield expr, other


def _sympy_rewritten(expr: Expression, method: str) -> Expression | None:
    try:
        before = to_sympy(expr)
        after = getattr(before, method)()
        if any(after.count(symbol) > 1 for symbol in after.free_symbols if symbol.name.startswith("C")):
            return None
        return from_sympy(after)
    except NotImplementedError:
        return None
    except Exception as error:
        if type(error).__module__.startswith(("sympy", "scalesr")):  # a formula that sympy or the bridge refuses
            return None
        raise


def _agree(first: Expression, second: Expression, rng: np.random.Generator) -> bool:
    """Whether a closed pair has the same values where both have one; open pairs are taken as given."""
    if first.n_open:
        return True
    rows = _rows(30, 2, rng)
    here, there = evaluate(first, rows), evaluate(second, rows)
    both = np.isfinite(here) & np.isfinite(there)
    return bool(both.any() and np.allclose(here[both], there[both], rtol=1e-7, atol=1e-9))


def coincident_pairs(n: int, rng: np.random.Generator) -> Iterator[Pair]:
    """Pairs among `n` random formulas that have the same values on random rows of both signs."""
    rows = 1.6 * _rows(18, 2, rng)  # wide enough for a cosine to change its sign
    found: dict[tuple[str, ...], dict[str, Expression]] = defaultdict(dict)
    for expr, _ in zip(_formulas(SIZES, CLOSED, rng), range(n), strict=False):
        values = evaluate(expr, rows)
        known = values[np.isfinite(values)]
        if len(known) >= 6 and np.ptp(known) > 1e-6 and np.abs(known).max() < 1e5:
            found[tuple(f"{value:.{DIGITS}g}" for value in values)].setdefault(str(expr), expr)
    for same in found.values():
        yield from pairwise(same.values())


def _small_skeletons(n: int, rng: np.random.Generator) -> list[Expression]:
    """Distinct small skeletons in one variable with one or two open constants."""
    found: dict[str, Expression] = {}
    for expr in _formulas(SMALL, ONE_COLUMN, rng):
        if 1 <= expr.n_open <= 2:
            found.setdefault(str(expr), expr)
        if len(found) == n:
            break
    return list(found.values())


def false_closed_merges(n: int, rng: np.random.Generator) -> dict[str, object]:
    """Pairs among `n` random closed formulas that share a key but not their values."""
    rows = _rows(30, 2, rng)
    first: dict[str, Expression] = {}
    pairs, wrong = 0, []
    for expr, _ in zip(_formulas(SIZES, CLOSED, rng), range(n), strict=False):
        other = first.setdefault(canonical_key(expr), expr)
        if other == expr:
            continue
        pairs += 1
        here, there = evaluate(expr, rows), evaluate(other, rows)
        both = np.isfinite(here) & np.isfinite(there)
        if not np.allclose(here[both], there[both], rtol=1e-6, atol=1e-8):
            wrong.append(f"{other} | {expr}")
    return {"pairs": pairs, "false": len(wrong), "examples": wrong[:10]}


def false_skeleton_merges(n: int, rng: np.random.Generator) -> dict[str, object]:
    """Skeletons whose representative is of another dimension, or does not fit their samples.

    A representative that fits them contains their family, and with the same dimension it is no more
    than its closure or its copy of the other sign: two skeletons under one key then are one family.
    A fit may also fail because it is hard; such pairs are counted apart.
    """
    rows = _rows(40, 2, rng)
    pairs, unfitted, wrong = 0, [], []
    for expr, _ in zip(_formulas(SIZES, SKELETONS, rng), range(n), strict=False):
        merged = canonical(expr)
        data = sample(expr, rows, rng)
        if merged == expr or data is None:
            continue
        pairs += 1
        if family_rank(merged, data[0]) != family_rank(expr, data[0]):
            wrong.append(f"{expr} | {merged}")
        elif not contains(merged, expr, rows, rng):
            unfitted.append(f"{expr} | {merged}")
    return {
        "pairs": pairs, "false": len(wrong), "examples": wrong[:10],
        "not_fitted": len(unfitted), "not_fitted_examples": unfitted[:10],
    }  # fmt: skip


def keys_per_second(n: int, rng: np.random.Generator) -> dict[str, float]:
    """Speed on `n` fresh random skeletons of 7 to 9 nodes, on one core, one by one and all at once."""
    speeds = {}
    for name, task in (("one_by_one", _one_by_one), ("all_at_once", canonical_keys)):
        skeletons = [random_formula(int(rng.integers(7, 10)), SKELETONS, rng) for _ in range(n)]
        start = time.process_time()
        task(skeletons)
        speeds[name] = n / (time.process_time() - start)
    return speeds


def _one_by_one(skeletons: list[Expression]) -> list[str]:
    return [canonical_key(skeleton) for skeleton in skeletons]
