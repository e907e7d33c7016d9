"""ScaleSR finds the law behind a table.

Every public name is listed here and loaded when it is first used, so that `import scalesr`
costs next to nothing and pulls in no compiler, no computer algebra and no plotting.

>>> from scalesr import parse
>>> str(parse("C*a^C", names=["a"]))
'C*x0^C'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scalesr import errors as errors
    from scalesr.cluster.fit_many import fit_many as fit_many
    from scalesr.estimators.discover import discover as discover
    from scalesr.estimators.dynamics import ScaleSRDynamics as ScaleSRDynamics
    from scalesr.estimators.loading import load as load
    from scalesr.estimators.regressor import ScaleSRRegressor as ScaleSRRegressor
    from scalesr.expr.canonical import canonical as canonical
    from scalesr.expr.evaluate import evaluate as evaluate
    from scalesr.expr.evaluate import gradient as gradient
    from scalesr.expr.evaluate import jacobian as jacobian
    from scalesr.expr.expression import Expression as Expression
    from scalesr.expr.fitting import Fit as Fit
    from scalesr.expr.fitting import fit as fit
    from scalesr.expr.operators import Operator as Operator
    from scalesr.expr.operators import Operators as Operators
    from scalesr.expr.operators import define_operator as define_operator
    from scalesr.expr.simplify import simplify as simplify
    from scalesr.expr.text import parse as parse
    from scalesr.records.discovery import Discovery as Discovery
    from scalesr.records.discovery import Verdict as Verdict
    from scalesr.records.equation import Equation as Equation
    from scalesr.records.noise import Noise as Noise
    from scalesr.records.oracle import Oracle as Oracle

__version__ = "0.1.0"

_HOME = {
    "Discovery": "records.discovery",
    "Equation": "records.equation",
    "Expression": "expr.expression",
    "Fit": "expr.fitting",
    "Noise": "records.noise",
    "Operator": "expr.operators",
    "Operators": "expr.operators",
    "Oracle": "records.oracle",
    "ScaleSRDynamics": "estimators.dynamics",
    "ScaleSRRegressor": "estimators.regressor",
    "Verdict": "records.discovery",
    "canonical": "expr.canonical",
    "define_operator": "expr.operators",
    "discover": "estimators.discover",
    "evaluate": "expr.evaluate",
    "fit": "expr.fitting",
    "fit_many": "cluster.fit_many",
    "gradient": "expr.evaluate",
    "jacobian": "expr.evaluate",
    "load": "estimators.loading",
    "parse": "expr.text",
    "simplify": "expr.simplify",
}

__all__ = ["__version__", "errors", *_HOME]  # noqa: PLE0604 - the table above is the list


def __getattr__(name: str) -> Any:
    if name == "errors":
        return import_module("scalesr.errors")
    if name not in _HOME:
        raise AttributeError(f"module 'scalesr' has no attribute {name!r}; it has {', '.join(sorted(__all__))}.")
    value = getattr(import_module(f"scalesr.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
