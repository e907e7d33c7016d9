"""latex_table: a Pareto front for a paper."""

from __future__ import annotations

from scalesr.expr.printing import number_text
from scalesr.expr.typeset import latex_number
from scalesr.records.discovery import Discovery


def latex_table(discovery: Discovery) -> str:
    """The Pareto front as a tabular with the rules of the package booktabs; a star marks the law that is taken."""
    lines = [
        f"{law.complexity}{mark} & ${_number(law.loss)}$ & {_share(share)} & ${law.equation.latex()}$ \\\\"
        for law, share in zip(discovery.front, discovery.probabilities, strict=True)
        for mark in ["$^{*}$" if law.equation == discovery.equation else ""]
    ]
    head = "complexity & loss & probability & law \\\\"
    return "\n".join(
        [r"\begin{tabular}{rrrl}", r"\toprule", head, r"\midrule", *lines, r"\bottomrule", r"\end{tabular}"]
    )


def _number(value: float) -> str:
    return latex_number(number_text(float(f"{value:.3g}")))


def _share(probability: float | None) -> str:
    return "" if probability is None else f"{100 * probability:.3g}\\,\\%"
