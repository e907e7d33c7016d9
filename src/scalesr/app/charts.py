"""Charts as the plain values that Plotly draws; none knows of the page it stands on.

The first three colours are told apart by people who see no red or no green, and stand out on white and on black.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

from scalesr.report.symbols import printable

FIRST: Final = "#2f86d1"  # the law
SECOND: Final = "#d9620b"  # what it is compared with
THIRD: Final = "#109c76"
FAINT: Final = "#8a949d"  # lines to compare with, and the data
TEXT: Final = "#808a93"  # of surfaces, which styles do not reach
HEIGHT: Final = 300

Values = Sequence[float | None]
Figure = dict[str, Any]


def label(name: str, longest: int = 40) -> str:
    """A name as Plotly shows it: its own small HTML is not meant."""
    shown = printable(name)
    return escape(shown if len(shown) <= longest else shown[: longest - 3] + "...")


def scatter(x: Values, y: Values, *, name: str = "", colour: str = FIRST, symbol: str = "circle") -> Figure:
    """Small dots."""
    marker = {"size": 6, "color": colour, "opacity": 0.65, "symbol": symbol}
    return {"type": "scatter", "mode": "markers", "x": list(x), "y": list(y), "name": label(name), "marker": marker}


def line(x: Values, y: Values, *, name: str = "", colour: str = FIRST, dash: str = "solid") -> Figure:
    """A curve."""
    style = {"color": colour, "width": 2.2, "dash": dash}
    drawn = {"type": "scatter", "mode": "lines", "x": list(x), "y": list(y), "line": style}
    return drawn | {"name": label(name), "showlegend": bool(name)}


def figure(traces: Sequence[Figure], x: str, y: str, *, log_y: bool = False, legend: bool = False) -> Figure:
    """Traces on a pair of axes."""
    layout: dict[str, Any] = _layout()
    layout["xaxis"] = _axis(x)
    layout["yaxis"] = _axis(y) | (_logarithmic(traces) if log_y else {})
    layout["showlegend"] = legend
    return {"data": list(traces), "layout": layout, "config": {"displayModeBar": False}}


def agreement(law: Values, y: Values, target: str, *, other: tuple[str, Values] | None = None) -> Figure:
    """What the law says against what was measured; on the line they agree."""
    ends = _ends([*law, *y])
    traces = [line(ends, ends, colour=FAINT), scatter(law, y, name="the law")]
    if other is not None:
        traces.append(scatter(other[1], y, name=other[0], colour=SECOND, symbol="diamond-open"))
    return figure(traces, f"{target} by the law", f"{target} in the table", legend=other is not None)


def residuals(law: Values, y: Values, target: str, *, other: tuple[str, Values] | None = None) -> Figure:
    """What a law leaves of each row, along what it says."""
    ends = _ends(law)
    traces = [line(ends, [0.0, 0.0], colour=FAINT), scatter(law, _minus(y, law), name="the law")]
    if other is not None:
        traces.append(scatter(other[1], _minus(y, other[1]), name=other[0], colour=SECOND, symbol="diamond-open"))
    return figure(traces, f"{target} by the law", "table minus law", legend=other is not None)


def residual_histogram(law: Values, y: Values) -> Figure:
    """How often residuals of each size occur."""
    bars = {"type": "histogram", "x": _minus(y, law), "marker": {"color": FIRST}, "nbinsx": 30}
    return figure([bars], "table minus law", "rows")


def front(laws: Sequence[Mapping[str, Any]], *, best: int | None = None, chosen: int | None = None) -> Figure:
    """Error against complexity; the law is the large dot, the one that it is compared with a diamond."""
    floor = _floor(laws)
    shown = [max(float(one["error"]), floor) for one in laws]
    sizes = [15 if place == best else 13 if place == chosen else 9 for place in range(len(laws))]
    colours = [SECOND if place == chosen else FIRST if place == best else FAINT for place in range(len(laws))]
    symbols = ["diamond" if place == chosen else "circle" for place in range(len(laws))]
    trace = {
        "type": "scatter", "mode": "lines+markers", "x": [one["complexity"] for one in laws], "y": shown,
        "text": [label(str(one["law"]), 70) for one in laws],
        "hovertemplate": "%{text}<br>error %{y:.3g}<extra></extra>",
        "line": {"color": FAINT, "width": 1, "shape": "hv"},
        "marker": {"size": sizes, "color": colours, "symbol": symbols}, "cliponaxis": False,
    }  # fmt: skip
    return _from_zero(figure([trace], "complexity", "error", log_y=True))


def front_line(laws: Sequence[Mapping[str, Any]], *, name: str, colour: str) -> Figure:
    """One Pareto front among others."""
    floor = _floor(laws)
    drawn = line([one["complexity"] for one in laws], [max(one["error"], floor) for one in laws], name=name)
    drawn["line"] |= {"color": colour, "shape": "hv"}
    return drawn | {"mode": "lines+markers", "cliponaxis": False}


def fronts(traces: Sequence[Figure]) -> Figure:
    """Several Pareto fronts."""
    return _from_zero(figure(traces, "complexity", "error", log_y=True, legend=True))


def constants(names: Sequence[str], shares: Sequence[float]) -> Figure:
    """How well constants are known: each with a bar of two standard errors to both sides, in per cent of itself."""
    trace = {
        "type": "scatter", "mode": "markers", "x": [0.0] * len(names), "y": [label(name) for name in names],
        "error_x": {"type": "data", "array": [200 * share for share in shares], "color": FIRST, "thickness": 2.2},
        "marker": {"size": 8, "color": FIRST},
    }  # fmt: skip
    drawn = figure([trace], "per cent, two standard errors", "")
    drawn["layout"]["yaxis"] |= {"type": "category", "autorange": "reversed"}
    drawn["layout"]["height"] = 110 + 26 * len(names)
    return drawn


def history(points: Sequence[Sequence[float]]) -> Figure:
    """The error of the best law over time."""
    floor = 1e-16  # of the target's standard deviation: rounding
    x, y = [one[0] for one in points], [max(one[1], floor) for one in points]
    trace = line(x, y) | {"mode": "lines+markers", "cliponaxis": False}
    trace["line"]["shape"] = "hv"
    return _from_zero(figure([trace], "seconds", "error / standard deviation", log_y=True))


def curves(seen: Mapping[str, Any]) -> Figure:
    """What a stage saw along a variable, as dots, and what its formula says, as lines."""
    traces = []
    for one, colour in zip(seen["lines"], (FIRST, SECOND, THIRD, FAINT), strict=False):
        traces.append(scatter(one["x"], one["y"], colour=colour))
        if one["formula"]:
            traces.append(line(one["x"], one["formula"], colour=colour))
    return figure(traces, str(seen["x"]), str(seen["y"]))


def surface(x: Values, y: Values, z: Sequence[Values], names: tuple[str, str], target: str) -> Figure:
    """The law over two of its variables."""
    heights = [list(row) for row in z]
    trace = {"type": "surface", "x": list(x), "y": list(y), "z": heights, "colorscale": "Cividis", "showscale": False}
    layout = _layout() | {"height": 420, "margin": {"l": 0, "r": 0, "t": 0, "b": 0}}
    axes = zip(("xaxis", "yaxis", "zaxis"), (*names, target), strict=True)
    look = {"color": TEXT, "gridcolor": FAINT, "nticks": 6}
    layout["scene"] = {axis: {"title": {"text": label(name, 24)}} | look for axis, name in axes}
    layout["scene"] |= {"aspectmode": "manual", "aspectratio": {"x": 1, "y": 1, "z": 0.7}}
    layout["scene"]["camera"] = {"eye": {"x": 1.3, "y": -1.6, "z": 0.7}, "center": {"x": 0, "y": 0, "z": -0.12}}
    return {"data": [trace], "layout": layout, "config": {"displayModeBar": False}}


def histogram(edges: Sequence[float], counts: Sequence[int]) -> str:
    """A column's histogram as a small picture for a line of a table."""
    most = max(counts) or 1
    width = 100 / len(counts)
    bars = "".join(
        f'<rect x="{place * width:.2f}" y="{24 - 24 * count / most:.2f}" width="{width * 0.9:.2f}" '
        f'height="{24 * count / most:.2f}"></rect>'
        for place, count in enumerate(counts)
    )
    told = f"values from {edges[0]:.4g} to {edges[-1]:.4g}"
    return (
        f'<svg class="bars" viewBox="0 0 100 24" preserveAspectRatio="none" role="img" aria-label="{told}">{bars}</svg>'
    )


