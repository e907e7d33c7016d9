"""Model files give back what was written, and refuse everything else with a sentence."""

import contextlib
import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scalesr.errors import DataError
from scalesr.expr.text import parse
from scalesr.model_files import Model, read_model, write_model
from scalesr.model_files.model import MAX_BYTES
from scalesr.records.curves import Curves, Line
from scalesr.records.discovery import Discovery, Law, Rival, Step, Verdict
from scalesr.records.equation import Equation
from scalesr.records.groups import GroupConstants
from scalesr.records.noise import Noise
from scalesr.records.outcome import Ending, Kind, Outcome
from tests.expr.strategies import expressions

NAMES = ("a b", "sin", "")


def law(text: str = "2.5*`a b` + sin(`sin`)^2 - 1e-34*``", **rest) -> Law:
    expression = parse(text, NAMES)
    covariance = np.diag(np.arange(1.0, 1 + len(expression.constants))) / 3
    facts = {"loss": 0.1, "held_loss": 1 / 3, "score": -7.5, "origin": "sparse law"} | rest
    return Law(Equation(expression, NAMES, covariance), **facts)


def model(**rest) -> Model:
    curves = Curves("a b", "C1", (Line((0.1, 0.2), (1.0, math.inf)), Line((3.0,), (4.0,), (-5e-324,))))
    steps = (
        Step("reduce", 'It said "no" \\ and more: {[', 0.25, ("x", "y")),
        Step("search", "θ", 1e-9, (), (curves,), Outcome(Kind.CURVES, False, math.inf)),
        Step("combine", "One more.", 1.0, outcome=Outcome(Kind.GROWTH, True)),
    )
    discovery = Discovery(
        law(),
        Verdict.WITHIN_NOISE,
        "No structure is left.",
        (law("3"), law()),
        steps,
        2.5,
        Noise("mixed", 0.125, relative=0.01, outliers=0.05, source="given"),
        ("No sum.",),
        "Done.",
        Ending.STUCK,
        0.75,
        (Rival(law("4"), 0.2),),
    )
    settings = {"time_limit": 60, "operators": ("+", "*"), "search": "default", "verbose": 0, "n_jobs": None}
    return Model(
        **{"discoveries": (discovery,), "names": NAMES, "targets": ("E",), "are_names_given": True}
        | {"settings": settings, "library": "0.1.0"} | rest
    )  # fmt: skip


def written(tmp_path, change=lambda document: None):
    """The path of a good file after a change to its content."""
    path = tmp_path / "law.json"
    write_model(path, model())
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))
    return path


def test_a_model_comes_back_as_it_was_written(tmp_path):
    write_model(tmp_path / "law.json", model())
    assert read_model(tmp_path / "law.json") == model()


def test_files_of_version_1_are_read(tmp_path):
    def as_then(document):
        document["version"] = 1
        del document["discoveries"][0]["ending"]
        for step in document["discoveries"][0]["trace"]:
            del step["curves"], step["outcome"]

    (then,) = read_model(written(tmp_path, as_then)).discoveries
    (now,) = model().discoveries
    bare = tuple(replace(step, curves=(), outcome=None) for step in now.trace)
    assert then == replace(now, trace=bare, ending=Ending.COMPLETE)


@pytest.mark.parametrize(
    ("ended", "ending"),
    [
        ("The time limit of 60 s was reached.", Ending.TIME),
        ("The method was interrupted; this is the best so far.", Ending.INTERRUPTED),
        ("An exact law was found.", Ending.EXACT),
        ("The method came to its end.", Ending.COMPLETE),
    ],
)
def test_the_ending_of_a_file_of_version_2_is_told_from_its_sentence(tmp_path, ended, ending):
    def as_then(document):
        document["version"] = 2
        document["discoveries"][0]["ended"] = ended
        del document["discoveries"][0]["ending"]

    assert read_model(written(tmp_path, as_then)).discoveries[0].ending is ending


@given(expressions())
def test_every_formula_comes_back_to_the_last_bit(tmp_path_factory, expression):
    closed = expression.bind(np.linspace(-1, 1, expression.n_open) / 3)
    names = tuple(f"v{j}" for j in range(max(closed.n_columns, 1)))
    size = len(closed.constants)
    found = replace(law(), equation=Equation(closed, names, np.zeros((size, size))))
    path = tmp_path_factory.mktemp("models") / "law.json"
    discovery = replace(model().discoveries[0], law=found, front=(found,))
    write_model(path, model(names=names, discoveries=(discovery,)))
    assert read_model(path).discoveries[0].equation == found.equation


