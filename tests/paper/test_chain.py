"""The paper's chain: its walk-through example, its coefficients, and how it ends."""

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from scalesr.errors import DataError
from scalesr.expr.canonical import canonical_key
from scalesr.expr.evaluate import evaluate
from scalesr.expr.operators import Operators
from scalesr.expr.redundancy import family_rank
from scalesr.expr.text import parse
from scalesr.paper.bfgs import fit_from_ones, fit_groups_alone
from scalesr.paper.chain import LiteralResult, run_literal
from scalesr.paper.choice import choose, reward
from scalesr.paper.coefficients import open_coefficients, put_coefficients
from scalesr.paper.draw import draw_groups
from scalesr.paper.settings import LiteralSettings
from scalesr.records.budget import Budget, Progress
from scalesr.records.dataset import Dataset
from scalesr.records.skeleton import Ranking, Skeleton
from scalesr.records.stop import Stop
from scalesr.records.sweep import Sweep
from scalesr.search.mcts import MctsSearch

SMALL = LiteralSettings(n_points=25, n_groups=25, n_fits=150)
SPL = MctsSearch.spl(operators=Operators("paper"))
NAMES = ("a", "b", "c")


class Exact:
    noise = 0.0
    description = "the law itself"

    def __init__(self, law: Callable[[np.ndarray], np.ndarray]) -> None:
        self.predict = law


def run(
    law, n_variables: int = 2, *, search=SPL, settings=SMALL, seed: int = 0, seconds=None, progress=None
) -> LiteralResult:
    X = np.random.default_rng(9).uniform(-2, 3, (100, n_variables))
    data, generator = Dataset.from_table(X, law(X), names=NAMES[:n_variables]), Exact(law)
    return run_literal(
        data.names,
        lambda variable, rng: draw_groups(data, generator, variable, settings=SMALL, rng=rng),
        search=search,
        settings=settings,
        rng=np.random.default_rng(seed),
        deadline=Stop(seconds=seconds),
        progress=progress,
    )


def walk_through(X: np.ndarray) -> np.ndarray:
    return X[:, 0] * X[:, 1] + 2 * X[:, 1] + 2


def agrees(result: LiteralResult, law, n_variables: int = 2) -> bool:
    X = np.random.default_rng(5).uniform(-2, 3, (200, n_variables))
    return bool(np.allclose(evaluate(result.expression, X), law(X), atol=1e-3))


class Polynomials:
    """A search that knows sums of C, C*x and C*x^2 only, and remembers what it was asked."""

    def __init__(self, *, fail_at: int | None = None, seconds: float = 0.0) -> None:
        self.asked: list[tuple[str, int]] = []
        self._fail_at, self._seconds = fail_at, seconds

    def search(self, sweep: Sweep, budget: Budget, *, rng, progress=None) -> Ranking:  # noqa: ARG002
        self.asked.append((sweep.names[0], sweep.n_rows))
        time.sleep(self._seconds)
        forms = [parse(text, names=["x"]) for text in ("C", "C*x", "C*x + C", "C*x^2 + C*x + C")]
        found = []
        for form, powers in zip(forms, ([0], [1], [1, 0], [2, 1, 0]), strict=True):
            X, y = sweep.group(0)
            constants, *_ = np.linalg.lstsq(X ** np.array(powers), y, rcond=None)
            error = float(np.std(X ** np.array(powers) @ constants - y)) / sweep.std
            found.append(Skeleton(form, constants[np.newaxis], np.zeros((1, 1, 1)), np.zeros(1), error, error, False))
        if progress is not None:
            progress(Progress("polynomials", len(found), 0.0, str(forms[-1]), 0.0))
        ended = "The search was interrupted." if len(self.asked) == self._fail_at else "The search came to its end."
        return Ranking(tuple(found), sweep.names, len(found), len(found), 0.0, ended)


def test_the_papers_walk_through_example_is_found_by_spl():
    result = run(walk_through)
    assert agrees(result, walk_through)
    assert result.expression.complexity <= parse("a*b + 2*b + 2", names=NAMES).complexity
    assert "came to its end" in result.ended


def test_three_variables_are_taken_in_the_order_given():
    def law(X):
        return X[:, 0] * (X[:, 1] + 3) - 2 * X[:, 2]

    search = Polynomials()
    result = run(law, 3, search=search)
    assert list(dict.fromkeys(name for name, _ in search.asked)) == ["a", "b", "c"]
    assert agrees(result, law, 3)


def test_every_coefficient_is_regressed_on_one_row_per_group_even_where_it_is_constant():
    search = Polynomials()
    run(lambda X: 3 * X[:, 0] ** 2 + 4 * X[:, 0] + X[:, 1], search=search)
    assert search.asked == [("a", 25), ("b", 25), ("b", 25), ("b", 25)]


