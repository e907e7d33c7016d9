"""A formula that the user types or edits, fitted and judged beside the law that was found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scalesr.app.laws import Shown, typeset
from scalesr.app.parts import element, paragraph, section, text_field, trusted
from scalesr.errors import ScaleSRError
from scalesr.runs.judged import judged, propose

if TYPE_CHECKING:
    from scalesr.app.pages.run import RunPage


def show_judging(page: RunPage, found: Shown) -> None:
    """A line to type a formula into, and the verdicts on those typed so far."""
    with section("A formula of your own"):
        paragraph(
            f"Edit the law or write another: what stands after {found.target} = . C is a constant to be fitted, other "
            "numbers stay as they are.",
            classes="hint",
        )
        with element("form", classes="fields") as form:
            field = text_field("Formula", str(found.discovery.equation.rounded()))
            element("button", "Fit and judge it", type="submit")
        said = element("p", "", classes="said", role="status")
        results = element("div")

        def show() -> None:
            results.clear()
            with results:
                for one in reversed(judged(page.run)):
                    _result(one, found)

        async def judge() -> None:
            try:
                propose(page.run, field.value)
                _say(said, "It is being fitted ...")
                show()
                await page.site.aside("judge", page.run)
                _say(said, "")
            except ScaleSRError as error:
                _say(said, str(error))
            show()

        form.on("submit.prevent", judge, args=[])
        show()


def _result(one: dict[str, Any], found: Shown) -> None:
    with element("article", classes="judged", tabindex=0):
        law = one.get("rounded", one["formula"])
        trusted(typeset(str(law), found.target), classes="small")
        if "fault" in one:
            paragraph(str(one["fault"]), classes="poor")
        elif "sentence" in one:
            paragraph(f"Complexity {one['complexity']}, error {one['error']:.4g}. {one['sentence']}")
        else:
            paragraph("Not judged yet.", classes="hint")


def _say(place: Any, text: str) -> None:
    place._text = text
    place.update()
