"""A search as it happens: where it is, the law so far, the Pareto front, the error over time."""

from __future__ import annotations

from typing import Any, Final

from scalesr.app import charts
from scalesr.app.laws import on_sample, typeset
from scalesr.app.parts import chart, element, heading, in_words, law_box, paragraph
from scalesr.runs.run import RunFolder
from scalesr.visible import visible

SHOWN_STEPS: Final = 8  # the latest


class Watching:
    """What is seen of a search; only what is new is sent to the browser."""

    def __init__(self, run: RunFolder) -> None:
        self._run, plan = run, run.plan
        known = run.values("understood") or {"columns": [], "sample": {}}
        self._sample: dict[str, list[float | None]] = known["sample"]
        self._target = "" if plan is None else plan.target
        self._seen: dict[str, Any] = {}
        self._law = law_box("")
        self._where = paragraph("The search begins ...", classes="where")
        self._numbers = paragraph("", classes="numbers")
        self._bar = element("progress", max=1, value=0, aria_label="time used")
        with element("div", classes="pictures"):
            self._front = chart(charts.front([]), "The Pareto front: error against complexity")
            self._history = chart(charts.history([]), "The error of the best law over time")
            self._agreement = self._agreement_picture()
            self._seen_along = element("div")
        heading("So far", 2)
        self._story = element("ol", classes="story")

    def _agreement_picture(self) -> Any:
        """Where the law so far is drawn on rows of the sample."""
        drawn = chart(charts.agreement([], [], self._target), "Table against the law so far; on the line they agree")
        drawn.parent_slot.parent.set_visibility(False)
        return drawn

    def _draw_agreement(self, law: str) -> None:
        """The law so far on rows of the sample, where these have all its columns and the target."""
        values = on_sample(law, self._sample) if self._target in self._sample else []
        is_known = any(value is not None for value in values)
        self._agreement.parent_slot.parent.set_visibility(is_known)
        if is_known:
            self._agreement.update_figure(charts.agreement(values, self._sample[self._target], self._target))

    def update(self) -> None:
        """Show what the run's progress file says."""
        said = self._run.values("progress")
        if said is None:
            return
        left = self._target or said.get("target") or "y"
        if self._is_new("law", (left, said["law"])) and said["law"]:
            self._law.set_content(typeset(said["law"], left))
            self._draw_agreement(said["law"])
        self._tell_where(said)
        if self._is_new("front", (said["front"], said.get("best"))):
            self._front.update_figure(charts.front(said["front"], best=said.get("best")))
        if self._is_new("history", said["history"]):
            self._history.update_figure(charts.history(said["history"]))
        if said["curves"] and self._is_new("curves", said["curves"]):
            self._seen_along.clear()
            with self._seen_along:
                seen = said["curves"][0]
                chart(charts.curves(seen), f"{seen['y']} along {seen['x']} while the others were held; lines: formulas")
        if self._is_new("steps", said["steps"]):
            self._story.clear()
            with self._story:
                for step in said["steps"][-SHOWN_STEPS:]:
                    with element("li"):
                        element("span", step["stage"], classes="stage")
                        element("span", f" {step['summary']}")

    def _tell_where(self, said: dict[str, Any]) -> None:
        plan, left = self._run.plan, said["seconds_left"]
        error = "" if said["error"] is None else f"The law so far errs by {_share(said['error'])}."
        tail = "" if left is None else f"At most {in_words(left)} more."
        tried = f"{said['n_scored']:,} formulas tried in this step." if said["n_scored"] else ""
        for place, text in ((self._where, f"{said['where']} ..."), (self._numbers, f"{error} {tried} {tail}")):
            if self._is_new(f"text {place.id}", text):
                place._text = visible(text)
                place.update()
        if plan is not None:
            self._bar.props["value"] = min(said["seconds"] / plan.time_limit, 1.0)
            self._bar.update()

    def _is_new(self, name: str, value: Any) -> bool:
        is_new = bool(self._seen.get(name) != value)
        self._seen[name] = value
        return is_new


def _share(error: float) -> str:
    """An error as a share of the target's standard deviation."""
    told = f"{100 * error:.3g} %" if error >= 1e-4 else f"{error:.1e}"
    return f"{told} of the target's standard deviation"
