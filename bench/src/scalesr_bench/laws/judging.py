"""What is right about a discovery: its law, its verdict, the columns it uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.records.discovery import Discovery, Verdict
from scalesr_bench.form_judge import PAPER_ERROR, judge_noisy, relative_error
from scalesr_bench.judge import N_FRESH, agrees, fresh_rows, judge_law
from scalesr_bench.laws.drawing import DrawnTable
from scalesr_bench.problems.problem import Problem
from scalesr_bench.samplers import uniform_rows

RIGHT: Final = "right"
WRONG_FORM: Final = "form"
TOO_LARGE: Final = "size"
WRONG_CONSTANTS: Final = "constants"
WRONG_VERDICT: Final = "verdict"
ERROR: Final = "error"


@dataclass(frozen=True, slots=True)
class Judgement:
    """All tests of a discovery; those of a law are False for a table without one."""

    finding: str  # "right", or what is wrong: "form", "size", "constants", "verdict"
    numeric: bool = False
    symbolic: bool = False
    size: bool = False
    form: bool = False  # the law, but for its constants
    paper: bool = False  # the form, and a mean square relative error below 1e-3
    msre: float | None = None  # None where it is not finite
    nmse: float | None = None  # mean square error over the truth's variance
    verdict_right: bool = False
    wrong_exact: bool = False  # "exact" was said of what is not the truth
    too_large: bool = False  # to be compared symbolically; only the values were


def judge(discovery: Discovery, drawn: DrawnTable) -> Judgement:
    """Judge a law, or the verdict on a table that has none."""
    found = discovery.equation.expression
    if isinstance(drawn.source, Problem):
        return _judge_law(found, discovery.verdict, drawn, drawn.source)
    X = uniform_rows(drawn.source.box, N_FRESH, rng=drawn.judge_stream())
    is_exact = discovery.verdict is Verdict.EXACT
    wrong_exact = is_exact and not agrees(evaluate(found, X), drawn.source.values(X))
    too_sure = is_exact or (discovery.verdict is not Verdict.NO_LAW and drawn.source.is_noise)
    finding = WRONG_VERDICT if too_sure else RIGHT
    return Judgement(finding, verdict_right=finding == RIGHT, wrong_exact=wrong_exact)


def _judge_law(found: Expression, said: Verdict, drawn: DrawnTable, problem: Problem) -> Judgement:
    rng = drawn.judge_stream()
    X = fresh_rows(problem, rng=rng)
    values, truth = evaluate(found, X), problem.values(X)
    strict = judge_law(found, problem, rng=rng)
    noisy = judge_noisy(found, problem, rng=rng)
    recovered = noisy.recovered if drawn.is_noisy else strict.recovered
    msre = relative_error(values, truth)
    with np.errstate(all="ignore"):
        nmse = float(np.mean((values - truth) ** 2) / truth.var())
    return Judgement(
        finding=RIGHT if recovered else _what_is_wrong(strict.numeric, noisy.form),
        numeric=strict.numeric, symbolic=strict.symbolic, size=strict.size,
        form=noisy.form, paper=noisy.form and msre < PAPER_ERROR,
        msre=msre if np.isfinite(msre) else None, nmse=nmse if np.isfinite(nmse) else None,
        verdict_right=said is (Verdict.WITHIN_NOISE if drawn.is_noisy else Verdict.EXACT) if recovered
        else said is not Verdict.EXACT,
        wrong_exact=said is Verdict.EXACT and not strict.numeric, too_large=strict.too_large,
    )  # fmt: skip


def _what_is_wrong(numeric: bool, form: bool) -> str:
    if numeric:
        return TOO_LARGE
    return WRONG_CONSTANTS if form else WRONG_FORM
