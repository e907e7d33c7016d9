"""Laws of which a part is known: what is written down is true of them, and a run says what came of it."""

import numpy as np
import pytest

from scalesr.estimators.constraints import read_constraints
from scalesr.estimators.starts import starting_laws
from scalesr.evidence.constraints import Rules
from scalesr.expr.frame import parse_frame
from scalesr.records.dataset import Dataset
from scalesr_bench.knowledge.measure import KnowledgeSettings, measure_knowledge
from scalesr_bench.knowledge.problems import CONSTRAINTS, STARTS, TEMPLATES, laws
from scalesr_bench.samplers import uniform_rows


@pytest.mark.parametrize("law", CONSTRAINTS, ids=lambda law: law.problem.name)
def test_every_law_obeys_what_is_said_of_it(law):
    X = uniform_rows(law.problem.box, 300, rng=np.random.default_rng(0))
    data = Dataset.from_table(X, law.problem.values(X), names=law.problem.names)
    rules = Rules(read_constraints(law.constraints, law.problem.names, "y"), data)
    assert rules.broken(law.problem.expression) is None


@pytest.mark.parametrize("law", TEMPLATES, ids=lambda law: law.problem.name)
def test_every_template_is_read_and_its_law_has_values(law):
    assert parse_frame(law.template, law.problem.names).holes
    X = uniform_rows(law.problem.box, 300, rng=np.random.default_rng(0))
    assert np.isfinite(law.problem.values(X)).all()


@pytest.mark.parametrize("law", STARTS, ids=lambda law: law.problem.name)
def test_every_start_is_read_and_can_be_fitted(law):
    X = uniform_rows(law.problem.box, 100, rng=np.random.default_rng(0))
    data = Dataset.from_table(X, law.problem.values(X), names=law.problem.names)
    (proposal,) = starting_laws((law.start,), data)
    assert proposal.expression.variables


def test_the_halves_are_apart_and_as_large():
    for kind in ("templates", "starts", "constraints"):
        seen, unseen = laws(kind, "seen"), laws(kind, "unseen")
        assert len(seen) == len(unseen) == 10
        assert not {law.problem.name for law in seen} & {law.problem.name for law in unseen}


def test_a_run_says_what_was_found_in_each_way():
    result = measure_knowledge(KnowledgeSettings("constraints", "seen", 1.0, 1, most=1), lambda line: None)
    (run,) = result["runs"]
    assert set(run) >= {"law", "known", "with", "without", "without_more"}
    assert result["summary"]["runs"] == 1
