"""Everything that a fit needs, loaded by importing this: for the process that runs of the command line fork from."""

import scalesr.cli.app
import scalesr.cli.fit
import scalesr.cluster.fit_many
import scalesr.estimators.regressor
import scalesr.report.page  # noqa: F401
from scalesr.records.engine import ready_engine

ready_engine()
