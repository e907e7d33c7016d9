import pytest

from scalesr.records.discovery import Verdict
from scalesr_bench.laws.drawing import draw_table
from scalesr_bench.laws.judging import judge
from scalesr_bench.problems.listing import read_listing
from scalesr_bench.problems.no_law import tables_without_law
from tests.bench.stub_method import discovery

(LAW,) = read_listing("own", "law | 2.5*x*exp(-y) + 1 | x y [1, 3] | 300")
SMOOTH, NOISE = tables_without_law()[0], tables_without_law()[-1]


def judged(text, verdict, source=LAW, *, noise=0.0):
    drawn = draw_table(source, seed=0, noise=noise)
    return judge(discovery(text, drawn.data, verdict), drawn)


def test_a_recovered_law_with_the_right_verdict():
    found = judged("2.5*x/exp(y) + 1", Verdict.EXACT)
    assert (found.finding, found.numeric, found.form, found.paper) == ("right", True, True, True)
    assert found.verdict_right
    assert not found.wrong_exact
    assert found.msre < 1e-20


def test_a_recovered_law_called_approximate_has_the_wrong_verdict():
    found = judged("2.5*x/exp(y) + 1", Verdict.APPROXIMATE)
    assert found.finding == "right"
    assert not found.verdict_right


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("2.6*x*exp(-y) + 1", "constants"),
        ("C*x + C*y + C", "form"),
        ("2.5*x*exp(-y) + 1 + 1e-9*sin(x)*cos(y) + 1e-9*sin(2*x)*cos(2*y) + 1e-9*sin(x*y)", "size"),
    ],
)
def test_what_is_wrong_is_said(text, finding):
    assert judged(text, Verdict.APPROXIMATE).finding == finding


def test_exact_is_wrong_of_anything_that_is_not_the_truth():
    found = judged("2.5001*x*exp(-y) + 1", Verdict.EXACT)
    assert found.finding == "right"  # symbolically, with three digits
    assert found.wrong_exact


@pytest.mark.parametrize("verdict", [Verdict.WITHIN_NOISE, Verdict.EXACT])
def test_with_noise_the_constants_may_be_off_and_the_verdict_is_within_noise(verdict):
    found = judged("C*x*exp(C*y) + C", verdict, noise=0.01)
    assert (found.finding, found.numeric, found.form) == ("right", False, True)
    assert found.verdict_right == (verdict is Verdict.WITHIN_NOISE)
    assert found.wrong_exact == (verdict is Verdict.EXACT)


def test_without_a_law_exact_is_wrong():
    assert judged("C*x + C", Verdict.APPROXIMATE, SMOOTH).finding == "right"
    boast = judged("C*x + C", Verdict.EXACT, SMOOTH)
    assert (boast.finding, boast.verdict_right, boast.wrong_exact) == ("verdict", False, True)


def test_noise_asks_for_the_verdict_that_there_is_no_law():
    assert judged("C", Verdict.NO_LAW, NOISE).finding == "right"
    assert judged("C", Verdict.APPROXIMATE, NOISE).finding == "verdict"
    assert not judged("C", Verdict.APPROXIMATE, NOISE).wrong_exact
    assert judged("C", Verdict.EXACT, NOISE).wrong_exact
