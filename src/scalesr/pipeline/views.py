"""Other views of the rows: the target on a scale that they share, and waves that they show as columns."""

from __future__ import annotations

from scalesr.pipeline.config import PIPELINE
from scalesr.pipeline.run import Run
from scalesr.pipeline.steps import SparseLaws, learner
from scalesr.reduce.reduction import Reduction
from scalesr.reduce.view import Viewed, reciprocal_view
from scalesr.reduce.waves import with_waves


def on_shared_scale(run: Run, here: Reduction) -> Viewed | None:
    """The rows with the target's reciprocal, where poles leave the target itself to a few of them."""
    if here.data.n_rows < PIPELINE.enough_to_learn or run.questions is not None:
        return None
    found = reciprocal_view(here, run.settings.operators)
    if found is not None:
        with run.stage("reduce") as note:
            note.summary = found.sentence
    return found


def waves_as_columns(run: Run, here: Reduction) -> Reduction:
    """The rows with a column for every wave, or as they are where there are none or nothing is gained."""
    if here.data.n_rows < PIPELINE.enough_to_learn or not run.settings.plain_laws:
        return here
    with run.stage("reduce") as note:
        waved = with_waves(here, run.settings.operators, run.stop)
        note.summary = "No oscillation." if waved is None else waved.sentence
    if waved is None:
        return here
    SparseLaws(run, waved.reduction).look_once()
    if run.questions is not None:  # a given function is asked for columns, not for waves
        return here
    with run.stage("reduce") as note:
        learn = learner(run, run.rng.spawn(1)[0])
        before, after = learn(here.data).noise, learn(waved.reduction.data).noise
        is_better = after < PIPELINE.much_better * before
        note.summary = f"A learned function errs by {after:.2g} with waves as columns and by {before:.2g} without."
    return waved.reduction if is_better else here
