"""The whole way on the page, in a real browser."""

import json
import os
import signal

import numpy as np
import pytest

pytest.importorskip("nicegui", reason="The page needs NiceGUI: pip install 'scalesr[app]'")
pytest.importorskip("playwright", reason="Playwright drives the browser: pip install 'scalesr[browser]'")

from scalesr.runs.exports import EXPORTS
from scalesr.runs.plan import Plan
from scalesr.runs.state import Phase
from tests.app import browsing
from tests.app.browsing import button, field
from tests.app.servers import end_searches, served, start
from tests.runs.tables import LINE, noisy
from tests.runs.waiting import until

pytestmark = pytest.mark.skipif(
    browsing.browser() is None, reason="No Chromium here to open the page in: apt-get install chromium"
)

HOSTILE = [
    "<script>document.title='owned'</script>",
    "\"'><img src=x onerror=alert(1)>",
    "`${alert(1)}`",
    "{{7*7}}",
    "$\\frac{",
]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with served(tmp_path_factory.mktemp("runs") / "project") as started:
        yield started


@pytest.fixture
def page(server):
    with browsing.opened() as (page, complaints):
        page.goto(server.address)
        yield page
        assert complaints == []


def key_of(page) -> str:
    return page.url.rsplit("/", 1)[-1]


def sent(page, content: bytes, name: str = "table.csv") -> None:
    page.locator("#file").set_input_files({"name": name, "mimeType": "text/csv", "buffer": content})
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
    assert contents["excel"].startswith("=")
    assert contents["report"].startswith("<!doctype html>")
    assert json.loads(contents["notebook"])["nbformat"] == 4
    assert json.loads(contents["law"])["format"]


def test_a_noisy_table_is_watched_reloaded_stopped_and_judged(server, page):
    sent(page, noisy(), "noisy.csv")
    find(page, "3600")
    formula = page.locator(".law .formula")
    formula.wait_for()
    page.locator("figure .js-plotly-plot svg").first.wait_for()
    assert "At most" in page.locator(".where").inner_text()
    page.reload()
    formula.wait_for()
    assert server.project.run(key_of(page)).state.phase is Phase.RUNNING
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


def test_a_paused_search_goes_on(server, page):
    sent(page, noisy(), "noisy.csv")
    find(page, "3600")
    page.locator(".law .formula").wait_for()
    button(page, "Pause").click()
    button(page, "Go on").click()
    button(page, "Stop and keep the law").wait_for()
    run = server.project.run(key_of(page))
    until(lambda: run.is_worked_on, "the work goes on")
    button(page, "Pause").click()
    button(page, "Go on").wait_for()


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
    sent(page, f"x,z,y\n{rows}".encode())
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
    quoted = ",".join('"' + name.replace('"', '""') + '"' for name in HOSTILE)
    rows = "\n".join(",".join(f"{value:.6g}" for value in (*row, 2 * row[0] + row[1])) for row in X.tolist())
    sent(page, f"{quoted}\n{rows}\n".encode(), "<img src=x onerror=alert(1)>.csv")
    for name in HOSTILE[:4]:
        page.get_by_role("cell", name=name, exact=True).wait_for()
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


def test_a_run_is_deleted_after_a_second_question(server, page):
    sent(page, LINE)
    run = server.project.run(key_of(page))
    button(page, "Delete this run").click()
    assert run.path.exists()
    button(page, "Delete for good").click()
    page.wait_for_url(f"{server.origin}/")
    assert not run.path.exists()


def test_a_killed_server_loses_nothing(tmp_path):
    server = start(tmp_path)
    key = server.send(noisy())
    run = server.project.run(key)
    run.set_plan(Plan(target="y", time_limit=3600))
    with browsing.opened() as (page, _):
        page.goto(server.address.replace("/?", f"/runs/{key}?"))
        button(page, "Find the law").click()
        page.locator(".law .formula").wait_for()
    server.kill()
    assert run.state.phase is Phase.RUNNING  # the search goes on by itself
    with served(tmp_path) as again, browsing.opened() as (page, complaints):
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
