"""All that most runs need, loaded by importing this: for the process that workers are forked from."""

import scalesr_bench.laws.runs
import scalesr_bench.search.runs  # noqa: F401
from scalesr.records.engine import ready_engine

ready_engine()
