"""LiteralSettings: the numbers of the paper's method, with the paper's values."""

from __future__ import annotations

from dataclasses import dataclass

from scalesr.generator.annealing import PAPER_TRAINING


@dataclass(frozen=True, slots=True)
class LiteralSettings:
    """What the paper's ablations vary; the defaults are those of its main experiments.

    The paper's N is the number of rows of the table that is handed in.
    """

    n_points: int = 200  # M, samples of the learned variables in each group
    n_groups: int = 200  # K, values of the new variable
    training_share: float = 0.8  # of the rows; the others validate the generator: 6400 and 1600 of 8000
    n_steps: int = PAPER_TRAINING.n_steps  # of the network's training, most; the paper does not say how many
    training_time: float = 0.5  # share of the limit of time or work that the training may have
    eta: float = 0.9999  # SPL's price of a symbol, by which a formula is chosen among those of a search
    enough: float = 1e-5  # mean squared error from which down SPL's program begins no further outer step
    n_fits: int | None = None  # most fits of one search; None: the search's own schedule

    def __post_init__(self) -> None:
        if self.n_points < 1 or self.n_groups < 2:
            raise ValueError(
                f"A step needs 1 point or more and 2 groups or more; not {self.n_points}, {self.n_groups}."
            )
        if self.n_steps < 1:
            raise ValueError(f"A network needs 1 step of training or more, not {self.n_steps}.")
        for name in ("training_share", "training_time"):
            if not 0 < getattr(self, name) < 1:
                raise ValueError(f"{name} is a share between 0 and 1; {getattr(self, name)} is not.")
        if not 0 < self.eta <= 1:
            raise ValueError(f"A price of symbols is a factor above 0 and at most 1, not {self.eta}.")
