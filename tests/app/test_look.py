"""How the page looks and reads: without serious faults of accessibility, on wide and narrow screens, light and dark."""

import pytest

pytest.importorskip("nicegui", reason="The page needs NiceGUI: pip install 'scalesr[app]'")
pytest.importorskip("axe_playwright_python", reason="axe looks for faults: pip install 'scalesr[browser]'")

from axe_playwright_python.sync_playwright import Axe

from tests.app import browsing
from tests.app.browsing import button, field
from tests.app.servers import served
from tests.runs.tables import noisy

pytestmark = pytest.mark.skipif(
    browsing.browser() is None, reason="No Chromium here to open the page in: apt-get install chromium"
)

SCREENS = {
    "wide and light": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "narrow and dark": {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"},
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with served(tmp_path_factory.mktemp("runs") / "project") as started:
        yield started


def faults(page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html']}" for one in found if one["impact"] in ("serious", "critical")]


def check(page) -> None:
    assert faults(page) == []
    needed, given = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert needed <= given


@pytest.mark.parametrize("screen", SCREENS)
def test_every_view_can_be_used_by_all(server, screen):
    with browsing.opened(**SCREENS[screen]) as (page, complaints):
        page.goto(server.address)
        page.get_by_role("heading", name="An example").wait_for()
        check(page)
        page.locator("#file").set_input_files({"name": "t.csv", "mimeType": "text/csv", "buffer": noisy()})
        page.get_by_role("heading", name="Pair by pair").wait_for()
        page.locator("figure svg.main-svg").first.wait_for()
        check(page)
        field(page, "Time at most").select_option("3600")
        button(page, "Find the law").click()
        page.locator(".law .formula").wait_for()
        page.locator("figure svg.main-svg").first.wait_for()
        check(page)
        button(page, "Stop and keep the law").click()
        page.get_by_role("heading", name="Take it away").wait_for()
        page.locator("figure svg.main-svg").first.wait_for()
        check(page)
        assert complaints == []


def test_colours_follow_light_and_dark(server):
    grounds = []
    for scheme in ("light", "dark"):
        with browsing.opened(color_scheme=scheme) as (page, _):
            page.goto(server.address)
            page.get_by_role("heading", name="An example").wait_for()
            grounds.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert grounds == ["rgb(255, 255, 255)", "rgb(20, 24, 28)"]


def test_axe_would_notice(server):
    with browsing.opened() as (page, _):
        page.goto(server.address)
        page.get_by_role("heading", name="An example").wait_for()
        page.evaluate(
            "document.querySelector('#content').insertAdjacentHTML('beforeend', '<input><img src=\"data:,\">')"
        )
        assert len(faults(page)) == 2
