"""The paper's data generation: what is held, what moves, and how often."""

from functools import partial

import numpy as np
import pytest

from scalesr.errors import DataError
from scalesr.paper.draw import draw_groups
from scalesr.paper.settings import LiteralSettings
from scalesr.records.dataset import Dataset
from scalesr.records.sweep import Sweep

SETTINGS = LiteralSettings(n_points=7, n_groups=5)
LOW, HIGH = np.array([0.0, -4.0, 10.0]), np.array([1.0, -2.0, 30.0])
DATA = Dataset.from_table(np.random.default_rng(1).uniform(LOW, HIGH, (400, 3)), np.zeros(400), names=["a", "b", "c"])


class Given:
    """A generator that is a function."""

    noise = 0.0
    description = "a function"

    def __init__(self, function=lambda X: X[:, 0] * X[:, 1] - X[:, 2]):
        self.predict = function


def draw(variable: int, *, seed: int = 0, generator: Given | None = None) -> Sweep:
    rng = np.random.default_rng(seed)
    return draw_groups(DATA, generator or Given(), variable, settings=SETTINGS, rng=rng)


def groups_of(sweep: Sweep) -> list[np.ndarray]:
    return [sweep.group(g)[0] for g in range(sweep.n_groups)]


def test_the_new_variable_has_one_value_per_group_the_learned_move_and_the_others_are_held():
    sweep = draw(1)
    assert [len(rows) for rows in groups_of(sweep)] == [7] * 5
    assert len(np.unique(sweep.columns[0])) == 35
    assert all(len(np.unique(rows[:, 1])) == 1 for rows in groups_of(sweep))
    assert len(np.unique(sweep.columns[1])) == 5
    assert len(np.unique(sweep.columns[2])) == 1
    assert np.array_equal(sweep.y, sweep.columns[0] * sweep.columns[1] - sweep.columns[2])


def test_the_last_variable_holds_nothing():
    sweep = draw(2)
    assert len(np.unique(sweep.columns[0])) == len(np.unique(sweep.columns[1])) == 35
    assert len(np.unique(sweep.columns[2])) == 5


def test_the_first_variable_has_one_row_per_group():
    sweep = draw(0)
    assert (sweep.n_groups, sweep.n_rows) == (5, 5)
    assert len(np.unique(sweep.columns[0])) == 5
    assert len(np.unique(sweep.columns[1])) == len(np.unique(sweep.columns[2])) == 1


@pytest.mark.parametrize("variable", [0, 1, 2])
def test_all_values_lie_within_the_range_of_the_data(variable):
    columns = draw(variable).columns
    assert (columns >= DATA.columns.min(axis=1)[:, None]).all()
    assert (columns <= DATA.columns.max(axis=1)[:, None]).all()


def test_values_fill_the_range():
    many = LiteralSettings(n_points=200, n_groups=200)
    columns = draw_groups(DATA, Given(), 1, settings=many, rng=np.random.default_rng(0)).columns
    width = (HIGH - LOW)[:2]
    assert (columns[:2].min(axis=1) < LOW[:2] + 0.05 * width).all()
    assert (columns[:2].max(axis=1) > HIGH[:2] - 0.05 * width).all()


def test_every_step_draws_the_held_values_anew_and_the_same_seed_draws_the_same():
    step = partial(draw_groups, DATA, Given(), 1, settings=SETTINGS)
    rng = np.random.default_rng(0)
    first, second = step(rng=rng), step(rng=rng)
    assert first.columns[2, 0] != second.columns[2, 0]
    assert np.array_equal(draw(1).columns, first.columns)


def test_rows_without_a_value_are_left_out():
    sweep = draw(1, generator=Given(lambda X: np.where(X[:, 0] < 0.5, X[:, 1], np.nan)))
    assert 0 < sweep.n_rows < 35
    assert (sweep.columns[0] < 0.5).all()


def test_a_generator_without_values_is_refused():
    with pytest.raises(DataError, match="no value at any of 35 rows drawn for 'b'"):
        draw(1, generator=Given(lambda X: np.full(len(X), np.nan)))


@pytest.mark.parametrize(
    "wrong", [{"n_points": 0}, {"n_groups": 1}, {"training_share": 1.0}, {"eta": 0.0}, {"n_steps": 0}]
)
def test_settings_that_make_no_sense_are_refused(wrong):
    with pytest.raises(ValueError, match=str(next(iter(wrong.values())))):
        LiteralSettings(**wrong)


def test_the_defaults_are_the_papers():
    settings = LiteralSettings()
    assert (settings.n_points, settings.n_groups) == (200, 200)
    assert settings.training_share * 8000 == 6400
