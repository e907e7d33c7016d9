"""Runs that are interrupted or killed: the counts are those of what has happened."""

import json

from scalesr_bench.clock import breaking
from scalesr_bench.clock.breaking import measure_interrupts, measure_kills


def test_a_killed_run_that_is_resumed_ends_in_the_law_of_the_unbroken_one():
    found = measure_kills(1, 0, lambda _: None, work=1.0)
    assert (found["kills"], found["unreadable_files"], found["other_laws"]) == (1, 0, 0)
    assert "x0" in found["law"]


def test_an_interrupted_run_leaves_its_law():
    found = measure_interrupts(1, 0, lambda _: None)
    assert (found["interrupts"], found["without_a_law"]) == (1, 0)
    assert found["slowest_seconds"] > 0
    assert found["most_processor_seconds"] >= 0


def test_another_law_and_a_broken_file_are_counted(tmp_path, monkeypatch):
    class Process:
        def kill(self):
            pass

    def started(work, law, kept, units):
        law.write_text(json.dumps({"law": "another"}))
        kept.write_text("half a checkpo")
        return Process()

    monkeypatch.setattr(breaking, "_started", started)
    monkeypatch.setattr(breaking, "_ended", lambda process: None)
    found = breaking._killed(tmp_path, 0.0, json.dumps({"law": "the unbroken one"}), 1.0)
    assert (found.had_file, found.is_readable, found.is_same) == (True, False, False)
    assert not breaking._is_law(tmp_path / "law.json")
