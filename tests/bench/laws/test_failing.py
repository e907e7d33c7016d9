from dataclasses import replace

import numpy as np
import pytest

from scalesr import pipeline
from scalesr.expr.text import parse
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Step, Verdict
from scalesr.records.outcome import Ending, Kind, Outcome
from scalesr.records.skeleton import Ranking, Skeleton
from scalesr_bench.laws.drawing import draw_table
from scalesr_bench.laws.failing import STAGES, failed_at, generator_error, kind
from scalesr_bench.laws.law_tables import stage_table
from scalesr_bench.laws.methods import make_method
from scalesr_bench.laws.runs import LawRun
from scalesr_bench.problems.listing import read_listing
from tests.bench.stub_method import discovery

LEARNED = Step("generator", "", 1.0, outcome=Outcome(Kind.GENERATOR, True, 6.2e-09))
BAD = Step("generator", "", 1.0, outcome=Outcome(Kind.GENERATOR, True, 0.2))
EXPLAINED = Step("search", "", 1.0, outcome=Outcome(Kind.CURVES, True, 1e-9))
UNSOLVED = Step("search", "", 1.0, outcome=Outcome(Kind.CURVES, False, 1e-2))
STUCK = Step("combine", "", 0.1, outcome=Outcome(Kind.GROWTH, False))
GROWN = Step("combine", "", 0.1, outcome=Outcome(Kind.GROWTH, True))


def missed(*steps, ending=Ending.COMPLETE):
    data = Dataset.from_table(np.arange(20.0)[:, None], np.arange(20.0) ** 2, names=["x"])
    return replace(discovery("C*x", data, Verdict.APPROXIMATE), trace=steps, ending=ending)


@pytest.mark.parametrize(
    ("steps", "ending", "stage"),
    [
        ((LEARNED, EXPLAINED, GROWN), Ending.WITHIN_NOISE, "accepted"),
        ((LEARNED, EXPLAINED), Ending.TIME, "time (generator)"),
        ((LEARNED, EXPLAINED, GROWN), Ending.TIME, "combination"),
        ((BAD, EXPLAINED, GROWN), Ending.COMPLETE, "generator"),
        ((LEARNED, UNSOLVED), Ending.COMPLETE, "first skeleton"),
        ((LEARNED, UNSOLVED, EXPLAINED), Ending.COMPLETE, "order"),
        ((LEARNED, EXPLAINED, STUCK), Ending.COMPLETE, "coefficient"),
        ((LEARNED, EXPLAINED, STUCK, GROWN), Ending.COMPLETE, "combination"),
        ((Step("search", "A search of all.", 1.0),), Ending.COMPLETE, "search"),
    ],
)
def test_the_first_stage_that_went_wrong_is_named(steps, ending, stage):
    assert failed_at(missed(*steps, ending=ending)) == stage
    assert kind(stage) in STAGES


def test_a_generator_is_not_blamed_for_the_noise_of_the_rows():
    assert failed_at(missed(BAD, EXPLAINED, GROWN), noise=0.1) == "combination"
    assert generator_error((LEARNED, BAD)) == 6.2e-09


def test_the_stages_of_a_real_chain_tell_their_outcomes():
    """This chain explains its curves and ends in whole laws."""
    law = read_listing("own", "speeds | (x + y)/(2 + x*y) | x y [1, 3] | 200")[0]
    drawn = draw_table(law, seed=0)
    found = make_method("scalesr-no-plain")(
        drawn.data, Settings(time_limit=None, max_work=1e5), rng=drawn.method_stream()
    )
    assert found.ending is Ending.EXACT
    assert generator_error(found.trace) < 1e-3
    assert failed_at(found) == "combination"


def test_a_chain_whose_search_finds_nothing_is_told_from_one_whose_curves_are_explained():
    drawn = draw_table(read_listing("own", "speeds | (x + y)/(2 + x*y) | x y [1, 3] | 400")[0], seed=0)
    settings = Settings(time_limit=None, max_work=50.0, plain_laws=False, search=OnlyConstants())
    found = pipeline.discover(drawn.data, settings, rng=drawn.method_stream())
    assert failed_at(found) == "first skeleton"


class OnlyConstants:
    """A search that knows no formula but a constant."""

    def search(self, sweep, *_, **__):
        means = np.array([[sweep.group(g)[1].mean()] for g in range(sweep.n_groups)])
        rss = np.array([np.sum((sweep.group(g)[1] - means[g]) ** 2) for g in range(sweep.n_groups)])
        constant = Skeleton(parse("C"), means, np.zeros((len(rss), 1, 1)), rss, 1.0, 0.0, within_noise=False)
        return Ranking((constant,), sweep.names, 1, 1, 0.0, "The search came to its end.")


def test_missed_laws_are_counted_by_stage_and_listed():
    runs = [
        LawRun("m", "s", name, "x", 0.0, 0, "form", 100, 1.0, failed_at=stage, lost_by="data")
        for name, stage in (("p", "time (reduce)"), ("q", "time (search)"), ("r", "coefficient"), ("t", ""))
    ]
    table = stage_table(runs)
    assert table.headings == ("method", "condition", "time", "coefficient", "lost by search", "lost by data")
    assert table.rows == (("m", "noise 0", "2", "1", "0", "3"),)
    assert "m, p, noise 0, seed 0: time (reduce); lost by the data." in table.notes
