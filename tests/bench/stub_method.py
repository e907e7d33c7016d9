"""Methods for tests of the benchmark: least squares, one that boasts, one that always fails."""

from __future__ import annotations

import numpy as np

from scalesr.expr.fitting import fit
from scalesr.expr.text import parse
from scalesr.records.discovery import Discovery, Law, Step, Verdict
from scalesr.records.equation import Equation


def discovery(text, data, verdict, *, seconds=0.5):
    """What a method that believes in a formula returns; open constants are fitted."""
    done = fit(parse(text, data.names), data.table, data.y)
    equation = Equation.from_fit(done, data.names)
    law = Law(equation, done.rss / data.n_rows, done.rss / data.n_rows, 0.0, "a stub")
    steps = (Step("search", "Looked.", seconds), Step("combine", "Joined.", 0.25), Step("search", "Again.", 1.0))
    return Discovery(law, verdict, "A stub says so.", (law,), steps, seconds)


def plane(data, settings, *, rng):
    """A linear law in all columns that matter: exact where it leaves nothing."""
    design = np.column_stack([data.table, np.ones(data.n_rows)])
    weights = np.linalg.lstsq(design, data.y, rcond=None)[0]
    matters = [name for name, weight in zip(data.names, weights, strict=False) if abs(weight) > 1e-3]
    found = discovery(" + ".join(["C", *(f"C*{name}" for name in matters)]), data, Verdict.APPROXIMATE)
    is_exact = found.law.loss < 1e-20 * data.y.var()
    return discovery(found.equation.text(), data, Verdict.EXACT if is_exact else Verdict.WITHIN_NOISE)


def boaster(data, settings, *, rng):
    """Says "exact" of a constant."""
    return discovery("C", data, Verdict.EXACT)


def asking(data, settings, *, rng):
    """Asks the oracle for 7 rows and compares them with the table's."""
    assert np.allclose(settings.generator.function(data.table[:7]), data.y[:7])
    return plane(data, settings, rng=rng)


def broken(data, settings, *, rng):
    if data.n_rows > 300:  # not while it is warmed up
        raise ValueError("no luck today")
    return boaster(data, settings, rng=rng)
