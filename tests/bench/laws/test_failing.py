import numpy as np
import pytest

from scalesr.bench.laws.drawing import draw_table
from scalesr.bench.laws.failing import STAGES, failed_at, generator_error, kind
from scalesr.bench.laws.law_tables import stage_table
from scalesr.bench.laws.methods import make_method
from scalesr.bench.laws.runs import LawJob, LawRun, run_job
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
        ((LEARNED, EXPLAINED), "The time limit of 60 s was reached.", "time (generator)"),
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
    assert kind(stage) in STAGES


def test_a_generator_is_not_blamed_for_the_noise_of_the_rows():
    assert failed_at(missed(BAD, EXPLAINED, GROWN), noise=0.1) == "combination"
    assert generator_error((LEARNED, BAD)) == 6.2e-09


def test_the_notes_of_a_real_chain_are_understood():
    """Fails if the stages change their wording: this chain explains its curves and ends in whole laws."""
    law = read_listing("own", "speeds | (x + y)/(2 + x*y) | x y [1, 3] | 400")[0]
    drawn = draw_table(law, seed=0)
    found = make_method("scalesr-no-plain")(drawn.data, Settings(time_limit=60.0), rng=drawn.method_stream())
    assert generator_error(found.trace) < 1e-3
    assert failed_at(found) == "combination"


def test_missed_laws_are_counted_by_stage_and_listed():
    runs = [
        LawRun("m", "s", name, "x", 0.0, 0, "form", 100, 1.0, failed_at=stage)
        for name, stage in (("p", "time (reduce)"), ("q", "time (search)"), ("r", "coefficient"), ("t", ""))
    ]
    table = stage_table(runs)
    assert table.headings == ("method", "noise", "time", "coefficient")
    assert table.rows == (("m", "0", "2", "1"),)
    assert "m, p, noise 0, seed 0: time (reduce)." in table.notes


def test_a_law_beyond_all_operators_is_not_blamed_on_a_stage():
    law = read_listing("own", "arc | asin(x - y) | x y [0, 0.5] | 100")[0]
    record = run_job(LawJob("tests.bench.stub_method:plane", law, seed=0, time_limit=5.0))
    assert record["failed_at"] == "operators"