def pair(x: Values, y: Values, label: str) -> str:
    """One column against another as a small picture with the ends of both axes, quick to draw where there are many."""
    known = [(a, b) for a, b in zip(x, y, strict=True) if a is not None and b is not None]
    (left, right), (low, high) = (_ends([one[place] for one in known]) for place in (0, 1))
    dots = "".join(
        f"M{52 + 144 * _share(a, left, right):.1f} {116 - 104 * _share(b, low, high):.1f}h0" for a, b in known
    )
    texts = ((48, 132, "start", left), (199, 132, "end", right), (43, 15, "end", high), (43, 119, "end", low))
    ends = "".join(f'<text x="{x}" y="{y}" text-anchor="{side}">{end:.3g}</text>' for x, y, side, end in texts)
    return (
        f'<svg class="pair" viewBox="0 0 200 136" role="img" aria-label="{escape(printable(label))}">'
        f'<path class="axes" d="M47 6V121H199"></path><path class="dots" d="{dots}"></path>{ends}</svg>'
    )


def _share(value: float, least: float, most: float) -> float:
    """Where a value stands between two others; halfway where these are one."""
    return (value - least) / (most - least) if most > least else 0.5


def _layout() -> dict[str, Any]:
    clear = "rgba(0,0,0,0)"
    return {
        "height": HEIGHT, "margin": {"l": 60, "r": 16, "t": 16, "b": 48}, "paper_bgcolor": clear, "plot_bgcolor": clear,
        "font": {"family": "system-ui, sans-serif", "size": 13, "color": TEXT}, "hovermode": "closest",
        "legend": {"orientation": "h", "y": 1.12}, "dragmode": "zoom",
    }  # fmt: skip


