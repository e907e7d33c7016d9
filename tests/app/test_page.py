"""The whole way on the page, in a real browser."""

import json
import math
import os
import signal

import numpy as np
import pytest
from sympy import sympify

pytest.importorskip("nicegui", reason="The page needs NiceGUI: pip install 'scalesr[app]'")
pytest.importorskip("playwright", reason="Playwright drives the browser: pip install 'scalesr[browser]'")

from scalesr.runs.exports import EXPORTS
from scalesr.runs.plan import Plan
from scalesr.runs.state import Phase
from scalesr.tables import csv_text
from tests.app import browsing
from tests.app.browsing import button, field
from tests.app.servers import end_searches, served, start
from tests.runs.tables import LINE, noisy
from tests.runs.waiting import until

HOSTILE = [
    "<script>document.title='owned'</script>",
    "\"'><img src=x onerror=alert(1)>",
    "`${alert(1)}`",
    "{{7*7}}",
    "$\\frac{",
]


@pytest.fixture
def page(server, program):
    with browsing.opened(program) as (page, complaints):
        page.goto(server.address)
        yield page
        end_searches(server.project)  # one that a test has left would keep others waiting
        assert complaints == []


def key_of(page) -> str:
    return page.url.rsplit("/", 1)[-1]


def sent(page, content: bytes, name: str = "table.csv") -> None:
    page.locator("#file").set_input_files({"name": name, "mimeType": "text/csv", "buffer": content})
    page.wait_for_url("**/runs/*")


def dropped(page, content: str, name: str) -> None:
    """Drop a file on the page, as the file manager of a desktop does."""
    files = page.evaluate_handle(
        "([content, name]) => { const all = new DataTransfer(); all.items.add(new File([content], name)); return all }",
        [content, name],
    )
    for event in ("dragover", "drop"):
        page.locator("[data-drop]").dispatch_event(event, {"dataTransfer": files})
    page.wait_for_url("**/runs/*")


def find(page, seconds: str = "10") -> None:
    field(page, "Time at most").select_option(seconds)
    button(page, "Find the law").click()


def result(page) -> None:
    page.get_by_role("heading", name="Take it away").wait_for()


def test_keplers_law_from_the_example_to_every_export(server, page):
    assert "token" not in page.url
    button(page, "Six planets").click()
    page.wait_for_url("**/runs/*")
    assert field(page, "Column that the law is for").input_value() == "P"
    assert field(page, "Weights of the rows").input_value() == "weight"
    find(page)
    result(page)
    law = page.locator("section.result .formula").first
    assert "a" in law.get_attribute("aria-label")
    page.locator(".js-plotly-plot svg").first.wait_for()
    contents = {}
    for form, kind in EXPORTS.items():
        with page.expect_download() as coming:
            page.get_by_role("link", name=kind.title, exact=True).click()
        assert coming.value.suggested_filename == kind.file
        contents[form] = coming.value.path().read_text(encoding="utf-8")
    values = json.loads(contents["json"])
    assert values["target"] == "P"
    planets = np.array([0.389, 0.724, 1.0, 1.524, 5.2, 9.51])
    space = {}
    exec(compile(contents["python"], "law.py", "exec"), space)  # noqa: S102 - running what was exported is the test
    assert space["P"](planets) == pytest.approx(365.25 * planets**1.5, rel=0.02)
    assert "double P(const double *row)" in contents["c"]
    by_sympy = sympify(contents["sympy"]).subs("a", 1.524)
    in_a_cell = contents["excel"].splitlines()[0].removeprefix("=").replace("^", "**")
    by_excel = eval(in_a_cell, {"A2": 1.524, "B2": 1.524, "POWER": pow, "SQRT": math.sqrt})  # noqa: S307 - our export
    assert [float(by_sympy), by_excel] == pytest.approx([space["P"](1.524)] * 2)
    assert contents["report"].startswith("<!doctype html>")
    assert json.loads(contents["notebook"])["nbformat"] == 4
    assert json.loads(contents["law"])["format"]


def test_a_noisy_table_is_watched_reloaded_paused_stopped_and_judged(server, page):
    sent(page, noisy(), "noisy.csv")
    find(page, "3600")
    formula = page.locator(".law .formula")
    formula.wait_for()
    page.locator("figure .js-plotly-plot svg").first.wait_for()
    assert "minutes more" in page.locator(".numbers").inner_text()
    button(page, "Give 1 hour more").click()
    button(page, "Give 2 hours more").wait_for()
    assert server.project.run(key_of(page)).plan.time_limit == 7200
    page.reload()
    formula.wait_for()
    run = server.project.run(key_of(page))
    assert run.state.phase is Phase.RUNNING
    button(page, "Pause").click()
    button(page, "Go on").wait_for()
    (run.path / "progress.json").unlink()
    button(page, "Go on").click()
    until(lambda: ((run.values("progress") or {}).get("error") or 1.0) < 0.9, "a law so far")
    button(page, "Stop and keep the law").click()
    result(page)
    assert "It was stopped" in page.locator(".state").inner_text()
    field(page, "Formula").fill("a*sin(b*c) + C*d/e")
    button(page, "Fit and judge it").click()
    page.locator("article.judged", has_text="Complexity").wait_for()
    assert "held-back rows" in page.locator("article.judged").first.inner_text()
    field(page, "Formula").fill("a*system('ls')")
    button(page, "Fit and judge it").click()
    page.get_by_text("Unknown").first.wait_for()
    page.get_by_role("button", name="Compare").first.click()
    page.get_by_text("Complexity 0, error").wait_for()
    page.get_by_role("img", name="Table against both laws; on the line they agree").wait_for()