@pytest.mark.parametrize("value", [math.inf, -math.inf, 5e-324, 1.7976931348623157e308, -0.0, 0.1 + 0.2])
def test_every_number_comes_back_to_the_last_bit(tmp_path, value):
    discovery = replace(
        model().discoveries[0], law=law(loss=abs(value), score=value), noise=Noise("constant", min(abs(value), 1e300))
    )
    write_model(tmp_path / "law.json", model(discoveries=(discovery,)))
    again = read_model(tmp_path / "law.json").discoveries[0]
    found = (again.law.loss, again.law.score, abs(value) if abs(value) > 1e300 else again.noise.scale)
    assert list(map(repr, found)) == list(map(repr, (abs(value), value, abs(value))))


def test_a_covariance_that_is_not_known_comes_back_as_such(tmp_path):
    equation = Equation(parse("3*`sin`", NAMES), NAMES, np.array([[np.nan]]))
    discovery = replace(model().discoveries[0], law=replace(law(), equation=equation))
    write_model(tmp_path / "law.json", model(discoveries=(discovery,)))
    assert np.isnan(read_model(tmp_path / "law.json").discoveries[0].equation.covariance).all()
    json.loads((tmp_path / "law.json").read_text(), parse_constant=pytest.fail)  # plain JSON


def set_in(*path_and_value):
    *path, last, value = path_and_value

    def change(document):
        for step in path:
            document = document[step]
        document[last] = value

    return change


