"""A file as a model, or an error that says what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np

from scalesr.errors import DataError, FormulaError
from scalesr.expr.names import check_names
from scalesr.expr.text import parse
from scalesr.model_files.groups import groups_of
from scalesr.model_files.json_text import content_of, json_of, text_of
from scalesr.model_files.model import FORMAT, READABLE, VERSION, Model, Value
from scalesr.model_files.values import Fault, duration, excerpt, fields_of, flag, items, number, size, text, texts
from scalesr.records.curves import Curves, Line
from scalesr.records.discovery import Discovery, Law, Part, Rival, Step, Verdict
from scalesr.records.equation import Equation
from scalesr.records.noise import NOISE_KINDS, Noise
from scalesr.records.outcome import Ending, Kind, Outcome

T = TypeVar("T")
W = TypeVar("W", bound=StrEnum)

_SENTENCES: Final = {  # of versions 1 and 2
    "An exact law was found": Ending.EXACT,
    "A short law errs no more": Ending.EXACT,
    "A law fits within the noise": Ending.WITHIN_NOISE,
    "The time limit": Ending.TIME,
    "The method was interrupted": Ending.INTERRUPTED,
    "The chain was interrupted": Ending.INTERRUPTED,
}


def read_model(path: Path) -> Model:
    """Read a model from a file, which may hold anything."""
    return read_document(path, _model)


def model_of(content: bytes, name: str) -> Model:
    """A model from what a file of that name would hold, which may be anything."""
    try:
        return _model(json_of(text_of(content)))
    except Fault as fault:
        raise DataError(f"{name} is not a model file that can be read: {fault}.") from fault


def read_document(path: Path, made: Callable[[Any], T]) -> T:
    """What is made of a file's JSON; whatever is wrong with it becomes one error that names the file."""
    try:
        return made(json_of(content_of(path)))
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from error
    except Fault as fault:
        raise DataError(f"{path} is not a model file that can be read: {fault}.") from fault


def _model(document: Any) -> Model:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise Fault(f'it does not say "format": "{FORMAT}"; save one with model.save(path)')
    if document.get("version") not in READABLE:
        version = excerpt(document.get("version"))
        raise Fault(f"it has version {version} of the format and this ScaleSR reads version {VERSION}; update ScaleSR")
    fields = fields_of(
        document, "the file", "format version library names are_names_given targets settings discoveries"
    )  # fmt: skip
    names = names_of(fields["names"], "names")
    targets = texts(fields["targets"], "targets")
    discoveries = items(fields["discoveries"], "discoveries", lambda value, where: discovery_of(value, where, names))
    if not 0 < len(discoveries) == len(targets):
        raise Fault(f"it has {len(discoveries)} discoveries and {len(targets)} targets")
    settings = settings_of(fields["settings"])
    return Model(
        discoveries, names, targets, flag(fields["are_names_given"], "are_names_given"), settings,
        text(fields["library"], "library"),
    )  # fmt: skip


def discovery_of(value: Any, where: str, names: tuple[str, ...]) -> Discovery:
    """A discovery over columns of these names."""
    later: dict[str, Any] = {"probability": None, "rivals": [], "chosen": None}  # which came later
    known = later | {"ending": _ending_then(value)} | value if isinstance(value, dict) else value
    names_of_fields = "law verdict reason front trace seconds noise ruled_out ended ending probability rivals chosen"
    fields = fields_of(known, where, names_of_fields)
    law = _law(fields["law"], f"{where}.law", names)
    front = items(fields["front"], f"{where}.front", lambda law, place: _law(law, place, names))
    return Discovery(
        law=law,
        verdict=_word(Verdict, fields["verdict"], f"{where}.verdict"),
        reason=text(fields["reason"], f"{where}.reason"),
        front=front,
        trace=items(fields["trace"], f"{where}.trace", _step),
        seconds=duration(fields["seconds"], f"{where}.seconds"),
        noise=None if fields["noise"] is None else _noise(fields["noise"], f"{where}.noise"),
        ruled_out=texts(fields["ruled_out"], f"{where}.ruled_out"),
        ended=text(fields["ended"], f"{where}.ended"),
        ending=_word(Ending, fields["ending"], f"{where}.ending"),
        probability=None if fields["probability"] is None else _share(fields["probability"], f"{where}.probability"),
        rivals=items(fields["rivals"], f"{where}.rivals", lambda rival, place: _rival(rival, place, names)),
        chosen=None if fields["chosen"] is None else _place(fields["chosen"], f"{where}.chosen", len(front)),
    )


