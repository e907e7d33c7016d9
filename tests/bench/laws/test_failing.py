import numpy as np
import pytest

from scalesr.bench.laws.drawing import draw_table
from scalesr.bench.laws.failing import STAGES, failed_at, generator_error
from scalesr.bench.laws.methods import make_method
from scalesr.bench.problems.listing import read_listing
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Step, Verdict
from tests.bench.stub_method import discovery

END = "The method came to its end."
LEARNED = Step("generator", "1000 random features: relative error 6.2e-09 on unseen rows", 1.0)
BAD = Step("generator", "network: relative error 0.2 on unseen rows", 1.0)
EXPLAINED = Step("search", "c alone, as x0: C*x0 (error 1e-9). The target error of 1e-8 was reached.", 1.0)
UNSOLVED = Step("search", "c alone, as x0: C*x0 (error 1e-2). The search came to its end.", 1.0)
STUCK = Step("combine", "C*x0 along v: nothing that fits.", 0.1)
GROWN = Step("combine", "C*x0 along v: C*x0*x1. The best law so far leaves 1e-3 on the rows.", 0.1)


def missed(*steps, ended=END):
    data = Dataset.from_table(np.arange(20.0)[:, None], np.arange(20.0) ** 2, names=["x"])
    found = discovery("C*x", data, Verdict.APPROXIMATE)
    return type(found)(found.law, found.verdict, found.reason, found.front, tuple(steps), 1.0, ended=ended)


@pytest.mark.parametrize(
    ("steps", "ended", "stage"),
    [
        ((LEARNED, EXPLAINED, GROWN), "A law fits within the noise.", "accepted"),
        ((LEARNED, EXPLAINED), "The time limit of 60 s was reached.", "time"),
        ((LEARNED, EXPLAINED, GROWN), "The time limit of 60 s was reached.", "combination"),
        ((BAD, EXPLAINED, GROWN), END, "generator"),
        ((LEARNED, UNSOLVED), END, "first skeleton"),
        ((LEARNED, EXPLAINED), END, "order"),
        ((LEARNED, EXPLAINED, STUCK), END, "coefficient"),
        ((LEARNED, EXPLAINED, STUCK, GROWN), END, "combination"),
        ((Step("search", "A search of all.", 1.0),), END, "search"),
    ],
)
def test_the_first_stage_that_went_wrong_is_named(steps, ended, stage):
    assert failed_at(missed(*steps, ended=ended)) == stage
    assert stage in STAGES


def test_a_generator_is_not_blamed_for_the_noise_of_the_rows():
    assert failed_at(missed(BAD, EXPLAINED, GROWN), noise=0.1) == "combination"
    assert generator_error((LEARNED, BAD)) == 6.2e-09


def test_the_trace_of_a_real_run_is_understood():
    """Fails if the stages' notes change their wording."""
    law = read_listing("own", "waves | x*exp(sin(3*y*x))/(1 + tanh(x*y - 2)^2) | x y [0, 3] | 500")[0]
    drawn = draw_table(law, seed=0)
    settings = Settings(time_limit=8.0, plain_laws=False)
    found = make_method("scalesr")(drawn.data, settings, rng=drawn.method_stream())
    assert found.verdict is not Verdict.EXACT
    assert generator_error(found.trace) is not None
    assert failed_at(found) in ("generator", "time", "first skeleton", "coefficient", "combination", "accepted")
