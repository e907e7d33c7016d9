"""A real browser without a window, for pages in files."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

UNHURRIED = 600  # seconds after which a browser counts as hanging: starting one takes a minute on a busy machine
NAMES = ("chromium", "chromium-browser", "google-chrome")
QUIET = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
    "--enable-logging=stderr", "--log-level=0",
)  # fmt: skip

# Put at the end of a page; what it measures is in the page that the browser hands back.
MEASURE = """
<script>
const box = e => { const r = e.getBoundingClientRect(); return [r.width, r.height]; };
const all = name => [...document.querySelectorAll(name)].map(box);
const seen = {
  title: document.title, pictures: all("figure svg"), laws: all(".formula"),
  signs: all(".root > svg"), roots: all(".root > span"), body: document.body.innerText,
  needed: document.body.scrollWidth, given: document.body.clientWidth,
  ground: getComputedStyle(document.body).backgroundColor,
  ink: getComputedStyle(document.querySelector("svg text")).fill,
};
const place = document.createElement("pre");
place.id = "measured"; place.textContent = JSON.stringify(seen);
document.body.append(place);
</script>
"""


def browser() -> str | None:
    """The browser's program, if this machine has one."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


def measured(
    page: str, folder: Path, *options: str, width: int = 900, fonts: str | None = None
) -> tuple[dict[str, Any], list[str]]:
    """What the browser sees of a page that is `width` pixels wide, and what it complains about.

    `fonts` are settings of fontconfig, in the place of this machine's.
    """
    without_policy = re.sub(r"<meta http-equiv[^>]*>", "", page)  # which would keep ours from running, too
    file = folder / "page.html"
    narrow = f"<style>body {{ width: {width}px; }}</style>"  # no window is narrower than 500
    file.write_text(without_policy.replace("</body>", narrow + MEASURE + "</body>"), encoding="utf-8")
    done = _run(file, folder, "--window-size=1000,2000", "--dump-dom", *options, fonts=fonts)
    (found,) = re.findall(r'<pre id="measured">(.*?)</pre>', done.stdout, re.DOTALL)
    return json.loads(_unescaped(found)), complaints(done.stderr)


def opened(file: Path, folder: Path) -> list[str]:
    """What the browser complains about when it opens a page as it is."""
    return complaints(_run(file, folder, "--dump-dom").stderr)


def complaints(log: str) -> list[str]:
    return [line for line in log.splitlines() if "CONSOLE" in line]


def _run(file: Path, folder: Path, *options: str, fonts: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = dict(os.environ)
    if fonts is not None:
        (folder / "fonts.conf").write_text(fonts, encoding="utf-8")
        environment["FONTCONFIG_FILE"] = str(folder / "fonts.conf")
    command = [str(browser()), *QUIET, f"--user-data-dir={folder / 'browser'}", *options, file.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=UNHURRIED, env=environment)


def _unescaped(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&nbsp;", "\u00a0").replace("&amp;", "&")
