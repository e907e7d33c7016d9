"""Laws found with what is known of them, without it, and without it with five times the work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from scalesr.estimators.discover import discover
from scalesr.estimators.frames import named_rows
from scalesr.records.discovery import Discovery
from scalesr_bench.form_judge import judge_noisy
from scalesr_bench.judge import judge_law
from scalesr_bench.knowledge.problems import Kind, KnownLaw, Part, laws
from scalesr_bench.samplers import standard_rows, with_noise

TIMES_THE_WORK: Final = 5.0


@dataclass(frozen=True, slots=True)
class KnowledgeSettings:
    """What is measured."""

    kind: Kind
    part: Part
    max_work: float  # units for a run with what is known
    seeds: int
    most: int | None = None  # laws


def measure_knowledge(settings: KnowledgeSettings, told: Callable[[str], None]) -> dict[str, Any]:
    """Every law of a kind with its runs, and how many are won: found with what is known, and not without."""
    runs = []
    for law in laws(settings.kind, settings.part)[: settings.most]:
        for seed in range(settings.seeds):
            run = _run(law, seed, settings.max_work)
            runs.append(run)
            told(f"{run['law']}, seed {seed}: {_said(run)}")
    return {
        "kind": settings.kind,
        "part": settings.part,
        "max_work": settings.max_work,
        "times_the_work_without": TIMES_THE_WORK,
        "runs": runs,
        "summary": {
            "runs": len(runs),
            "found_with": sum(run["with"]["found"] for run in runs),
            "found_without": sum(run["without"]["found"] for run in runs),
            "found_without_and_more_work": sum(run["without_more"]["found"] for run in runs),
            "won": sum(run["with"]["found"] and not run["without_more"]["found"] for run in runs),
        },
    }


def _said(run: dict[str, Any]) -> str:
    ways = ("with", "without", "without_more")
    return ", ".join(f"{way.replace('_', ' ')} {'found' if run[way]['found'] else 'missed'}" for way in ways)


def _run(law: KnownLaw, seed: int, max_work: float) -> dict[str, Any]:
    """One table, looked at three times; a run that has found it is not made once more with more work."""
    rng = np.random.default_rng([seed, law.n_rows])
    X = standard_rows(law.problem, law.n_rows, rng=rng)
    y = with_noise(law.problem.values(X), law.noise, rng=rng)
    known: dict[str, Any] = {"template": law.template, "constraints": law.constraints or None, "start": law.start}
    ways = {"with": _found(law, X, y, seed, max_work, known), "without": _found(law, X, y, seed, max_work, {})}
    more = ways["without"] if ways["without"]["found"] else _found(law, X, y, seed, TIMES_THE_WORK * max_work, {})
    return {
        "law": law.problem.name, "formula": law.problem.formula,
        "known": law.template or law.start or list(law.constraints), "rows": law.n_rows, "noise": law.noise,
        "seed": seed, **ways, "without_more": more,
    }  # fmt: skip


def _found(law: KnownLaw, X: Any, y: Any, seed: int, max_work: float, known: dict[str, Any]) -> dict[str, Any]:
    names = list(law.problem.names)
    discovery = discover(_table(X, names), y, max_work=max_work, time_limit=None, random_state=seed, **known)
    assert isinstance(discovery, Discovery)
    rng = np.random.default_rng([seed, 1])
    expression = discovery.law.equation.expression
    found = (judge_noisy if law.noise else judge_law)(expression, law.problem, rng=rng).recovered
    return {
        "found": bool(found), "law": discovery.law.equation.text(), "verdict": str(discovery.verdict),
        "seconds": round(discovery.seconds, 2),
    }  # fmt: skip


def _table(X: Any, names: list[str]) -> Any:
    return named_rows(X, names, np.zeros(len(X)), "target")[0]
