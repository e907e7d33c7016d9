"""The fingerprint of the rules of the lists changes with the rules and with nothing else."""

import pytest

from scalesr.search.exhaustive.rules import code_of

SOURCE = '''"""What a module is for."""

from math import pi  # a number

LABEL = "# no comment"


def area(radius):
    """Area of a circle,
    in two lines.
    """
    # its formula
    text = """a value,
not a docstring"""
    return pi * radius**2, text
'''


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("What a module is for.", "Another sentence."),
        ("  # a number", ""),
        ("# its formula", "# the formula\n    # that is known"),
        ("Area of a circle,\n    in two lines.\n    ", "Area in one line."),
        ("\n\n\ndef", "\n\ndef"),
        ('"""What a module is for."""', '"""What a module is for."""  # a comment'),
    ],
)
def test_other_words_are_the_same_code(old, new):
    assert SOURCE.replace(old, new) != SOURCE
    assert code_of(SOURCE.replace(old, new)) == code_of(SOURCE)


@pytest.mark.parametrize(
    ("old", "new"),
    [("radius**2", "radius**3"), ("# no comment", "# a comment"), ("not a docstring", "nor one"), ("math", "cmath")],
)
def test_other_code_is_other_code(old, new):
    assert code_of(SOURCE.replace(old, new)) != code_of(SOURCE)


def test_the_code_is_left():
    assert code_of(SOURCE).splitlines() == [
        "from math import pi",
        'LABEL = "# no comment"',
        "def area(radius):",
        '    text = """a value,',
        'not a docstring"""',
        "    return pi * radius**2, text",
    ]
