"""Settings: what a run of the method can be asked for; each stage reads what is its own."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from scalesr.expr.frame import Frame
from scalesr.expr.operators import Operators
from scalesr.records.constraints import Constraint
from scalesr.records.interfaces import Learner, Search
from scalesr.records.noise import GivenNoise
from scalesr.records.oracle import Oracle
from scalesr.records.proposal import Proposal
from scalesr.records.samples import Samples

Preset = Literal["default", "paper"]
SearchName = Literal["default", "exhaustive", "mcts", "gp", "dsr", "nggp"]
GeneratorName = Literal["auto", "network", "kernel"]


@dataclass(frozen=True, slots=True)
class Settings:
    """How a law is looked for. `preset="paper"` follows the paper to the letter: of the rest it uses
    an oracle, in the place of its network, the limits of time and work, the workers and the checkpoint.
    """

    preset: Preset = "default"
    operators: Operators = field(default_factory=lambda: Operators("physics"))
    search: SearchName | Search = "default"  # of formulas in one variable
    generator: GeneratorName | Learner | Oracle = "auto"  # an oracle is asked instead of a learned function
    time_limit: float | None = 60.0  # seconds; it cuts and decides nothing else
    max_work: float | None = None  # units of work, see records/stop.py; it cuts at the same place on every machine
    max_complexity: int | None = None  # of a law
    units: tuple[tuple[str, str], ...] = ()  # of columns and targets by their names; none: nothing is known of them
    given_noise: GivenNoise | None = None  # what is known of the target's errors
    plain_laws: bool = True  # whether the rows are first tried with sparse linear laws
    n_jobs: int = 1
    formulas: tuple[str, ...] = ()  # that the user gives to begin from
    start: tuple[Proposal, ...] = ()  # laws to begin from, of an earlier discovery for example
    constraints: tuple[str, ...] = ()  # on the law, as the user writes them
    rules: tuple[Constraint, ...] = ()  # the same, read over the columns of the table
    template: str | None = None  # a law with holes, as the user writes it
    frame: Frame | None = None  # the same, read over the columns of the table
    checkpoint: Path | None = None  # file that finished searches are kept in, and taken from if it has them
    samples: Samples = field(default_factory=Samples)  # of the generator, for the searches by control variables
    error: float | None = None  # of the target's rows, where it is known: a short law that errs no more ends the work
