from __future__ import annotations

import numpy as np
import pytest

from scalesr.evidence.archive import Archive
from scalesr.evidence.unknown import UnknownLaw
from scalesr.evidence.verdict import judge, noise_of
from scalesr.expr.operators import Operators
from scalesr.generator.smooth_cost import smooth_cost
from scalesr.polish.finish import finish
from scalesr.polish.shortest import shortest
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Verdict
from tests.evidence.tables import archive_of, dataset, proposals

BOX = ((-2.0, 2.0), (-2.0, 2.0))


def finished(data: Dataset, *texts: str) -> Archive:
    archive = archive_of(data, *texts)
    finish(archive)
    archive.unknown = UnknownLaw.of(archive.rows, smooth_cost)
    return archive


def test_an_exact_law_is_said_to_be_exact_with_its_evidence() -> None:
    archive = finished(dataset(lambda x, y: 2.5 * x * np.exp(y), 300, *BOX), "2*x0*exp(0.9*x1)")
    verdict, reason = judge(archive)
    assert verdict is Verdict.EXACT
    assert "60 held-back rows" in reason
    assert "240 rows" in reason
    assert noise_of(archive) is None


@pytest.mark.parametrize("noise", [0.01, 0.1, 0.5])
def test_the_right_law_is_within_noise_and_the_noise_is_measured(noise: float) -> None:
    data = dataset(lambda x, y: np.sin(2 * x) + x * y, 1500, *BOX, noise=noise)
    archive = finished(data, "0.9*sin(2.1*x0) + x0*x1", "x0*x1", "x0 + x1")
    assert judge(archive)[0] is Verdict.WITHIN_NOISE
    spread = np.std(np.sin(2 * data.columns[0]) + data.columns[0] * data.columns[1])
    assert noise_of(archive).scale == pytest.approx(noise * spread, rel=0.1)


def test_a_law_that_lacks_a_term_is_approximate_and_the_noise_is_still_told() -> None:
    data = dataset(lambda x: np.sin(3 * x) + x, 3000, (-2.0, 2.0), noise=0.01)
    archive = finished(data, "x0", "x0 + 0.1*x0^3")
    verdict, reason = judge(archive)
    assert verdict is Verdict.APPROXIMATE
    assert "residual" in reason
    assert noise_of(archive).scale == pytest.approx(0.01 * data.y.std(), rel=0.3)


def test_a_column_that_the_law_leaves_out_is_noticed() -> None:
    data = dataset(lambda x, y: x + 0.2 * y, 1000, *BOX, noise=0.1)
    assert judge(finished(data, "x0"))[0] is Verdict.APPROXIMATE


@pytest.mark.parametrize("n_rows", [8, 20, 60, 500])
def test_pure_noise_is_no_law_however_many_formulas_are_offered(n_rows: int) -> None:
    texts = [f"{a}*x0 + {b}*{f}({c}*x1)" for a in (0.1, 1) for b in (0.3, 2) for c in (0.5, 3) for f in ("sin", "exp")]
    texts += [" + ".join(["0.1", *(f"0.1*x{j}^{k}" for k in range(1, n + 1))]) for n in range(1, 8) for j in (0, 1)]
    for seed in range(3):
        rng = np.random.default_rng(seed)
        noise = rng.normal(size=n_rows) if seed % 2 else rng.standard_t(2, size=n_rows)
        archive = finished(Dataset.from_table(rng.normal(size=(n_rows, 2)), noise), *texts)
        assert judge(archive)[0] is Verdict.NO_LAW, str(archive.best.equation)


def test_pure_noise_is_no_law_where_no_rows_could_be_held_back() -> None:
    for n_rows in (3, 5, 8, 14, 25):
        rng = np.random.default_rng(n_rows)
        data = Dataset.from_table(rng.normal(size=(n_rows, 1)), rng.normal(size=n_rows))
        archive = Archive(data, data, Operators("physics"), shorten=shortest)
        archive.offer(proposals([" + ".join(["0.1", *(f"0.1*x0^{k}" for k in range(1, n + 1))]) for n in range(1, 9)]))
        finish(archive)
        assert judge(archive)[0] is Verdict.NO_LAW, str(archive.best.equation)


