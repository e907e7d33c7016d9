"""Hostile formulas and law files, given to everything that reads them."""

from __future__ import annotations

import ast
import io
import json
import random
import tempfile
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd

from scalesr import ScaleSRDynamics, ScaleSRRegressor, parse
from scalesr.cli.calibrate import calibrate
from scalesr.cli.output import STANDARD_OUTPUT, say_lines
from scalesr.cli.predict import predict
from scalesr.cli.report import report
from scalesr.cli.show import show
from scalesr.errors import DataError
from scalesr.estimators import plugins
from scalesr.estimators.loading import load
from tests.attack.mutation import ESCAPES, PAYLOADS, bent_json, mutated_bytes, mutated_json, mutated_text
from tests.attack.tally import Tally

LAW = Path(__file__).parent.parent.parent / "docs" / "run" / "law.json"
SOURCES = ("latex", "python", "torch", "jax", "c", "excel", "front")
WAYS = ("plain", "json", "story", *SOURCES, "choose", "save", "predict", "calibrate")
SLOW_WAYS = ("sympy", "report")  # which get what the others have let through
SLOW_SHARE = 0.004
CHOICES = ("evidence", "accuracy", "score", "best", "4", "7", "10", "9" * 5000, "-1", "²", "x\x1b[2J")
LONG_SHARE = 0.002  # of the formulas: each takes as long as a hundred short ones
CALLED = ("np", "torch", "jax", "math")  # modules whose functions exported code may call, and nothing else

_PIECES = (
    "x", "z", "x0", "C", "pi", "1", "2.5e-3", "1e308", "7", "sin(", "exp(", "log(", "sqrt(", "abs(", "min(", "(", ")",
    ")", "+", "-", "*", "/", "^", "**", ",", " ", "`", "`a b`", "é", "²", ".", "e", "0x1", "_", "[", "'", "lambda:",
    "\t",
)  # fmt: skip


def attack_formulas(draw: random.Random, n: int, tally: Tally, folder: Path) -> None:
    """Texts that are read, printed and read again, or refused."""
    del folder
    for _ in range(n):
        text = formula(draw)
        with tally.attempt(f"formula {text[:200]!r}"):
            names = draw.choice((["x", "z"], ["x", "a b", "é"], None))
            found = parse(text, names)
            shown = str(found)
            assert str(parse(shown)) == shown
            tally.check_text(shown, text)


def formula(draw: random.Random) -> str:
    """A formula that is nearly right."""
    kind = draw.random()
    if kind < LONG_SHARE:
        return draw.choice(("(", "sin(", "-", "x^", "+", "x+", "1/(")) * draw.choice((10, 1000, 5000)) + "x"
    if kind < 0.5:
        return "".join(draw.choice(_PIECES) for _ in range(draw.choice((1, 3, 8, 20, 60))))
    if kind < 0.95:
        return mutated_text(draw, "1.35*x*z + 5.5*sin(x*z - x - z + 1)^2/(exp(-x) + sqrt(abs(z)))")
    return draw.choice((*ESCAPES, *PAYLOADS))


@cache
def documents() -> tuple[tuple[Any, str], ...]:
    """Law files of every kind with the tables that they are used on: plain, by groups, of a template, of motion."""
    plain = json.loads(LAW.read_bytes())
    plain["discoveries"][0]["trace"] = plain["discoveries"][0]["trace"][:3]
    x = np.linspace(0.5, 3, 12)
    grouped = pd.DataFrame({"x": np.tile(x, 3), "s": np.repeat(list("abc"), 12)})
    grouped["y"] = grouped["x"] * np.repeat([1.5, 2.5, 4.0], 12) + 3.2 + 0.01 * np.sin(7 * np.arange(36))
    other = pd.DataFrame({"x": np.tile(x, 3), "z": np.repeat([1.0, 2.0, 3.0], 12)})
    other["y"] = 2 * np.exp(-other["x"]) + other["z"] ** 2 + 0.01 * np.sin(7 * np.arange(36))
    motion = pd.DataFrame({"t": x, "u": np.cos(x), "v": -np.sin(x)})
    made = (
        (ScaleSRRegressor(max_work=5, random_state=0).fit(grouped[["x"]], grouped["y"], groups=grouped["s"]), grouped),
        (
            ScaleSRRegressor(max_work=5, random_state=0, template="f(x) + z^2", constraints=["positive"]).fit(
                other[["x", "z"]], other["y"]
            ),
            other,
        ),
        (ScaleSRDynamics(max_work=5, random_state=0).fit(motion, time="t"), motion),
    )
    found = [(plain, "x,z,y\n1,2,3\n-1e300,0,\n4,1e-300,6\n")]
    return (*found, *((_document(model), table.to_csv(index=False)) for model, table in made))


