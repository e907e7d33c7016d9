import json

import pytest

from scalesr.app import charts

COLOURS = (charts.FIRST, charts.SECOND, charts.THIRD)
# What people without red, green or blue cones see, as matrices on linear colours (Viénot, Brettel and Mollon 1999).
SEEN = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.11238, 0.88762, 0), (0.11238, 0.88762, 0), (0.00401, -0.00401, 1)),
    "no green": ((0.29275, 0.70725, 0), (0.29275, 0.70725, 0), (-0.02234, 0.02234, 1)),
}


def linear(colour: str) -> list[float]:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def luminance(colour: str) -> float:
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear(colour), strict=True))


@pytest.mark.parametrize("eyes", SEEN)
def test_the_colours_are_told_apart_by_all_eyes(eyes):
    seen = [[sum(a * b for a, b in zip(row, linear(colour), strict=True)) for row in SEEN[eyes]] for colour in COLOURS]
    for place, one in enumerate(seen):
        for other in seen[place + 1 :]:
            assert max(abs(a - b) for a, b in zip(one, other, strict=True)) > 0.1


@pytest.mark.parametrize("ground", ["#ffffff", "#14181c"])
@pytest.mark.parametrize("colour", [*COLOURS, charts.FAINT])
def test_the_colours_stand_out_on_light_and_dark(ground, colour):
    low, high = sorted((luminance(ground), luminance(colour)))
    assert (high + 0.05) / (low + 0.05) >= 3  # what the guidelines for accessibility ask of graphics


def test_names_are_text_in_charts():
    assert charts.label("<a href='x'>y</a>") == "&lt;a href=&#x27;x&#x27;&gt;y&lt;/a&gt;"
    assert "..." in charts.label("x" * 100)
    assert charts.label("a\nb") == "a\\nb"


def test_charts_of_nothing_and_of_holes_can_be_drawn():
    drawn = [
        charts.front([]),
        charts.front([{"complexity": 1, "error": 0.0, "law": "x"}], best=0),
        charts.history([]),
        charts.agreement([None, 1.0], [1.0, None], "y"),
        charts.residuals([None], [None], "y", other=("z", [None])),
        charts.residual_histogram([None], [1.0]),
        charts.surface([0.0], [0.0], [[None]], ("a", "b"), "c"),
    ]
    for one in drawn:
        assert json.loads(json.dumps(one, allow_nan=False))["data"] is not None


def test_the_front_marks_the_law_and_what_it_is_compared_with():
    laws = [{"complexity": k, "error": 1 / k, "law": f"x^{k}"} for k in range(1, 4)]
    marker = charts.front(laws, best=1, chosen=2)["data"][0]["marker"]
    assert marker["color"] == [charts.FAINT, charts.FIRST, charts.SECOND]
    assert marker["symbol"] == ["circle", "circle", "diamond"]