def test_the_same_seed_gives_the_same_law():
    few = replace(SMALL, n_fits=60)
    first, second, other = (run(walk_through, settings=few, seed=seed).steps for seed in (3, 3, 4))
    assert [step.summary for step in first] == [step.summary for step in second]
    assert [step.summary for step in first] != [step.summary for step in other]


def test_the_trace_tells_every_stage_in_its_order():
    result = run(walk_through, search=Polynomials())
    assert [step.stage for step in result.steps] == [
        "control",
        "search",
        "combine",
        "control",
        *["search"] * 2,
        "combine",
    ]
    assert "25 groups of b by 625 rows" in result.steps[3].summary


def test_a_spent_time_limit_ends_the_chain_with_the_variables_so_far():
    result = run(walk_through, search=Polynomials(seconds=0.05), seconds=0.02)
    assert result.expression.variables == (0,)
    assert "before 'b' could be added" in result.ended


@pytest.mark.parametrize("fail_at", [1, 2, 3])
def test_an_interrupt_keeps_the_last_whole_formula(fail_at):
    result = run(walk_through, search=Polynomials(fail_at=fail_at))
    assert result.expression.variables == (0,)
    assert "interrupted" in result.ended


def test_an_interrupt_before_there_is_a_formula_is_passed_on():
    with pytest.raises(KeyboardInterrupt):
        run(interrupt_once(walk_through), search=Polynomials())


def interrupt_once(law):
    """The law for the table, an interrupt when the generator is asked."""
    calls = iter([False])

    def values(X):
        if next(calls, True):
            raise KeyboardInterrupt
        return law(X)

    return values


def test_coefficients_that_cannot_be_fitted_end_the_chain():
    """From ones, C*exp(C*a) overflows in every group: BFGS has nowhere to begin."""

    class Exponential(Polynomials):
        def search(self, sweep, budget, *, rng, progress=None):  # noqa: ARG002
            form = parse("C*exp(C*x)", names=["x"])
            only = Skeleton(form, np.array([[0.3, 0.05]]), np.zeros((1, 2, 2)), np.zeros(1), 0.0, 0.0, False)
            return Ranking((only,), sweep.names, 1, 1, 0.0, "The search came to its end.")

    data = Dataset.from_table(np.random.default_rng(0).uniform(900, 2000, (50, 2)), np.ones(50))
    generator = Exact(lambda X: X[:, 0] + X[:, 1])
    result = run_literal(
        data.names,
        lambda variable, rng: draw_groups(data, generator, variable, settings=SMALL, rng=rng),
        search=Exponential(),
        settings=LiteralSettings(eta=1.0),
        rng=np.random.default_rng(0),
        deadline=Stop(),
    )
    assert "could not be fitted in the groups of 'x1'" in result.ended


def test_a_chain_without_any_group_to_begin_with_is_refused():
    one = Sweep.from_groups([[[1.0, 2.0]]], [[3.0]])
    with pytest.raises(DataError, match="No formula in 'a' could be made"):
        run_literal(
            ("a", "b"), lambda variable, rng: one, search=Polynomials(), settings=SMALL,
            rng=np.random.default_rng(0), deadline=Stop(),
        )  # fmt: skip


def test_progress_is_that_of_one_run():
    seen: list[Progress] = []
    run(walk_through, search=Polynomials(), progress=seen.append)
    assert [state.stage.split(":")[0] for state in seen] == [
        "a, coefficient 1 of 1", "b, coefficient 1 of 2", "b, coefficient 2 of 2",
    ]  # fmt: skip
    assert [state.n_scored for state in seen] == [4, 8, 12]


@pytest.mark.parametrize(
    ("law", "skeleton"),
    [
        ("2*x + 6", "C*x + C"),
        ("x", "C*x"),
        ("3", "C"),
        ("x - sin(x)", "C*x + C*sin(x)"),
        ("-x^3", "C*x^3"),
        ("sin(2*x + 1)", "C*sin(C*x + C)"),
        ("x^1.5 - 1", "C*x^C + C"),
        ("2/(3 + 4*x)", "C/(x + C)"),
        ("2*exp(x + 1)", "C*exp(C*x)"),
        ("5*(x + 1)*(x - 2)", "C*(x + C)*(x + C)"),
        ("x*(y - 2) + y*3", "C*x*y + C*x + C*y"),
    ],
)
def test_coefficients_are_opened_as_the_paper_does_and_none_is_redundant(law, skeleton):
    names = ["x", "y"]
    opened = open_coefficients(parse(law, names=names))
    expected = parse(skeleton, names=names)
    assert canonical_key(opened) == canonical_key(expected)
    assert opened.n_open == family_rank(opened)


def test_formulas_take_the_places_of_coefficients_from_left_to_right():
    skeleton = parse("C*x*2 + exp(C*x)", names=["x", "y"])
    formulas = [parse(text, names=["x", "y"]) for text in ("y + 1", "y^2")]
    assert str(put_coefficients(skeleton, formulas)) == str(parse("(y + 1)*x*2 + exp(y^2*x)", names=["x", "y"]))