def _place(value: Any, where: str, count: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < count:
        raise Fault(f"{where} is {excerpt(value)}, and the Pareto front has {count} laws, from 0")
    return value


def _rival(value: Any, where: str, names: tuple[str, ...]) -> Rival:
    fields = fields_of(value, where, "law probability")
    return Rival(_law(fields["law"], f"{where}.law", names), _share(fields["probability"], f"{where}.probability"))


def _share(value: Any, where: str) -> float:
    share = number(value, where)
    if not 0 <= share <= 1:
        raise Fault(f"{where} is {share:g}, and a probability lies between 0 and 1")
    return share


def _noise(value: Any, where: str) -> Noise:
    """The noise; earlier files hold its standard deviation alone."""
    if not isinstance(value, dict):
        return Noise("constant", size(value, where))
    fields = fields_of(value, where, "kind scale relative outliers digits source")
    kind, source = fields["kind"], fields["source"]
    if kind not in NOISE_KINDS or source not in ("given", "estimated"):
        raise Fault(f"{where} is of the kind {kind!r} from {source!r}, which is unknown")
    try:
        return Noise(
            kind, None if fields["scale"] is None else size(fields["scale"], f"{where}.scale"),
            relative=size(fields["relative"], f"{where}.relative"),
            outliers=_share(fields["outliers"], f"{where}.outliers"),
            digits=size(fields["digits"], f"{where}.digits"), source=source,
        )  # fmt: skip
    except DataError as error:
        raise Fault(f"{where}: {error}") from error


def _law(value: Any, where: str, names: tuple[str, ...]) -> Law:
    known = {"parts": [], "groups": None} | value if isinstance(value, dict) else value  # which not every file has
    fields = fields_of(known, where, "equation covariance loss held_loss score origin parts groups")
    groups = None if fields["groups"] is None else groups_of(fields["groups"], f"{where}.groups")
    return Law(
        _equation(fields, where, names if groups is None else (*names, *groups.letters)),
        loss=size(fields["loss"], f"{where}.loss"),
        held_loss=size(fields["held_loss"], f"{where}.held_loss"),
        score=number(fields["score"], f"{where}.score"),
        origin=text(fields["origin"], f"{where}.origin"),
        parts=items(fields["parts"], f"{where}.parts", lambda part, place: _part(part, place, names)),
        groups=groups,
    )


def _part(value: Any, where: str, names: tuple[str, ...]) -> Part:
    fields = fields_of(value, where, "title equation covariance")
    return Part(text(fields["title"], f"{where}.title"), _equation(fields, where, names))


def _equation(fields: dict[str, Any], where: str, names: tuple[str, ...]) -> Equation:
    lines = items(fields["covariance"], f"{where}.covariance", lambda line, place: items(line, place, number))
    try:
        expression = parse(text(fields["equation"], f"{where}.equation"), names)
        count = len(expression.constants)
        if len(lines) != count or any(len(line) != count for line in lines):
            raise Fault(f"{where}.covariance is not {count} by {count}, as the formula's constants ask for")
        covariance = np.array(lines, np.float64).reshape(count, count)
        if (np.diag(covariance) < 0).any():
            raise Fault(f"{where}.covariance has a negative variance, {np.diag(covariance).min():g}")
        return Equation(expression, names, covariance)
    except (FormulaError, DataError) as error:
        raise Fault(f"{where}.equation: {error}") from error


def _step(value: Any, where: str) -> Step:
    known = {"curves": [], "outcome": None} | value if isinstance(value, dict) else value  # which came later
    fields = fields_of(known, where, "stage summary seconds rejected curves outcome")
    return Step(
        text(fields["stage"], f"{where}.stage"),
        text(fields["summary"], f"{where}.summary"),
        duration(fields["seconds"], f"{where}.seconds"),
        texts(fields["rejected"], f"{where}.rejected"),
        items(fields["curves"], f"{where}.curves", _curves),
        None if fields["outcome"] is None else _outcome(fields["outcome"], f"{where}.outcome"),
    )


def _outcome(value: Any, where: str) -> Outcome:
    fields = fields_of(value, where, "kind succeeded error")
    return Outcome(
        _word(Kind, fields["kind"], f"{where}.kind"),
        flag(fields["succeeded"], f"{where}.succeeded"),
        None if fields["error"] is None else size(fields["error"], f"{where}.error"),
    )


def _curves(value: Any, where: str) -> Curves:
    fields = fields_of(value, where, "x y lines")
    lines = items(fields["lines"], f"{where}.lines", _line)
    return Curves(text(fields["x"], f"{where}.x"), text(fields["y"], f"{where}.y"), lines)


def _line(value: Any, where: str) -> Line:
    parts = items(value, where, lambda part, place: items(part, place, number))
    if len(parts) != 3 or len(parts[0]) != len(parts[1]) or len(parts[2]) not in (0, len(parts[1])):
        raise Fault(f"{where} is not three lists of numbers, as many of x as of y")
    return Line(*parts)


def settings_of(value: Any) -> dict[str, Value]:
    """The parameters of an estimator."""
    if not isinstance(value, dict):
        raise Fault("settings is not an object")
    return {name: _setting(setting, f"settings.{name}") for name, setting in value.items()}


def _setting(value: Any, where: str) -> Value:
    if isinstance(value, list):
        return texts(value, where)
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, dict):
        raise Fault(f"{where} is an object")
    if isinstance(value, int) and abs(value) < 2**128:  # as long as a seed may be
        return value
    return number(value, where)


def names_of(value: Any, where: str) -> tuple[str, ...]:
    """Names of columns, each a text of its own."""
    names = texts(value, where)
    try:
        check_names(names)
    except FormulaError as error:
        raise Fault(f"{where}: {error}") from error
    return names


def _word(words: type[W], value: Any, where: str) -> W:
    """One of the words of a list."""
    if value not in list(words):
        raise Fault(f"{where} is {excerpt(value)}; it may be {', '.join(words)}")
    return words(value)


def _ending_then(discovery: Mapping[str, Any]) -> str:
    """The ending of a discovery from a file of version 1 or 2, which tells it as a sentence only."""
    sentence = str(discovery.get("ended"))
    told = (ending for start, ending in _SENTENCES.items() if sentence.startswith(start))
    return next(told, Ending.COMPLETE)
