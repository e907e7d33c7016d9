"""How the page does with a million rows: the time per action and the memory of its processes.

    python -m tests.app.large --json benchmarks/results/page-large.json

Every action is timed in the browser's eyes, from the hand's movement until what it brings about is on the screen.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv

from scalesr.atomic import write_atomically
from scalesr.runs.state import Phase
from scalesr_bench.machine import provenance
from tests.app import browsing
from tests.app.browsing import button, field
from tests.app.servers import Server, served
from tests.runs.waiting import until

ALLOWED_MS, ALLOWED_MIB = 200, 2048  # of one action, and of any process of the page
REPEATS = 5  # of an action that can be repeated
LOOKED_AT = 1500  # milliseconds for which a page is looked at before the next thing is done with it
DRAWN = "drawn => drawn.calcdata[1][9].y"  # a point of the curve in a picture as Plotly has drawn it: a law that is
# proportional to what is held looks the same on axes that follow it


HEADING, RUNNING, LAW = "h1", ".state button.main", "section.result .formula"
STOPWATCH = """(() => {
  const seen = (window.seen = {});
  let begun = 0;  // of a page, when its loading began
  addEventListener("pointerdown", () => {
    begun = performance.now();
    for (const what in seen) delete seen[what];
  }, true);
  const look = () => {
    for (const what of WHAT)
      if (!(what in seen) && document.querySelector(what)) {
        seen[what] = 0;
        requestAnimationFrame(() => (seen[what] = performance.now() - begun));
      }
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
})()""".replace("WHAT", json.dumps([HEADING, RUNNING, LAW]))


class Actions:
    """Times of actions by their names, in milliseconds."""

    def __init__(self) -> None:
        self.times: dict[str, list[float]] = {}

    def time(self, name: str, do: Callable[[], Any], seen: Callable[[], Any]) -> None:
        """Do something and wait until its effect is seen."""
        begun = time.perf_counter()
        do()
        seen()
        self.times.setdefault(name, []).append(1000 * (time.perf_counter() - begun))

    def watched(self, name: str, page: Any, do: Callable[[], Any], what: str) -> None:
        """Load a page or press a button, and read from the browser's clock when what it brings was on the screen."""
        page.wait_for_timeout(LOOKED_AT)
        do()
        waited = page.wait_for_function("what => window.seen?.[what] > 0 && window.seen[what]", arg=what)
        self.times.setdefault(name, []).append(float(waited.json_value()))

    def values(self) -> dict[str, Any]:
        return {
            name: {"median_ms": round(statistics.median(times), 1), "worst_ms": round(max(times), 1), "n": len(times)}
            for name, times in self.times.items()
        }


class Memory(threading.Thread):
    """The largest memory of a server and of the processes that work on its runs, by what each does."""

    def __init__(self, server: Server) -> None:
        super().__init__(daemon=True)
        self.server, self.peaks, self._ended = server, dict[str, float](), threading.Event()

    def run(self) -> None:
        while not self._ended.wait(0.2):
            self.look()

    def look(self) -> None:
        for folder in Path("/proc").iterdir():
            if folder.name.isdecimal():
                self._note(folder)

    def _note(self, folder: Path) -> None:
        try:
            words = (folder / "cmdline").read_bytes().decode("utf-8", "replace").split("\0")
            if str(self.server.folder) not in words and not any(w.startswith(f"{self.server.folder}/") for w in words):
                return
            what = words[words.index("scalesr.runs.work") + 1] if "scalesr.runs.work" in words else "server"
            peak = int(re.search(r"VmHWM:\s+(\d+)", (folder / "status").read_text())[1]) / 1024
        except (OSError, TypeError, ValueError):  # it has ended meanwhile
            return
        self.peaks[what] = max(self.peaks.get(what, 0.0), peak)

    def end(self) -> dict[str, int]:
        self._ended.set()
        self.join()
        return {what: round(peak) for what, peak in self.peaks.items()}


@contextmanager
def remembered(server: Server):
    """A block whose memory is looked at."""
    memory = Memory(server)
    memory.start()
    yield memory


def write_table(path: Path, n_rows: int, n_columns: int) -> None:
    """A law of three columns with a little noise, among others that do not matter; the last column is the target."""
    rng = np.random.default_rng(0)
    columns = {f"x{place}": rng.uniform(1, 3, n_rows).round(6) for place in range(n_columns - 1)}
    y = 2.5 * columns["x0"] * columns["x1"] ** 2 / columns["x2"] + 0.05 * rng.normal(size=n_rows)
    pyarrow.csv.write_csv(pa.table(columns | {"y": y.round(6)}), path)


def use(server: Server, page: Any, table: Path, actions: Actions) -> dict[str, float]:
    """The whole way with a large table; seconds of what is done beside the page."""
    page.add_init_script(STOPWATCH)
    page.goto(server.address)
    page.get_by_role("heading", name="An example").wait_for()
    begun = time.perf_counter()
    page.locator("#file").set_input_files(table)
    page.wait_for_url("**/runs/*", timeout=600_000)
    sent = time.perf_counter()
    run = server.project.run(page.url.rsplit("/", 1)[-1])
    while run.state.phase is Phase.READING:  # the first page answers meanwhile
        actions.watched("reload the page while the table is read", page, page.reload, HEADING)
        page.wait_for_timeout(2000)
    read = time.perf_counter()
    button(page, "Find the law").wait_for()
    form(page, actions)
    search(server, page, run, actions)
    result(page, actions)
    return {"upload_s": round(sent - begun, 1), "read_s": round(read - sent, 1)}


def form(page: Any, actions: Actions) -> None:
    pair = page.locator("figcaption").first
    for place in range(REPEATS):
        target = f"x{place + 5}"
        actions.time(
            "choose another target",
            lambda target=target: field(page, "Column that the law is for").select_option(target),
            lambda target=target: page.wait_for_function(
                "([element, text]) => element.isConnected === false || element.textContent.startsWith(text)",
                arg=[pair.element_handle(), target],
            ),
        )
        actions.time(
            "clear a mark", field(page, f"use x{place + 10}").uncheck, page.get_by_role("heading").first.wait_for
        )
    field(page, "Column that the law is for").select_option("y")
    actions.time(
        "open a fold", page.get_by_text("What you know of the law").click, field(page, "A law with holes").wait_for
    )
    field(page, "Time at most").select_option("10")


def search(server: Server, page: Any, run: Any, actions: Actions) -> None:
    begin = button(page, "Find the law")
    actions.watched("find the law", page, begin.click, RUNNING)
    page.locator(".law .formula").wait_for(timeout=600_000)
    for _ in range(REPEATS):
        actions.watched("reload the page of a search", page, page.reload, RUNNING)
        if run.state.phase is not Phase.RUNNING:
            break
    until(lambda: run.state.phase not in (Phase.RUNNING, Phase.WAITING), "the search ends")
    assert run.state.phase is Phase.DONE, run.state
    page.get_by_role("heading", name="Take it away").wait_for()


def result(page: Any, actions: Actions) -> None:
    page.locator("path.js-line").first.wait_for()
    picture = page.locator("figure", has_text="The law along the moving variable").locator(".js-plotly-plot")
    slider = page.locator("input[type=range]:visible").first
    for place in range(REPEATS):
        before = picture.evaluate(DRAWN)
        actions.time(
            "move a slider",
            lambda place=place: slider.fill(str(1.2 + 0.3 * place)),
            lambda before=before: page.wait_for_function(
                f"([drawn, before]) => ({DRAWN})(drawn) !== before", arg=[picture.element_handle(), before]
            ),
        )
    buttons = page.get_by_role("button", name="Compare")
    for place in range(REPEATS):
        told = page.locator("[role=status] .formula")
        before = told.first.inner_text() if told.count() else ""
        page.wait_for_timeout(LOOKED_AT)
        actions.time(
            "compare a law of the front",
            buttons.nth(place % min(buttons.count(), 2)).click,
            lambda before=before: page.wait_for_function(
                "before => ![null, undefined, before].includes("
                "document.querySelector('[role=status] .formula')?.innerText)",
                arg=before,
            ),
        )
    button(page, "Draw the surface").click() if button(page, "Draw the surface").count() else None
    for _ in range(REPEATS):
        actions.watched("reload the page of a law", page, page.reload, LAW)
        page.get_by_role("heading", name="Take it away").wait_for()


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--rows", type=int, default=1_000_000)
    asked.add_argument("--columns", type=int, default=20)
    asked.add_argument("--json", type=Path, required=True)
    asked.add_argument("--note", default="", help="what else is to be known of the machine and the measurement")
    given = asked.parse_args()
    actions = Actions()
    with tempfile.TemporaryDirectory() as place:
        table = Path(place) / "large.csv"
        write_table(table, given.rows, given.columns)
        size, load = table.stat().st_size, os.getloadavg()[0]
        with (
            served(Path(place) / "runs") as server,
            browsing.launched() as program,
            browsing.opened(program) as (page, _),
            remembered(server) as memory,
        ):
            beside = use(server, page, table, actions)
            peaks = memory.end()
    worst = max(one["median_ms"] for one in actions.values().values())
    told = {
        "note": given.note,
        "table": {"rows": given.rows, "columns": given.columns, "megabytes": round(size / 1e6)},
        "actions": actions.values(), "slowest_median_ms": worst, "allowed_ms": ALLOWED_MS,
        "peak_memory_mib": peaks, "allowed_mib": ALLOWED_MIB, **beside,
        "load_of_the_machine": {"before": round(load, 1), "after": round(os.getloadavg()[0], 1)},
    }  # fmt: skip
    write_atomically(given.json, (json.dumps(provenance() | told, indent=2) + "\n").encode())
    print(json.dumps(told, indent=2))


if __name__ == "__main__":
    main()
