import numpy as np
import pytest

from scalesr.expr.canonical import canonical_key
from scalesr.expr.evaluate import evaluate
from scalesr.expr.operators import Operators
from scalesr.expr.text import parse
from scalesr.records.budget import Budget
from scalesr.records.sweep import Sweep
from scalesr.search.linear import LinearSearch
from scalesr.search.linear.config import LINEAR
from scalesr.search.linear.whole_libraries import whole_libraries

PHYSICS = Operators("physics")


def random_law(n_variables, n_single, n_cross, seed):
    """A sum of functions of single variables and of products of two, each with a coefficient."""
    rng = np.random.default_rng(seed)
    kinds = ("x{}", "sin(x{})", "cos(x{})", "1/x{}")

    def function(column):
        return kinds[rng.integers(len(kinds))].format(column)

    terms = {function(rng.integers(n_variables)) for _ in range(n_single)}
    while len(terms) < n_single + n_cross:
        first, second = rng.choice(n_variables, 2, replace=False)
        terms.add(f"{function(min(first, second))}*({function(max(first, second))})")
    return " + ".join(f"{rng.uniform(0.2, 1):.3f}*{term}" for term in sorted(terms)) + " + 0.5"


def law_sweep(law, n_variables, n_rows, *, noise=0.0, seed=0):
    rng = np.random.default_rng(seed)
    X = np.exp(rng.uniform(np.log(0.1), np.log(10), (n_rows, n_variables)))
    y = evaluate(parse(law), X)
    level = noise * y.std()
    return Sweep.from_groups([X], [y + level * rng.standard_normal(n_rows)], noise=level or None)


def best(sweep, search=None):
    found = (search or LinearSearch()).search(sweep, Budget(), rng=np.random.default_rng(0)).best
    assert found is not None
    return found


def is_law(skeleton, law):
    return canonical_key(skeleton.expression) == canonical_key(parse(law).skeleton())


@pytest.mark.parametrize(("n_variables", "n_single", "n_cross"), [(4, 4, 6), (6, 6, 10), (10, 10, 20)])
def test_a_long_law_in_many_variables_is_found_exactly(n_variables, n_single, n_cross):
    law = random_law(n_variables, n_single, n_cross, seed=n_variables)
    sweep = law_sweep(law, n_variables, 4000)
    found = best(sweep)
    assert found.error < 1e-14
    assert is_law(found, law)


def test_noise_of_one_per_cent_leaves_a_long_law_findable():
    law = random_law(6, 5, 8, seed=3)
    found = best(law_sweep(law, 6, 6000, noise=0.01))
    assert is_law(found, law)
    assert found.within_noise


def test_monomials_with_negative_exponents_in_three_variables_are_found():
    law = "2*x0*x1^2/x2 + 0.3*x2/(x0^2*x1) + 1.5*x0*x2"
    assert is_law(best(law_sweep(law, 3, 1000)), law)


def test_one_wave_times_powers_of_two_other_variables_is_found_under_noise():
    law = "2*x0*x1*cos(x2) + 3*x1"
    assert is_law(best(law_sweep(law, 3, 1000, noise=0.05)), law)


def test_a_law_of_two_variables_among_ten_gets_the_library_of_two():
    form = "C*x0*tanh(x1) + C*exp(-x1^2)"
    found = best(law_sweep("2*x0*tanh(x1) + 3*exp(-x1^2)", 10, 1000))
    assert canonical_key(found.expression) == canonical_key(parse(form))


def test_a_smooth_function_outside_the_library_is_not_claimed_with_many_terms():
    rng = np.random.default_rng(1)
    X = rng.uniform(0.5, 2, (2000, 4))
    y = np.tanh(X @ rng.normal(size=(4, 5)) + rng.normal(size=5)) @ rng.normal(size=5)
    found = LinearSearch().search(Sweep.from_groups([X], [y], noise=0.0), Budget(), rng=rng)
    assert not any(skeleton.within_noise for skeleton in found.skeletons)


@pytest.mark.parametrize("n_rows", [10, 200, 5000])
@pytest.mark.parametrize("n_variables", [2, 5, 10])
def test_the_rows_can_bear_every_library_that_is_solved_for_at_once(n_rows, n_variables):
    sweep = law_sweep("x0", n_variables, n_rows)
    for library in whole_libraries(sweep, PHYSICS):
        assert len(library.terms) * LINEAR.rows_per_term <= n_rows
        assert len(set(library.terms)) == len(library.terms)


def test_without_division_no_quotient_is_offered():
    sweep = law_sweep("x0*x1 + x2", 3, 2000)
    for library in whole_libraries(sweep, Operators("+", "*", "sin")):
        assert not any("/" in str(term) for term in library.terms)


def test_the_quick_search_finds_plain_laws_and_looks_at_fewer_forms():
    sweep = law_sweep("2*x0/x1 + 3*sin(x0)", 2, 500)
    quick = LinearSearch.quick(PHYSICS)
    assert is_law(best(sweep, quick), "2*x0/x1 + 3*sin(x0)")
    hard = law_sweep("sin(3*x0*x1)", 2, 500)
    few, all_ = (s.search(hard, Budget(), rng=np.random.default_rng(0)).n_scored for s in (quick, LinearSearch()))
    assert few < all_
