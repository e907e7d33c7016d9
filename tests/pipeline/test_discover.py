from collections.abc import Callable

import numpy as np
import pytest

from scalesr.expr.text import parse
from scalesr.pipeline import discover
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Discovery, Verdict
from scalesr.records.oracle import Oracle
from scalesr.records.outcome import Ending
from scalesr.records.proposal import Proposal


def run(X, y, *, names=None, seed=0, **settings) -> Discovery:
    data = Dataset.from_table(X, y, names=names)
    return discover(data, Settings(**({"time_limit": None} | settings)), rng=np.random.default_rng(seed))


def table(n_columns: int, low: float = 1.0, high: float = 3.0, n_rows: int = 300):
    return np.random.default_rng(1).uniform(low, high, (n_rows, n_columns))


# columns, rows and law
LAWS: dict[str, tuple[int, int, Callable]] = {
    "a sum of terms": (2, 300, lambda x: 2.5 * x[0] ** 2 - np.sin(x[1])),
    "a power product": (4, 300, lambda x: 0.5 * x[0] * x[1] ** 2 / np.sqrt(x[2] * x[3])),
    "a ratio of sums": (3, 300, lambda x: (x[0] + x[1]) / (1 + x[0] * x[1] / x[2] ** 2)),
    "a root of squares": (4, 150, lambda x: np.sqrt((x[0] - x[1]) ** 2 + (x[2] - x[3]) ** 2)),
    "a function of one combination": (4, 300, lambda x: 1 / (np.exp(x[0] * x[1] / (x[2] * x[3])) - 1)),
    "a wave in two variables": (2, 600, lambda x: 1.35 * x[0] * x[1] + 5.5 * np.sin((x[0] - 1) * (x[1] - 1))),
}


@pytest.mark.parametrize("name", LAWS)
def test_a_law_behind_exact_rows_is_found_and_called_exact(name):
    n_columns, n_rows, law = LAWS[name]
    X = table(n_columns, n_rows=n_rows)
    found = run(X, law(X.T))
    fresh = np.random.default_rng(2).uniform(1, 3, (300, n_columns))
    assert found.verdict is Verdict.EXACT
    np.testing.assert_allclose(found.equation.predict(fresh), law(fresh.T), rtol=1e-9)


@pytest.mark.parametrize("law", ["sin(x0) + sin(x1^2)", "x0^x1"])
def test_control_variables_find_a_law_without_plain_laws(law):
    X = table(2, n_rows=600)
    y = np.sin(X[:, 0]) + np.sin(X[:, 1] ** 2) if "sin" in law else X[:, 0] ** X[:, 1]
    found = run(X, y, plain_laws=False)
    assert found.verdict is Verdict.EXACT
    assert str(found.equation).replace(" ", "") in {law.replace(" ", ""), "sin(x1^2)+sin(x0)"}


def test_noise_is_named_and_the_form_found(rng):
    X = table(2, n_rows=400)
    clean = 3 * X[:, 0] / X[:, 1] ** 2
    found = run(X, clean + 0.02 * clean.std() * rng.standard_normal(len(X)), max_work=100.0)
    assert found.verdict is Verdict.WITHIN_NOISE
    assert found.noise.kind == "constant"
    assert found.noise.scale == pytest.approx(0.02 * clean.std(), rel=0.1)
    assert np.abs(found.equation.predict(X) - clean).max() < 0.02 * clean.std()


def test_pure_noise_has_no_law(rng):
    found = run(table(3, n_rows=200), rng.standard_normal(200), max_work=50.0)
    assert found.verdict is Verdict.NO_LAW


def test_columns_without_effect_are_not_in_the_law():
    X = table(6)
    found = run(X, X[:, 1] * np.exp(-X[:, 3]))
    assert found.equation.expression.variables == (1, 3)
    assert found.verdict is Verdict.EXACT


def test_magnitudes_of_real_units():
    X = table(3) * np.array([1e30, 1e24, 1e11])
    found = run(X, 6.674e-11 * X[:, 0] * X[:, 1] / X[:, 2] ** 2)
    assert found.verdict is Verdict.EXACT
    found = run(table(2) * np.array([1e-34, 1e14]), 1e-20 * (table(2)[:, 0] * table(2)[:, 1] + table(2)[:, 0]))
    assert found.verdict is Verdict.EXACT


@pytest.mark.parametrize("power", [-70, 70])
def test_a_target_seventy_decades_from_its_column(power):
    x = np.arange(1.0, 20.0)
    found = run(x[:, np.newaxis], x * float(f"3e{power}"), max_work=50.0)
    assert str(found.equation) == f"3e{power}*x0"


