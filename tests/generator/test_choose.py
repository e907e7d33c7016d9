import sys

import numpy as np
import pytest

from scalesr.errors import DataError
from scalesr.generator.choose import make_generator, quick_error, quick_generator
from scalesr.records.dataset import Dataset
from scalesr.records.stop import Stop, Stopped
from tests.generator.slopes import by_difference


def quartic(X):
    return X[:, 0] ** 4 - X[:, 0] ** 3 + X[:, 1] ** 2 / 2 - X[:, 1]


def wavy(X):
    return 1.35 * X[:, 0] * X[:, 1] + 5.5 * np.sin((X[:, 0] - 1) * (X[:, 1] - 1))


def attraction(X):
    return X[:, 0] * X[:, 1] / ((X[:, 2] - X[:, 3]) ** 2 + (X[:, 4] - X[:, 5]) ** 2)


def box(low, high, n_variables, n_rows=3000, seed=0):
    return np.random.default_rng(seed).uniform(low, high, (n_rows, n_variables))


def table(law, X, noise=0.0):
    y = law(X)
    return Dataset.from_table(X, y + noise * y.std() * np.random.default_rng(5).normal(size=len(y)))


def auto(data, seed=0, stop=None):
    return make_generator(data, "auto", rng=np.random.default_rng(seed), stop=stop or Stop())


def relative_error(generator, law, X):
    return np.std(generator.predict(X) - law(X)) / np.std(law(X))


@pytest.mark.parametrize(("law", "most"), [(quartic, 1e-9), (wavy, 1e-5)])
def test_smooth_laws_of_two_variables_are_learned_with_their_derivatives(law, most):
    generator, _ = auto(table(law, box(-3, 3, 2, 3000)))
    fresh = box(-2.9, 2.9, 2, 500, seed=1)
    assert relative_error(generator, law, fresh) < most
    truth = by_difference(law, fresh, step=1e-4)
    assert np.abs(generator.gradient(fresh) - truth).max() < 1e-3 * np.abs(truth).max()
    assert generator.trusted(fresh).mean() > 0.98


def test_the_noise_is_the_error_on_rows_that_were_not_seen():
    X = box(-3, 3, 2)
    noisy, _ = auto(table(wavy, X, noise=0.1))
    assert noisy.noise == pytest.approx(0.1 * wavy(X).std(), rel=0.15)
    assert relative_error(noisy, wavy, box(-2.9, 2.9, 2, 500, seed=1)) < 0.05
    clean, _ = auto(table(wavy, X))
    assert clean.noise < 1e-4 * wavy(X).std()


def test_differences_and_logarithms_are_found_in_six_variables():
    X = np.column_stack([box(1, 2, 2), box(3, 4, 1, seed=1), box(1, 2, 1, seed=2), box(3, 4, 1, seed=3), box(1, 2, 1)])
    assert quick_error(table(attraction, X), rng=np.random.default_rng(0)) < 2e-3


def test_sums_of_pairs_are_found_in_eight_variables():
    def law(X):
        return X[:, 0] * X[:, 1] - 0.7 * X[:, 2] / X[:, 3] + X[:, 4] * np.cos(X[:, 5]) + X[:, 6] - X[:, 7]

    X = np.exp(box(np.log(0.1), np.log(10), 8, 3000))
    generator, rejected = auto(table(law, X))
    assert "pairs" in generator.description
    assert any("features" in text for text in rejected)
    assert relative_error(generator, law, X[:500]) < 0.01


@pytest.mark.parametrize("scales", [(1e-34, 1e30, 1e-11), (1e30, 1e20, 1e-10)])
def test_magnitudes_do_not_matter(scales):
    def law(X):
        return X[:, 0] * X[:, 1] / X[:, 2] ** 2

    X = box(1, 3, 3, 800) * scales
    generator = quick_generator(table(law, X), rng=np.random.default_rng(0))
    assert relative_error(generator, law, X) < 1e-9
    np.testing.assert_allclose(generator.gradient(X)[:, 0], law(X) / X[:, 0], rtol=1e-6)


def test_few_rows_are_judged_by_leaving_each_out():
    X = box(0, 3, 2, 30)
    fresh = box(0.3, 2.7, 2, 300, seed=1)
    data = table(quartic, X)
    generator = quick_generator(data, rng=np.random.default_rng(0))
    near = fresh[generator.trusted(fresh)]
    off = relative_error(generator, quartic, near)
    assert off < 0.1
    assert off < 10 * quick_error(data, rng=np.random.default_rng(0))


@pytest.mark.parametrize("n_rows", [2, 3, 5, 10])
def test_hardly_any_rows_still_give_numbers(n_rows):
    X = box(1, 3, 3, n_rows)
    generator, _ = auto(table(lambda X: X[:, 0] * X[:, 1], X))
    assert np.isfinite(generator.predict(X)).all()
    assert np.isfinite(generator.gradient(X)).all()
    assert generator.noise >= 0


def test_the_right_combination_of_columns_keeps_the_error_and_a_wrong_one_does_not():
    X = box(1, 3, 3)
    data = table(lambda X: np.exp(X[:, 0] - X[:, 1]) * X[:, 2], X)

    def error(*columns):
        return quick_error(Dataset.from_table(np.column_stack(columns), data.y), rng=np.random.default_rng(0))

    whole = error(*X.T)
    assert error(X[:, 0] - X[:, 1], X[:, 2]) < 10 * whole + 1e-9
    assert error(X[:, 0] + X[:, 1], X[:, 2]) > 0.1


