"""Work: what a worker does with one job. Whatever goes wrong is data, so that no table costs the others their laws."""

from __future__ import annotations

import math
import time

from threadpoolctl import threadpool_limits

from scalesr.cluster.job import BatchLine, Done, Job, failed
from scalesr.errors import ScaleSRError
from scalesr.estimators.regressor import ScaleSRRegressor
from scalesr.estimators.targets import noted
from scalesr.estimators.values import finite
from scalesr.records.discovery import Verdict


def find_law(job: Job) -> Done:
    """The law of one job with its line, or the sentence that says why there is none.

    A fit that is interrupted hands over its best law so far, which is not that of the whole job.
    """
    try:
        return _found(job)
    except ScaleSRError as error:
        return failed(job, str(error))
    except MemoryError:
        return failed(job, "There is not enough memory for this table; give fewer rows or columns.")
    except Exception as error:  # one broken table of a thousand is a line, not the end of the others
        return failed(job, f"An error that was not foreseen ended the search: {type(error).__name__}: {error}")


def find_law_alone(job: Job) -> Done:
    """The same in a process of its own: linear algebra on one thread, as results may depend on their number."""
    with threadpool_limits(1, user_api="blas"):
        return find_law(job)


def _found(job: Job) -> Done:
    started = time.monotonic()
    given = job.origin.given()
    settings = dict(job.settings)
    if given.units is not None:
        settings["units"] = given.units
    model = ScaleSRRegressor(**settings).fit(given.X, given.y, given.sample_weight, y_error=given.y_error)
    (found,) = model.discovery_ if isinstance(model.discovery_, tuple) else (model.discovery_,)
    if found.was_interrupted and found.verdict is Verdict.NOT_TRIED:
        raise KeyboardInterrupt  # there is nothing to hand over
    model.discovery_ = noted(found, given.notes)
    taken = found.taken
    line = BatchLine(
        job.name, job.origin.source, model.target_names_[0], str(found.equation), str(found.verdict),
        probability=found.probability, complexity=found.equation.complexity,
        error=finite(math.sqrt(taken.loss)), held_error=finite(math.sqrt(taken.held_loss)),
        n_rows=len(given.y), seconds=time.monotonic() - started,
    )  # fmt: skip
    return Done(line, bytes(model), is_whole=not found.was_interrupted)
