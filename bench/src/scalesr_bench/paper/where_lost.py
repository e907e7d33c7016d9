"""Where the paper's own chain loses a law: in the first curve, in a coefficient, or in putting these together.

The chain is run as it is, and every step is held against the truth: the network's values against the law's at the
very rows that it was asked for, the first formula against the law with the other variables held, each formula of a
coefficient against what the same fits make of the law's own values. Of a formula that is not the true one, the curve
that was searched says what lost it: the *network*, where the wrong formula does as well on that curve as the true one,
or else the *search*.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression, constant, variable
from scalesr.expr.fitting import fit
from scalesr.expr.printing import to_text
from scalesr.expr.simplify import simplify
from scalesr.expr.substitute import substitute
from scalesr.paper.bfgs import fit_groups_alone
from scalesr.paper.chain import AddedVariable
from scalesr.paper.choice import NOTHING, reward
from scalesr.paper.coefficients import open_coefficients
from scalesr.paper.method import LiteralRun, run_as_in_the_paper
from scalesr.paper.settings import LiteralSettings
from scalesr.records.config import Settings
from scalesr.records.outcome import Ending
from scalesr.records.stop import Stop
from scalesr.records.sweep import Sweep
from scalesr_bench.form_judge import judge_noisy
from scalesr_bench.laws.drawing import DrawnTable, draw_table
from scalesr_bench.laws.judging import RIGHT, judge
from scalesr_bench.laws.runs import warm_up
from scalesr_bench.laws.suites import select, suite_of
from scalesr_bench.problems.problem import Problem
from scalesr_bench.run_log import Record, RunLog, StoredRun
from scalesr_bench.runner import Standing, runs_of
from scalesr_bench.text_tables import TextTable, joined

Floats = NDArray[np.float64]

FOUND: Final = "found"
CURVE: Final = "curve"
COEFFICIENT: Final = "coefficient"
COMBINATION: Final = "combination"
LIMIT: Final = "limit"
BY_NETWORK: Final = " (network)"
BY_SEARCH: Final = " (search)"
POOR: Final = 0.01  # of a coefficient's root mean square: a formula that errs by more is not the coefficient's
N_CHECKED: Final = 25  # groups at which coefficients are checked
LARGE: Final = 1e99  # an error without a finite value: files of results have no infinity
LONGEST: Final = 70  # characters of a formula in a cell


@dataclass(frozen=True, slots=True)
class LostLimit:
    """How long a run may take."""

    seconds: float | None  # None where work is limited
    work: float | None  # counted, so that the run is the same on a machine with much else to do
    n_steps: int | None  # of the network's training; None: the preset's own

    @property
    def phrase(self) -> str:
        whole = f"{self.seconds:g} s" if self.work is None else f"{self.work:g} units of counted work"
        return whole if self.n_steps is None else f"{whole}, {self.n_steps} steps of training"


@dataclass(frozen=True, slots=True)
class LostJob:
    """The paper's method on one table."""

    problem: Problem
    seed: int
    limit: LostLimit

    @property
    def key(self) -> str:
        return f"{self.problem.key} | seed {self.seed}"


@dataclass(frozen=True, slots=True)
class LostRun(StoredRun):
    """What became of one law."""

    problem: str
    seed: int
    lost: str  # FOUND, or where
    found: str  # text of the law that the chain ended with
    strict: bool  # whether the judge's strict test calls it recovered, too
    ended: str
    training: str
    seconds: float
    network_error: float  # root mean square at the rows that the network was asked for, in the target's units
    relative_network_error: float  # over the target's standard deviation
    first_curve: str  # the formula in the first variable
    first_true: str  # the law with the other variables held at the same values
    coefficients: list[str] = field(default_factory=list)  # a sentence each
    stages: dict[str, float] = field(default_factory=dict)  # seconds


