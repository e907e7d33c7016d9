"""`scalesr`: one command per job.

Exit codes: 0 found, 1 nothing acceptable found, 2 bad input or a result that could not be written.
"""

from __future__ import annotations

from collections.abc import Sequence

from scalesr.cli import batch, calibrate, demo, dynamics, fit, page, predict, report, show, warmup
from scalesr.cli.program import make_program
from scalesr.cli.running import run_app

app = make_program(
    "scalesr",
    "ScaleSR finds the law behind a table.",
    epilog="Exit codes: 0 found, 1 nothing acceptable found, 2 bad input or a file that could not be written.",
)
app.command("fit")(fit.fit)
app.command("predict")(predict.predict)
app.command("calibrate")(calibrate.calibrate)
app.command("show")(show.show)
app.command("report")(report.report)
app.command("dynamics")(dynamics.dynamics)
app.command("batch")(batch.batch)
app.command("demo")(demo.demo)
app.command("app")(page.page)
app.command("warmup")(warmup.warmup)


def run(arguments: Sequence[str] | None = None) -> int:
    """The exit code of a command."""
    return run_app(app, arguments)
