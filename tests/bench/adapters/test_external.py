import sys
import time

import numpy as np
import pytest

from scalesr.errors import FormulaError, MissingExtra
from scalesr.expr.canonical import canonical_key
from scalesr.expr.evaluate import evaluate
from scalesr.expr.text import parse
from scalesr.records.budget import Budget
from scalesr.records.sweep import Sweep
from scalesr_bench.adapters.adapter import ExternalSearch, opened
from scalesr_bench.adapters.gplearn import gplearn_search, read_both, read_program
from scalesr_bench.adapters.pyoperon import front, pyoperon_search, read_tree

NUMBERS = [(0.3, 1.0, 0.5), (2.5, -2.0, 1.5), (1.0, 4.0, -2.0)]


class Stub:
    """Shows the formulas it was given and remembers what it has seen."""

    def __init__(self, *texts):
        self.formulas = [parse(text) for text in texts]
        self.seen = []

    def fit(self, X, y):
        self.seen.append((X, y))
        return self

    def predict(self, X):
        return evaluate(self.formulas[0], X)


def stub_search(stub, **options):
    return ExternalSearch(lambda seed, seconds: stub, lambda regressor: regressor.formulas, **options)


def waves(scale=1.0, noise=0.0):
    """a x0^2 + b sin(x1) + c in three groups; the second has the largest spread."""
    rng = np.random.default_rng(0)
    X = [rng.uniform(-2, 2, (60, 2)) for _ in NUMBERS]
    y = [scale * (a * part[:, 0] ** 2 + b * np.sin(part[:, 1]) + c) for (a, b, c), part in zip(NUMBERS, X, strict=True)]
    return Sweep.from_groups(X, y, noise=noise)


def run(search, sweep, budget=None, seed=0):
    return search.search(sweep, budget or Budget(), rng=np.random.default_rng(seed))


def has_form(skeleton, text):
    return skeleton is not None and canonical_key(skeleton.expression) == canonical_key(parse(text))


def test_numbers_are_fitted_again_in_every_group():
    best = run(stub_search(Stub("7*x0^2 + 8*sin(x1) + 9")), waves()).best
    assert has_form(best, "C*x0^2 + C*sin(x1) + C")
    assert best.within_noise
    np.testing.assert_allclose(best.constants, NUMBERS, rtol=1e-10)


def test_a_formula_without_numbers_gets_coefficients():
    assert has_form(run(stub_search(Stub("x0*x0 - sin(x1)")), waves()).best, "C*x0^2 + C*sin(x1) + C")


def test_idle_terms_are_taken_out():
    best = run(stub_search(Stub("x0^2 + x0 + exp(x1) + sin(x1) + cos(x0)")), waves()).best
    assert has_form(best, "C*x0^2 + C*sin(x1) + C")


def test_the_regressor_sees_the_group_with_the_largest_spread():
    stub, sweep = Stub("x0"), waves()
    run(stub_search(stub), sweep)
    ((X, y),) = stub.seen
    np.testing.assert_array_equal(X, sweep.group(1)[0])
    np.testing.assert_array_equal(y, sweep.group(1)[1])


@pytest.mark.parametrize("scale", [1e-30, 1e30])
def test_an_immoderate_target_is_scaled_for_the_regressor_alone(scale):
    stub = Stub("x0^2 + sin(x1) + 2")
    best = run(stub_search(stub), waves(scale)).best
    assert 0.1 < np.abs(stub.seen[0][1]).max() < 10
    np.testing.assert_allclose(best.constants, scale * np.array(NUMBERS), rtol=1e-9)


def test_a_formula_with_more_constants_than_rows_is_left_out():
    X = np.linspace(0, 1, 4)[:, np.newaxis]
    found = run(stub_search(Stub("1 + 2*x0 + 3*x0^2 + 4*x0^3 + 5*sin(6*x0)")), Sweep.from_groups([X], [X[:, 0] ** 2]))
    assert all(skeleton.expression.n_open < 4 for skeleton in found.skeletons)


def test_rounds_go_on_until_the_target_is_reached():
    stub = Stub("x0")
    texts = iter(["exp(x0)", "x0^2 + sin(x1)", "cos(x0)"])

    def go_on(regressor, n_rounds):
        regressor.formulas = [parse(next(texts))]
        return True

    found = run(stub_search(stub, go_on=go_on), waves(), Budget(target_error=1e-9))
    assert found.ended == "The target error of 1e-09 was reached."
    assert len(stub.seen) == 3


def test_seed_and_time_limit_reach_the_factory():
    given = []

    def make(seed, seconds):
        given.append((seed, seconds))
        return Stub("x0")

    search = ExternalSearch(make, lambda stub: stub.formulas)
    for seed in (1, 1, 2):
        run(search, waves(), Budget(seconds=100), seed)
    assert given[0][0] == given[1][0] != given[2][0]
    assert all(80 < seconds <= 90 for _, seconds in given)  # a tenth is kept for fitting the formulas
    run(search, waves())
    assert given[-1][1] is None


