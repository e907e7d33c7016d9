import re
import sys
from copy import copy
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from scalesr import ScaleSRRegressor, __version__
from scalesr.errors import DataError, MissingExtra
from scalesr.records.curves import Curves, Line
from scalesr.records.discovery import Step
from scalesr.report import write_report
from scalesr.report.law_on_rows import LawOnRows
from scalesr.report.page import report_page
from scalesr.report.sections import drawn_steps
from tests.report import models

pytest.importorskip("matplotlib")

VOID = {"meta", "br"}
COMMAND = "scalesr fit table.csv --target E --seed 0 && echo '<done>'"


class Reader(HTMLParser):
    """Elements, text and ids of a page; it fails where an element is closed that is not open."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.references: list[str] = []
        self.events: list[str] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(page)
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag not in VOID:
            self._open.append(tag)
        for name, value in attrs:
            self.ids += [value] if name == "id" else []
            self.references += re.findall(r"#([\w-]+)\)?$", value) if name in ("href", "clip-path") else []
            self.references += [value] if name == "src" else []
            self.events += [name] if name.startswith("on") else []

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self._open.pop() == tag

    def handle_data(self, data):
        if self._open and self._open[-1] != "style":
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(self.words)


def page_of(case) -> str:
    return models.page_of(case, COMMAND)


def made(case) -> str:
    return models.made_page(case, COMMAND)


@pytest.mark.parametrize("case", [models.exact, models.noisy, models.bent, models.hostile, models.two_targets])
def test_the_page_is_well_formed_and_loads_nothing(case):
    page = made(case)
    read = Reader(page)
    assert len(read.ids) == len(set(read.ids))
    assert set(read.references) <= set(read.ids)
    assert not re.search(r"https?://|url\((?!#)|@import", page.replace("http://www.w3.org", ""))
    assert {"script", "img", "link", "iframe"}.isdisjoint(read.tags)
    assert read.events == []


def test_the_page_says_everything_about_the_law():
    model, _, _ = models.exact()
    text = Reader(made(models.exact)).text
    found = model.discovery_
    for sentence in (found.reason, COMMAND, found.equation.text(), found.equation.latex(), f"scalesr {__version__}"):
        assert sentence in text
    for step in found.trace:
        assert step.summary in text
        assert all(line in text for line in step.rejected)
    for law in found.front:
        assert str(law.equation) in text
    for name, value in model.get_params().items():
        assert name in text
        assert str(value) in text


def test_the_page_has_a_picture_for_everything_there_is_to_see():
    read = Reader(made(models.noisy))
    assert read.tags.count("svg") == 3 + 1 + 1  # law and table, the one variable, the front
    assert made(models.noisy).count('role="math"') == 1
    assert made(models.two_targets).count('role="math"') == 2


def test_the_story_shows_what_the_stages_saw():
    model, X, y = models.noisy()
    curves = Curves("x0", "C3", (Line((1.0, 2.0, 3.0), (4.0, 5.0, 6.0), (4.0, 5.0, 6.0)),))
    step = Step("search", "x0 alone.", 0.5, (), (curves, curves))
    seen = copy(model)
    seen.discovery_ = replace(model.discovery_, trace=(*model.discovery_.trace, step))
    page = report_page(seen, X, y, command="")
    assert page.count("<svg") == made(models.noisy).count("<svg") + 2
    assert page.count(curves.caption) == 2 * 2  # as caption and as label


def test_the_same_model_gives_the_same_page():
    assert made(models.exact) == page_of(models.exact)


def test_hostile_names_are_shown_and_do_nothing():
    page = made(models.hostile)
    for name in models.HOSTILE:
        assert name in Reader(page).text
    assert "<script" not in page
    assert "<img" not in page


def test_structure_is_reported_where_it_is_left_and_only_there():
    assert "No structure is found" in made(models.noisy)
    assert "Structure is left" in made(models.bent)
    assert "The residual is rounding" in made(models.exact)


def test_rows_count_what_numpy_counts():
    model, X, y = models.noisy()
    rows = LawOnRows.of(model.equation_, X, y, "y")
    assert rows.explained == pytest.approx(model.score(X, y))
    assert rows.error == pytest.approx(np.sqrt(np.mean((y - model.predict(X)) ** 2)))


def test_rows_count_by_their_weights():
    model, X, y = models.bent()
    weights = np.where(np.arange(80) < 60, 4.0, 0.0)  # the last rows do not count
    rows = LawOnRows.of(model.equation_, X, y, "y", weights)
    assert len(rows.y) == 60
    assert rows.n_without == 0
    uneven = np.linspace(0.1, 3, 80)
    assert LawOnRows.of(model.equation_, X, y, "y", uneven).explained == pytest.approx(model.score(X, y, uneven))
    assert "weighted mean square" in report_page(model, X, y, command="", sample_weight=uneven)
    with pytest.raises(DataError, match="80 rows need as many weights; got 3"):
        report_page(model, X, y, command="", sample_weight=[1, 2, 3])


def test_weights_tell_structure_from_rows_that_are_known_less_well():
    model, X, _ = models.noisy()
    rough = X[:, 0] > 2.5
    y = model.predict(X) + np.where(rough, np.sin(3 * X[:, 0]), 1e-3 * np.random.default_rng(0).normal(size=80))
    alike = LawOnRows.of(model.equation_, X, y, "y")
    weighted = LawOnRows.of(model.equation_, X, y, "y", np.where(rough, 1e-12, 1.0))
    assert "Structure is left" in alike.what_is_left()
    assert "No structure" in weighted.what_is_left()


def test_rows_without_a_value_are_left_out_and_counted():
    X = np.linspace(1, 4, 40)[:, np.newaxis]
    model = ScaleSRRegressor(random_state=0).fit(X, np.log(X[:, 0]))
    more, y = np.vstack([X, [[-1.0], [-2.0]]]), np.append(np.log(X[:, 0]), [0.0, 0.0])
    assert "On 2 more rows the law has no value." in report_page(model, more, y, command="")
    with pytest.raises(DataError, match="no finite value on any row"):
        report_page(model, -X, y[:40], command="")


def test_a_report_is_written_to_a_file_or_says_why_not(tmp_path):
    model, X, y = models.noisy()
    write_report(tmp_path / "law.html", model, X, y, command=COMMAND)
    assert (tmp_path / "law.html").read_text(encoding="utf-8") == made(models.noisy)
    with pytest.raises(DataError, match=r"cannot be written"):
        write_report(tmp_path / "nowhere" / "law.html", model, X, y, command=COMMAND)
    with pytest.raises(DataError, match=r"do not match the law's columns"):
        write_report(tmp_path / "law.html", model, np.ones((80, 2)), y, command=COMMAND)
    with pytest.raises(DataError, match=r"1 laws and y has 2 columns"):
        write_report(tmp_path / "law.html", model, X, np.ones((80, 2)), command=COMMAND)


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match=r"pip install 'scalesr\[plot\]'"):
        page_of(models.noisy)


def test_drawing_leaves_the_users_matplotlib_settings_alone():
    import matplotlib as mpl

    before = mpl.rcParams.copy()
    page_of(models.noisy)
    assert mpl.rcParams.copy() == before
    assert "matplotlib.pyplot" not in sys.modules


def seen(stage: str, variable: str, *, formula: bool) -> Step:
    line = Line((0.0, 1.0), (0.0, 2.0), (0.0, 2.0) if formula else ())
    return Step(stage, "Looked.", 0.1, curves=(Curves(variable, "y", (line,)),))


def test_each_variables_first_formula_is_drawn_before_any_second_look() -> None:
    tried = [seen("search", "a", formula=False) for _ in range(30)]
    trace = [*tried, seen("search", "a", formula=True), seen("combine", "b", formula=False), Step("combine", "End.", 0)]
    assert {30, 31} <= set(drawn_steps(trace))
    assert drawn_steps(trace)[:3] == [0, 1, 2]


def test_a_report_says_how_many_steps_are_not_drawn() -> None:
    model, X, y = models.noisy()
    told = copy(model)
    steps = (*model.discovery_.trace, *(seen("search", "x0", formula=True) for _ in range(40)))
    told.discovery_ = replace(model.discovery_, trace=steps)
    n_curves = sum(bool(step.curves) for step in steps)
    assert f"Of {n_curves} steps that saw curves, 12 show them." in report_page(told, X, y, command=COMMAND)
    assert "steps that saw curves" not in made(models.noisy)
