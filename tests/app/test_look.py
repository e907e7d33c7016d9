"""How the page looks and reads: without serious faults of accessibility, on wide and narrow screens, light and dark."""

import pytest

pytest.importorskip("nicegui", reason="The page needs NiceGUI: pip install 'scalesr[app]'")
pytest.importorskip("axe_playwright_python", reason="axe looks for faults: pip install 'scalesr[browser]'")

from axe_playwright_python.sync_playwright import Axe

from tests.app import browsing
from tests.app.browsing import button, field
from tests.app.servers import end_searches
from tests.runs.tables import noisy

WIDE = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"}
NARROW = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}


@pytest.fixture
def screens(server, program):
    """A page on a wide and light screen, and one on a narrow and dark screen."""
    with browsing.opened(program, **WIDE) as (wide, first), browsing.opened(program, **NARROW) as (narrow, second):
        for page in (wide, narrow):
            page.goto(server.address)
        yield wide, narrow
        end_searches(server.project)
        assert [*first, *second] == []


def faults(page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html']}" for one in found if one["impact"] in ("serious", "critical")]


def check(screens, shown: str, n_pictures: int = 0) -> None:
    """What the first page shows can be used by all, there and on the other one, and nothing sticks out at its side."""
    for page in screens:
        if page is not screens[0]:
            page.goto(screens[0].url)
        page.get_by_text(shown).first.wait_for()
        for place in range(n_pictures):
            page.locator("figure svg").nth(place).wait_for()
        assert faults(page) == []
        needed, given = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        assert needed <= given


def test_every_view_of_a_table_can_be_used_by_all(screens):
    page = screens[0]
    check(screens, "An example")
    page.locator(".q-loading-bar[aria-label='Loading']").wait_for(state="attached")  # which is seldom seen
    page.locator("#file").set_input_files({"name": "t.csv", "mimeType": "text/csv", "buffer": noisy()})
    page.wait_for_url("**/runs/*")
    check(screens, "Pair by pair", 1)
    for folded in page.locator("summary").all():
        folded.click()
    assert faults(page) == []
    field(page, "Time at most").select_option("3600")
    button(page, "Find the law").click()
    page.locator(".law .formula").wait_for()
    check(screens, "Stop and keep the law", 1)
    button(page, "Stop and keep the law").click()
    check(screens, "Take it away", 1)


def test_laws_of_motion_and_runs_side_by_side_can_be_used_by_all(server, screens):
    page = screens[0]
    button(page, "Hares and foxes").click()
    page.wait_for_url("**/runs/*")
    check(screens, "Trajectories", 1)
    assert page.get_by_role("tab", selected=True).inner_text() == "Laws of motion of trajectories"
    field(page, "Time at most").select_option("10")
    button(page, "Find the laws of motion").click()
    check(screens, "Simulation", 3)
    keys = [run.key for run in server.project.runs()][:2]
    page.goto(f"{server.origin}/compare?runs={','.join(keys)}")
    check(screens, "Runs side by side")
    page.goto(server.origin)
    check(screens, "Compare the marked runs")


def test_colours_follow_light_and_dark(server, program):
    grounds = []
    for scheme in ("light", "dark"):
        with browsing.opened(program, color_scheme=scheme) as (page, _):
            page.goto(server.address)
            page.get_by_role("heading", name="An example").wait_for()
            grounds.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert grounds == ["rgb(255, 255, 255)", "rgb(20, 24, 28)"]


def test_axe_would_notice(server, program):
    with browsing.opened(program) as (page, _):
        page.goto(server.address)
        page.get_by_role("heading", name="An example").wait_for()
        page.evaluate(
            "document.querySelector('#content').insertAdjacentHTML('beforeend', '<input><img src=\"data:,\">')"
        )
        assert len(faults(page)) == 2