def test_pasted_cells_columns_left_out_and_values_for_new_rows(page):
    rows = "\n".join(f"{x}\t{x * x % 7}\t{3 * x + 2}" for x in range(40))
    field(page, "Cells from a spreadsheet").fill("x\tnoise\ty\n" + rows)
    button(page, "Use these cells").click()
    page.wait_for_url("**/runs/*")
    field(page, "use noise").uncheck()
    find(page)
    result(page)
    assert page.locator("section.result .formula").first.get_attribute("aria-label") == "y = 3*x + 2"
    field(page, "or paste cells").fill("x,y\n100,302\n200,602\n")
    with page.expect_download() as coming:
        button(page, "Predict").click()
    assert coming.value.path().read_text() == "y\n302.0\n602.0\n"
    page.get_by_text("on 2 rows the law errs by 0").wait_for()


def test_sliders_move_the_curve_and_a_surface_is_drawn(page):
    rows = "\n".join(f"{x},{z},{x * z + x * x}" for x in range(1, 9) for z in range(1, 9))
    dropped(page, f"x,z,y\n{rows}", "dropped.csv")
    find(page)
    result(page)
    curve = page.locator("figure", has_text="The law along the moving variable").locator("path.js-line")
    before = curve.get_attribute("d")
    field(page, "z").fill("1.5")
    page.wait_for_function(
        "before => [...document.querySelectorAll('path.js-line')].every(p => p.getAttribute('d') !== before)",
        arg=before,
    )
    button(page, "Draw the surface").click()
    page.locator("figure", has_text="The law over x and z").locator("canvas").first.wait_for()
    assert curve.get_attribute("d") != before
    page.locator("figure", has_text="Error against complexity").locator("path.point").first.click(force=True)
    page.get_by_text("Complexity 0, error").wait_for()


def test_laws_of_motion_of_the_example(page):
    button(page, "Hares and foxes").click()
    page.wait_for_url("**/runs/*")
    button(page, "Find the laws of motion").click()
    result(page)
    for title in ("Over time", "Phase portrait", "Simulation"):
        page.get_by_role("heading", name=title).wait_for()
    said = [law.get_attribute("aria-label") for law in page.locator("section.result .formula").all()]
    assert [text.split(" = ")[0] for text in said] == ["dhares/dt", "dfoxes/dt"]
    picture = page.locator("figure", has_text="What the laws give").locator("path.js-line").first
    before = picture.get_attribute("d")
    field(page, "hares at the start").fill("3")
    page.wait_for_function(
        "before => ![...document.querySelectorAll('path.js-line')].some(p => p.getAttribute('d') === before)",
        arg=before,
    )


def test_names_of_others_are_text(server, page):
    rng = np.random.default_rng(0)
    X = rng.uniform(1, 2, (60, 4))
    rows = [
        [*(f"{value:.6g}" for value in (*row, 2 * row[0] + row[1])), HOSTILE[1] + row[0].hex()] for row in X.tolist()
    ]
    sent(page, csv_text([[*HOSTILE, "note"], *rows]).encode(), "<img src=x onerror=alert(1)>.csv")
    for name in HOSTILE[:4]:
        page.get_by_role("cell", name=name, exact=True).wait_for()
    page.get_by_role("cell", name=f"text, such as {HOSTILE[1]}").wait_for()
    field(page, "Column that the law is for").select_option(HOSTILE[4])
    find(page)
    result(page)
    assert "owned" not in page.title()
    assert page.locator("main img").count() == 0
    assert HOSTILE[0] in page.locator("section.result .formula").first.inner_text()
    page.goto(server.origin)
    page.get_by_role("link", name="<img src=x onerror=alert(1)>.csv").wait_for()


