"""Laws of which a part is known: a template with holes, a formula to begin from, or constraints on few noisy rows.

Every second one is put aside: it is written down and not looked at while the method is worked on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from scalesr_bench.problems.problem import Problem, Range

Kind = Literal["templates", "starts", "constraints"]
Part = Literal["seen", "unseen"]
NAMES: Final = ("x", "y", "z", "w")


@dataclass(frozen=True, slots=True)
class KnownLaw:
    """A law, its rows, and what is known of it."""

    problem: Problem
    n_rows: int
    noise: float  # of the target's standard deviation
    template: str | None = None
    constraints: tuple[str, ...] = ()
    start: str | None = None


def laws(kind: Kind, part: Part) -> tuple[KnownLaw, ...]:
    """The laws of a kind that are looked at, or those that are put aside."""
    every = {"templates": TEMPLATES, "starts": STARTS, "constraints": CONSTRAINTS}[kind]
    return every[0::2] if part == "seen" else every[1::2]


def _template(number: int, template: str, formula: str, *box: Range, rows: int = 500, noise: float = 0.0) -> KnownLaw:
    problem = Problem(f"T{number}", "templates", NAMES[: len(box)], formula, box)
    return KnownLaw(problem, rows, noise, template=template)


def _start(number: int, start: str, formula: str, *box: Range, rows: int = 200, noise: float = 0.02) -> KnownLaw:
    problem = Problem(f"S{number}", "starts", NAMES[: len(box)], formula, box)
    return KnownLaw(problem, rows, noise, start=start)


def _constrained(number: int, formula: str, *box: Range, obeys: tuple[str, ...], rows: int, noise: float) -> KnownLaw:
    problem = Problem(f"C{number}", "constraints", NAMES[: len(box)], formula, box)
    return KnownLaw(problem, rows, noise, constraints=obeys)


TEMPLATES: Final = (
    _template(1, "f(x) + g(y)*z", "x^2*exp(-x) + 0.3*sin(5*x) + z*sin(2*y)/(1 + y)", (0.5, 5), (0.2, 4), (-2, 2),
              noise=0.02),
    _template(2, "f(x)*g(y) + h(z)", "exp(-0.7*x)*sin(3*y) + log(1 + z^2)", (0, 3), (0, 4), (0, 5), noise=0.05),
    _template(3, "f(x)*cos(y) + g(x)*sin(y)", "(x + 2/x)*cos(y) + exp(-x)*sin(3*x)*sin(y)", (0.5, 3), (0, 6),
              noise=0.02),
    _template(4, "sqrt(f(x) + g(y))", "sqrt(x^2*exp(-x) + 3*sin(y)^2 + 1)", (0, 5), (0, 3)),
    _template(5, "exp(f(x))*g(y)", "exp(-0.5*sin(3*x))*y^2/(1 + y)", (0, 4), (0.2, 5)),
    _template(6, "f(x) - f(y)", "3*exp(-0.7*x)*sin(2*x) - 3*exp(-0.7*y)*sin(2*y)", (0, 4), (0, 4), noise=0.05),
    _template(7, "f(x/y)*g(z)", "(1 + x/y)*exp(-x/y)*(z + sin(3*z))", (0.3, 3), (0.5, 2), (0, 4), noise=0.05),
    _template(8, "f(x)/(1 + g(y))", "(x^2 + sin(4*x))/(1 + y*exp(-y))", (0.5, 4), (0.2, 5), noise=0.02),
    _template(9, "f(x) + g(y) + h(z) + k(w)", "x*exp(-x) + sin(3*y)/y + log(1 + z^2) + tanh(2*w)", *[(0.3, 4)] * 4,
              noise=0.05),
    _template(10, "f(x)*f(y)", "(x^2 + 2*sin(3*x))*(y^2 + 2*sin(3*y))", (0.2, 3), (0.2, 3), noise=0.02),
    _template(11, "log(f(x) + g(y, z))", "log(2 + sin(5*x) + y^2/z)", (0, 3), (0.5, 2), (0.5, 2), noise=0.02),
    _template(12, "x*f(y) + z*g(y)", "x*y*exp(-y) + z*cos(3*y)/(1 + y)", (-2, 2), (0.2, 4), (-2, 2), noise=0.05),
    _template(13, "f(x)*exp(-g(y)*z)", "(1 + sin(3*x))*exp(-y^2/(1 + y)*z)", (0, 4), (0.2, 3), (0, 2), noise=0.02),
    _template(14, "1/(f(x) + g(y))", "1/(2 + x*exp(-x) + 0.5*sin(4*y))", (0, 5), (0, 3), noise=0.02),
    _template(15, "f(x) + y*g(x) + y^2*h(x)", "sin(2*x) + y*exp(-x) + y^2*x/(1 + x^2)", (0, 4), (-2, 2), noise=0.05),
    _template(16, "sin(f(x) + y)", "sin(x^2/(1 + x) + y)", (0, 4), (0, 3), noise=0.05),
    _template(17, "a*f(x)*g(y)*h(z)", "2*x*exp(-x)*(1 + 0.5*sin(3*y))*sqrt(1 + z^2)", *[(0.2, 4)] * 3, noise=0.05),
    _template(18, "f(x*y) + g(z)", "sin(2*x*y)/(1 + x*y) + z*exp(-z)", (0.3, 2), (0.3, 2), (0, 5), noise=0.03),
    _template(19, "f(x)*(y - g(z))", "exp(-0.4*x)*sin(3*x)*(y - log(1 + z)/z)", (0, 4), (-2, 2), (0.5, 5), noise=0.02),
    _template(20, "f(x)^2 + g(y)*z", "(x + sin(3*x))^2 + z*y/(1 + y^3)", (0.5, 4), (0.2, 4), (-1, 1), noise=0.02),
)  # fmt: skip

# The formula is what a textbook has: in fifteen laws something is missing in it, in five its constants alone.
STARTS: Final = (
    _start(1, "a*x^3/(exp(b*x/y) - 1)", "2.5*x^3/(exp(1.7*x/y) - 1) + 0.4*x", (0.3, 5), (0.5, 2)),
    _start(2, "a*exp(-b*x)*cos(c*x)", "3*exp(-0.4*x)*cos(3.1*x) + 0.5*y", (0, 6), (-1, 1)),
    _start(3, "a*x/(b + x)", "2*x/(0.7 + x)*exp(-0.6*y) + 0.3*y", (0.1, 4), (0, 3)),
    _start(4, "a*sqrt(x)*y", "1.3*sqrt(x)*y*(1 + 0.2*sin(2*z))", (0.2, 4), (0.5, 3), (0, 6)),
    _start(5, "a*x*y/(b + x + c*y)", "3*x*y/(0.8 + x + 1.7*y)", (0.2, 4), (0.2, 4), rows=60),
    _start(6, "a*(1 - exp(-b*x))*cos(c*y)", "2*(1 - exp(-0.9*x))*cos(2.3*y) + 0.3*x", (0, 4), (0, 4)),
    _start(7, "a*exp(-b*(x - c)^2) + d", "2*exp(-3.3*(x - 1.4)^2) + 0.5 + 0.8*exp(-5*(x - 3)^2)", (0, 4.5)),
    _start(8, "a*x^b*y^c", "1.7*x^0.8*y^1.4 + 0.6*log(z)", (0.3, 4), (0.3, 4), (0.3, 5)),
    _start(9, "a/(1 + (x/b)^c)", "2/(1 + (x/1.3)^3.7)*(1 + 0.3*y)", (0.2, 4), (0, 4)),
    _start(10, "a*sin(b*x + c*y)", "2*sin(3.1*x + 1.3*y) + 0.5*x*y", (0, 4), (0, 4)),
    _start(11, "a*log(1 + b*x)/(1 + c*y)", "1.8*log(1 + 2.3*x)/(1 + 0.6*y)", (0.1, 4), (0, 4), rows=60),
    _start(12, "a*exp(-b/x)*y", "5*exp(-2.2/x)*y/(1 + 0.4*y)", (0.5, 4), (0.2, 5)),
    _start(13, "sqrt(a*x^2 + b*y^2)", "sqrt(2.1*x^2 + 0.7*y^2) + 0.4*sin(3*z)", (0.3, 3), (0.3, 3), (0, 4)),
    _start(14, "a*tanh(b*x) + c*y", "1.6*tanh(1.9*x) + 0.7*y + 0.5*exp(-2*z)", (-2, 2), (-2, 2), (0, 2)),
    _start(15, "a*x*exp(-b*x)*(1 + c*cos(d*y))", "2.4*x*exp(-0.8*x)*(1 + 0.6*cos(2.7*y))", (0.1, 5), (0, 5), rows=100),
    _start(16, "a*(x - b*y)/(c + z)", "1.9*(x - 0.7*y)/(1.4 + z) + 0.25*z^2", (0, 4), (0, 4), (0, 3)),
    _start(17, "a*x/(1 + b*x + c*x^2)", "4*x/(1 + 0.6*x + 1.3*x^2) + 0.3*sin(4*y)", (0.1, 5), (0, 4)),
    _start(18, "a*exp(b*x) + c*exp(-d*x)", "0.2*exp(0.9*x) + 3*exp(-1.7*x)", (0, 3), rows=60),
    _start(19, "a*sin(b*x)*sin(c*y)", "1.5*sin(2.1*x)*sin(1.7*y)*exp(-0.3*z)", (0, 4), (0, 4), (0, 4)),
    _start(20, "a*x^2/(b + x^2) - c*y", "2*x^2/(1.69 + x^2) - 0.8*y + 0.4*x*y", (0.1, 5), (0.2, 3)),
)  # fmt: skip

CONSTRAINTS: Final = (
    _constrained(1, "2*(1 - exp(-0.6*x))", (0.3, 5), obeys=("f(x=0) = 0", "increasing in x"), rows=20, noise=0.05),
    _constrained(2, "3*x/(x + 2)", (0.2, 5), obeys=("f(x=0) = 0", "f -> 3 as x -> inf"), rows=15, noise=0.08),
    _constrained(3, "exp(-0.5*x^2)", (0, 1.3), obeys=("even in x", "f -> 0 as x -> inf"), rows=15, noise=0.1),
    _constrained(4, "2*exp(-0.8*x^2)", (0, 1.1), obeys=("even in x", "f -> 0 as x -> inf"), rows=15, noise=0.1),
    _constrained(5, "sin(1.7*x)/x", (0.3, 2), obeys=("even in x", "f -> 0 as x -> inf"), rows=15, noise=0.05),
    _constrained(6, "3*x*y/(x + y)", (0.5, 4), (0.5, 4), obeys=("symmetric in x, y", "f(x=0) = 0"), rows=15, noise=0.1),
    _constrained(7, "1.5*tanh(0.8*x)", (0.1, 1.5), obeys=("odd in x", "f -> 1.5 as x -> inf"), rows=15, noise=0.1),
    _constrained(8, "1.3*sqrt(x^2 + y^2)", (0.5, 3), (0.5, 3), obeys=("symmetric in x, y", "even in x"), rows=15,
                 noise=0.1),
    _constrained(9, "3*x*exp(-0.9*x)", (0.1, 1.2), obeys=("f(x=0) = 0", "f -> 0 as x -> inf"), rows=15, noise=0.05),
    _constrained(10, "2*x^2/(1.5 + x^2)", (0.3, 2), obeys=("even in x", "f(x=0) = 0", "f -> 2 as x -> inf"), rows=15,
                 noise=0.1),
    _constrained(11, "y*(1 - exp(-0.9*x))", (0.2, 3), (0.5, 2), obeys=("f(x=0) = 0", "odd in y", "finite as x -> inf"),
                 rows=20, noise=0.06),
    _constrained(12, "1.5*(x - y)", (0, 5), (0, 5), obeys=("antisymmetric in x, y",), rows=8, noise=0.3),
    _constrained(13, "x/(1 + 0.7*x*y)", (0.2, 2), (0.2, 2), obeys=("f(x=0) = 0", "finite as x -> inf"),
                 rows=20, noise=0.06),
    _constrained(14, "1.7*log(1 + x)", (0.1, 3), obeys=("f(x=0) = 0", "concave in x", "no sqrt"), rows=15, noise=0.08),
    _constrained(15, "cos(1.8*x)", (0, 1), obeys=("even in x", "f(x=0) = 1", "finite as x -> inf"), rows=12, noise=0.1),
    _constrained(16, "x*exp(-0.7*y)", (0.5, 4), (0.2, 1.5), obeys=("f(x=0) = 0", "f -> 0 as y -> inf"), rows=15,
                 noise=0.08),
    _constrained(17, "2/x - 2/y", (0.5, 3), (0.5, 3), obeys=("antisymmetric in x, y",), rows=10, noise=0.3),
    _constrained(18, "x^3 - 2*x", (0, 1.8), obeys=("odd in x", "no sin", "no tanh"), rows=10, noise=0.15),
    _constrained(19, "2/(1 + exp(-x))", (-1, 3), obeys=("f -> 0 as x -> -inf", "f -> 2 as x -> inf"), rows=20,
                 noise=0.06),
    _constrained(20, "1.4*x*y^2", (0.5, 3), (0.5, 3), obeys=("odd in x", "even in y", "convex in y"), rows=10,
                 noise=0.2),
)  # fmt: skip