def test_a_weak_law_is_more_than_chance() -> None:
    data = dataset(lambda x: x, 300, (-2.0, 2.0), noise=1.0)
    assert judge(finished(data, "x0", "x0^2", "sin(x0)"))[0] is Verdict.WITHIN_NOISE


def test_a_small_table_with_a_clear_law_is_not_chance() -> None:
    x = np.array([0.387, 0.723, 1.0, 1.524, 5.203, 9.537, 19.19, 30.07])
    years = np.array([0.241, 0.615, 1.0, 1.881, 11.86, 29.46, 84.01, 164.8])
    data = Dataset.from_table(x[:, np.newaxis], years)
    archive = Archive(data, data, Operators("physics"), shorten=shortest)
    archive.offer(proposals(["x0^1.4", "x0 + x0^2"]))
    finish(archive)
    assert str(archive.best.equation.expression.skeleton()) == "x0^C"
    assert archive.best.equation.constants[0] == pytest.approx(1.5, abs=1e-3)
    assert judge(archive)[0] in (Verdict.WITHIN_NOISE, Verdict.APPROXIMATE)


def test_equal_columns_are_not_identifiable() -> None:
    data = dataset(lambda x, y: np.sin(x), 200, *BOX)
    both = Dataset.from_table(np.column_stack([data.table, 2 * data.columns[0]]), data.y)
    verdict, reason = judge(finished(both, "sin(x0)", "sin(0.5*x2)"))
    assert verdict is Verdict.NOT_IDENTIFIABLE
    assert "x0 = 0.5*x2" in reason


def test_two_laws_in_different_variables_that_fit_alike_are_not_identifiable() -> None:
    rng = np.random.default_rng(0)
    x = rng.uniform(1, 2, 300)
    X = np.column_stack([x, x * (1 + 1e-4 * rng.normal(size=300))])
    data = Dataset.from_table(X, x + 0.1 * rng.normal(size=300))
    assert judge(finished(data, "x0", "x1"))[0] is Verdict.NOT_IDENTIFIABLE


def test_a_constant_target_is_a_law() -> None:
    for value in (0.0, 3.25, 1e-34):
        data = Dataset.from_table(np.random.default_rng(0).normal(size=(50, 1)), np.full(50, value))
        assert judge(finished(data, "x0", "x0^2"))[0] is Verdict.EXACT


def test_what_a_smooth_function_tells_better_is_not_called_noise() -> None:
    rng = np.random.default_rng(0)
    X = rng.uniform(0.5, 4, (40, 2))
    wavy = 1.35 * X[:, 0] * X[:, 1] + 5.5 * np.sin((X[:, 0] - 1) * (X[:, 1] - 1))
    verdict, reason = judge(finished(Dataset.from_table(X, wavy), "x0*(5.7 - 3.7/x1)"))
    assert verdict is Verdict.APPROXIMATE
    assert "A smooth function without a formula tells 32 rows better" in reason


def test_few_rows_of_a_noisy_plane_are_still_within_noise() -> None:
    rng = np.random.default_rng(0)
    X = rng.uniform(0, 1, (60, 2))
    assert judge(finished(Dataset.from_table(X, X.sum(axis=1) + rng.normal(size=60)), "x0 + x1"))[0] in {
        Verdict.WITHIN_NOISE, Verdict.NO_LAW,
    }  # fmt: skip
    data = Dataset.from_table(X, 4 * X.sum(axis=1) + rng.normal(size=60))
    assert judge(finished(data, "x0 + x1"))[0] is Verdict.WITHIN_NOISE


def test_a_formula_longer_than_the_coins_that_it_meets_is_no_law() -> None:
    coins = np.random.default_rng(0).integers(0, 2, (60, 4)).astype(float)
    product = coins[:, 0] * (coins[:, 1] - coins[:, 2])
    met = product + (1 - coins[:, 3])
    is_coin = (met == 0) | (met == 1)
    rows = np.concatenate([np.flatnonzero(is_coin & (product != 0))[:7], np.flatnonzero(is_coin & (product == 0))[:7]])
    data = Dataset.from_table(coins[rows], met[rows])
    archive = Archive(data, data, Operators("physics"), shorten=shortest)
    archive.offer(proposals(["x0*(x1 - x2) + (1 - x3)"]))
    finish(archive)
    assert archive.best.loss < 1e-20
    assert judge(archive)[0] is Verdict.NO_LAW
