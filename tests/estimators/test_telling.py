"""What a fit prints while it works."""

import io
import sys
from types import SimpleNamespace

import pytest

from scalesr import ScaleSRRegressor
from scalesr.estimators.telling import Teller, teller
from scalesr.records.budget import Progress

LINE = [[float(x)] for x in range(1, 15)], [3.0 * x for x in range(1, 15)]
FIRST = Progress("search, generation 1", 10, 0.5, "2*x", 0.1, "x", 59.5)


class Terminal(io.StringIO):
    def isatty(self):
        return True


def told(stream, *reports, tells_all=False):
    moments = iter(range(100))
    tell = Teller("y", stream, tells_all=tells_all, clock=lambda: next(moments))
    for report in reports:
        tell(report)
    return stream.getvalue()


def later(n_scored, **changes):
    state = {"stage": f"search, generation {n_scored}", "best": FIRST.best} | changes
    return Progress(state["stage"], n_scored, 1.5, state["best"], 0.1, "x", 58.5)


def test_a_file_gets_a_line_for_news_alone():
    text = told(io.StringIO(), FIRST, later(20), later(30), later(40, best="3*x^2"), later(50, stage="pruning"))
    assert text.splitlines() == [
        "[   0.5 s] y: search, generation 1 in x, 10 tried, at most 60 s more, best so far 2*x (error 0.1)",
        "[   1.5 s] y: search, generation 40 in x, 40 tried, at most 58 s more, best so far 3*x^2 (error 0.1)",
        "[   1.5 s] y: pruning in x, 50 tried, at most 58 s more, best so far 2*x (error 0.1)",
    ]


def test_a_terminal_writes_its_last_line_over_and_wipes_it_for_news():
    text = told(Terminal(), FIRST, later(20), later(30), later(40, best="3*x"))
    assert text.count("\n") == 2
    assert "\r[   1.5 s] y: search, generation 20 in x, 20 tried" in text
    shown = text.split("\n")[1].split("\r")
    assert set(shown[-2]) == {" "}
    assert len(shown[-2]) >= len(shown[-3].rstrip())


def test_a_notebook_is_treated_as_a_terminal(monkeypatch):
    shell = SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    assert "\r" in told(io.StringIO(), FIRST, later(20))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: None))
    assert "\r" not in told(io.StringIO(), FIRST, later(20))


def test_two_tells_everything():
    assert told(Terminal(), FIRST, later(20), later(30), tells_all=True).count("\n") == 3


def test_zero_is_quiet_and_a_function_is_called_itself():
    reports = []
    assert teller(0, "y") is None
    assert teller(reports.append, "y") == reports.append


@pytest.mark.parametrize("verbose", [0, 1])
def test_a_fit_prints_to_standard_error_when_asked(capsys, verbose):
    ScaleSRRegressor(verbose=verbose, random_state=0).fit(*LINE)
    out, err = capsys.readouterr()
    assert out == ""
    assert ("y = 3*x0" in err) == bool(verbose)
    assert bool(err) == bool(verbose)


def test_a_function_gets_every_report():
    reports = []
    ScaleSRRegressor(verbose=reports.append, random_state=0).fit(*LINE)
    assert {type(report) for report in reports} == {Progress}
    assert reports[-1].seconds_left < 60