def test_bfgs_finds_what_least_squares_finds():
    rng = np.random.default_rng(2)
    X = rng.uniform(-2, 2, (40, 1))
    y = 3 * X[:, 0] ** 2 - 5 * X[:, 0] + rng.normal(size=40)
    expected, *_ = np.linalg.lstsq(np.hstack([X**2, X, X**0]), y, rcond=None)
    assert fit_from_ones(parse("C*x^2 + C*x + C", names=["x"]), X, y, Stop()) == pytest.approx(expected, abs=1e-4)


def test_bfgs_from_ones_is_stuck_where_a_frequency_is_far_away():
    X = np.linspace(-3, 3, 100)[:, np.newaxis]
    skeleton, y = parse("sin(C*x)", names=["x"]), np.sin(7 * X[:, 0])
    assert abs(fit_from_ones(skeleton, X, y, Stop())[0]) < 5


def test_groups_without_a_finite_fit_or_out_of_time_are_nan():
    X = np.linspace(1, 2, 10)[:, np.newaxis]
    sweep = Sweep.from_groups([X, -X], [X[:, 0], X[:, 0]])
    skeleton = parse("C*log(x)", names=["x"])
    found = fit_groups_alone(skeleton, sweep, Stop())
    assert np.isfinite(found).tolist() == [[True], [False]]
    assert np.isnan(fit_groups_alone(skeleton, sweep, Stop(seconds=0))).all()


def test_one_long_fit_is_cut_by_the_time_limit():
    X = np.random.default_rng(0).uniform(-2, 2, (100_000, 1))
    skeleton = parse(" + ".join(f"C*sin(C*x + {k})" for k in range(30)), names=["x"])
    found = fit_from_ones(skeleton, X, np.exp(X[:, 0]), Stop(seconds=0.05))
    assert np.isnan(found).all()


def test_a_formula_of_very_many_coefficients_is_opened_whole():
    law = parse(" + ".join(f"2*sin({k}.5*x)" for k in range(1, 51)), names=["x"])
    assert open_coefficients(law).n_open == 100


def ranking_of(*forms: tuple[str, list[float]]) -> Ranking:
    kept = [
        Skeleton(parse(text, names=["x"]), np.array([values]), np.zeros((1, 1, 1)), np.zeros(1), 0.0, 0.0, False)
        for text, values in forms
    ]
    return Ranking(tuple(kept), ("x",), len(kept), len(kept), 0.0, "The search came to its end.")


X = np.linspace(0, 1, 50)


def test_the_choice_has_spls_constants():
    curve = Sweep.from_groups([X], [2 * X])
    found = choose(ranking_of(("C*x + C", [2.00004, 0.004])), curve, eta=0.9999)
    assert found.constants.tolist() == [2.0, 0.0]


def test_the_choice_weighs_errors_in_the_units_of_the_target_against_size():
    forms = (("C*x", [2.0]), ("C*x + C*x^2", [2.0, 0.5]))
    near, far = (Sweep.from_groups([X], [2 * X + bend * X**2]) for bend in (1e-4, 0.5))
    assert choose(ranking_of(*forms), near, eta=0.9999).n_nodes == 3
    assert choose(ranking_of(*forms), far, eta=0.9999).n_nodes > 3


def test_the_reward_is_spls():
    curve = Sweep.from_groups([X], [np.full(50, 3.0)])
    assert reward(parse("2", names=["x"]), curve, eta=0.9) == pytest.approx(0.9 / 2)
    assert reward(parse("log(-1 - x)", names=["x"]), curve, eta=0.9) == 0.0


def test_a_search_without_time_leaves_the_median():
    curve = Sweep.from_groups([X], [np.where(X > 0.9, 100.0, 3.0)])
    assert choose(ranking_of(), curve, eta=0.9999).constants.tolist() == [3.0]


@pytest.mark.parametrize(
    "law",
    [lambda X: 1e30 * X[:, 0] * X[:, 1], lambda X: 1e-34 * X[:, 0], lambda X: np.full(len(X), 7.0)],
    ids=["huge", "tiny", "constant"],
)
def test_extreme_targets_give_a_closed_formula(law):
    result = run(law, settings=replace(SMALL, n_fits=40))
    assert result.expression.n_open == 0


def test_a_column_that_never_moves_is_no_obstacle():
    data = Dataset.from_table(np.column_stack([np.linspace(0, 1, 30), np.full(30, 2.0)]), np.zeros(30))
    generator = Exact(lambda X: 3 * X[:, 0] * X[:, 1])
    result = run_literal(
        data.names,
        lambda variable, rng: draw_groups(data, generator, variable, settings=SMALL, rng=rng),
        search=SPL,
        settings=replace(SMALL, n_fits=100),
        rng=np.random.default_rng(0),
        deadline=Stop(),
    )
    assert evaluate(result.expression, np.array([[0.5, 2.0]])) == pytest.approx(3.0, abs=1e-3)