def test_nothing_is_fitted_when_there_is_no_time():
    stub = Stub("x0")
    found = run(stub_search(stub), waves(), Budget(seconds=0))
    assert not stub.seen
    assert found.ended == "The time limit of 0 s was reached."


def test_an_interrupt_keeps_what_was_found():
    def go_on(regressor, n_rounds):
        raise KeyboardInterrupt

    found = run(stub_search(Stub("x0^2 + sin(x1)"), go_on=go_on), waves())
    assert found.ended == "The search was interrupted."
    assert has_form(found.best, "C*x0^2 + C*sin(x1) + C")


def test_opened_offers_the_form_itself_a_scaled_one_and_one_by_terms():
    own, whole, by_term = (canonical_key(one) for one in opened(parse("-x0 + 2*sin(3*x1)")))
    assert own == canonical_key(parse("C*sin(C*x1) - x0"))
    assert whole == canonical_key(parse("C*(C*sin(C*x1) - x0) + C"))
    assert by_term == canonical_key(parse("C*sin(C*x1) + C*x0 + C"))


@pytest.mark.parametrize(("package", "make"), [("gplearn", gplearn_search), ("pyoperon", pyoperon_search)])
def test_a_missing_package_says_how_to_get_it(monkeypatch, package, make):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=rf"needs {package}: pip install 'scalesr-bench\[rivals\]'"):
        make()


# gplearn


@pytest.mark.parametrize(
    ("program", "formula"),
    [
        ("X0", "x0"),
        ("-0.500", "-0.5"),
        ("add(mul(X0, 0.500), sin(X1))", "x0*0.5 + sin(x1)"),
        ("sub(div(X0, X11), neg(cos(-1.250)))", "x0/x11 - -cos(-1.25)"),
        ("max(min(X0, X1), abs(tan(X2)))", "max(min(x0, x1), abs(tan(x2)))"),
        ("exp(inv(X0))", "exp(x0^-1)"),
        ("log(sqrt(X1))", "log(sqrt(x1))"),
    ],
)
def test_a_gplearn_program_is_read(program, formula):
    X = np.random.default_rng(0).uniform(0.5, 2, (20, 12))
    np.testing.assert_allclose(evaluate(read_program(program), X), evaluate(parse(formula), X), rtol=1e-14)


@pytest.mark.parametrize(
    ("program", "says"),
    [
        ("", "1 to"),
        ("sig(X0)", "No formula is known for gplearn's 'sig'"),
        ("add(X0, X1", "never closed"),
        ("add(X0)", "lacks operands"),
        ("sin(X0, X1)", "an operand too many"),
        ("X0)", "closes nothing"),
        ("X0, X1", "2 formulas"),
        ("add(-X0, X1)", "only numbers have a sign"),
        ("X0 + X1", "has no '\\+'"),
        ("mass", "X0, X1 and so on"),
        ("__import__('os')", "quotes|No formula|Quotes"),
    ],
)
def test_a_text_that_is_no_program_is_refused(program, says):
    with pytest.raises(FormulaError, match=says):
        read_program(program)


def test_protected_functions_are_read_with_and_without_absolute_values():
    plain, absolute = read_both("log(sqrt(X0))")
    X = np.array([[-2.0]])
    assert np.isnan(evaluate(plain, X)).all()
    np.testing.assert_allclose(evaluate(absolute, X), np.log(np.sqrt(2)))


def test_gplearn_programs_have_the_values_gplearn_predicts():
    genetic = pytest.importorskip("gplearn.genetic")
    X = np.random.default_rng(0).uniform(0.5, 2, (100, 3))
    y = X[:, 0] * X[:, 1] + np.sqrt(X[:, 2])
    functions = ("add", "sub", "mul", "sqrt", "neg", "max", "min", "abs", "sin", "cos")
    for seed in range(3):
        fitted = genetic.SymbolicRegressor(
            population_size=200, generations=3, function_set=functions, random_state=seed, const_range=None
        ).fit(X, y)
        found = evaluate(read_program(str(fitted), absolute=True), X)
        np.testing.assert_allclose(found, fitted.predict(X), rtol=1e-9)


def test_gplearn_finds_a_law():
    pytest.importorskip("gplearn")
    X = [np.random.default_rng(seed).uniform(-2, 2, (60, 2)) for seed in range(2)]
    y = [a * part[:, 0] ** 2 + b * part[:, 1] for (a, b), part in zip([(2.5, 1.5), (1, 3)], X, strict=True)]
    search = gplearn_search(population_size=300, generations=6, functions=("add", "sub", "mul"))
    sweep = Sweep.from_groups(X, y, noise=0.0)
    found = run(search, sweep)
    assert has_form(found.best, "C*x0^2 + C*x1")
    again = run(search, sweep)
    assert [str(s.expression) for s in found.skeletons] == [str(s.expression) for s in again.skeletons]


