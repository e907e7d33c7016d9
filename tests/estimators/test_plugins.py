"""Searches, generators and operators of other packages, found by entry point as pip would leave them."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from scalesr import ScaleSRRegressor, load
from scalesr.errors import OperatorError, ScaleSRError, SettingError

PLUGIN = Path(__file__).parents[2] / "examples" / "plugin"

USE = """
import sys
import numpy as np
import scalesr
from scalesr import Operators, ScaleSRRegressor, load

path = sys.argv[1]
rng = np.random.default_rng(0)
x = np.linspace(-3, 3, 40)
settings = {"search": "ladder", "operators": "physics,softsign", "plain_laws": False}
model = ScaleSRRegressor(random_state=0, **settings).fit(x[:, None], 2 * x / (1 + abs(x)) + 1)
print(model.equation_, "|", model.discovery_.verdict)
model.save(path)

X = rng.uniform(1, 3, (120, 2))
def stop(progress):
    if progress.stage.startswith("control"):  # what follows the generator
        raise KeyboardInterrupt

model = ScaleSRRegressor(
    random_state=0, search="ladder", generator="rbf", plain_laws=False, time_limit=None, verbose=stop
)
model.fit(X, X[:, 0] ** 2 + 3 * X[:, 1] + np.exp(X[:, 0] / X[:, 1]) / 5)
print([step.summary for step in model.discovery_.trace if step.stage == "generator"])
"""


def installed(folder: Path, entry_points: dict[str, dict[str, str]]) -> dict[str, str]:
    """An environment in which a package is installed as pip leaves it: its modules and a dist-info folder."""
    info = folder / "scalesr_example_plugin-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: scalesr-example-plugin\nVersion: 1.0\n")
    lines = []
    for group, points in entry_points.items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines))
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(PLUGIN)])}


def run(environment, *arguments):
    return subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True, check=False)


def test_the_example_is_found_used_saved_and_loaded(tmp_path):
    project = tomllib.loads((PLUGIN / "pyproject.toml").read_text())["project"]
    environment = installed(tmp_path, project["entry-points"])
    law = tmp_path / "law.json"
    done = run(environment, "-c", USE, str(law))
    assert done.stderr == ""
    first, second = done.stdout.splitlines()
    assert first == "2*softsign(x0) + 1 | exact"
    assert "Radial basis functions through the rows" in second
    shown = run(environment, "-m", "scalesr.cli", "show", str(law))
    assert shown.stdout.startswith("y = 2*softsign(x0) + 1\n")
    with pytest.raises(ScaleSRError, match="softsign"):  # here there is no such package
        load(law)


def test_a_plugin_that_cannot_be_loaded_is_named(tmp_path, monkeypatch):
    installed(tmp_path, {"scalesr.searches": {"broken": "no_such_module:Search"}, "scalesr.operators": {"w": "os:sep"}})
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SettingError, match="'broken' of the package scalesr-example-plugin cannot be loaded"):
        ScaleSRRegressor(search="broken").fit([[1.0], [2.0]], [1.0, 2.0])
    with pytest.raises(OperatorError, match="'w' is not an operator of that name"):
        ScaleSRRegressor(operators="w").fit([[1.0], [2.0]], [1.0, 2.0])


def test_an_unknown_name_lists_what_is_offered(tmp_path, monkeypatch):
    installed(tmp_path, {"scalesr.searches": {"mine": "os:sep"}, "scalesr.generators": {"yours": "os:sep"}})
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SettingError, match="'nggp', 'mine'"):
        ScaleSRRegressor(search="luck").fit([[1.0], [2.0]], [1.0, 2.0])
    with pytest.raises(SettingError, match="'kernel', 'yours'"):
        ScaleSRRegressor(generator="luck").fit([[1.0], [2.0]], [1.0, 2.0])
