"""law_html: what a notebook shows of a fitted model."""

from __future__ import annotations

from collections.abc import Sequence

from scalesr.records.discovery import Discovery
from scalesr.report.formula import STYLE, to_html
from scalesr.report.html import details, paragraph


def law_html(discoveries: Sequence[Discovery], targets: Sequence[str]) -> str:
    """Each law in mathematical type, with its verdict and the Pareto front to unfold."""
    named = zip(discoveries, targets, strict=True)
    return f"<div><style>{STYLE}</style>" + "".join(_law(discovery, target) for discovery, target in named) + "</div>"


def _law(discovery: Discovery, target: str) -> str:
    shown = discovery.equation.rounded()
    front = [f"{law.complexity}: {law.equation} (error² {law.loss:.3g})" for law in discovery.front]
    return (
        to_html(shown.expression, shown.names, left=target)
        + paragraph(discovery.sentence)
        + details("The Pareto front: complexity and formula", front)
    )