def test_the_same_seed_gives_the_same_generator_and_error():
    data = table(wavy, box(-3, 3, 2, 1000), noise=0.01)
    first, again = auto(data)[0], auto(data)[0]
    np.testing.assert_array_equal(first.predict(data.table), again.predict(data.table))
    errors = [quick_error(data, rng=np.random.default_rng(3)) for _ in range(2)]
    assert errors[0] == errors[1]


def test_pure_noise_is_not_learned():
    data = Dataset.from_table(box(0, 1, 3), np.random.default_rng(1).normal(size=3000))
    generator, _ = auto(data)
    assert 0.9 < generator.noise < 1.1
    assert np.std(generator.predict(data.table)) < 0.3


def test_columns_that_say_nothing_do_no_harm():
    X = box(-3, 3, 2)
    extra = np.random.default_rng(1).normal(size=(3000, 5))
    idle = np.column_stack([X, extra, np.full(3000, 2.0), X[:, 0]])
    assert quick_error(table(quartic, idle), rng=np.random.default_rng(0)) < 1e-2


def test_a_regular_grid_is_not_sampled_along_one_line():
    axis = np.linspace(-3, 3, 100)
    A, B = np.meshgrid(axis, axis)
    grid = np.column_stack([A.ravel(), B.ravel()])
    assert quick_error(table(quartic, grid), rng=np.random.default_rng(0)) < 1e-6


def test_rows_of_no_weight_are_not_used():
    X = box(-3, 3, 2)
    bad = np.arange(len(X)) % 2 == 0
    y = quartic(X) + 100 * bad
    data = Dataset.from_table(X, y, weights=np.where(bad, 0.0, 2.0))
    assert relative_error(quick_generator(data, rng=np.random.default_rng(0)), quartic, X) < 1e-6


def test_a_constant_target_is_learned_exactly():
    generator, _ = auto(Dataset.from_table(box(0, 1, 2, 500), np.full(500, 3.0)))
    np.testing.assert_allclose(generator.predict(box(0, 1, 2, 10)), 3.0)
    assert generator.noise < 1e-12


class Asked(Stop):
    """A stop that ends the work when it is asked for the n-th time."""

    def __init__(self, n_more):
        super().__init__()
        self.n_more = n_more

    def check(self):
        self.n_more -= 1
        if self.n_more < 0:
            self.cancel()
        super().check()


@pytest.mark.parametrize(("law", "n_columns"), [(wavy, 2), (lambda X: X[:, 0] * X[:, 1] + np.exp(X[:, 2]), 5)])
def test_the_stop_is_asked_all_along_and_ends_the_choice_at_once(law, n_columns):
    whole = Asked(10**6)
    auto(table(law, box(-3, 3, n_columns, 200)), stop=whole)
    n_asked = 10**6 - whole.n_more
    assert n_asked > 100
    for place in (0, n_asked // 3, n_asked - 1):
        stop = Asked(place)
        with pytest.raises(Stopped):
            auto(table(law, box(-3, 3, n_columns, 200)), stop=stop)
        assert stop.n_more == -1  # it was not asked again
    with pytest.raises(Stopped):
        quick_generator(table(law, box(-3, 3, n_columns, 200)), rng=np.random.default_rng(0), check=Asked(20).check)


def test_a_kernel_is_a_gaussian_process():
    data = table(quartic, box(-3, 3, 2, 500))
    kernel, _ = make_generator(data, "kernel", rng=np.random.default_rng(0), stop=Stop())
    assert "Gaussian process" in kernel.description


def kinked(X):
    return np.maximum(X[:, 0], X[:, 1] * X[:, 2]) + X[:, 3] ** 2


def network_trials(generator, rejected):
    return [text for text in (generator.description, *rejected) if text.startswith("a network")]


def test_a_network_is_tried_where_the_others_err_much_and_taken_where_it_is_better():
    pytest.importorskip("torch")
    data = table(kinked, box(-1.5, 1.5, 4, 5000))
    generator, rejected = auto(data)
    assert generator.description.startswith("a network")
    others = [float(text.split("relative error ")[1].split()[0]) for text in rejected]
    assert generator.noise / data.std < 0.9 * min(others)
    assert relative_error(generator, kinked, box(-1.4, 1.4, 4, 500, seed=1)) < 0.05


@pytest.mark.parametrize(
    ("law", "n_rows", "noise"), [(wavy, 3000, 0.0), (wavy, 3000, 0.1), (kinked, 800, 0.0), (kinked, 3000, 1.0)]
)
def test_no_network_is_tried_on_smooth_laws_noise_or_few_rows(law, n_rows, noise):
    assert network_trials(*auto(table(law, box(-1.5, 1.5, 4, n_rows), noise=noise))) == []


def test_without_torch_the_others_are_enough_and_the_note_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "scalesr.generator.network", raising=False)
    generator, rejected = auto(table(kinked, box(-1.5, 1.5, 4, 3000)))
    (said,) = network_trials(generator, rejected)
    assert "pip install 'scalesr[torch]'" in said
    assert "network" not in generator.description


def test_one_row_is_an_error_that_says_so():
    with pytest.raises(DataError, match="1 row"):
        quick_error(Dataset.from_table([[1.0, 2.0]], [3.0]), rng=np.random.default_rng(0))
