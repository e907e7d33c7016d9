import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
EXPECTED = {
    "groups.py": "so p = 8.314 * T / V",
    "own_operator.py": "softplus(1.5",
    "trajectories.py": "/(V^3 + 1) - U",  # with 4 to ten digits; a nat decides how it is written
}


def test_every_example_is_run():
    assert {path.name for path in EXAMPLES.glob("*.py")} == EXPECTED.keys()


@pytest.mark.parametrize(("name", "line"), EXPECTED.items())
def test_the_example_prints_its_law(name, line):
    # in a process of its own: an example may define operators
    done = subprocess.run([sys.executable, EXAMPLES / name], capture_output=True, text=True, check=True)
    assert line in done.stdout
