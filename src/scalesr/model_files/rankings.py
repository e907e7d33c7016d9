"""What a search found as plain JSON values, and back, to the last bit."""

from __future__ import annotations

import base64
import binascii
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import FormulaError
from scalesr.expr.expression import Expression
from scalesr.model_files.values import Fault, excerpt, fields_of, flag, items, number, text, texts
from scalesr.model_files.write import number_document
from scalesr.records.skeleton import Ranking, Skeleton

Floats = NDArray[np.float64]

_RANKING = "skeletons names n_scored n_fits seconds ended complete_up_to interrupted"
_SKELETON = "codes args constants open_constants covariance rss error score within_noise"


def ranking_document(ranking: Ranking) -> dict[str, Any]:
    """A ranking as JSON values; arrays are base64 of little-endian numbers."""
    return {
        "skeletons": [_skeleton_document(skeleton) for skeleton in ranking.skeletons],
        "names": list(ranking.names),
        "n_scored": ranking.n_scored,
        "n_fits": ranking.n_fits,
        "seconds": ranking.seconds,
        "ended": ranking.ended,
        "complete_up_to": ranking.complete_up_to,
        "interrupted": ranking.interrupted,
    }


def ranking_of(value: Any, where: str) -> Ranking:
    """A ranking from JSON values, which may be anything."""
    fields = fields_of(value, where, _RANKING)
    up_to = fields["complete_up_to"]
    return Ranking(
        items(fields["skeletons"], f"{where}.skeletons", _skeleton),
        texts(fields["names"], f"{where}.names"),
        whole(fields["n_scored"], f"{where}.n_scored"),
        whole(fields["n_fits"], f"{where}.n_fits"),
        number(fields["seconds"], f"{where}.seconds"),
        text(fields["ended"], f"{where}.ended"),
        None if up_to is None else whole(up_to, f"{where}.complete_up_to"),
        flag(fields["interrupted"], f"{where}.interrupted"),
    )


def whole(value: Any, where: str) -> int:
    """A whole number."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise Fault(f"{where} is {excerpt(value)} and no whole number")
    return value


def _skeleton_document(skeleton: Skeleton) -> dict[str, Any]:
    expression = skeleton.expression
    return {
        "codes": expression.codes.tolist(),
        "args": expression.args.tolist(),
        "constants": _packed(expression.constants),
        "open_constants": _packed(skeleton.constants),
        "covariance": _packed(skeleton.covariance),
        "rss": _packed(skeleton.rss),
        "error": number_document(skeleton.error),
        "score": number_document(skeleton.score),
        "within_noise": bool(skeleton.within_noise),
    }


def _skeleton(value: Any, where: str) -> Skeleton:
    fields = fields_of(value, where, _SKELETON)
    codes, args = (items(fields[name], f"{where}.{name}", whole) for name in ("codes", "args"))
    try:
        expression = Expression.from_arrays(codes, args, _unpacked(fields["constants"], f"{where}.constants"))
    except (FormulaError, OverflowError) as error:
        raise Fault(f"{where} is no formula: {error}") from error
    n_open = expression.n_open
    rss = _unpacked(fields["rss"], f"{where}.rss")
    constants = _unpacked(fields["open_constants"], f"{where}.open_constants")
    covariance = _unpacked(fields["covariance"], f"{where}.covariance")
    if constants.size != len(rss) * n_open or covariance.size != len(rss) * n_open**2:
        raise Fault(f"{where} has {constants.size} constants for {len(rss)} groups and {n_open} open constants")
    return Skeleton(
        expression,
        constants.reshape(len(rss), n_open),
        covariance.reshape(len(rss), n_open, n_open),
        rss,
        number(fields["error"], f"{where}.error"),
        number(fields["score"], f"{where}.score"),
        flag(fields["within_noise"], f"{where}.within_noise"),
    )


def _packed(values: Floats) -> str:
    return base64.b64encode(np.ascontiguousarray(values, "<f8").tobytes()).decode("ascii")


def _unpacked(value: Any, where: str) -> Floats:
    try:
        return np.frombuffer(base64.b64decode(text(value, where), validate=True), "<f8").astype(np.float64)
    except (binascii.Error, ValueError) as error:
        raise Fault(f"{where} is no base64 of numbers ({error})") from error
