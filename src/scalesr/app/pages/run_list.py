"""The runs of a project, newest first: to be opened again, compared and deleted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from nicegui import ui

from scalesr.app.pages.frame import tell
from scalesr.app.parts import button, checkbox, element, in_words, link, paragraph, table
from scalesr.app.site import Site
from scalesr.errors import ScaleSRError
from scalesr.runs.compare import MOST
from scalesr.runs.run import RunFolder
from scalesr.runs.state import Phase

LONGEST: Final = 70  # characters of a law in the list
SECONDS_BETWEEN: Final = 1.0  # two looks at the runs
SHOWN: Final = 40  # runs that are listed before somebody asks for all


@dataclass(frozen=True, slots=True)
class RunLine:
    """What the list says of a run."""

    key: str
    name: str
    begun: str
    phase: str
    law: str = ""
    verdict: str = ""
    share: float | None = None
    seconds: float = 0.0


class RunList:
    """The list, which is shown again when one of the runs has changed."""

    def __init__(self, site: Site) -> None:
        self._site, self._lines = site, list[RunLine]()
        self._n_runs, self._n_shown, self._marked = -1, SHOWN, set[str]()
        self._body = element("div")
        self._timer = ui.timer(SECONDS_BETWEEN, self._look, immediate=True)

    async def _look(self) -> None:
        n_runs, lines = await asyncio.to_thread(self._read)
        if (n_runs, lines) != (self._n_runs, self._lines):
            self._n_runs, self._lines = n_runs, lines
            self._show()

    def _read(self) -> tuple[int, list[RunLine]]:
        runs = self._site.project.runs()
        return len(runs), [line for run in runs[: self._n_shown] if (line := _line(run)) is not None]

    def _show(self) -> None:
        self._marked &= {line.key for line in self._lines}
        self._body.clear()
        with self._body:
            if not self._lines:
                paragraph("None yet. Each table that you bring gets a folder of plain files here:", classes="hint")
                element("code", str(self._site.project.path))
                return
            heads = ["mark", "table", "begun", "state", "law", "verdict", "error / standard deviation", "time"]
            table(heads, [self._cells(line) for line in self._lines], caption="Runs, the newest first", classes="cards")
            if self._n_runs > self._n_shown:
                button(f"Show all {self._n_runs}", self._show_all)
            with element("div", classes="buttons"):
                button("Compare the marked runs", self._compare)
                self._delete_button()
            paragraph(f"Kept as plain files in {self._site.project.path}", classes="hint")

    def _cells(self, line: RunLine) -> list[Any]:
        law = line.law if len(line.law) <= LONGEST else line.law[: LONGEST - 3] + "..."
        return [
            self._mark(line),
            lambda: link(line.name, f"/runs/{line.key}"),
            line.begun,
            line.phase,
            (lambda: element("code", law)) if law else "",
            line.verdict,
            "" if line.share is None else line.share,
            in_words(line.seconds) if line.seconds else "",
        ]

    def _mark(self, line: RunLine) -> Callable[[], None]:
        def put() -> None:
            field = checkbox(f"mark {line.name}", line.key in self._marked)
            field.label.classes("away")
            field.on_change(lambda: (self._marked.add if field.value else self._marked.discard)(line.key))

        return put

    async def _show_all(self) -> None:
        self._n_shown = self._n_runs
        await self._look()

    def _compare(self) -> None:
        keys = [line.key for line in self._lines if line.key in self._marked]
        if 2 <= len(keys) <= MOST:
            ui.navigate.to(f"/compare?runs={','.join(keys)}")
        else:
            tell(f"Mark two to {MOST} runs in the list; {len(keys)} are marked.")

    def _delete_button(self) -> None:
        """A button that asks once more before everything of the marked runs is lost."""
        place = element("span")

        def ask() -> None:
            if not self._marked:
                tell("Mark the runs that are to be deleted.")
                return
            place.clear()
            with place:
                button(f"Delete {len(self._marked)} for good", self._delete, classes="danger")
                button("Keep", restore)

        def restore() -> None:
            place.clear()
            with place:
                button("Delete the marked runs", ask)

        restore()

    async def _delete(self) -> None:
        try:
            for key in sorted(self._marked):
                self._site.project.run(key).delete()
        except ScaleSRError as error:
            tell(str(error))
        self._lines = []
        await self._look()


def _line(run: RunFolder) -> RunLine | None:
    """A run in one line of the list; None where it has no name."""
    try:
        name, begun = run.name, "" if run.begun is None else f"{run.begun:%d %b %H:%M}"
    except ScaleSRError:
        return None
    try:
        state, about = run.state, run.values("summary") or {}
    except ScaleSRError as error:
        return RunLine(run.key, name, begun, str(error))
    if state.phase is not Phase.DONE:
        return RunLine(run.key, name, begun, str(state.phase), seconds=state.seconds)
    share = about.get("share")
    return RunLine(
        run.key, name, begun, str(state.phase), str(about.get("law", "")), str(about.get("verdict", "")),
        float(share) if isinstance(share, int | float) else None, state.seconds,
    )  # fmt: skip
