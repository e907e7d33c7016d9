"""A ranking comes back from JSON to the last bit, and what is not a ranking is refused."""

import copy
import json

import numpy as np
import pytest

from scalesr.expr.text import parse
from scalesr.model_files.rankings import ranking_document, ranking_of
from scalesr.model_files.values import Fault
from scalesr.records.skeleton import Ranking, Skeleton


@pytest.fixture
def ranking(rng):
    form = parse("C*sin(C*x0) + C")
    constants = rng.normal(size=(2, 3)) * 10.0 ** rng.integers(-200, 200, (2, 3))
    covariance = rng.normal(size=(2, 3, 3))
    covariance[0, 1] = np.nan
    skeleton = Skeleton(form, constants, covariance, np.array([0.1, 5e-324]), 0.1 + 0.2, -1e300, within_noise=True)
    return Ranking((skeleton,), ("a b",), 12, 34, 5.6, "The search came to its end.", None, interrupted=True)


def test_every_bit_comes_back(ranking):
    again = ranking_of(json.loads(json.dumps(ranking_document(ranking), allow_nan=False)), "here")
    (own,), (kept,) = ranking.skeletons, again.skeletons
    assert kept.expression == own.expression
    for name in ("constants", "covariance", "rss"):
        assert getattr(kept, name).tobytes() == getattr(own, name).tobytes()
        assert getattr(kept, name).shape == getattr(own, name).shape
    assert (kept.error, kept.score, kept.within_noise) == (own.error, own.score, True)
    for name in ("names", "n_scored", "n_fits", "seconds", "ended", "complete_up_to", "interrupted"):
        assert getattr(again, name) == getattr(ranking, name)


@pytest.mark.parametrize("value", [None, -1, "x", [], {}, 1e400, True])
def test_a_field_of_another_kind_is_refused(ranking, value):
    document = ranking_document(ranking)
    for name in document:
        if type(document[name]) is type(value) or (name == "complete_up_to" and value is None):
            continue
        changed = copy.deepcopy(document) | {name: value}
        with pytest.raises(Fault, match="here"):
            ranking_of(changed, "here")