def _document(model: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "law.json"
        model.save(path)
        return json.loads(path.read_bytes())


def attack_law_files(draw: random.Random, n: int, tally: Tally, folder: Path) -> None:
    """Law files with absurd values or broken bytes: shown, exported, used on a table and saved again."""
    path = folder / "law.json"
    given = [(document, folder / f"t{place}.csv") for place, (document, _) in enumerate(documents())]
    for (_, table), (_, rows) in zip(given, documents(), strict=True):
        table.write_text(rows)
    with patch.object(plugins, "entry_points", cache(plugins.entry_points)):  # looked for once, not in each load
        for document, table in given:  # what is compiled or imported is loaded before anything is watched
            path.write_text(json.dumps(document))
            for way in ("plain", "predict", "calibrate", *SLOW_WAYS):
                with suppress(DataError):  # of laws without groups, or of motion
                    _use(path, table, way, Tally(), draw)
        for place in range(n):
            document, table = draw.choice(given)
            kind = draw.random()
            if kind < 0.1:
                path.write_bytes(mutated_bytes(draw, json.dumps(document).encode()))
            else:
                path.write_text(json.dumps((mutated_json if kind < 0.5 else bent_json)(draw, document)))
            way = draw.choice(WAYS if draw.random() > SLOW_SHARE else SLOW_WAYS)
            n_crashes = len(tally.crashes)
            with tally.attempt(f"law file {place}, {way}"):
                _use(path, table, way, tally, draw)
            if len(tally.crashes) > n_crashes:
                (folder / f"crash-{place}.json").write_bytes(path.read_bytes())


def _use(law: Path, table: Path, way: str, tally: Tally, draw: random.Random) -> None:
    """A command on a law file, whose words are looked at; laws of motion are loaded and told."""
    out, err, saved = io.StringIO(), io.StringIO(), law.with_name("saved.json")
    with redirect_stdout(out), redirect_stderr(err):
        if "scalesr-dynamics" in law.read_text(errors="replace")[:60]:
            model = load(law)
            say_lines([*str(model).splitlines(), *model.statements_])
            if draw.random() < SLOW_SHARE:
                with np.errstate(all="ignore"):
                    model.simulate([1.0] * len(model.state_names_), [0.0, 0.1])
        elif way == "predict":
            predict(law, table, choose=draw.choice(("", "", "score")))
        elif way == "calibrate":
            calibrate(law, table, save=saved)
        elif way == "report":
            report(law, table, law.with_name("report.html"))
        elif way == "choose":
            show(law, choose=draw.choice(CHOICES))
        elif way == "save":
            show(law, choose=draw.choice(CHOICES[:4]), save=saved)
            load(saved)  # what is written can be read
        elif way == "json":
            show(law, json=STANDARD_OUTPUT)
        else:
            show(law, **({} if way == "plain" else {way: True}))
    for text in (out.getvalue(), err.getvalue()):
        tally.check_text(text, way)
    if "def " in out.getvalue() and way in ("python", "torch", "jax"):
        _check_code(out.getvalue(), tally, way)
    elif way == "c" and "double " in out.getvalue():
        _check_c(out.getvalue(), tally)


def _check_code(source: str, tally: Tally, way: str) -> None:
    """Exported Python defines a function of arithmetic, whatever its columns are called."""
    for node in ast.walk(ast.parse(source)):
        called = node.func if isinstance(node, ast.Call) else None
        is_ours = isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.value.id in CALLED
        is_odd = isinstance(node, ast.Import) and node.names[0].name.partition(".")[0] not in ("numpy", *CALLED)
        if is_odd or (called is not None and not is_ours):
            tally.code_run.append(f"{way}: {source[:200]!r}")


def _check_c(source: str, tally: Tally) -> None:
    """Comments of exported C end where we end them."""
    if any(line.count("*/") > 1 for line in source.splitlines()) or source.count("/*") != source.count("*/"):
        tally.code_run.append(f"C: {source[:200]!r}")
