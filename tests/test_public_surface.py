import inspect
import subprocess
import sys

import pytest

import scalesr


def test_the_public_names_are_these():
    assert sorted(scalesr.__all__) == [
        "Discovery",
        "Equation",
        "Expression",
        "Fit",
        "Noise",
        "Operator",
        "Operators",
        "Oracle",
        "ScaleSRDynamics",
        "ScaleSRRegressor",
        "Verdict",
        "__version__",
        "canonical",
        "define_operator",
        "discover",
        "errors",
        "evaluate",
        "fit",
        "fit_many",
        "gradient",
        "jacobian",
        "load",
        "parse",
        "simplify",
    ]


def test_the_errors_are_these():
    public = {name for name, value in vars(scalesr.errors).items() if isinstance(value, type)}
    assert public == {
        "ScaleSRError",
        "FormulaError",
        "OperatorError",
        "DataError",
        "SettingError",
        "MissingExtra",
        "ScaleSRWarning",
    }


@pytest.mark.parametrize("name", scalesr.__all__)
def test_every_public_name_loads_and_is_documented(name):
    value = getattr(scalesr, name)
    assert isinstance(value, str) or value.__doc__


def test_the_regressors_parameters_are_these():
    parameters = inspect.signature(scalesr.ScaleSRRegressor).parameters.values()
    assert {one.name: one.default for one in parameters} == {
        "preset": "default",
        "operators": "physics",
        "search": "default",
        "generator": "auto",
        "time_limit": 60,
        "max_work": None,
        "max_complexity": None,
        "model_selection": "evidence",
        "units": None,
        "noise": "auto",
        "outliers": "auto",
        "loss": None,
        "start": None,
        "template": None,
        "constraints": None,
        "plain_laws": True,
        "n_jobs": None,
        "random_state": None,
        "verbose": 0,
        "warm_start": False,
        "checkpoint": None,
        "sample_rows": 20_000,
    }
    assert {one.kind for one in parameters} == {inspect.Parameter.KEYWORD_ONLY}


def test_dir_lists_the_public_names():
    assert dir(scalesr) == sorted(scalesr.__all__)


def test_an_unknown_name_is_refused_with_the_known_ones():
    with pytest.raises(AttributeError, match=r"no attribute 'Regressor'.*Expression"):
        _ = scalesr.Regressor


def test_star_import_gives_the_public_names():
    code = "from scalesr import *; print(sorted(n for n in dir() if n == '__version__' or n[0] != '_'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(sorted(scalesr.__all__))