def test_the_whole_way_by_keyboard(page):
    page.locator("#cells").focus()
    page.keyboard.insert_text(LINE.decode())
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/runs/*")
    target = button(page, "Find the law")
    target.wait_for()
    for _ in range(30):
        page.keyboard.press("Tab")
        if target.evaluate("element => element === document.activeElement"):
            break
    page.keyboard.press("Enter")
    result(page)
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "LaTeX":
            break
    with page.expect_download() as coming:
        page.keyboard.press("Enter")
    assert coming.value.suggested_filename == "law.tex"


def test_what_was_understood_is_corrected_and_told_to_the_search(server, page):
    rng = np.random.default_rng(0)
    lines = ["batch,x,z,junk,sd,y"]
    for batch, slope in zip("abc", (2.0, 3.0, 5.0), strict=True):
        for x, z in rng.uniform(1, 2, (20, 2)).tolist():
            lines.append(f"{batch},{x:.8g},{z:.8g},{rng.uniform():.3g},0.1,{slope * x * z:.10g}")
    sent(page, "\n".join(lines).encode(), "batches.csv")
    page.get_by_text("Weights, groups and errors of the rows").click()
    field(page, "Column that tells groups apart").select_option("batch")
    field(page, "Standard error of the target").select_option("sd")
    page.get_by_role("row", name="batch").get_by_text("groups").wait_for()
    field(page, "use junk").uncheck()
    for name, unit in (("x", "m"), ("z", "s"), ("y", "m*s")):
        field(page, f"unit of {name}").fill(unit)
    page.get_by_text("What you know of the law").click()
    field(page, "Formulas to begin from, one in each line").fill("k*x*z\n\nk*x\n")
    field(page, "A law with holes").fill("f(x")
    button(page, "Find the law").click()
    page.get_by_text("f(x").first.wait_for()
    field(page, "A law with holes").fill("")
    field(page, "Time at most").select_option("10")
    button(page, "Find the law").click()
    result(page)
    plan = server.project.run(key_of(page)).plan
    assert (plan.features, plan.groups, plan.y_error) == (("x", "z"), "batch", "sd")
    assert (plan.units, plan.start) == ("x=m,z=s,y=m*s", ("k*x*z", "k*x"))
    page.get_by_role("heading", name="Groups").wait_for()
    assert page.get_by_role("region", name="Constants of the groups").get_by_role("row").count() == 4


def test_runs_are_compared_and_deleted_from_the_list(server, page):
    for name in ("one.csv", "two.csv"):
        server.send(LINE, name)
    page.goto(server.origin)  # with both runs in the list from the start: it is drawn again where one comes in
    field(page, "mark one.csv").check()
    button(page, "Compare the marked runs").click()
    page.get_by_text("Mark two to").wait_for()
    field(page, "mark two.csv").check()
    button(page, "Compare the marked runs").click()
    page.get_by_role("heading", name="Runs side by side").wait_for()
    assert page.get_by_role("columnheader", name="two.csv").count() == 1
    page.goto(f"{server.origin}/compare?runs=../x,1")
    page.get_by_text("There is no such run").wait_for()
    page.goto(server.origin)
    for name in ("one.csv", "two.csv"):
        field(page, f"mark {name}").check()
    button(page, "Delete the marked runs").click()
    button(page, "Delete 2 for good").click()
    page.get_by_role("link", name="one.csv").wait_for(state="detached")
    assert not {"one.csv", "two.csv"} & {run.name for run in server.project.runs()}


def test_a_file_that_is_too_large_is_not_sent(server, page):
    before = server.project.runs()
    page.evaluate("document.querySelector('[data-send]').dataset.most = 10")
    page.locator("#file").set_input_files({"name": "big.csv", "mimeType": "text/csv", "buffer": LINE})
    page.get_by_text("Give a part of the rows").wait_for()
    assert server.project.runs() == before


def test_a_run_is_deleted_after_a_second_question(server, page):
    sent(page, LINE)
    run = server.project.run(key_of(page))
    button(page, "Delete this run").click()
    assert run.path.exists()
    button(page, "Delete for good").click()
    page.wait_for_url(f"{server.origin}/")
    assert not run.path.exists()


def test_a_killed_server_loses_nothing(tmp_path, program):
    server = start(tmp_path)
    key = server.send(noisy())
    run = server.project.run(key)
    run.set_plan(Plan(target="y", time_limit=3600))
    with browsing.opened(program) as (page, _):
        page.goto(server.address.replace("/?", f"/runs/{key}?"))
        button(page, "Find the law").click()
        page.locator(".law .formula").wait_for()
    server.kill()
    assert run.state.phase is Phase.RUNNING  # the search goes on by itself
    with served(tmp_path) as again, browsing.opened(program) as (page, complaints):
        page.goto(again.address.replace("/?", f"/runs/{key}?"))
        page.locator(".law .formula").wait_for()
        os.kill(int((run.path / "pid").read_text()), signal.SIGKILL)
        (run.path / "progress.json").unlink()
        button(page, "Go on").click()
        button(page, "Stop and keep the law").wait_for()
        until(lambda: ((run.values("progress") or {}).get("error") or 1.0) < 0.9, "a law so far")
        button(page, "Stop and keep the law").click()
        result(page)
        assert complaints == []
    end_searches(server.project)
