"""The engine is made ready at once, in other processes where there are cores, and says how far it is."""

from __future__ import annotations

import dataclasses
import math

import pytest

from scalesr.kernels import engine
from scalesr.records.budget import Progress
from scalesr.records.engine import ready_engine


@dataclasses.dataclass
class Part:
    """A part that counts how often it is compiled."""

    name: str
    is_on_disk: bool = False
    n_made: int = 0

    @property
    def is_ready(self) -> bool:
        return self.n_made > 0

    def make_ready(self) -> None:
        self.n_made += 1


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> tuple[Part, ...]:
    made = (Part("on disk", is_on_disk=True), Part("first"), Part("second"))
    monkeypatch.setattr(engine, "PARTS", made)
    return made


def test_what_is_missing_is_told_as_it_is_compiled(parts: tuple[Part, ...]) -> None:
    told: list[tuple[int, int]] = []
    engine.make_ready(lambda *counts: told.append(counts), n_workers=1)
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert all(part.is_ready for part in parts)


def test_nothing_is_told_where_nothing_is_compiled(parts: tuple[Part, ...]) -> None:
    engine.make_ready(n_workers=1)
    told: list[tuple[int, int]] = []
    engine.make_ready(lambda *counts: told.append(counts), n_workers=1)
    assert told == []


def test_a_worker_that_fails_leaves_its_part_to_this_process(parts: tuple[Part, ...]) -> None:
    engine.make_ready(n_workers=2)  # the workers know no such parts and end
    assert [part.is_ready for part in parts] == [True, True, True]


def test_the_line_of_progress_counts_parts(parts: tuple[Part, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_n_cores", lambda: 1)
    told: list[Progress] = []
    ready_engine(told.append)
    assert told[1].where == "compiling the engine, once per machine: 2 of 3 parts"
    assert told[1].headline == told[0].headline
    assert math.isinf(told[0].error)


def test_every_routine_of_a_fit_is_a_part() -> None:
    engine.make_ready()
    assert len({part.name for part in engine.PARTS}) == len(engine.PARTS)
    assert all(part.is_ready for part in engine.PARTS)
