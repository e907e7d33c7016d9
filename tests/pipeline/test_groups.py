"""One law for many groups, from rows to verdict."""

import numpy as np
import pytest

from scalesr.pipeline import discover_in_groups
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Verdict
from scalesr.records.groups import GroupedData
from scalesr.records.outcome import Ending
from tests.groups.tables import grouped, values


def found_in(groups, max_work=150.0, **settings):
    run = Settings(time_limit=None, max_work=max_work, **settings)
    with np.errstate(all="ignore"):
        return discover_in_groups(groups, run, rng=np.random.default_rng(0))


@pytest.mark.parametrize("shape", [{"n_groups": 40, "n_rows": 5}, {"n_groups": 8, "n_rows": 30}])
def test_form_and_split_are_found(shape):
    found = found_in(grouped("a*exp(-1.3*t) + 2", **shape)[0])
    assert str(found.equation.expression.skeleton()) == "x1*exp(C*x0) + C"
    assert found.verdict is Verdict.WITHIN_NOISE
    assert found.probability > 0.9
    assert found.trace[0].summary.startswith(f"{shape['n_groups']} groups by group, {shape['n_rows']} rows each")


def test_an_exact_law_ends_the_work():
    found = found_in(grouped("2.5*t/(a + t)", noise=0.0)[0], 1000)
    assert found.verdict is Verdict.EXACT
    assert found.ending is Ending.EXACT
    assert len(found.law.groups.letters) == 1


def test_two_columns_and_ragged_groups():
    rng = np.random.default_rng(3)
    sizes = rng.integers(3, 20, 25)
    labels = np.repeat(np.arange(25), sizes)
    own = rng.uniform(0.5, 3, 25)
    table = rng.uniform(1, 10, (len(labels), 2))
    y = own[labels] * table[:, 0] / table[:, 1] ** 2
    y += 0.01 * y.std() * rng.standard_normal(len(y))
    groups = GroupedData.from_labels(Dataset.from_table(table, y, names=["q", "r"]), tuple(labels.tolist()), "pair")
    found = found_in(groups, 40)
    assert str(found.equation) in ("q*a/r^2", "a*q/r^2")
    assert "3 to 18 rows" in found.trace[0].summary


def test_rows_that_are_far_off_do_not_count():
    groups, own = grouped("a*exp(-1.3*t) + 2", n_groups=10, n_rows=30)
    y = groups.data.y.copy()
    y[::25] += 5.0
    spoilt = GroupedData(groups.data.with_target(y, "y"), groups.row_starts, groups.labels)
    law = found_in(spoilt).law
    assert str(law.equation.expression.skeleton()) == "x1*exp(C*x0) + C"
    np.testing.assert_allclose(law.groups.values[:, 0], own[:, 0], atol=0.05)


def test_limits_of_work_are_kept_and_said():
    found = found_in(grouped("a*sin(b*t^2) + t^3", n_groups=10, n_rows=20)[0], 5)
    assert found.ending is Ending.WORK
    assert "5 units of work" in found.ended


def test_a_largest_complexity_is_kept():
    found = found_in(grouped("a*exp(-1.3*t) + 2")[0], 60, max_complexity=5)
    assert all(law.complexity <= 5 for law in found.front)


def test_the_rows_order_does_not_matter():
    groups, own = grouped("a*t^1.5", n_groups=10, n_rows=8)
    again = values("a*t^1.5", groups.data.columns[0], own[groups.group_of_rows])
    assert np.corrcoef(again, groups.data.y)[0, 1] > 0.99
    order = np.random.default_rng(1).permutation(groups.data.n_rows)
    labels = tuple(groups.group_of_rows[order].tolist())
    shuffled = GroupedData.from_labels(groups.data.rows(order), labels)
    one, other = found_in(groups, 30), found_in(shuffled, 30)
    assert str(one.equation) == str(other.equation)