def test_gplearn_keeps_to_the_time_between_generations():
    pytest.importorskip("gplearn")
    found = run(gplearn_search(population_size=200, generations=10_000), waves(noise=None), Budget(seconds=1.0))
    assert found.ended == "The time limit of 1 s was reached."
    assert found.n_scored > 1


# pyoperon


def test_pyoperon_trees_have_the_values_pyoperon_predicts():
    models = pytest.importorskip("pyoperon.sklearn")
    X = np.random.default_rng(0).uniform(0.5, 2, (100, 3))
    y = X[:, 0] / X[:, 1] + np.log(X[:, 2])
    symbols = "add,sub,mul,div,aq,pow,square,exp,log,logabs,sqrt,sqrtabs,sin,cos,tanh,sinh,cosh,constant,variable"
    fitted = models.SymbolicRegressor(
        allowed_symbols=symbols, population_size=200, generations=5, objectives=["r2", "length"], random_state=1
    ).fit(X, y)
    formulas = front(fitted)
    assert len(formulas) == len(fitted.pareto_front_) > 1
    for formula, model in zip(formulas, fitted.pareto_front_, strict=True):
        expected = fitted.evaluate_model(model["tree"], X)
        np.testing.assert_allclose(evaluate(formula, X), expected, rtol=1e-3, atol=1e-3)


def test_every_pyoperon_function_is_read_as_pyoperon_computes_it():
    operon = pytest.importorskip("pyoperon")
    X = np.random.default_rng(0).uniform(0.5, 0.9, (10, 2))
    dataset = operon.Dataset(np.asfortranarray(X))
    columns = {column.Hash: column.Index for column in dataset.Variables}
    arity = {"Add": 2, "Sub": 2, "Mul": 2, "Div": 2, "Aq": 2, "Pow": 2, "Powabs": 2}
    one_operand = ["Square", "Abs", "Sqrt", "Sqrtabs", "Log", "Logabs", "Log1p", "Sin", "Cos", "Tan", "Tanh", "Exp"]
    for name in [*arity, *one_operand, "Sinh", "Cosh"]:
        leaves = [operon.Node.Variable(1.5), operon.Node.Variable(-0.5)][: arity.get(name, 1)]
        leaves = leaves[::-1] if name in ("Pow", "Powabs") else leaves
        for leaf, code in zip(leaves, columns, strict=False):
            leaf.HashValue = code
        tree = operon.Tree([*leaves, operon.Node(getattr(operon.NodeType, name))]).UpdateNodes()
        expected = operon.Evaluate(tree, dataset, operon.Range(0, len(X)))
        np.testing.assert_allclose(evaluate(read_tree(tree.Nodes, columns), X), expected, rtol=1e-4, err_msg=name)


def test_a_pyoperon_function_that_we_lack_is_named():
    operon = pytest.importorskip("pyoperon")
    nodes = [operon.Node.Constant(0.5), operon.Node(operon.NodeType.Acos)]
    with pytest.raises(FormulaError, match="Acos cannot be written"):
        read_tree(operon.Tree(nodes).UpdateNodes().Nodes, {})


def test_pyoperon_finds_a_law():
    pytest.importorskip("pyoperon")
    search = pyoperon_search(population_size=300, generations=40, symbols=("add", "sub", "mul", "sin"), max_length=15)
    found = run(search, waves())
    assert found.best.within_noise
    assert has_form(found.best, "C*x0^2 + C*sin(C*x1) + C") or has_form(found.best, "C*x0^2 + C*sin(x1) + C")
    again = run(search, waves())
    assert [str(s.expression) for s in found.skeletons] == [str(s.expression) for s in again.skeletons]


def test_pyoperon_keeps_to_the_time_between_rounds():
    pytest.importorskip("pyoperon")
    search = pyoperon_search(population_size=100, generations=1_000_000)
    found = run(search, waves(noise=None), Budget(seconds=1.5))
    assert found.ended == "The time limit of 1.5 s was reached."
    assert found.best.error < 0.5


def test_a_round_that_ends_too_late_shows_its_first_formula():
    class Late(Stub):
        def fit(self, X, y):
            ends = time.monotonic() + 0.2
            while time.monotonic() < ends:
                pass
            return super().fit(X, y)

    found = run(stub_search(Late("x0^2 - sin(x1)", "exp(x0)")), waves(), Budget(seconds=0.1))
    assert has_form(found.best, "C*x0^2 + C*sin(x1) + C")
    assert found.ended == "The time limit of 0.1 s was reached."
