"""Growth: formulas with a term added where the rows ask for one.

To first order a formula changes with any of its parts by the slope of its values in that part. So for every part and
every simple term the rows tell at once, without a fit, by how much the residual would fall if some of the term were
added to the part while all constants give way: the score test of statistics. A few such additions are worth more than
many at random.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.criterion import PER_SYMBOL, structure_length
from scalesr.expr.evaluate import evaluate, evaluate_many, jacobian
from scalesr.expr.expression import Expression, apply, constant, variable
from scalesr.expr.fitting import Groups
from scalesr.expr.operators import Operators
from scalesr.kernels.codes import ADD, CONSTANT, MUL
from scalesr.search.evolution.config import EVOLUTION
from scalesr.search.evolution.population import Islands, thinned
from scalesr.search.genetic.trees import replaced, starts, subtree

Floats = NDArray[np.float64]

SAME_GAIN = 1e-6  # relative: additions whose gains differ by less are one addition in two places
DEPENDENT = 1e-9  # of a direction's square: what is left of less, once the constants have given way, is rounding
FUNCTIONS = ("sqrt", "sin", "cos", "exp", "log")  # of one column, as far as the operators go
POWERS = (2, -1, -2)


class Addition(NamedTuple):
    """A term that is added to a part of a formula, or that a part is multiplied by one and some of."""

    nats: float  # that it gains, less what it costs to write
    root: int  # of the part
    term: int
    is_factor: bool
    amount: float  # of the term, to first order


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """Simple terms that may be added to a part, and their values on some rows."""

    rows: Groups
    forms: tuple[Expression, ...]
    values: Floats  # (terms, rows)
    prices: Floats  # (terms,) nats for writing each

    @classmethod
    def over(cls, rows: Groups, operators: Operators) -> Terms:
        """The terms that have a value on each of the rows and are not the same on all."""
        forms = simple_terms(len(rows.columns), operators)
        with np.errstate(all="ignore"):
            values = evaluate_many(forms, rows.columns.T)
            usable = np.isfinite(np.square(values)).all(axis=1) & (np.ptp(values, axis=1) > 0)
        kept = tuple(form for form, is_usable in zip(forms, usable, strict=True) if is_usable)
        return cls(rows, kept, values[usable], np.array([structure_length(form) for form in kept]))


def simple_terms(n_variables: int, operators: Operators) -> list[Expression]:
    """Columns, powers and functions of one column, products and ratios of two, as far as the operators go."""
    columns = [variable(column) for column in range(n_variables)]
    powers = [apply("powi", one, power=power) for one in columns for power in POWERS if "powi" in operators]
    functions = [apply(name, one) for one in columns for name in FUNCTIONS if name in operators]
    products = [apply("*", *pair) for pair in combinations(columns, 2) if "*" in operators]
    ratios = [apply("/", *pair) for pair in permutations(columns, 2) if "/" in operators]
    return [*columns, *powers, *functions, *products, *ratios]


class AdditionProposer:
    """Adds to the leading members of an island, each time to the best whose form has not been added to yet."""

    def __init__(self, population: Islands, operators: Operators) -> None:
        self._population, self._n_rows = population, population.rows.n_rows
        self._terms = Terms.over(thinned(population.rows, EVOLUTION.growth_rows), operators)
        self._known: list[set[bytes]] = [set() for _ in range(EVOLUTION.n_islands)]

    def additions(self, island: int, costs: Floats, max_nodes: int) -> list[Expression]:
        """The most promising additions to the next member of this many nodes at most; `costs` are of all members."""
        population, known = self._population, self._known[island]
        for member in population.own(costs, island)[: EVOLUTION.n_leaders].tolist():
            form = population.form(member)
            if form not in known and population.members.sizes[member] <= max_nodes:
                known.add(form)
                law = population.closed(member)
                found = [] if law is None else grown(law, self._terms, self._n_rows)
                return [one for one in found if population.limits.allow(one.skeleton())]
        return []

    def forget(self, island: int) -> None:
        """An island that starts over is added to again."""
        self._known[island].clear()


def grown(law: Expression, terms: Terms, n_rows: int) -> list[Expression]:
    """The most promising additions to a closed formula that is fitted to `n_rows` rows, the best first."""
    return [_with(law, one, terms.forms[one.term]) for one in _additions(law, terms, n_rows)]


def _additions(law: Expression, terms: Terms, n_rows: int) -> list[Addition]:
    rows = terms.rows
    table, roots = rows.columns.T, rows.roots if len(rows.roots) else np.ones(rows.n_rows)
    slotted, is_slot = _with_slots(law)
    with np.errstate(all="ignore"):
        slopes = jacobian(slotted, table).T * roots  # (constants, rows)
        left = (rows.y - evaluate(law, table)) * roots
        parts = evaluate_many([subtree(law, root) for root in range(law.n_nodes)], table)
    own = slopes[~is_slot]
    if len(own) >= rows.n_rows or not (np.isfinite(own).all() and np.isfinite(left).all()):
        return []
    sizes = np.abs(own).max(axis=1, initial=0.0)
    basis = np.linalg.qr((own[sizes > 0] / sizes[sizes > 0, np.newaxis]).T)[0]
    left = left - basis @ (basis.T @ left)
    found: list[Addition] = []
    factors = _times(slopes[is_slot], parts)
    for root, slope in enumerate(slopes[is_slot]):
        found += _best_at(root, slope, False, terms, basis, left, n_rows)
        if law.codes[root] not in (CONSTANT, ADD):  # there an addition, or one to an operand, does the same
            found += _best_at(root, factors[root], True, terms, basis, left, n_rows)
    return _distinct(sorted(found, reverse=True))[: EVOLUTION.n_grown]


def _best_at(
    root: int, slope: Floats, is_factor: bool, terms: Terms, basis: Floats, left: Floats, n_rows: int
) -> list[Addition]:
    """The additions to one part that gain more than they cost, the best first."""
    gains, amounts = _gains(_times(terms.values, slope), basis, left)
    nats = 0.5 * n_rows * gains - terms.prices - (2 if is_factor else 1) * PER_SYMBOL
    best = np.argsort(-nats, kind="stable")[: EVOLUTION.n_grown]
    return [
        Addition(float(nats[term]), root, int(term), is_factor, float(amounts[term]))
        for term in best
        if nats[term] > 0 and np.isfinite(amounts[term])
    ]


def _gains(directions: Floats, basis: Floats, left: Floats) -> tuple[Floats, Floats]:
    """By how much the logarithm of the squared residual falls along each direction, and how far that is to go."""
    with np.errstate(all="ignore"):
        squares = np.einsum("ij,ij->i", directions, directions)
        free = squares - ((directions @ basis) ** 2).sum(axis=1)
        along = directions @ left
        share = along**2 / free / float(left @ left)
        usable = np.isfinite(squares) & (free > DEPENDENT * squares) & np.isfinite(share)
        return np.where(usable, -np.log1p(-np.minimum(share, 1 - 1e-12)), 0.0), np.where(usable, along / free, 0.0)


def _times(values: Floats, others: Floats) -> Floats:
    """The product, which may be beyond the range of floats, and is looked at again then."""
    with np.errstate(all="ignore"):
        return np.asarray(values * others)


def _distinct(found: list[Addition]) -> list[Addition]:
    """The additions, the best first, without those that gain just as much as the one before."""
    kept: list[Addition] = []
    for one in found:
        if not kept or kept[-1].nats - one.nats > SAME_GAIN * kept[-1].nats:
            kept.append(one)
    return kept


def _with_slots(law: Expression) -> tuple[Expression, NDArray[np.bool_]]:
    """The formula with a constant of 0 added to each of its parts, and which of its constants those are."""
    zero, plus = np.full(law.n_nodes, CONSTANT), np.full(law.n_nodes, ADD)
    codes = np.column_stack([law.codes, zero, plus]).ravel().astype(np.int32)
    is_own = law.codes == CONSTANT
    values = np.zeros(law.n_nodes)
    values[is_own] = law.constants
    numbers = np.column_stack([values, np.zeros(law.n_nodes), np.zeros(law.n_nodes)]).ravel()
    args = np.column_stack([law.args, np.zeros_like(law.args), np.zeros_like(law.args)]).ravel()
    is_constant = codes == CONSTANT
    args[is_constant] = np.arange(np.count_nonzero(is_constant))
    is_slot = np.tile([False, True, False], law.n_nodes)[is_constant]
    return Expression(codes, args, numbers[is_constant]), is_slot


def _with(law: Expression, addition: Addition, term: Expression) -> Expression:
    """The formula with the addition made, as the sum of its terms."""
    part, some = subtree(law, addition.root), apply("*", term, constant(addition.amount))
    larger = apply("*", part, apply("+", some, constant(1.0))) if addition.is_factor else apply("+", part, some)
    return bare(replaced(law, addition.root, larger))


def bare(law: Expression) -> Expression:
    """The sum of a formula's terms without their constant factors and without a constant term.

    Bred formulas have a factor at each term and a summand by themselves.
    """
    terms: list[Expression] = []
    waiting = [law.n_nodes - 1]
    while waiting:
        root = waiting.pop()
        left = starts(law)[root - 1] - 1  # the root of the left operand, where there are two
        if law.codes[root] == ADD:
            waiting += [root - 1, left]
        elif law.codes[root] == MUL and CONSTANT in (law.codes[left], law.codes[root - 1]):
            waiting.append(left if law.codes[root - 1] == CONSTANT else root - 1)
        elif law.codes[root] != CONSTANT:
            terms.append(subtree(law, root))
    whole, *others = terms
    for term in others:
        whole = apply("+", whole, term)
    return whole
