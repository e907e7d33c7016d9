"""The progress display: live in a terminal, lines elsewhere, silent when asked."""

import math
import subprocess
import sys
from io import StringIO

import numpy as np
import pytest
from rich.console import Console

from scalesr.cli.progress import SECONDS_BETWEEN_LINES, ProgressTable, show_progress
from scalesr.records.budget import Budget, Progress
from scalesr.records.sweep import Sweep
from scalesr.search.mcts import MctsSearch

FIRST = Progress("tree search, outer step 1 of 20", 64, 0.1, "C*x0", 0.25)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def lines_console() -> Console:
    return Console(file=StringIO(), force_terminal=False, width=60)


def terminal() -> Console:
    return Console(file=StringIO(), force_terminal=True, width=60, legacy_windows=False, _environ={"TERM": "xterm"})


def lines_of(*steps: tuple[float, Progress]) -> list[str]:
    """What is printed when reports come at these seconds."""
    console, clock = lines_console(), Clock()
    with show_progress(console=console, clock=clock) as report:
        for seconds, progress in steps:
            clock.now = 100.0 + seconds
            report(progress)
    return console.file.getvalue().splitlines()


def later(**changes) -> Progress:
    state = {"stage": FIRST.stage, "n_scored": 128, "seconds": 0.2, "best": FIRST.best, "error": FIRST.error}
    return Progress(**(state | changes))


def drawn(view: ProgressTable) -> str:
    console = Console(file=StringIO(), width=60)
    console.print(view)
    return console.file.getvalue()


def test_a_line_tells_stage_time_skeletons_law_and_error():
    (line,) = lines_of((7.2, FIRST))
    assert (
        line
        == "   7 s  tree search, outer step 1 of 20: 64 skeletons, best C*x0, error 2.5e-01 of the standard deviation"
    )


def test_reports_without_news_are_dropped_but_the_last():
    lines = lines_of((0, FIRST), (1, later(n_scored=100)), (2, later(n_scored=200)), (3, later(n_scored=12_345)))
    assert len(lines) == 2
    assert "12,345 skeletons" in lines[1]


@pytest.mark.parametrize(
    ("seconds", "news"),
    [(1, {"stage": "pruning"}), (1, {"error": 1e-3}), (SECONDS_BETWEEN_LINES, {})],
    ids=["a new stage", "a much smaller error", "time gone by"],
)
def test_news_gets_a_line_at_once(seconds, news):
    assert len(lines_of((0, FIRST), (seconds, later(**news)), (seconds, later(**news, n_scored=999)))) == 3
    assert len(lines_of((0, FIRST), (1, later()), (1, later(n_scored=999)))) == 2


def test_a_long_law_stays_on_one_line_where_there_is_no_terminal():
    (line,) = lines_of((0, later(best="x0 + " * 100)))
    assert "x0 + " * 100 in line


def test_before_the_first_law_none_is_told():
    (line,) = lines_of((0, later(n_scored=0, best="", error=math.inf)))
    assert "skeletons" not in line
    assert "best" not in line


def test_where_nothing_was_reported_nothing_is_printed():
    assert lines_of() == []


def test_lines_are_told_to_the_end_even_if_the_search_fails():
    console, clock = lines_console(), Clock()
    with pytest.raises(KeyboardInterrupt), show_progress(console=console, clock=clock) as report:  # noqa: PT012
        report(FIRST)
        report(later(n_scored=777))
        raise KeyboardInterrupt
    assert "777 skeletons" in console.file.getvalue()


def test_the_view_has_the_last_report_and_its_clock_runs_on():
    clock = Clock()
    view = ProgressTable(clock)
    assert "starting" in drawn(view)
    view(FIRST)
    view(later(best="C*exp(C*x0)", error=3e-7, n_scored=1_234_567))
    clock.now += 83
    text = drawn(view)
    for part in ("outer step 1 of 20", "1:23", "1,234,567 skeletons", "C*exp(C*x0)", "3.0e-07"):
        assert part in text
    assert "C*x0\n" not in text


def test_the_view_keeps_to_the_width_and_to_brackets_in_names():
    view = ProgressTable(Clock())
    view(later(best="[red]*" + "x0 + " * 100))
    text = drawn(view)
    assert "[red]*" in text
    assert "…" in text
    assert [line.split()[0] for line in text.splitlines()] == ["stage", "time", "tried", "best", "error"]
    assert len(text.splitlines()) == 5


def test_a_terminal_gets_a_live_view_that_is_wiped_at_the_end():
    console = terminal()
    with show_progress(console=console, clock=Clock()) as report:
        report(FIRST)
    written = console.file.getvalue()
    assert "C*x0" in written
    assert "\x1b[?25l" in written  # the cursor hides
    assert written.rstrip().endswith("\x1b[2K")  # its lines are erased
    assert "\x1b[?25h" in written


def test_a_terminal_is_left_in_order_after_an_interrupt():
    console = terminal()
    with pytest.raises(KeyboardInterrupt), show_progress(console=console):
        raise KeyboardInterrupt
    assert "\x1b[?25h" in console.file.getvalue()


def test_a_dumb_terminal_gets_lines():
    console = Console(file=StringIO(), force_terminal=True, width=60, _environ={"TERM": "dumb"})
    with show_progress(console=console) as report:
        report(FIRST)
    assert "\x1b" not in console.file.getvalue()
    assert "64 skeletons" in console.file.getvalue()


def test_quiet_is_no_report_at_all(capsys):
    console = lines_console()
    with show_progress(quiet=True, console=console) as report:
        assert report is None
    assert console.file.getvalue() == ""
    assert capsys.readouterr() == ("", "")


def test_a_real_search_shows_its_best_law():
    console = lines_console()
    x = np.linspace(0.1, 2, 30)
    with show_progress(console=console) as report:
        ranking = MctsSearch().search(
            Sweep.from_groups([x], [3 * x]), Budget(n_fits=100), rng=np.random.default_rng(0), progress=report
        )
    last = console.file.getvalue().splitlines()[-1]
    assert f"{ranking.n_scored:,} skeletons" in last
    assert f"best {ranking.best.expression}" in last


def test_it_writes_to_standard_error_and_rich_waits_until_something_is_shown():
    code = (
        "import sys\n"
        "from scalesr.cli.progress import show_progress\n"
        "from scalesr.records.budget import Progress\n"
        "assert 'rich' not in sys.modules\n"
        "with show_progress() as report: report(Progress('here', 1, 0.0, 'x0', 0.5))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
    assert "here: 1 skeletons, best x0" in done.stderr
