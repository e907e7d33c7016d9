"""Certified values of NIST, from starts of our own."""

import numpy as np
import pytest

from scalesr import ScaleSRRegressor, evaluate, fit, parse
from scalesr_bench.nist import NIST

SIX_DIGITS = 1e-6


@pytest.mark.parametrize("problem", NIST, ids=lambda problem: problem.name)
def test_fit_reaches_the_certified_residual_without_nists_starts(problem):
    table = problem.table()
    X, y = table[:, :1], table[:, 1]
    found = fit(parse(problem.skeleton, names=["x"]), X, y)
    assert found.rss == pytest.approx(problem.rss, rel=SIX_DIGITS)
    residual = y - evaluate(found.expression, X)
    assert np.dot(residual, residual) == pytest.approx(problem.rss, rel=SIX_DIGITS)


def test_the_tables_have_the_rows_nist_lists():
    rows = {problem.name: len(problem.table()) for problem in NIST}
    assert rows == {
        "misra1a": 14,
        "chwirut2": 54,
        "danwood": 6,
        "hahn1": 236,
        "thurber": 37,
        "boxbod": 6,
        "rat43": 15,
        "eckerle4": 35,
    }


def test_the_four_published_laws_of_one_table_are_told_as_rivals():
    """Misra1a to 1d are four laws for one table; what the rows say of each beside the law that is found is told."""
    table = next(problem for problem in NIST if problem.name == "misra1a").table()
    published = ["b1*(1 - exp(-b2*x0))", "b1*(1 - (1 + b2*x0/2)^-2)", "b1*(1 - (1 + 2*b2*x0)^-0.5)",
                 "b1*b2*x0/(1 + b2*x0)"]  # fmt: skip
    model = ScaleSRRegressor(start=published, time_limit=None, max_work=60, random_state=0)
    model.fit(table[:, :1], table[:, 1])
    told = [step.summary for step in model.discovery_.trace if step.stage == "start"]
    assert [line.split(" was fitted as ")[0] for line in told] == published
    errors = [float(line.split("errs by ")[1].split(";")[0]) for line in told]
    certified = np.array([1.2455138894e-1, 7.5464681533e-2, 4.0966836971e-2, 5.6419295283e-2])
    assert errors == pytest.approx(np.sqrt(certified / 14), rel=5e-3)  # shown with three digits
    nats = [float(line.split(" by ")[-1].removesuffix(" nats.")) for line in told]
    assert max(nats[:3]) - min(nats[:3]) < 3.0  # the rows do not tell these apart, and the shorter fourth does better
    assert nats[3] < min(nats[:3])
    assert all("and the evidence prefers it by" in line for line in told)
