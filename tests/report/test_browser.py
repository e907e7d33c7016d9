"""Reports in a real browser."""

import pytest

from scalesr import parse
from scalesr.report.formula import to_html
from tests.report import browser, models

pytest.importorskip("matplotlib")
pytestmark = pytest.mark.skipif(
    browser.browser() is None, reason="No Chromium here to open reports in: apt-get install chromium"
)


def page_of(case) -> str:
    return models.made_page(case, "scalesr fit table.csv --target E --seed 0 && echo '<done>'")


def test_a_report_shows_its_law_and_every_picture(tmp_path):
    page = page_of(models.exact)
    seen, complaints = browser.measured(page, tmp_path)
    assert complaints == []
    assert len(seen["laws"]) == 1
    assert all(width > 100 and height > 20 for width, height in seen["laws"])
    assert len(seen["pictures"]) == page.count("<svg") == 2 + 3 + 1
    assert all(width > 200 and height > 140 for width, height in seen["pictures"])
    assert "exact" in seen["body"]
    assert seen["title"] == "The law of E"


NO_FONTS = """<?xml version="1.0"?><fontconfig></fontconfig>"""


@pytest.mark.parametrize("fonts", [None, NO_FONTS])
def test_roots_cover_what_is_under_them_with_and_without_fonts(tmp_path, fonts):
    law = to_html(parse("2*sqrt(length/gravity) + sqrt(sqrt(a/b) + 1)", ["length", "gravity", "a", "b"]), left="T")
    page = page_of(models.exact).replace("</main>", f'<div class="law">{law}</div></main>')
    seen, _ = browser.measured(page, tmp_path, fonts=fonts)
    assert len(seen["signs"]) == len(seen["roots"]) == 3
    for (_, drawn), (_, covered) in zip(seen["signs"], seen["roots"], strict=True):
        assert drawn == pytest.approx(covered, abs=1.0)  # pixels


def test_a_report_as_it_is_has_nothing_to_complain_about(tmp_path):
    file = tmp_path / "law.html"
    file.write_text(page_of(models.two_targets), encoding="utf-8")
    assert browser.opened(file, tmp_path) == []


def test_a_phone_shows_a_report_without_scrolling_sideways(tmp_path):
    seen, _ = browser.measured(page_of(models.noisy), tmp_path, width=360)
    assert seen["given"] == 360
    assert seen["needed"] <= seen["given"]


def test_colours_follow_light_and_dark(tmp_path):
    page = page_of(models.noisy)
    light, _ = browser.measured(page, tmp_path)
    dark, _ = browser.measured(page, tmp_path, "--blink-settings=preferredColorScheme=0")
    assert (light["ground"], dark["ground"]) == ("rgb(255, 255, 255)", "rgb(20, 24, 28)")
    assert (light["ink"], dark["ink"]) == ("rgb(29, 35, 40)", "rgb(228, 232, 236)")


def test_hostile_names_run_nothing(tmp_path):
    seen, complaints = browser.measured(page_of(models.hostile), tmp_path)
    assert complaints == []
    assert seen["title"] != "owned"
    assert models.HOSTILE[0] in seen["body"]


def test_the_browser_would_notice(tmp_path):
    page = page_of(models.noisy)
    script = (
        "<script>document.title = 'owned'; console.error('wrong'); missing()</script><div style='width: 3000px'>x</div>"
    )
    seen, complaints = browser.measured(page.replace("</main>", script + "</main>"), tmp_path)
    assert seen["title"] == "owned"
    assert len(complaints) == 2
    assert seen["needed"] > seen["given"]
    policed = tmp_path / "policed.html"
    policed.write_text(page.replace("</main>", script + "</main>"), encoding="utf-8")
    assert "Content Security Policy" in browser.opened(policed, tmp_path)[0]
