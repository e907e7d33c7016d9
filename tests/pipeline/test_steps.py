"""The search in all variables begins with what the steps before it have found."""

from dataclasses import replace

import numpy as np
import pytest

from scalesr.chain.chain import ChainResult
from scalesr.expr.evaluate import evaluate
from scalesr.expr.text import parse
from scalesr.pipeline.config import PIPELINE
from scalesr.pipeline.run import Run
from scalesr.pipeline.steps import SparseLaws, search_all_variables
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.reduce.reduction import untouched


@pytest.mark.parametrize(
    ("curves", "is_found"), [(["C*exp(C*x0)", "C*sin(C*x1)", "C*x2^2/(x2 + C)"], True), ([], False)]
)
def test_the_last_resort_begins_with_what_the_chain_has_seen(monkeypatch, curves, is_found):
    monkeypatch.setattr("scalesr.pipeline.steps.PIPELINE", replace(PIPELINE, turns_of_a_table=1, fits_of_a_turn=1000))
    table = np.random.default_rng(1).uniform(0.5, 2.5, (150, 3))
    y = evaluate(parse("1.7*exp(0.8*x0)*sin(0.9*x1) + 0.4*x2^2/(x2 + 0.9)"), table)
    settings = Settings(time_limit=None, plain_laws=False)
    run = Run(Dataset.from_table(table, y), settings, rng=np.random.default_rng(0))
    here = untouched(run.data)
    chain = ChainResult((), (), parts=tuple(parse(text) for text in curves))
    with run.until_stopped():
        search_all_variables(run, here, SparseLaws(run, here), chain)
    assert run.archive.is_exact == is_found
