"""Layers: a trained network without its library: matrix products in double precision."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from scalesr.generator.ridge import root_weights, solve_ridge

Floats = NDArray[np.float64]
Activation = Literal["tanh", "silu"]


@dataclass(frozen=True, slots=True, eq=False)
class Layers:
    """A feed-forward network of scaled inputs with one output."""

    weights: tuple[Floats, ...]  # (inputs, outputs) of each layer
    biases: tuple[Floats, ...]  # (outputs,)
    activation: Activation
    solves_last: bool  # whether the last layer is solved for other rows in closed form, or kept as trained

    def values(self, Z: Floats) -> Floats:
        """Values (rows,)."""
        out: Floats = self._hidden(Z) @ self.weights[-1][:, 0] + self.biases[-1][0]
        return out

    def gradient(self, Z: Floats) -> Floats:
        """Derivatives by each input (rows, inputs)."""
        slopes, hidden = [], Z
        for weights, bias in zip(self.weights[:-1], self.biases[:-1], strict=True):
            hidden, slope = _activated(hidden @ weights + bias, self.activation)
            slopes.append(slope)
        back = np.broadcast_to(self.weights[-1][:, 0], hidden.shape)
        for weights, slope in zip(self.weights[-2::-1], slopes[::-1], strict=True):
            back = (back * slope) @ weights.T
        return np.asarray(back)

    def refitted(self, Z: Floats, t: Floats, weights: Floats | None, *, rng: np.random.Generator) -> Layers:
        """The network with its last layer solved for these rows, if that is its way."""
        del rng
        return self.solved(Z, t, weights) if self.solves_last else self

    def solved(self, Z: Floats, t: Floats, weights: Floats | None) -> Layers:
        """The network with the last layer of least squares, ridged by cross-validation."""
        roots = root_weights(weights, len(t))
        hidden = np.column_stack([self._hidden(Z), np.ones(len(Z))])
        last, _ = solve_ridge(hidden * roots[:, np.newaxis], t * roots)
        return replace(self, weights=(*self.weights[:-1], last[:-1, np.newaxis]), biases=(*self.biases[:-1], last[-1:]))

    def _hidden(self, Z: Floats) -> Floats:
        for weights, bias in zip(self.weights[:-1], self.biases[:-1], strict=True):
            Z, _ = _activated(Z @ weights + bias, self.activation)
        return Z


def _activated(u: Floats, activation: Activation) -> tuple[Floats, Floats]:
    """Values of the activation and its derivative."""
    if activation == "tanh":
        value = np.tanh(u)
        return value, 1 - value**2
    share = expit(u)
    return u * share, share * (1 + u * (1 - share))
