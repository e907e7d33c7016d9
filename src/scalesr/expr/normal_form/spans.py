"""Linear spaces of functions: what open coefficients multiply.

The closed terms of a sum are a point (its numbers) plus the span of the functions that open
coefficients multiply. Two such sums are one family if point and span are the same, whatever the
functions they are written with: C*(x + y) + C*x is C*x + C*y, and C*(x + y) + x is C*(x + y) - y.
The reduced echelon form of the span is unique, and so is the point once it is reduced by it.
"""

from __future__ import annotations

from collections.abc import Iterable

from scalesr.expr.normal_form.form import SQUARE, Monomial, Term, make_form
from scalesr.expr.normal_form.groups import term_vector, vector_term
from scalesr.expr.normal_form.trigonometry import with_sine_squares, without_sine_squares

Vector = dict[Monomial, float]

_TINY = 1e-10  # of the largest coefficient: what elimination leaves of a zero


def reduced(terms: Iterable[Term]) -> list[Term]:
    """The same affine space in its one reduced form; open terms are passed through."""
    seen: dict[str, Monomial] = {}
    point: Vector = {}
    rows: list[Vector] = []
    others: list[Term] = []
    for coefficient, monomial in terms:
        if not monomial.closed:
            others.append((coefficient, monomial))
        elif coefficient is None:
            rows.append(_vector(term_vector(monomial), seen))
        else:
            _add_to(point, _vector(((coefficient, monomial),), seen), 1.0)
    squares = any(monomial.flags & SQUARE for row in [point, *rows] for monomial in row)
    if squares:
        point = without_sine_squares(point)
        rows = [without_sine_squares(row) for row in rows]
    rows = _echelon(rows)
    for row in rows:
        _eliminate(point, row)
    if squares:
        point = with_sine_squares(point)
        rows = [with_sine_squares(row) for row in rows]
    free = [vector_term(make_form([(c, m) for m, c in row.items()])) for row in rows]
    return [*((c, m) for m, c in point.items()), *free, *others]


def _vector(terms: Iterable[Term], seen: dict[str, Monomial]) -> Vector:
    """Closed terms as a vector; monomials that differ by rounding become one, as `seen` first."""
    vector: Vector = {}
    for coefficient, monomial in terms:
        if coefficient is not None:
            _add_to(vector, {seen.setdefault(monomial.key, monomial): coefficient}, 1.0)
    return vector


def _echelon(rows: list[Vector]) -> list[Vector]:
    """Reduced row echelon form; zero rows are dropped."""
    done: list[Vector] = []
    for row in rows:
        rest = dict(row)
        for other in done:
            _eliminate(rest, other)
        if not rest:
            continue
        lead = rest[_pivot(rest)]
        rest = {monomial: value / lead for monomial, value in rest.items()}
        for other in done:
            _eliminate(other, rest)
        done.append(rest)
    return done


def _pivot(row: Vector) -> Monomial:
    return min(row, key=lambda monomial: monomial.rank)


def _eliminate(row: Vector, by: Vector) -> None:
    """Subtract the multiple of `by` that clears its pivot in `row`."""
    weight = row.get(_pivot(by))
    if weight is not None:
        _add_to(row, by, -weight)


def _add_to(row: Vector, other: Vector, weight: float) -> None:
    for monomial, value in other.items():
        before = row.get(monomial, 0.0)
        after = before + weight * value
        if abs(after) <= _TINY * max(abs(before), abs(weight * value)):
            row.pop(monomial, None)
        else:
            row[monomial] = after
