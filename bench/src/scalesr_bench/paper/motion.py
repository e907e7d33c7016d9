"""The paper's gene networks: laws of motion, trajectories, and what other methods make of one equation."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.estimators.dynamics import ScaleSRDynamics
from scalesr.expr.expression import Expression
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr_bench.dynamics.drawing import DrawnRuns, draw_runs
from scalesr_bench.dynamics.judging import errors_of_runs
from scalesr_bench.dynamics.systems import SYSTEMS
from scalesr_bench.form_judge import judge_noisy
from scalesr_bench.laws.methods import limits_of, make_method
from scalesr_bench.paper.published import BASELINES, LAWS_OF_MOTION, MSRE
from scalesr_bench.text_tables import TextTable

Floats = NDArray[np.float64]

N_ROWS: Final = 2000  # that other methods see
_LABELS: Final = {"repressilator": ("Here M1 is repressed by P3, M2 by P1, M3 by P2, as in the paper's equation (6).",)}
N_JUDGED: Final = 100  # held-back trajectories
QUICK_TRAJECTORIES: Final = 100
QUICK_SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True, eq=False)
class MotionResult:
    """What was found in the trajectories of a system."""

    system: str
    equations: TextTable
    times: Floats  # (points,)
    truth: Floats  # (points, states), one held-back trajectory
    ours: Floats  # (points, states)
    states: tuple[str, ...]


def measure_motion(
    system: str, methods: Sequence[str], *, seed: int = 0, time_limit: float = 60.0, quick: bool = False
) -> MotionResult:
    """Find the laws of motion by our estimator, and the first one by other methods from rows and derivatives.

    Other methods have the time limit for their one equation, our estimator as much for each state.
    """
    known = SYSTEMS[system]
    drawn = draw_runs(known, seed=seed, noise=0.0, n_trajectories=QUICK_TRAJECTORIES if quick else None)
    started = time.perf_counter()
    model = ScaleSRDynamics(random_state=seed, time_limit=time_limit * len(known.states))
    model.fit(drawn.measured, drawn.times, states=known.states)
    seconds = time.perf_counter() - started
    held = drawn.held[:N_JUDGED]
    _, msre = errors_of_runs(model.simulate(held[:, 0], drawn.times), held)
    rows = [
        (state, "scalesr", str(equation), _is_law(equation.expression, drawn, place, seed))
        for place, (state, equation) in enumerate(zip(known.states, model.equations_, strict=True))
    ]
    rows += [(known.states[0], method, *_by_method(method, drawn, seed, time_limit)) for method in methods]
    return MotionResult(
        system, _table(drawn, rows, msre, seconds, quick, methods), drawn.times, held[0],
        model.simulate(held[0, 0], drawn.times), known.states,
    )  # fmt: skip


def _table(
    drawn: DrawnRuns,
    found: Sequence[tuple[str, str, str, str]],
    msre: float,
    seconds: float,
    quick: bool,
    methods: Sequence[str],
) -> TextTable:
    name = drawn.system.name
    truths = {state: law.text for state, law in zip(drawn.system.states, drawn.system.laws, strict=True)}
    rows = [(f"d{state}/dt", "truth", law, "") for state, law in truths.items()]
    rows += [(f"d{state}/dt", "ScaleSR in the paper", law, "") for state, law in LAWS_OF_MOTION[name].items()]
    first = drawn.system.states[0]
    rows += [(f"d{first}/dt", f"{method} in the paper", law, "") for method, law in BASELINES[name].items()]
    rows += [(f"d{state}/dt", method, law, right) for state, method, law, right in found]
    notes = [
        f"MSRE of {N_JUDGED} held-back trajectories: {msre:.2g}; the paper's is {MSRE[name]:.2g}. Our fit took "
        f"{seconds:.0f} s with {len(drawn.measured)} trajectories.",
        f"Other methods saw {N_ROWS} rows of states with derivatives by fourth-order differences.",
        *(_LABELS.get(name, ())),
        *(limits for method in methods if (limits := limits_of(method))),
    ]
    if quick:
        notes.append("QUICK: few trajectories and short searches; a look at how it works, no figure to be quoted.")
    return TextTable(f"Laws of motion: {name}", ("equation", "method", "law", "right form"), tuple(rows), tuple(notes))


def _by_method(method: str, drawn: DrawnRuns, seed: int, time_limit: float) -> tuple[str, str]:
    """The first equation from a table of states and derivatives, and whether its form is right."""
    data = derivative_rows(drawn, 0, rng=np.random.default_rng(seed))
    found = make_method(method)(data, Settings(time_limit=time_limit), rng=np.random.default_rng(seed))
    return str(found.equation), _is_law(found.equation.expression, drawn, 0, seed)


def _is_law(expression: Expression, drawn: DrawnRuns, place: int, seed: int) -> str:
    verdict = judge_noisy(expression, drawn.system.laws[place], rng=np.random.default_rng([seed, place]))
    return "yes" if verdict.form else "no"


def derivative_rows(drawn: DrawnRuns, place: int, *, rng: np.random.Generator) -> Dataset:
    """States and the derivative of one of them, by fourth-order central differences, two points off each end."""
    runs, step = drawn.measured, float(drawn.times[1] - drawn.times[0])
    x = runs[:, :, place]
    slopes = (x[:, :-4] - 8 * x[:, 1:-3] + 8 * x[:, 3:-1] - x[:, 4:]) / (12 * step)
    states, y = runs[:, 2:-2].reshape(-1, runs.shape[2]), slopes.ravel()
    chosen = np.sort(rng.choice(len(y), min(N_ROWS, len(y)), replace=False))
    names = drawn.system.states
    return Dataset.from_table(states[chosen], y[chosen], names=names, target=f"d{names[place]}")
