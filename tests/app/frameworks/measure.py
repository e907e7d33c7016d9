"""What the same small page takes in NiceGUI, Panel and Shiny: packages, memory, first load, a slider, faults.

    python -m tests.app.frameworks.measure --json benchmarks/results/page-frameworks.json

in an environment with `pip install nicegui panel shiny shinywidgets plotly playwright axe-playwright-python`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe

from scalesr_bench.machine import provenance
from tests.app import browsing

PARTS = {"nicegui": ["nicegui", "plotly"], "panel": ["panel", "plotly"], "shiny": ["shiny", "shinywidgets"]}
OURS = {"numpy", "pandas", "scipy"}  # which the project needs in any case
REPEATS = 15
LOST = 5.0  # seconds after which a click has had no effect
CURVE, SLIDERS = "path.js-line", ".q-slider, .noUi-target, .irs-line"


def needed(names: list[str]) -> set[str]:
    """The distributions that some need, with those that these need."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = re.sub(r"[-_.]+", "-", waiting.pop()).lower()
        if name in found or name in OURS:
            continue
        try:
            lines = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            continue  # for other systems or extras
        found.add(name)
        waiting += [re.split(r"[\s;<>=!~\[(]", line)[0] for line in lines if "extra ==" not in line]
    return found


def megabytes(names: set[str]) -> float:
    files = [Path(file.locate()) for name in names for file in metadata.files(name) or []]
    return sum(path.stat().st_size for path in files if path.is_file()) / 1e6


@contextmanager
def serving(framework: str) -> Iterator[tuple[int, int]]:
    """A server of the page: its port and the id of its process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "tests.app.frameworks.pages", framework, str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield port, process.pid
    finally:
        process.kill()
        process.wait()


def peak_mib(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) // 1024


def drawn_ms(page: Any, share: float) -> float:
    """From a click at a share of the first slider until the curve on the screen is another one."""
    page.wait_for_timeout(700)  # for what the click before has brought about
    curve, box = page.locator(CURVE).first, page.locator(SLIDERS).first.bounding_box()
    before = curve.get_attribute("d")
    begun = time.perf_counter()
    page.mouse.click(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
    while curve.get_attribute("d") == before and time.perf_counter() - begun < LOST:
        page.wait_for_timeout(2)
    return 1000 * (time.perf_counter() - begun)


def looked_at(framework: str, program: Any) -> dict[str, Any]:
    sizes: list[int] = []
    with serving(framework) as (port, process), browsing.opened(program) as (page, _):
        outside: set[str] = set()

        def answered(answer: Any) -> None:
            if not answer.url.startswith(f"http://127.0.0.1:{port}"):
                outside.add(answer.url)

        page.on("response", answered)
        page.on("requestfinished", lambda asked: sizes.append(asked.sizes()["responseBodySize"]))
        page.on("requestfailed", lambda asked: outside.add(asked.url))
        begun = time.perf_counter()
        page.goto(f"http://127.0.0.1:{port}/")
        page.locator(CURVE).first.wait_for()
        loaded = time.perf_counter() - begun
        page.wait_for_timeout(1500)
        times = [drawn_ms(page, 0.3 if place % 2 else 0.7) for place in range(REPEATS)]
        found = Axe().run(page).response["violations"]
        faults = sorted(one["id"] for one in found if one["impact"] in ("serious", "critical"))
        memory = peak_mib(process)
    parts = needed(PARTS[framework])
    return {
        "version": metadata.version(framework),
        "packages_beyond_ours": len(parts), "megabytes": round(megabytes(parts)),
        "server_mib": memory, "requests": len(sizes), "loaded_mb": round(sum(sizes) / 1e6, 1),
        "asked_of_others": sorted({url.split("/")[2] for url in outside if url.startswith("http")}),
        "first_load_s": round(loaded, 2), "slider_median_ms": round(statistics.median(times)),
        "slider_worst_ms": round(max(times)), "serious_faults_of_accessibility": faults,
    }  # fmt: skip


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--json", type=Path, required=True)
    given = asked.parse_args()
    load = os.getloadavg()[0]
    with browsing.launched() as program:
        found = {framework: looked_at(framework, program) for framework in PARTS}
    told = provenance() | {"what": __doc__.splitlines()[0], "load_of_the_machine": round(load, 1), "frameworks": found}
    given.json.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(told, indent=2))


if __name__ == "__main__":
    main()
