import json
import platform
import re
from pathlib import Path

from scalesr.bench.machine import provenance


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
