from __future__ import annotations

import numpy as np
import pytest

from scalesr.errors import DataError
from scalesr.evidence.archive import Archive
from scalesr.expr.canonical import canonical_key
from scalesr.expr.operators import Operators
from scalesr.expr.text import parse
from scalesr.polish.shortest import shortest
from scalesr.records.dataset import Dataset
from tests.evidence.tables import archive_of, dataset, proposals

NOISY = dataset(lambda x, y: 2 * np.sin(x) + 0.3 * y**2, 1000, (-3.0, 3.0), (-3.0, 3.0), noise=0.05)
GUESSES = ("x0", "sin(x0)", "2*sin(x0) + 0.2*x1^2", "2*sin(x0) + 0.2*x1^2 + 0.1*x0*x1 + 0.1*x1^3", "0.5*x1^2")


def test_the_front_holds_no_law_that_another_beats_in_both() -> None:
    laws = archive_of(NOISY, *GUESSES).front
    assert len(laws) >= 3
    for one in laws:
        for other in laws:
            assert one is other or not (one.complexity <= other.complexity and one.loss <= other.loss)
    assert [law.complexity for law in laws] == sorted(law.complexity for law in laws)


def test_the_best_law_is_the_true_one_and_on_the_front() -> None:
    archive = archive_of(NOISY, *GUESSES)
    assert canonical_key(archive.best.equation.expression.skeleton()) == canonical_key(parse("C*sin(x0) + C*x1^2"))
    assert archive.best in archive.front


def test_losses_are_those_of_the_law_on_rows_and_held_rows() -> None:
    kept, held = NOISY.split(200, rng=np.random.default_rng(1))
    archive = Archive(kept, held, Operators("physics"), shorten=shortest)
    archive.offer(proposals(GUESSES))
    for law in archive.front:
        assert law.loss == pytest.approx(np.mean((kept.y - law.equation.predict(kept.table)) ** 2))
        assert law.held_loss == pytest.approx(np.mean((held.y - law.equation.predict(held.table)) ** 2))


def test_no_form_is_fitted_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    archive = archive_of(NOISY, *GUESSES)
    before, fitted = archive.candidates, []
    monkeypatch.setattr("scalesr.evidence.archive.refit", lambda guess, _: fitted.append(guess))
    archive.offer(proposals(GUESSES))
    archive.offer(proposals(["0.3*x1^2 + 1.9*sin(x0)"]))
    assert fitted == []
    assert archive.candidates == before


def test_a_better_guess_of_a_known_form_is_taken() -> None:
    data = dataset(lambda x: np.sin(60 * x + 1), 500, (0.0, 3.0))
    archive = archive_of(data, "sin(2*x0 + 0.1)")
    assert not archive.is_exact
    archive.offer(proposals(["sin(59.9*x0 + 1.1)"]))
    assert archive.is_exact


def test_the_order_of_proposals_does_not_matter() -> None:
    forward, backward = archive_of(NOISY, *GUESSES), archive_of(NOISY, *reversed(GUESSES))
    assert str(forward.best.equation) == str(backward.best.equation)


def test_rows_of_weight_zero_do_not_count() -> None:
    weights = np.where(np.arange(NOISY.n_rows) % 3 == 0, 0.0, 1.0)
    y = np.where(weights == 0, 1e6, 3 * NOISY.columns[0] + 1)
    data = Dataset.from_table(NOISY.table, y, weights=weights)
    assert str(archive_of(data, "x0").best.equation) == "3*x0 + 1"


def test_proposals_without_values_are_passed_over() -> None:
    archive = archive_of(NOISY, "log(x0)", "sqrt(-1 - x0^2)", "sqrt(x0)")
    assert archive.best.equation.expression.variables == ()


def test_a_target_whose_squares_overflow_is_refused() -> None:
    data = Dataset.from_table(NOISY.table, 1e200 * NOISY.y)
    with pytest.raises(DataError, match="power of ten"):
        archive_of(data)


def test_of_few_rows_a_law_that_errs_in_order_gives_way_to_one_that_errs_at_random() -> None:
    x = np.arange(1.0, 16.0)
    steps = np.array([3, -5, 4, 1, -6, 5, -2, 3, -4, 2, 6, -3, -1, 4, -5], float)
    y = 700 / (1 + np.exp(5.3 - 0.75 * x)) + 7 * steps
    data = Dataset.from_table(x[:, np.newaxis], y)
    archive = Archive(data, data, Operators("physics"), shorten=shortest)
    archive.offer(proposals(("50*x0", "8/(exp(-0.7*x0) + 0.012)")))
    line, curve = sorted(archive.candidates, key=lambda one: one.law.complexity)[1:3]
    assert curve.law.score < line.law.score
    assert line.score.structure > 2  # its residuals are autocorrelated


def test_laws_are_kept_when_rows_change_their_weights_and_losses_stay_those_of_all_rows() -> None:
    archive = archive_of(NOISY, *GUESSES)
    before = {str(one.law.equation): one.law.loss for one in archive.candidates}
    archive.weigh(np.where(np.arange(archive.data.n_rows) % 7 == 0, 0.0, 1.0))
    after = {str(one.law.equation): one.law.loss for one in archive.candidates}
    assert before.items() <= after.items()
    assert len(after) > len(before)  # constants fitted again, beside those that were known
