"""The page of one run: what was understood, then the search as it happens, then the law."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any, Final

from nicegui import ui

from scalesr.app.laws import loaded
from scalesr.app.pages.frame import frame, tell
from scalesr.app.pages.missing import missing
from scalesr.app.pages.motion import motion_parts
from scalesr.app.pages.result import result_parts
from scalesr.app.pages.running import Watching
from scalesr.app.pages.table import show_form
from scalesr.app.parts import SENT, button, element, heading, in_words, link, paragraph
from scalesr.app.site import Site
from scalesr.errors import ScaleSRError
from scalesr.runs.plan import Plan
from scalesr.runs.run import RunFolder
from scalesr.runs.state import Phase, State

SECONDS_BETWEEN: Final = 0.5  # two looks at the run's files

# What values of another kind than those that a run writes bring about.
DAMAGED: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)

_WORDS: Final = {
    Phase.READING: "The table is being read ...",
    Phase.WAITING: "Waiting for a free place: another search is under way.",
    Phase.RUNNING: "Looking for the law.",
    Phase.PAUSED: "Paused.",
    Phase.CUT: "The work was cut off.",
    Phase.FAILED: "This did not work.",
}


class RunPage:
    """A page that follows its run's files; whatever happens to page or server, it shows what they say."""

    def __init__(self, site: Site, run: RunFolder) -> None:
        self.site, self.run = site, run
        self._shown: tuple[Any, ...] = ()
        self._editing = False
        self._watching: Watching | None = None
        self._parts: Iterator[None] = iter(())  # what is still to be shown
        with frame(run.name):
            heading(run.name, 1)
            self._head = element("div", classes="state", role="status")
            self._body = element("div")
            self._foot = element("div", classes="buttons foot")
        ui.timer(SECONDS_BETWEEN, self.look, immediate=True)

    async def look(self, *, is_first: bool = False) -> None:
        """Show what is new; the first look shows no more than what the page is sent with."""
        try:
            state = self.run.state
            key = (state.phase, state.message, self._editing, self.run.law.exists())
            if key != self._shown:
                self._shown = key
                await self._rebuild(state)
            if not is_first:
                await self._show_rest()
            if self._watching is not None:
                self._watching.update()
        except ScaleSRError as error:
            self._tell_fault(str(error))
        except DAMAGED:
            self._tell_fault("The files of this run are not as they were written; delete the run and make it again.")

    def _tell_fault(self, why: str) -> None:
        self._shown = ()
        self._body.clear()
        with self._body:
            paragraph(why)

    async def _rebuild(self, state: State) -> None:
        wanted = self._shown
        if state.phase is Phase.DONE and not self._editing:
            await asyncio.to_thread(loaded, self.run)
            if wanted != self._shown:  # something else is to be shown by now
                return
        self._head.clear()
        self._body.clear()
        self._foot.clear()
        self._watching = None
        if state.phase not in (Phase.RUNNING, Phase.READING, Phase.WAITING):
            with self._foot:
                self._delete_button()
        with self._head:
            self._tell_state(state)
        self._parts = iter(())
        with self._body:
            if state.phase is Phase.READY or self._editing:
                show_form(self)
            elif state.phase is Phase.DONE:
                plan = self.run.plan
                self._parts = (motion_parts if plan is not None and plan.kind == "motion" else result_parts)(self)
            elif state.phase in (Phase.RUNNING, Phase.WAITING, Phase.PAUSED, Phase.CUT):
                self._parts = self._watching_parts()
        self._show_part()

    async def _show_rest(self) -> None:
        """One part after the other, each sent before the next is made."""
        while not self._body.is_deleted and self._show_part():
            await asyncio.sleep(SENT)

    def _show_part(self) -> bool:
        """The next part of what is to be shown, where there is one."""
        with self._body:
            return next(self._parts, self) is not self

    def _watching_parts(self) -> Iterator[None]:
        """The search as it happens, once the buttons above it are there."""
        yield
        self._watching = Watching(self.run)

    def _tell_state(self, state: State) -> None:
        if state.phase in _WORDS:
            paragraph(_WORDS[state.phase])
        if state.message:
            paragraph(state.message, classes="" if state.phase is Phase.FAILED else "hint")
        plan = self.run.plan
        keeps = self.run.can_go_on
        if state.phase in (Phase.PAUSED, Phase.CUT) and plan is not None:
            paragraph("What was finished is kept." if keeps else "It starts over.")
        with element("div", classes="buttons"):
            if state.phase is Phase.RUNNING:
                button("Stop and keep the law", lambda: self.site.processes.stop(self.run), classes="main")
                if keeps:
                    button("Pause", lambda: self.site.processes.pause(self.run))
                    self._more_button()
            elif state.phase is Phase.WAITING:
                button("Do not wait", lambda: self.site.processes.stop(self.run))
            elif state.phase in (Phase.PAUSED, Phase.CUT) and plan is not None:
                button("Go on", self.find, classes="main")
            elif state.phase is Phase.FAILED and self.run.values("understood") is None:
                link("Bring another table", "/", classes="button")
            elif state.phase is Phase.CUT:
                button("Read the table again", lambda: self.site.processes.read(self.run), classes="main")
            if state.phase in (Phase.DONE, Phase.PAUSED, Phase.CUT, Phase.FAILED) and self.run.values("understood"):
                self._change_buttons(state)

    def _change_buttons(self, state: State) -> None:
        if state.phase is Phase.DONE and not self._editing:
            self._more_button()
        if self._editing:
            button("Back", self.show_again)
        else:
            button("Change columns or settings", self.edit)

    def _more_button(self) -> None:
        """As much time again; the button tells how much that is now."""
        plan = self.run.plan
        if plan is None:
            return
        made = button(self._more_text(plan), classes="more")

        async def more() -> None:
            await self.more()
            if self.run.state.phase is Phase.RUNNING and self.run.plan is not None:
                made._text = self._more_text(self.run.plan)
                made.update()
                tell(f"It may take {in_words(self.run.plan.time_limit)} in all now.")

        made.on("click", more, args=[])

    def _more_text(self, plan: Plan) -> str:
        if self.run.can_go_on:
            return f"Give {in_words(plan.time_limit)} more"
        return f"Begin again with {in_words(2 * plan.time_limit)}"

    def _delete_button(self) -> None:
        """A button that asks once more before everything of a run is lost."""
        place = element("span")

        def ask() -> None:
            place.clear()
            with place:
                button("Delete for good", self.delete, classes="danger")
                button("Keep", restore)

        def restore() -> None:
            place.clear()
            with place:
                button("Delete this run", ask)

        restore()

    async def find(self) -> None:
        """Begin the search, or go on with it; a process takes a moment to start, and the page does not wait for it."""
        try:
            await asyncio.to_thread(self.site.processes.find, self.run)
            self._editing = False
            await self.look()
        except ScaleSRError as error:
            tell(str(error))

    async def begin(self, plan: Plan) -> None:
        """Start over where something else is asked for; the same request, with more or less time, continues."""
        self.run.restart(plan)
        await self.find()

    async def more(self) -> None:
        """As much time again: a search that is under way goes on, one that has ended does from its checkpoint."""
        plan = self.run.plan
        if plan is not None:
            self.run.give_time(plan.time_limit)
            if self.run.state.phase is not Phase.RUNNING:
                await self.find()

    async def edit(self) -> None:
        """Show the columns and settings again."""
        self._editing = True
        await self.look()

    async def show_again(self) -> None:
        """Leave columns and settings as they were."""
        self._editing = False
        await self.look()

    def delete(self) -> None:
        """Remove the run."""
        try:
            self.run.delete()
        except ScaleSRError as error:
            tell(str(error))
        else:
            ui.navigate.to("/")


async def run_page(site: Site, key: str) -> None:
    """The page of a run, or a sentence where there is none."""
    try:
        run = site.project.run(key)
        run.name  # noqa: B018  reads the file, which may be gone
    except ScaleSRError as error:
        missing(str(error))
    else:
        await RunPage(site, run).look(is_first=True)
