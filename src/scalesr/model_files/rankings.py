"""What a search found as plain JSON values, and back, to the last bit."""

from __future__ import annotations

from typing import Any

from scalesr.errors import FormulaError
from scalesr.expr.expression import Expression
from scalesr.model_files.packing import count, packed, unpacked, whole
from scalesr.model_files.values import Fault, duration, fields_of, flag, items, number, text, texts
from scalesr.model_files.write import number_document
from scalesr.records.skeleton import Ranking, Skeleton

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
        count(fields["n_scored"], f"{where}.n_scored"),
        count(fields["n_fits"], f"{where}.n_fits"),
        duration(fields["seconds"], f"{where}.seconds"),
        text(fields["ended"], f"{where}.ended"),
        None if up_to is None else count(up_to, f"{where}.complete_up_to"),
        flag(fields["interrupted"], f"{where}.interrupted"),
    )


def _skeleton_document(skeleton: Skeleton) -> dict[str, Any]:
    expression = skeleton.expression
    return {
        "codes": expression.codes.tolist(),
        "args": expression.args.tolist(),
        "constants": packed(expression.constants),
        "open_constants": packed(skeleton.constants),
        "covariance": packed(skeleton.covariance),
        "rss": packed(skeleton.rss),
        "error": number_document(skeleton.error),
        "score": number_document(skeleton.score),
        "within_noise": bool(skeleton.within_noise),
    }


def _skeleton(value: Any, where: str) -> Skeleton:
    fields = fields_of(value, where, _SKELETON)
    codes, args = (items(fields[name], f"{where}.{name}", whole) for name in ("codes", "args"))
    try:
        expression = Expression.from_arrays(codes, args, unpacked(fields["constants"], f"{where}.constants"))
    except (FormulaError, OverflowError) as error:
        raise Fault(f"{where} is not a formula: {error}") from error
    n_open = expression.n_open
    rss = unpacked(fields["rss"], f"{where}.rss")
    constants = unpacked(fields["open_constants"], f"{where}.open_constants")
    covariance = unpacked(fields["covariance"], f"{where}.covariance")
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