def dropped(*path):
    *path, last = path

    def change(document):
        for step in path:
            document = document[step]
        del document[last]

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (set_in("format", "pickle"), r'does not say "format": "scalesr-law"'),
        (set_in("version", 4), "version 4 of the format and this ScaleSR reads version 3; update ScaleSR"),
        (dropped("version"), "version None"),
        (
            set_in("discoveries", 0, "trace", 1, "curves", 0, "lines", 0, [[1], [2, 3], []]),
            "not three lists of numbers",
        ),
        (set_in("discoveries", 0, "trace", 1, "curves", 0, "lines", 0, [[1], ["x"], []]), "'x' and no number"),
        (set_in("discoveries", 0, "trace", 1, "curves", 0, "z", 1), "unknown field 'z'"),
        (set_in("command", "rm -rf"), "the file has the unknown field 'command'"),
        (dropped("names"), "the file lacks the field 'names'"),
        (set_in("names", ["a", "a", "b"]), "names: Two variables are called 'a'"),
        (set_in("names", "abc"), "names is not a list"),
        (set_in("names", 1, 3), r"names\[1\] is 3 and no text"),
        (set_in("names", ["p", "q", "r"]), r"law\.equation: Unknown name 'a b'"),
        (set_in("targets", []), "1 discoveries and 0 targets"),
        (set_in("discoveries", []), "0 discoveries and 1 targets"),
        (set_in("discoveries", 0, 5), r"discoveries\[0\] is not an object with fields"),
        (set_in("discoveries", 0, "law", "loss", -1), r"law\.loss is -1 and cannot be negative"),
        (set_in("discoveries", 0, "law", "held_loss", "-inf"), r"held_loss is '-inf' and cannot be negative"),
        (set_in("discoveries", 0, "noise", -1e-9), r"noise is -1e-09 and cannot be negative"),
        (set_in("discoveries", 0, "seconds", "inf"), r"seconds is 'inf' and no number of seconds"),
        (set_in("discoveries", 0, "trace", 0, "seconds", "nan"), r"seconds is 'nan' and no number of seconds"),
        (set_in("discoveries", 0, "law", "covariance", 0, 0, -4.0), r"negative variance, -4"),
        (set_in("are_names_given", 1), "are_names_given is 1 and neither true nor false"),
        (set_in("library", None), "library is None and no text"),
        (set_in("settings", []), "settings is not an object"),
        (set_in("settings", "search", {"run": "me"}), "settings.search is an object"),
        (set_in("settings", "operators", [1]), r"settings\.operators\[0\] is 1 and no text"),
        (set_in("discoveries", 0, "verdict", "certain"), "verdict is 'certain'; it may be exact, within noise"),
        (set_in("discoveries", 0, "verdict", ["exact"]), r"verdict is \['exact'\]"),
        (set_in("discoveries", 0, "seconds", "soon"), "seconds is 'soon' and no number"),
        (set_in("discoveries", 0, "seconds", True), "seconds is True and no number"),
        (set_in("discoveries", 0, "noise", 10**400), "noise is 1000.* and no number"),
        (set_in("discoveries", 0, "noise", "kind", "pink"), "noise is of the kind 'pink'"),
        (set_in("discoveries", 0, "noise", "outliers", 0.7), "below one half; not 0.7"),
        (set_in("discoveries", 0, "probability", 1.5), "probability is 1.5, and a probability lies between 0 and 1"),
        (set_in("discoveries", 0, "rivals", 0, "probability", -0.1), "lies between 0 and 1"),
        (set_in("discoveries", 0, "trace", 0, "stage", 1), r"trace\[0\]\.stage is 1 and no text"),
        (set_in("discoveries", 0, "law", "equation", "__import__('os')"), r"law\.equation: Unknown function"),
        (set_in("discoveries", 0, "law", "equation", "C*`sin` + C"), "An equation is closed"),
        (set_in("discoveries", 0, "law", "equation", ""), "The formula is empty"),
        (set_in("discoveries", 0, "law", "equation", 3), "law.equation is 3 and no text"),
        (set_in("discoveries", 0, "law", "equation", "(" * 200_000), r"law\.equation: "),
        (set_in("discoveries", 0, "law", "equation", "softsign(`sin`)"), "Unknown function 'softsign'"),
        (set_in("discoveries", 0, "law", "covariance", [[1.0]]), "covariance is not 2 by 2"),
        (
            set_in("discoveries", 0, "law", "covariance", [[1.0, "x"], [1, 2]]),
            r"covariance\[0\]\[1\] is 'x' and no num",
        ),
        (set_in("discoveries", 0, "front", 1, "loss", None), r"front\[1\]\.loss is None and no number"),
        (set_in("discoveries", 0, "ending", "bored"), "ending is 'bored'; it may be complete, exact"),
        (set_in("discoveries", 0, "trace", 1, "outcome", "kind", "luck"), "kind is 'luck'; it may be generator"),
        (set_in("discoveries", 0, "trace", 1, "outcome", "succeeded", 1), "succeeded is 1 and neither true nor false"),
    ],
)
def test_a_file_that_was_tampered_with_is_refused(tmp_path, change, message):
    with pytest.raises(DataError, match=r"law\.json is not a model file that can be read: .*" + message):
        read_model(written(tmp_path, change))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "it is not JSON"),
        (b"\x80\x04\x95pickle", "byte 0 is not UTF-8 text"),
        (b'{"format": "scalesr-law", "version": 1, "version": 1}', "the same field twice"),
        (b'{"format": NaN}', "NaN is not JSON"),
        (b"[" * 1_000_000, "nested more than 16 deep"),
        (b'{"a":' * 1_000_000, "nested more than 16 deep"),
        (b'"' + b'\\"[' * 1_000_000, "it is not JSON"),
        (b"[1, 2]", "does not say"),
        (b"9" * 5000, "it is not JSON"),
        (b" " * (MAX_BYTES + 1), f"it has more than {MAX_BYTES} bytes"),
    ],
)
def test_a_file_of_anything_else_is_refused(tmp_path, content, message):
    path = tmp_path / "law.json"
    path.write_bytes(content)
    with pytest.raises(DataError, match=message):
        read_model(path)


