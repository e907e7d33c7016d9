import numpy as np
import pytest
from joblib import cpu_count, parallel_config

from scalesr import Operators, ScaleSRRegressor
from scalesr.estimators.parameters import GENERATORS, SEARCHES, random_sources, settings_of
from scalesr.records.config import Settings
from scalesr.records.oracle import Oracle
from scalesr.search.mcts import MctsSearch


def settings(**parameters) -> Settings:
    return settings_of(ScaleSRRegressor(**parameters).get_params())


def test_the_estimators_defaults_are_the_methods():
    assert settings() == Settings()


def test_every_search_and_generator_has_the_name_that_the_public_surface_gives_it():
    assert SEARCHES == ("default", "exhaustive", "mcts", "gp", "dsr", "nggp")
    assert GENERATORS == ("auto", "network", "kernel")


def test_objects_are_handed_on_as_they_are():
    search = MctsSearch()
    assert settings(search=search).search is search
    assert settings(generator=np.sum).generator == Oracle(np.sum)
    assert settings(generator=Oracle(np.sum, 9)).generator == Oracle(np.sum, 9)
    assert settings(operators=Operators("paper")).operators == Operators("paper")


def test_no_limit_and_an_infinite_one_are_the_same():
    assert settings(time_limit=None).time_limit is None
    assert settings(time_limit=float("inf")).time_limit is None
    assert settings(time_limit=np.float32(0.5)).time_limit == 0.5


def test_workers_are_counted_as_joblib_counts_them():
    assert settings(n_jobs=None).n_jobs == 1
    assert settings(n_jobs=3).n_jobs == 3
    assert settings(n_jobs=-1).n_jobs == cpu_count()
    with parallel_config(n_jobs=2):
        assert settings(n_jobs=None).n_jobs == 2


def draws(random_state, count=2) -> list[int]:
    return [int(rng.integers(2**40)) for rng in random_sources(random_state, count)]


def test_the_same_seed_gives_the_same_numbers_and_none_gives_new_ones():
    assert draws(5) == draws(5)
    assert draws(5) != draws(6)
    assert draws(None) != draws(None)
    assert draws(5, 1) == draws(5, 3)[:1]
    assert len(set(draws(5, 4))) == 4


@pytest.mark.parametrize("make", [np.random.RandomState, np.random.default_rng])
def test_a_random_source_moves_on_with_each_fit(make):
    source = make(3)
    assert draws(source) != draws(source)
    assert draws(make(3)) == draws(make(3))