def _floor(laws: Sequence[Mapping[str, Any]]) -> float:
    """Where an error of zero is drawn on an axis of powers."""
    return 0.1 * min((float(one["error"]) for one in laws if one["error"] > 0), default=1.0)


def _logarithmic(traces: Sequence[Figure]) -> Figure:
    """An axis of powers whose numbers do not stand on each other: decades, or 1, 2 and 5 where there are few."""
    values = [math.log10(value) for trace in traces for value in trace["y"] if value is not None and value > 0]
    decades = max(values, default=0.0) - min(values, default=0.0)
    return {"type": "log", "dtick": "D2" if decades < 1.5 else max(1, math.ceil(decades / 6))}


def _axis(name: str) -> dict[str, Any]:
    return {
        "title": {"text": label(name) if name else ""}, "gridcolor": "rgba(128,128,128,0.25)", "zeroline": False,
        "automargin": True, "linecolor": FAINT, "exponentformat": "power", "minexponent": 5,
    }  # fmt: skip


def _from_zero(drawn: Figure) -> Figure:
    """A figure whose horizontal axis begins at zero, as times and complexities do."""
    drawn["layout"]["xaxis"]["rangemode"] = "tozero"
    return drawn


def _ends(values: Sequence[float | None]) -> list[float]:
    known = [value for value in values if value is not None]
    return [min(known, default=0.0), max(known, default=1.0)]


def _minus(left: Values, right: Values) -> list[float | None]:
    return [None if a is None or b is None else a - b for a, b in zip(left, right, strict=True)]
