import numpy as np
import pytest

from scalesr.errors import DataError
from scalesr_bench.problems.problem import Sampling
from scalesr_bench.problems.problem_file import check_formula, read_problems

HEADER = "name,n_vars,variables,expression,ranges,sampling\n"


def read(tmp_path, *lines):
    path = tmp_path / "problems.csv"
    path.write_text(HEADER + "\n".join(lines))
    return read_problems(path, "own")


def test_formulas_ranges_and_rows_are_read(tmp_path):
    wave, law = read(
        tmp_path,
        'wave,2,t x,sin(t)*x**2,"{""t"": [0, 1], ""x"": [-1, 2.5]}","U[-1,1,20]"',
        'law,1,r,6.67e-11/r**2,"{""r"": [1e8, 1e12]}",LogUniform',
    )
    assert (wave.key, wave.names, wave.box) == ("own/wave", ("t", "x"), ((0, 1), (-1, 2.5)))
    assert wave.sampling == Sampling(20)
    assert wave.values(np.array([[0.5, 2.0]]))[0] == pytest.approx(4 * np.sin(0.5))
    assert law.sampling == Sampling(None, "log-uniform")
    assert law.values(np.array([[1e10]]))[0] == pytest.approx(6.67e-31)


@pytest.mark.parametrize(
    ("text", "sampling"),
    [
        ("Uniform", Sampling()),
        ('"E[-1,1,20]"', Sampling(20, "even")),
        ('"U 8000 rows: 6400 train, 1600 validation"', Sampling(8000)),
    ],
)
def test_sampling_is_read(tmp_path, text, sampling):
    (problem,) = read(tmp_path, f'a,1,x,x,"{{""x"": [0, 1]}}",{text}')
    assert problem.sampling == sampling


def test_a_variable_with_the_name_of_a_constant_stays_a_variable(tmp_path):
    (problem,) = read(tmp_path, 'a,2,q C,q/C,"{""q"": [1, 5], ""C"": [1, 5]}",Uniform')
    assert problem.values(np.array([[3.0, 2.0]]))[0] == 1.5


def test_an_outside_function_is_taken_off(tmp_path):
    (problem,) = read(tmp_path, 'a,1,x,asin(x/2),"{""x"": [0, 1]}",Uniform')
    assert problem.formula == "asin(x/2)"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('a,1,x,x,"{""y"": [0, 1]}",Uniform', "ranges are JSON"),
        ('a,1,x,x,"x: 0 to 1",Uniform', "ranges are JSON"),
        ('a,1,x,x,"{""x"": [0, 1]}",often', "sampling is Uniform"),
    ],
)
def test_a_bad_line_is_refused_with_a_reason(tmp_path, line, message):
    with pytest.raises(DataError, match=message):
        read(tmp_path, line)


@pytest.mark.parametrize("formula", ["cot(x)", "x + ", "C*x"])
def test_a_formula_that_cannot_be_read_is_refused_by_name(tmp_path, formula):
    (problem,) = read(tmp_path, f'strange,1,x,{formula},"{{""x"": [0, 1]}}",Uniform')
    with pytest.raises(DataError, match="strange"):
        check_formula(problem)
