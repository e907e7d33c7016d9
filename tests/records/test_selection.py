import math

import numpy as np
import pytest

from scalesr.errors import SettingError
from scalesr.expr.text import parse
from scalesr.records.discovery import Discovery, Law, Rival, Verdict
from scalesr.records.equation import Equation
from scalesr.records.selection import place_of, scores_of

LAWS = {"3": 1.0, "x + 3": 0.5, "2*x + 3": 0.01, "2*x + 3 + sin(x)": 0.009}  # of complexity 0, 2, 4, 7


def law(text: str, loss: float) -> Law:
    expression = parse(text, ["x"])
    size = len(expression.constants)
    return Law(Equation(expression, ("x",), np.zeros((size, size))), loss, loss, 0.0, "a test")


FRONT = tuple(law(text, loss) for text, loss in LAWS.items())
FOUND = Discovery(
    FRONT[1], Verdict.WITHIN_NOISE, "It is.", FRONT, (), 1.0, probability=0.9, rivals=(Rival(FRONT[2], 0.1),)
)  # fmt: skip


def test_the_scores_are_those_that_pysr_defines():
    expected = [0.0, math.log(1 / 0.5) / 2, math.log(0.5 / 0.01) / 2, math.log(0.01 / 0.009) / 3]
    assert scores_of(FRONT) == pytest.approx(expected)
    assert scores_of((law("3", 1.0), law("x", 0.0))) == [0.0, math.inf]


@pytest.mark.parametrize(
    ("asked", "place"),
    [
        ({}, None),
        ({"rule": "evidence"}, None),
        ({"rule": "accuracy"}, 3),
        ({"rule": "score"}, 2),
        ({"rule": "best"}, 2),
        ({"index": 0}, 0),
        ({"index": -1}, 3),
        ({"complexity": 2}, 1),
        ({"complexity": 7}, 3),
    ],
)
def test_a_law_is_found_by_place_complexity_or_rule(asked, place):
    assert place_of(FOUND, **asked) == place


def test_best_does_not_leave_the_laws_that_are_nearly_as_accurate():
    front = (law("3", 1.0), law("x", 0.01), law("x + 3 + sin(x)", 0.001))
    found = Discovery(front[0], Verdict.APPROXIMATE, "", front, (), 1.0)
    assert (place_of(found, rule="score"), place_of(found, rule="best")) == (1, 2)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"complexity": 5}, "No law of complexity 5 is on the Pareto front; it has laws of 0, 2, 4, 7."),
        ({"complexity": True}, "No law of complexity True"),
        ({"index": 4}, "index=4 is not a place on the Pareto front, which has 4 laws"),
        ({"index": 1.0}, "index=1.0 is not a place"),
        ({"rule": "loss"}, "model_selection='loss' is unknown; known are 'evidence', 'accuracy', 'score', 'best'."),
        ({"index": 1, "complexity": 2}, "index and complexity were given"),
    ],
)
def test_what_is_not_there_is_refused_with_what_is(asked, message):
    with pytest.raises(SettingError, match=message.replace(".", r"\.")):
        place_of(FOUND, **asked)


def test_a_chosen_law_is_shown_and_the_evidence_keeps_its_word():
    from dataclasses import replace

    chosen = replace(FOUND, chosen=3)
    assert str(chosen.equation) == "2*x + 3 + sin(x)"
    assert chosen.law is FRONT[1]
    assert chosen.sentence == (
        "Chosen by the user: it errs by 0.0949. The evidence prefers x + 3. Within noise: It is."
    )
    assert replace(FOUND, chosen=1).sentence == FOUND.sentence == "Within noise: It is."


def test_each_law_of_the_front_has_its_probability():
    assert FOUND.probabilities == (0.0, 0.9, 0.1, 0.0)
    assert Discovery(FRONT[1], Verdict.EXACT, "", FRONT, (), 1.0).probabilities == (None,) * 4
