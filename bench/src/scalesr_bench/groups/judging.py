"""The judge of grouped laws: is it the form, do the right constants differ, and are their errors what is said of them.

All constants of the law that was found are fitted again to fresh rows of the same groups without noise, shared and
differing as they were found. The form and the split are right if no residual is left then, as many constants differ
as in the truth, and the law is at most twice as long as the truth. How far the new constants are from those that were
found is counted in the standard errors of the latter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from scalesr.expr.evaluate import evaluate
from scalesr.expr.text import parse
from scalesr.groups.blocks import BlockFit, Care, fit_blocks
from scalesr.records.discovery import Discovery
from scalesr_bench.groups.drawing import DrawnGroups

AGREES: Final = 1e-6  # of the standard deviation
LONGEST: Final = 2  # times the nodes of the truth
WITHIN: Final = 3.0  # standard errors
TWIN: Final = Care(200, 1e-14)


@dataclass(frozen=True, slots=True)
class GroupJudgement:
    """What is right about a found law, and how far its constants are off."""

    form: bool  # with the constants of each group free
    split: bool  # as many constants differ as in the truth, and the shared ones can be shared
    n_constants: int = 0  # fitted ones with a standard error, of all groups
    n_within: int = 0  # of them, within three standard errors


def judge_groups(found: Discovery, drawn: DrawnGroups) -> GroupJudgement:
    """Judge a discovery by the truth."""
    law, fresh = found.law, drawn.fresh
    groups = law.groups
    assert groups is not None
    truth = parse(drawn.problem.law, [*drawn.problem.columns, *drawn.problem.letters])
    if law.equation.expression.n_nodes > LONGEST * truth.n_nodes:
        return GroupJudgement(form=False, split=False)
    form = law.equation.expression.skeleton()
    twin = fit_blocks(form, fresh, law.equation.constants.copy(), groups.values.copy(), TWIN)
    exact = twin is not None and np.sqrt(twin.rss / fresh.data.n_rows) < AGREES * fresh.data.std
    if twin is None or not exact:
        return GroupJudgement(form=False, split=False)
    if _has_constant_to_spare(twin, drawn):
        return GroupJudgement(form=False, split=False)
    n_letters = len(groups.letters)
    split = n_letters == len(drawn.problem.letters)
    errors = np.concatenate([law.equation.standard_errors, groups.standard_errors.ravel()])
    off = np.abs(np.concatenate([law.equation.constants - twin.shared, (groups.values - twin.own).ravel()]))
    told = np.isfinite(errors) & (errors > 0)
    return GroupJudgement(True, split, int(told.sum()), int((off[told] <= WITHIN * errors[told]).sum()))


def _has_constant_to_spare(twin: BlockFit, drawn: DrawnGroups) -> bool:
    """Whether a shared constant of a law that is the truth could be 0: it belongs to a part that is not there."""
    data, own = drawn.fresh.data, np.repeat(twin.own, drawn.fresh.sizes, axis=0)
    table = np.column_stack([data.table, own])
    for place in range(len(twin.shared)):
        constants = twin.shared.copy()
        constants[place] = 0.0
        off = evaluate(twin.form.bind(constants), table) - data.y
        if float(np.sqrt(np.mean(off**2))) < AGREES * data.std:
            return True
    return False