def plan_lost(patterns: Sequence[str], seeds: range, limit: LostLimit) -> list[LostJob]:
    """All jobs, one for each problem and seed."""
    problems = [one for one in select(suite_of("paper"), patterns).sources if isinstance(one, Problem)]
    return [LostJob(problem, seed, limit) for seed in seeds for problem in problems]


def measure_lost(
    jobs: Sequence[LostJob], log: RunLog, *, n_processes: int = 1, progress: Callable[[Standing], None] | None = None
) -> tuple[LostRun, ...]:
    """Run what the file of runs lacks."""
    return runs_of(jobs, run_lost, log, LostRun, n_processes=n_processes, progress=progress)


def run_lost(job: LostJob) -> Record:
    """Run a job in this process."""
    warm_up("scalesr-paper", oracle=True)
    drawn, literal = draw_table(job.problem, seed=job.seed), LiteralSettings()
    if job.limit.n_steps is not None:
        literal = replace(literal, n_steps=job.limit.n_steps)
    settings = Settings(preset="paper", time_limit=job.limit.seconds, max_work=job.limit.work)
    run = run_as_in_the_paper(drawn.data, settings, rng=drawn.method_stream(), literal=literal)
    return asdict(held_against_the_truth(run, drawn, job.problem, eta=literal.eta))


def held_against_the_truth(run: LiteralRun, drawn: DrawnTable, problem: Problem, *, eta: float) -> LostRun:
    """What became of the law at every step of a run."""
    judgement, added, found = judge(run.discovery, drawn), run.chain.added, run.discovery
    off = np.concatenate([one.groups.y - problem.values(one.groups.columns.T) for one in added])
    error = float(np.sqrt(np.mean(off**2)))
    first = _first_curve(problem, added[0], eta)
    checks = [check for step in added[1:] for check in _coefficients(problem, step)]
    is_found = judgement.finding == RIGHT or judgement.paper
    return LostRun(
        problem.name, drawn.seed, FOUND if is_found else _where(run, problem, first, checks),
        found.equation.text(), judgement.finding == RIGHT, found.ended, run.generator.description, found.seconds,
        error, error / (drawn.data.std or 1.0), first.found, first.true, [check.sentence for check in checks],
        {name: round(spent, 3) for name, spent in found.timings.items()},
    )  # fmt: skip


def _where(run: LiteralRun, problem: Problem, first: _FirstCurve, checks: Sequence[_Coefficient]) -> str:
    """The first step at which the chain left the truth."""
    if not first.is_right:
        return CURVE + first.lost_by
    if wrong := [check for check in checks if not check.is_right]:
        return COEFFICIENT + wrong[0].lost_by
    is_cut = len(run.chain.added) < problem.n_variables and run.chain.ending in (Ending.TIME, Ending.WORK)
    return LIMIT if is_cut else COMBINATION


@dataclass(frozen=True, slots=True)
class _FirstCurve:
    """The formula in the first variable, and the law with the other variables held where they were."""

    found: str
    true: str
    is_right: bool  # its form
    lost_by: str


def _first_curve(problem: Problem, step: AddedVariable, eta: float) -> _FirstCurve:
    names = problem.names[:1]
    held = {place: constant(float(step.groups.columns[place, 0])) for place in range(1, problem.n_variables)}
    true = simplify(substitute(problem.expression, {0: variable(0)} | held))
    text = to_text(true, names)
    within = replace(problem, names=names, box=problem.box[:1], formula=text)
    is_right = judge_noisy(step.law, within, rng=np.random.default_rng(0)).form and not _imitates(step.law, true)
    curve = Sweep.from_groups([step.values], [step.coefficients[:, 0]], names=names)
    fitted = fit(true.skeleton(), *curve.group(0), starts=true.constants[np.newaxis])
    best = reward(fitted.expression if fitted.ok else true, curve, eta=eta)
    lost_by = BY_NETWORK if reward(step.law, curve, eta=eta) >= best else BY_SEARCH
    return _FirstCurve(to_text(step.law, names), text, is_right, lost_by)


