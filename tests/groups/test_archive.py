"""The archive of grouped laws, and what is said of the best of them."""

from dataclasses import replace

import numpy as np
import pytest

from scalesr.estimators.units import dimensions_of
from scalesr.expr.operators import Operators
from scalesr.expr.text import parse
from scalesr.groups.archive import GroupArchive, letters_for
from scalesr.groups.verdict import judge_groups, probability_of_groups
from scalesr.records.discovery import Verdict
from scalesr.records.groups import GroupedData
from scalesr.records.stop import Stop, Stopped
from tests.groups.tables import grouped

PHYSICS = Operators("physics")


def archive_of(law, *forms, **rest):
    archive = GroupArchive(grouped(law, **rest)[0], PHYSICS)
    for form in forms:
        archive.offer(parse(form, ["t"]), "offered")
    archive.touch_up()
    return archive


def test_the_law_is_named_by_letters_and_has_its_errors():
    law = (archive := archive_of("a*exp(-1.3*t) + 2", "C*t + C", "C*exp(C*t) + C")).law_of(archive.best)
    assert str(law.equation).startswith("a*exp(-1.3")
    assert law.columns == ("t",)
    assert law.groups.letters == ("a",)
    assert np.isfinite(law.groups.standard_errors).all()
    assert law.held_loss > law.loss  # of rows that had no part in their own constants


def test_letters_are_none_that_a_column_or_the_target_has():
    assert letters_for(["a", "b"], 2, "c") == ("d", "f")
    assert len(set(letters_for([], 60, "y"))) == 60


def test_verdicts():
    assert judge_groups(archive_of("a*exp(-1.3*t) + 2", "C*exp(C*t) + C"))[0] is Verdict.WITHIN_NOISE
    assert judge_groups(archive_of("a*exp(-1.3*t) + 2", "C*exp(C*t) + C", noise=0.0))[0] is Verdict.EXACT
    verdict, reason = judge_groups(archive_of("a*exp(-1.3*t) + 2", "C*t + C", n_groups=10, n_rows=40))
    assert verdict is Verdict.APPROXIMATE
    assert "Structure is left" in reason
    assert judge_groups(archive_of("a + 0*t", "C*t + C"))[0] is Verdict.NO_LAW


def test_few_rows_in_many_groups_are_as_good_as_many_in_one():
    """What is shared is known from 40 groups of 5 rows about as well as from one of 200."""
    errors = []
    for shape in ({"n_groups": 40, "n_rows": 5}, {"n_groups": 1, "n_rows": 200}):
        archive = GroupArchive(grouped("2*exp(-1.31*t) + 1.97", **shape)[0], PHYSICS)
        best = archive.offer(parse("C*exp(C*t) + C", ["t"]), "offered")
        assert best.law.fit.own.shape[1] == 0
        errors.append(np.sqrt(np.diag(best.law.fit.covariance)))
    np.testing.assert_allclose(errors[0], errors[1], rtol=0.3)


def test_groups_with_fewer_rows_than_constants_are_named():
    rows, _ = grouped("a*exp(-b*t)", n_groups=10, n_rows=6)
    few = GroupedData(rows.data.rows(np.arange(55)), np.array([*range(0, 55, 6), 55]), rows.labels)
    archive = GroupArchive(few, PHYSICS)
    archive.offer(parse("C*exp(C*t)", ["t"]), "offered")
    verdict, reason = judge_groups(archive)
    assert verdict is Verdict.WITHIN_NOISE
    assert "2 constants differ between groups" in reason
    assert "Fewer rows than these are in 9: the constants there are not determined." in reason


def test_a_limit_that_is_reached_leaves_a_law():
    stop = Stop(work=0.001)
    stop.spend(1)
    archive = GroupArchive(grouped("a*t")[0], PHYSICS, stop)
    assert str(archive.best.law.fit.form) == "x1"
    with pytest.raises(Stopped):
        archive.offer(parse("C*t", ["t"]), "offered")


def test_a_rival_has_the_rest_of_the_probability():
    archive = archive_of("a*t^2 + b", "C*t^2 + C", "C*cosh(C*t) + C" if "cosh" in PHYSICS else "C*t^C + C", noise=0.1)
    probability, rivals = probability_of_groups(archive, Verdict.WITHIN_NOISE)
    assert 0.5 < probability <= 0.97
    assert sum(one.probability for one in rivals) <= 0.97 - probability + 1e-9


def test_a_law_that_is_dimensionally_wrong_is_not_kept():
    pytest.importorskip("pint")
    rows, _ = grouped("a*exp(-1*t)")
    known = dimensions_of((("t", "s"), ("y", "m")), ["t"], "y")
    archive = GroupArchive(replace(rows, data=replace(rows.data, dimensions=known)), PHYSICS)
    assert archive.offer(parse("C/exp(t)", ["t"]), "offered") is None
    assert archive.offer(parse("C*exp(C*t)", ["t"]), "offered") is not None


def test_a_pole_between_the_rows_of_a_group_is_no_law():
    archive = archive_of("a*t^2 + b", "C*tan(C*t^2) + C", "C*t^2 + C")
    assert str(archive.best.law.fit.form).replace(" ", "") in ("x0^2*x1+x2", "x1*x0^2+x2")