def test_the_same_seed_gives_the_same_law_and_story():
    X = table(3, n_rows=300)
    y = np.sin(X[:, 0] * X[:, 1]) / X[:, 2]
    first, again = run(X, y, seed=3), run(X, y, seed=3)
    assert first.equation == again.equation
    assert [step.summary for step in first.trace] == [step.summary for step in again.trace]


def test_the_time_limit_is_kept():
    X = table(6, n_rows=6000)
    waves = np.sin(X @ np.random.default_rng(5).normal(size=(6, 12)) + np.arange(12))
    found = run(X, waves @ np.arange(1.0, 13.0), time_limit=1.0)
    assert found.ended == "The time limit of 1 s was reached."


def test_a_law_to_start_from_is_tried_first():
    X = table(2)
    start = Proposal(parse("1.1*sin(2.05*x0)*exp(x1) + 0.9"), "given")
    found = run(X, 1.3 * np.sin(2 * X[:, 0]) * np.exp(X[:, 1]) + 1, start=(start,))
    assert found.verdict is Verdict.EXACT
    assert found.law.origin == "given"
    assert len(found.trace) == 1


def test_an_oracle_is_asked_in_place_of_a_learned_function():
    asked = []

    def law(table):
        asked.append(len(table))
        return np.sin(table[:, 0]) + np.sin(table[:, 1] ** 2)

    X = table(2, n_rows=300)
    y = law(X)
    asked.clear()
    found = run(X, y, generator=Oracle(law), plain_laws=False)
    assert found.verdict is Verdict.EXACT
    assert sum(asked) > 100
    assert f"asked for {sum(asked)} rows in the search" in found.trace[-1].summary


def test_an_oracle_is_asked_for_columns_that_have_been_combined():
    asked = []

    def law(table):
        asked.append(len(table))
        return table[:, 2] * np.cos(table[:, 0] * table[:, 1]) + np.exp(table[:, 2] / 2)

    X = table(3)
    y = law(X)
    asked.clear()
    found = run(X, y, generator=Oracle(law), plain_laws=False)
    assert found.verdict is Verdict.EXACT
    assert any("x0 and x1 enter as" in step.summary for step in found.trace if step.stage == "reduce")
    assert sum(asked) > 100


def test_a_spent_budget_lets_a_learned_function_take_over():
    def law(table):
        return np.sin(table[:, 0]) + np.sin(table[:, 1] ** 2)

    X = table(2, n_rows=300)
    found = run(X, law(X), generator=Oracle(law, budget=10), plain_laws=False)
    (rejected,) = [step.rejected for step in found.trace if step.stage == "generator" and step.rejected]
    assert "budget" in rejected[0]
    assert "asked for 0 rows" in found.trace[-1].summary


def test_a_budget_that_is_spent_on_the_way_is_made_up_for_by_a_learned_function():
    def law(table):
        return np.sin(table[:, 0]) + np.sin(table[:, 1] ** 2)

    X = table(2)
    found = run(X, law(X), generator=Oracle(law, budget=1100), plain_laws=False)
    assert found.verdict is Verdict.EXACT
    assert "control variables" in found.law.origin or "slices" in found.law.origin
    made = [step.summary for step in found.trace if step.stage == "generator"]
    assert "a given function" in made[0]
    assert "on unseen rows" in made[1]
    assert "asked for 1100 rows" in made[2]


def test_an_interrupt_keeps_the_best_so_far():
    class Interrupted:
        def search(self, *_, **__):
            raise KeyboardInterrupt

    X = table(1, n_rows=40)
    y = X[:, 0] ** 2 + np.sin(3 * X[:, 0] ** 2.5) ** 3
    found = run(X, y, search=Interrupted())
    assert "interrupted" in found.ended
    assert found.law.loss < y.var()


def test_a_short_law_within_noise_ends_the_work(rng):
    X = table(1, n_rows=200)  # a few seconds, where two columns are gone through for twenty
    clean = 2.5 * X[:, 0] ** 3
    found = run(X, clean + 0.05 * clean.std() * rng.standard_normal(len(X)))
    assert found.verdict is Verdict.WITHIN_NOISE
    assert found.ending is Ending.WITHIN_NOISE
    assert found.probability > 0.5


def test_few_rows_do_not_end_the_work_on_a_law_that_merely_comes_near(rng):
    X = table(2, n_rows=150)
    clean = 2.5 * X[:, 0] ** 3 - 1.3 * X[:, 1] ** 2 + 4 * X[:, 1] * X[:, 0]
    found = run(X, clean + 0.05 * clean.std() * rng.standard_normal(len(X)), max_work=100.0)
    assert found.ending is Ending.WORK  # it would have gone on


def test_an_interrupt_while_the_laws_are_polished_keeps_them(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("scalesr.pipeline.run.finish", interrupted)
    X = table(2, n_rows=300)
    found = run(X, 3 * X[:, 0] * X[:, 1])
    assert found.was_interrupted
    assert found.law.loss < 1e-20
