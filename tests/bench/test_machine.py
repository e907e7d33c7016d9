import json
import platform
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pytest

import scalesr_bench
from scalesr_bench.machine import provenance

SHOW = "import json; from scalesr_bench.machine import provenance; print(json.dumps(provenance()))"


def test_provenance_names_commit_machine_and_versions():
    record = provenance()
    assert re.fullmatch(r"[0-9a-f]{40}|unknown", record["commit"])
    assert record["machine"]["cores"] >= 1
    assert record["versions"]["numpy"]


def test_provenance_names_no_computer_and_no_folder():
    text = json.dumps(provenance())
    assert str(Path.home()) not in text
    assert str(Path.cwd()) not in text
    assert platform.node() not in re.findall(r"[\w.-]+", text)


@pytest.mark.parametrize(
    ("told", "commit", "source"),
    [("0123abc" * 5, "0123abc" * 5, "told"), ("", "unknown", "nowhere"), ("my tree; rm", "unknown", "nowhere")],
)
def test_a_copy_without_history_has_the_commit_that_it_is_told_and_says_so(tmp_path, told, commit, source):
    here = Path(str(scalesr_bench.__file__)).parent
    there = tmp_path / "bench" / "src" / "scalesr_bench"
    copytree(here, there, ignore=lambda *_: ["data", "__pycache__"])
    environment = {"PYTHONPATH": str(there.parent), "SCALESR_COMMIT": told, "GIT_CEILING_DIRECTORIES": "/"}
    done = subprocess.run([sys.executable, "-c", SHOW], env=environment, capture_output=True, text=True, check=True)
    record = json.loads(done.stdout)
    assert (record["commit"], record["commit_from"]) == (commit, source)
    assert not record["uncommitted_changes"]


def test_a_history_is_believed_more_than_what_is_told(monkeypatch):
    before = provenance()
    monkeypatch.setenv("SCALESR_COMMIT", "0" * 40)
    if before["commit_from"] != "history":
        pytest.skip("this tree has no history")
    assert provenance() == before