@given(st.binary(max_size=200))
def test_random_bytes_are_refused(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("models") / "law.json"
    path.write_bytes(content)
    with pytest.raises(DataError):
        read_model(path)


@given(st.data())
def test_a_damaged_file_is_refused_or_read_and_nothing_else(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("models") / "law.json"
    write_model(path, model())
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(bytes(content))
    with contextlib.suppress(DataError):  # any other error fails
        assert isinstance(read_model(path), Model)


def test_brackets_inside_texts_are_no_depth(tmp_path):
    path = written(tmp_path, set_in("discoveries", 0, "reason", '\\"' + "[{" * 50))
    assert read_model(path).discoveries[0].reason == '\\"' + "[{" * 50


def test_a_place_that_cannot_be_written_or_read_is_named(tmp_path):
    with pytest.raises(DataError, match=r"nowhere.law\.json cannot be written: No such file"):
        write_model(tmp_path / "nowhere" / "law.json", model())
    with pytest.raises(DataError, match=r"law\.json cannot be read: No such file"):
        read_model(tmp_path / "law.json")
    with pytest.raises(DataError, match="cannot be read: Is a directory"):
        read_model(tmp_path)


def test_a_law_too_long_to_be_read_back_is_not_written(tmp_path):
    discovery = replace(model().discoveries[0], reason="x" * MAX_BYTES)
    with pytest.raises(DataError, match="at most"):
        write_model(tmp_path / "law.json", model(discoveries=(discovery,)))
    assert not (tmp_path / "law.json").exists()


def grouped_law() -> Law:
    groups = GroupConstants(
        "sample", ("s 1", 2, 0.5), ("k",), np.array([[1.0], [-2.0], [1e300]]),
        np.array([[[0.1]], [[math.nan]], [[0.0]]]), 0.25,
    )  # fmt: skip
    expression = parse("k*`a b` + 2", (*NAMES, "k"))
    return Law(Equation(expression, (*NAMES, "k"), np.zeros((1, 1))), 0.1, 0.2, 3.0, "groups", groups=groups)


def test_constants_of_groups_are_kept(tmp_path):
    one = replace(model().discoveries[0], law=grouped_law(), front=(grouped_law(), law()))
    write_model(tmp_path / "law.json", model(discoveries=(one,)))
    (again,) = read_model(tmp_path / "law.json").discoveries
    read, written = again.law.groups, one.law.groups
    assert (read.by, read.labels, read.letters, read.noise) == ("sample", ("s 1", 2, 0.5), ("k",), 0.25)
    np.testing.assert_array_equal(read.values, written.values)
    np.testing.assert_array_equal(read.covariance, written.covariance)
    assert again.law.equation == one.law.equation
    assert again.front[1].groups is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda groups: groups["labels"].pop(), "values is not 2 by 1"),
        (lambda groups: groups["labels"].__setitem__(0, 2), "a group or a letter twice"),
        (lambda groups: groups["labels"].__setitem__(0, None), "a group is called by a text or a number"),
        (lambda groups: groups["values"].pop(), "values is not 3 by 1"),
        (lambda groups: groups["covariance"][0].append([1]), "covariance is not 3 by 1 by 1"),
        (lambda groups: groups["covariance"][0].__setitem__(0, [-1]), "negative variance"),
        (lambda groups: groups.pop("by"), "lacks the field 'by'"),
        (lambda groups: groups["letters"].append("q"), "values is not 3 by 2"),
    ],
)
def test_constants_of_groups_that_cannot_be_are_refused(tmp_path, change, message):
    one = replace(model().discoveries[0], law=grouped_law())
    write_model(tmp_path / "law.json", model(discoveries=(one,)))
    document = json.loads((tmp_path / "law.json").read_text())
    change(document["discoveries"][0]["law"]["groups"])
    (tmp_path / "law.json").write_text(json.dumps(document))
    with pytest.raises(DataError, match=message):
        read_model(tmp_path / "law.json")


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", 1e308, -1, 0, 2**64])
def test_whatever_number_is_read_can_be_written(tmp_path, value):
    """Every number of a file in turn; a law that was read has been shown, and is not lost when it is to be saved."""
    path, again = tmp_path / "law.json", tmp_path / "again.json"
    write_model(path, model(discoveries=(replace(model().discoveries[0], law=grouped_law()),)))
    whole = json.loads(path.read_text())
    for place in numbers_in(whole):
        document = json.loads(path.read_text())
        holder = document
        for key in place[:-1]:
            holder = holder[key]
        holder[place[-1]] = value
        again.write_text(json.dumps(document))
        with contextlib.suppress(DataError):
            write_model(again, read_model(again))
            read_model(again)


def numbers_in(value, place=()):
    """The place of each number."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from numbers_in(value[key], (*place, key))
    elif isinstance(value, int | float):
        yield place
