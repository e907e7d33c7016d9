"""Text that is shown holds nothing that a terminal would obey."""

import pytest

from scalesr.errors import DataError, FormulaError, ScaleSRWarning
from scalesr.visible import visible, visible_lines


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("größe (µm)", "größe (µm)"),
        ("\x1b[2J", r"\x1b[2J"),
        ("a\x07\x00\x9b", r"a\x07\x00\x9b"),
        ("a\nError: fine", r"a\nError: fine"),
        ("\u202egnp.exe", r"\u202egnp.exe"),
        ("\udc80", r"\udc80"),
    ],
)
def test_what_does_not_print_is_escaped(text, shown):
    assert visible(text) == shown


def test_lines_stay_lines():
    assert visible_lines("a\x1b\nb\r\n") == "a\\x1b\nb\\r\n"


@pytest.mark.parametrize("kind", [DataError, FormulaError, ScaleSRWarning])
def test_errors_and_warnings_are_shown_so(kind):
    assert str(kind("Column \x1b[2J")) == r"Column \x1b[2J"
