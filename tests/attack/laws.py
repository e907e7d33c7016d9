"""Hostile formulas and law files, given to everything that reads them."""

from __future__ import annotations

import io
import json
import random
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from unittest.mock import patch

from scalesr import parse
from scalesr.cli.output import STANDARD_OUTPUT
from scalesr.cli.predict import predict
from scalesr.cli.show import show
from scalesr.estimators import plugins
from tests.attack.mutation import ESCAPES, PAYLOADS, mutated_bytes, mutated_json, mutated_text
from tests.attack.tally import Tally

LAW = Path(__file__).parent.parent.parent / "docs" / "run" / "law.json"
WAYS = ("plain", "json", "story", "latex", "python", "c", "predict")
SYMPY_SHARE = 0.02  # sympy takes long, and gets what the parser has let through

_PIECES = (
    "x", "z", "x0", "C", "pi", "1", "2.5e-3", "1e308", "7", "sin(", "exp(", "log(", "sqrt(", "abs(", "min(", "(", ")",
    ")", "+", "-", "*", "/", "^", "**", ",", " ", "`", "`a b`", "é", "²", ".", "e", "0x1", "_", "[", "'", "lambda:",
    "\t",
)  # fmt: skip


def attack_formulas(draw: random.Random, n: int, tally: Tally, folder: Path) -> None:
    """Texts that are read, printed and read again, or refused."""
    del folder
    for _ in range(n):
        text = _formula(draw)
        with tally.attempt(f"formula {text[:200]!r}"):
            names = draw.choice((["x", "z"], ["x", "a b", "é"], None))
            found = parse(text, names)
            shown = str(found)
            assert str(parse(shown)) == shown
            tally.check_text(shown, text)


def _formula(draw: random.Random) -> str:
    kind = draw.random()
    if kind < 0.5:
        return "".join(draw.choice(_PIECES) for _ in range(draw.choice((1, 3, 8, 20, 60))))
    if kind < 0.9:
        return mutated_text(draw, "1.35*x*z + 5.5*sin(x*z - x - z + 1)^2/(exp(-x) + sqrt(abs(z)))")
    if kind < 0.95:
        return draw.choice(("(", "sin(", "-", "x^", "+", "x+", "1/(")) * draw.choice((10, 1000, 5000)) + "x"
    return draw.choice((*ESCAPES, *PAYLOADS))


def attack_law_files(draw: random.Random, n: int, tally: Tally, folder: Path) -> None:
    """Law files with absurd values or broken bytes: shown, exported and used on a table."""
    content = LAW.read_bytes()
    document = json.loads(content)
    document["discoveries"][0]["trace"] = document["discoveries"][0]["trace"][:3]
    path, table = folder / "law.json", folder / "t.csv"
    table.write_text("x,z,y\n1,2,3\n-1e300,0,\n4,1e-300,6\n")
    with patch.object(plugins, "entry_points", cache(plugins.entry_points)):  # looked for once, not in each load
        _use(LAW, table, "predict", Tally())  # what is compiled is loaded before anything is watched
        for place in range(n):
            if draw.random() < 0.8:
                path.write_text(json.dumps(mutated_json(draw, document)))
            else:
                path.write_bytes(mutated_bytes(draw, content))
            way = draw.choice(WAYS) if draw.random() > SYMPY_SHARE else "sympy"
            n_crashes = len(tally.crashes)
            with tally.attempt(f"law file {place}, {way}"):
                _use(path, table, way, tally)
            if len(tally.crashes) > n_crashes:
                (folder / f"crash-{place}.json").write_bytes(path.read_bytes())


def _use(law: Path, table: Path, way: str, tally: Tally) -> None:
    """A command on a law file, whose words are looked at."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        match way:
            case "predict":
                predict(law, table)
            case "plain":
                show(law)
            case "json":
                show(law, json=STANDARD_OUTPUT)
            case _:
                show(law, **{way: True})
    for text in (out.getvalue(), err.getvalue()):
        tally.check_text(text, way)
