"""Dimensionless groups are complete, without a dimension, and undone exactly."""

from fractions import Fraction

import numpy as np
import pytest

from scalesr.expr.evaluate import evaluate
from scalesr.records.dataset import Dataset
from scalesr.records.dimensions import Dimensions
from scalesr.reduce.reduction import applied, untouched
from scalesr.reduce.units import dimensionless, groups_of, only_product

M, L, T = (1, 0, 0), (0, 1, 0), (0, 0, 1)
SPEED, ACCELERATION, DENSITY, VISCOSITY, FORCE = (0, 1, -1), (0, 1, -2), (1, -3, 0), (1, -1, -1), (1, 1, -2)


def dimensions(columns, target, scales=()):
    whole = [tuple(map(Fraction, one)) for one in (*columns, target)]
    return Dimensions(("mass", "length", "time"), tuple(whole[:-1]), whole[-1], scales)


PROBLEMS = {
    "pendulum": (dimensions([L, ACCELERATION, M], T), 0),
    "drag": (dimensions([DENSITY, SPEED, L, VISCOSITY], FORCE), 1),
    "relativity": (dimensions([M, SPEED, SPEED], (1, 2, -2)), 1),
    "three bodies": (dimensions([M, M, M, L, L, (-1, 3, -2)], FORCE), 3),
    "angles": (dimensions([L, (0, 0, 0), (0, 0, 0)], L), 2),
}


def total(powers, columns):
    return tuple(sum(power * one[k] for power, one in zip(powers, columns, strict=True)) for k in range(3))


@pytest.mark.parametrize("name", PROBLEMS)
def test_groups_are_complete_and_without_dimension_and_the_factor_has_the_targets(name):
    known, n_groups = PROBLEMS[name]
    found = groups_of(known)
    assert len(found.groups) == n_groups
    shape = (n_groups, len(known.columns))
    matrix = np.array([[float(power) for power in group] for group in found.groups]).reshape(shape)
    assert (
        np.linalg.matrix_rank(matrix)
        == n_groups
        == len(known.columns) - np.linalg.matrix_rank(np.array(known.columns, float))
    )
    assert all(total(group, known.columns) == (0, 0, 0) for group in found.groups)
    assert all(power.denominator == 1 for group in found.groups for power in group)
    assert total(found.factor, known.columns) == known.target


def test_a_target_of_another_dimension_has_no_groups():
    assert groups_of(dimensions([M, M, L], FORCE)) is None


def rows(known, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(1, 3, (30, len(known.columns)))
    data = Dataset.from_table(X, X[:, 0] + rng.uniform(1, 2, 30))
    return Dataset(data.columns, data.y, data.names, data.target, None, known)


@pytest.mark.parametrize("scales", [(), (1e-3, 2.0, 1.0, 0.5, 1e3)])
def test_the_move_is_undone_to_the_last_digits(scales):
    known = dimensions([DENSITY, SPEED, L, VISCOSITY], FORCE, scales)
    data = rows(known)
    smaller = applied(dimensionless(data), untouched(data))
    assert smaller.data.n_variables == 1
    assert evaluate(smaller.factor, data.table) * smaller.data.y == pytest.approx(data.y, rel=1e-12)


def test_no_move_without_units_and_none_where_nothing_would_be_left():
    data = rows(dimensions([L, SPEED], T))
    assert dimensionless(data) is None
    assert str(only_product(data)) == "x0/x1"
    plain = Dataset(data.columns, data.y, data.names)
    assert dimensionless(plain) is None
    assert only_product(plain) is None
    numbers = rows(dimensions([(0, 0, 0), (0, 0, 0)], (0, 0, 0)))
    assert dimensionless(numbers) is None
