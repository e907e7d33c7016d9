import numpy as np

from scalesr.dynamics.candidates import Candidates
from scalesr.dynamics.limits import without_poles
from scalesr.dynamics.shared_terms import terms_of, with_shared_terms
from scalesr.dynamics.views import own_coefficient, views
from scalesr.expr.evaluate import evaluate
from scalesr.expr.printing import to_text
from scalesr.expr.text import parse
from scalesr.records.dataset import Dataset

NAMES = ["x", "y", "z"]
rng = np.random.default_rng(0)
X = rng.uniform(0.5, 3, (400, 3))


def table(law):
    return Dataset.from_table(X, evaluate(parse(law, NAMES), X), names=NAMES)


def candidates(law):
    return Candidates(None, (parse(law, NAMES),))  # type: ignore[arg-type]


def test_a_sum_is_split_into_its_terms_without_their_factors():
    terms = terms_of(parse("3*x - 2*x*y/(1 + x^2) - 5 + sin(2*x)", NAMES))
    assert len(terms) == 3
    assert to_text(terms[0], NAMES) == "x"
    assert np.allclose(np.ptp(evaluate(terms[1], X) / (X[:, 0] * X[:, 1] / (1 + X[:, 0] ** 2))), 0)


def test_a_law_is_put_together_from_the_terms_of_another():
    laws = ["4 - x - x*y/(1 + x^2)", "x^5 + y", "z"]
    found = with_shared_terms(
        [candidates(law) for law in laws], [table(laws[0]), table("7 - 3*x*y/(1 + x^2)"), table("z")]
    )
    assert any(np.allclose(evaluate(law, X), 7 - 3 * X[:, 0] * X[:, 1] / (1 + X[:, 0] ** 2)) for law in found[1][1:])


def test_a_law_is_taken_over_with_other_columns():
    laws = ["5/(1 + z^3) - x", "x*y*z + x", "z"]
    truth = "7/(2 + x^3) - y"
    found = with_shared_terms([candidates(law) for law in laws], [table(laws[0]), table(truth), table("z")])
    assert any(np.allclose(evaluate(law, X), evaluate(parse(truth, NAMES), X)) for law in found[1][1:])


def test_the_share_of_a_state_in_its_own_rate_is_told_from_the_rest():
    assert abs(own_coefficient(table("3/(1 + y^2) - 2.5*x"), 0) + 2.5) < 1e-3


def test_views_give_back_laws_of_the_rate():
    truth = 3 / (1 + X[:, 1] ** 2) - 2.5 * X[:, 0]
    less, over = views(table("3/(1 + y^2) - 2.5*x"), 0)
    assert np.abs(evaluate(less.restore(parse("3/(1 + y^2)", ["y"])), X) - truth).max() < 1e-2
    assert np.abs(evaluate(over.restore(parse("3/(x*(1 + y^2)) - 2.5", NAMES)), X) - truth).max() < 1e-9


def test_a_tangent_next_to_its_pole_is_a_reciprocal():
    law = parse("-0.001*tan(0.00025*x^3 - 4.712139)", NAMES)
    straight = without_poles(law, X)
    assert "tan" not in to_text(straight, NAMES)
    assert np.allclose(evaluate(straight, X), evaluate(law, X), rtol=1e-2)


def test_a_column_that_explains_a_rate_almost_alone_is_looked_at_alone():
    view = next(views(table("3/(1 + z^2) - 2.5*x"), 0))
    assert view.data.names == ("z",)
    assert np.abs(view.data.y - 3 / (1 + X[:, 2] ** 2)).max() < 1e-2
