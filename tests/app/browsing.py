"""The page in a real browser: the system's Chromium, driven by Playwright."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = ["--no-sandbox", "--disable-gpu"]
PATIENCE = 300_000  # milliseconds after which a test gives up; nothing is decided by it


def browser() -> str | None:
    """The browser's program, if this machine has one."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


@contextmanager
def launched() -> Iterator[Any]:
    """A browser without a window, which takes a second or two to come up: one is enough for all tests."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        program = driver.chromium.launch(executable_path=browser(), args=OPTIONS)
        try:
            yield program
        finally:
            program.close()


@contextmanager
def opened(program: Any, **options: Any) -> Iterator[tuple[Any, list[str]]]:
    """A page of a browser, with cookies of its own, and what it complains about."""
    context = program.new_context(**({"viewport": {"width": 1280, "height": 900}} | options))
    try:
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        yield page, listened(page)
    finally:
        context.close()


def listened(page: Any) -> list[str]:
    """Errors in the console, uncaught exceptions and requests to anybody else."""
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda shown: complaints.append(f"dialog {shown.message}"))
    page.on(
        "request",
        lambda asked: (
            None if re.match(r"(http|ws)://127\.0\.0\.1:|data:|blob:", asked.url) else complaints.append(asked.url)
        ),
    )
    return complaints


def field(page: Any, label: str) -> Any:
    """A control by the text of its label."""
    return page.get_by_label(label, exact=True)


def button(page: Any, text: str) -> Any:
    return page.get_by_role("button", name=text, exact=True)
