import pytest

from scalesr.search.linear.monomials import laurent_exponents, n_laurent


@pytest.mark.parametrize("n_variables", [1, 2, 3, 7])
@pytest.mark.parametrize("degree", [1, 2, 3, 4])
def test_monomials_are_counted_before_they_are_made(n_variables, degree):
    assert n_laurent(n_variables, degree) == len(laurent_exponents(n_variables, degree))