def _imitates(found: Expression, true: Expression) -> bool:
    """Whether a formula has coefficients that the true one lacks: with these, a small exp or sin can be a line."""
    return open_coefficients(found).n_open > open_coefficients(true).n_open


@dataclass(frozen=True, slots=True)
class _Coefficient:
    """The formula of one coefficient against what the same fits make of the law's own values.

    Errors are root mean squares over that of the coefficient itself.
    """

    formula: str
    error: float
    network_error: float  # of the coefficients that were searched
    fit_error: float  # of the formula on these

    @property
    def is_right(self) -> bool:
        return self.error <= POOR

    @property
    def lost_by(self) -> str:
        return BY_NETWORK if self.fit_error <= self.network_error else BY_SEARCH

    @property
    def sentence(self) -> str:
        return (
            f"{self.formula} errs by {self.error:.1e}; the network's coefficients err by {self.network_error:.1e}, "
            f"and it fits them to {self.fit_error:.1e}"
        )


def _coefficients(problem: Problem, step: AddedVariable) -> list[_Coefficient]:
    """A check of each coefficient that was searched for, at some of the groups that could be fitted."""
    groups, new = step.groups, step.skeleton.n_columns  # the variables before the new one are in the skeleton
    line = {float(value): place for place, value in enumerate(step.values)}
    all_values = groups.columns[new, groups.row_starts[:-1]]
    fitted = [group for group, value in enumerate(all_values.tolist()) if value in line]
    chosen = [fitted[place] for place in np.unique(np.linspace(0, len(fitted) - 1, N_CHECKED).astype(int))]
    tables = [groups.group(group)[0] for group in chosen]
    exact = Sweep.from_groups(tables, [problem.values(X) for X in tables], names=groups.names)
    true, searched = fit_groups_alone(step.skeleton, exact, Stop()), step.coefficients
    good = np.isfinite(true).all(axis=1)
    values = all_values[chosen][good]
    lines = [line[value] for value in values.tolist()]
    table = np.zeros((len(values), new + 1))
    table[:, new] = values
    return [
        _checked(to_text(formula, problem.names), evaluate(formula, table), true[good, column], searched[lines, column])
        for column, formula in enumerate(step.formulas)
    ]


def _checked(text: str, found: Floats, true: Floats, searched: Floats) -> _Coefficient:
    with np.errstate(all="ignore"):
        size = float(np.sqrt(np.mean(true**2))) + NOTHING
        pairs = ((found, true), (searched, true), (found, searched))
        errors = [float(np.sqrt(np.mean((one - other) ** 2))) / size for one, other in pairs]
    return _Coefficient(text, *(error if np.isfinite(error) else LARGE for error in errors))


def lost_table(runs: Sequence[LostRun], limit: LostLimit) -> TextTable:
    """A row per law."""
    headings = ("problem", "seed", "lost in", "network's error", "of a standard deviation", "first curve", "law")
    rows = [
        joined([
            run.problem, run.seed, run.lost, f"{run.network_error:.2g}", f"{run.relative_network_error:.1e}",
            _short(run.first_curve), _short(run.found),
        ])
        for run in runs
    ]  # fmt: skip
    n_found = sum(run.lost == FOUND for run in runs)
    notes = [
        f"{n_found} of {len(runs)} laws found (the paper's criterion or the judge's strict one), "
        f"{limit.phrase} per run, on one core.",
        "(network): on the curve searched, the wrong formula does as well as the true one; (search): it does not.",
    ]
    for run in runs:
        parts = [f"{run.training}. {run.ended}", *(f"{one}." for one in run.coefficients)]
        notes.append(f"{run.problem}, seed {run.seed}: {' '.join(parts)}")
    return TextTable("Where the paper's chain loses a law", headings, tuple(rows), tuple(notes))


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
