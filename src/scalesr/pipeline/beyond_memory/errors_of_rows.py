"""Errors of rows under a law: what the sample says of their kind and of outliers, to be applied to rows in batches."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.criterion import EXACT
from scalesr.evidence.likelihood import (
    Explained,
    Shape,
    Sizes,
    Sums,
    explain,
    explain_sums,
    likeliest_shape,
    shapes_of,
    sizes_of,
)
from scalesr.records.dataset import Dataset
from scalesr.records.noise import NoiseKind

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class RowErrors:
    """The kind of the errors, how their shape is made from a law's values, and which rows are outliers."""

    data: Dataset  # the sample, with what the user knows of the errors
    kind: NoiseKind
    share: float
    sizes: Sizes
    rounding: float  # of the target
    cut: float  # a residual over its shape that is larger is an outlier's
    narrow: float  # the usual size of a residual over its shape

    def shape(self, values: Floats) -> Shape:
        """The shape of the errors at a law's values."""
        given = self.data.given_noise
        noise = None if given is None else given.noise
        if noise is not None and (noise.scale is not None or noise.kind == "exact"):
            size = max(self.rounding, noise.digits) if noise.kind == "exact" else self.rounding
            known = np.zeros(len(values)) if noise.kind == "exact" else noise.variances(values)
            return Shape(noise.kind, known + size**2)
        shapes = shapes_of(values, self.sizes)
        return next(one for one in shapes if (one.kind, one.share) == (self.kind, self.share))

    def explained(self, sums: Sums, shape: Shape, n_constants: int) -> Explained:
        """The rows that the sums are of; `shape` is that of the sample, for the name of the noise."""
        given = self.data.given_noise
        if given is not None and given.noise is not None:
            noise = given.noise
            if noise.scale is not None or noise.kind == "exact":
                return Explained(0.5 * sums.total + sums.price + 0.5 * sums.n_rows * math.log(2 * math.pi), noise)
        may_have = given is None or given.outliers
        return explain_sums(sums, shape, n_constants, may_have_outliers=may_have)


def row_errors(residual: Floats, values: Floats, n_constants: int, data: Dataset) -> RowErrors:
    """What the sample's residual under a law says of the errors."""
    size = float(np.sqrt(np.mean(data.y**2)))
    rounding = EXACT * size
    given = data.given_noise
    likeliest = likeliest_shape(residual, values, rounding)
    kind, share = likeliest.kind, likeliest.share
    if given is not None and given.noise is not None and given.noise.scale is None:
        kinds = [(one.kind, one.share) for one in shapes_of(values) if one.kind == given.noise.kind]
        kind, share = kinds[0] if kinds else ("constant", 0.0)
    whole = RowErrors(data, kind, share, sizes_of(values), rounding, math.inf, 0.0)
    scaled = np.abs(whole.shape(values).divided(residual))
    cut = explain(residual, values, n_constants, rounding=rounding, given=given).cut
    narrow = max(float(np.median(scaled)), whole.shape(values).floor(rounding), float(np.finfo(float).tiny))
    return RowErrors(data, kind, share, whole.sizes, rounding, cut, narrow)
