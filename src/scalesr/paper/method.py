"""The paper to the letter: its network, one draw of held values, its tree search, its chain, and nothing after."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from scalesr.evidence.criterion import description_length
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.expr.operators import Operators
from scalesr.generator.annealing import PAPER_TRAINING
from scalesr.generator.oracle import OracleGenerator
from scalesr.generator.questions import Questions
from scalesr.model_files.journal import Remembered, open_journal
from scalesr.paper.chain import LiteralResult, run_literal
from scalesr.paper.draw import draw_groups
from scalesr.paper.settings import LiteralSettings
from scalesr.records.budget import Report
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Discovery, Law, Step, Verdict
from scalesr.records.equation import Equation
from scalesr.records.interfaces import Generator, Search
from scalesr.records.noise import Noise
from scalesr.records.oracle import Oracle
from scalesr.records.outcome import Kind, Outcome
from scalesr.records.precision import EXACT_LAW
from scalesr.records.stop import Stop
from scalesr.records.sweep import Sweep
from scalesr.search.mcts import MctsSearch
from scalesr.search.mcts.reward import squared_error


@dataclass(frozen=True, slots=True)
class LiteralRun:
    """A discovery with what the paper's chain went through."""

    discovery: Discovery
    generator: Generator
    chain: LiteralResult


def discover_as_in_the_paper(
    data: Dataset,
    settings: Settings,
    *,
    rng: np.random.Generator,
    progress: Report | None = None,
    literal: LiteralSettings | None = None,
) -> Discovery:
    """The paper's method: the data train a network and are never looked at again.

    An oracle in the settings is asked in the place of the network, which shows what the chain does with
    a generator that makes no error.
    """
    return run_as_in_the_paper(data, settings, rng=rng, progress=progress, literal=literal).discovery


def run_as_in_the_paper(
    data: Dataset,
    settings: Settings,
    *,
    rng: np.random.Generator,
    progress: Report | None = None,
    literal: LiteralSettings | None = None,
) -> LiteralRun:
    """The same, with everything that the chain went through."""
    started, numbers = time.monotonic(), literal or LiteralSettings()
    journal = open_journal(data, settings, rng)
    stop = Stop(seconds=settings.time_limit, work=settings.max_work, memory=journal)
    n_held = data.n_rows - round(numbers.training_share * data.n_rows)
    known, held = data.split(n_held, rng=rng) if n_held else (data, data)
    generator = _generator(known, held, settings, numbers, rng, stop)
    made = Outcome(Kind.GENERATOR, True, generator.noise / (data.std or 1.0))
    learned = Step("generator", generator.description, time.monotonic() - started, outcome=made)
    draw = partial(_draw, known, generator, numbers)
    spl = spl_program(numbers)
    search: Search = spl if journal is None else Remembered(spl, journal, "curves")
    found = run_literal(data.names, draw, search=search, settings=numbers, rng=rng, deadline=stop, progress=progress)
    if journal is not None:
        journal.save()
    law = _law(found.expression, data, held)
    verdict, reason = _judged(law, held)
    steps, seconds = (learned, *found.steps), time.monotonic() - started
    noise = Noise("constant", generator.noise)
    discovery = Discovery(
        law, verdict, reason, (law,), steps, seconds, noise=noise, ended=found.ended, ending=found.ending
    )  # fmt: skip
    return LiteralRun(discovery, generator, found)


def spl_program(numbers: LiteralSettings) -> MctsSearch:
    """The paper's one-variable search: SPL as its published program has it, which the paper ran.

    Its reward has the mean squared error, where SPL's text has the root of it, and a search ends after the outer step
    that has brought a formula with next to no error.
    """
    text = MctsSearch.spl(operators=Operators("paper"), eta=numbers.eta)
    rules, schedule = replace(text.rules, measure=squared_error), replace(text.schedule, enough=numbers.enough)
    return replace(text, rules=rules, schedule=schedule)


def _generator(
    known: Dataset,
    held: Dataset,
    settings: Settings,
    numbers: LiteralSettings,
    rng: np.random.Generator,
    stop: Stop,
) -> Generator:
    """The oracle of the settings, or else the paper's network."""
    if isinstance(settings.generator, Oracle):
        return OracleGenerator(Questions(settings.generator), known)
    from scalesr.generator.paper_network import train_paper_network  # torch is loaded only for those who ask

    training = replace(PAPER_TRAINING, n_steps=numbers.n_steps)
    return train_paper_network(
        known, held, rng=rng, stop=stop.share(numbers.training_time), training=training, n_threads=settings.n_jobs
    )


def _draw(data: Dataset, generator: Generator, numbers: LiteralSettings, new: int, rng: np.random.Generator) -> Sweep:
    return draw_groups(data, generator, new, settings=numbers, rng=rng)


def _law(expression: Expression, data: Dataset, held: Dataset) -> Law:
    """The formula as it came out of the chain, with its errors on the rows."""
    n_constants = len(expression.constants)
    losses = [_loss(expression, part) for part in (data, held)]
    score = description_length(expression.skeleton(), losses[0] * data.n_rows, data.sweep())
    equation = Equation(expression, data.names, np.zeros((n_constants, n_constants)))
    return Law(equation, losses[0], losses[1], score, "the paper's chain")


def _loss(expression: Expression, data: Dataset) -> float:
    with np.errstate(all="ignore"):
        mean = float(np.average((data.y - evaluate(expression, data.table)) ** 2, weights=data.weights))
    return mean if np.isfinite(mean) else np.inf


def _judged(law: Law, held: Dataset) -> tuple[Verdict, str]:
    """Exact or not: the paper's method looks no further."""
    error = float(np.sqrt(law.held_loss)) / (held.std or 1.0)
    verdict = Verdict.EXACT if error <= EXACT_LAW else Verdict.APPROXIMATE
    return (
        verdict,
        f"On {held.n_rows} held-back rows the formula errs by {error:.2g} of the target's standard deviation.",
    )
