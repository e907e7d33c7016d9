import os
from pathlib import Path

import pytest

from scalesr_bench.run_log import RunLog
from scalesr_bench.runner import run_jobs


def work(job):
    """Square a number and leave a trace of having run."""
    number, folder = job
    with (Path(folder) / "trace").open("a") as trace:
        trace.write(f"{number}\n")
    return {"square": number**2, "threads": os.environ["OMP_NUM_THREADS"]}


def executed(folder):
    path = folder / "trace"
    numbers = [int(line) for line in path.read_text().split()] if path.exists() else []
    path.unlink(missing_ok=True)
    return sorted(numbers)


@pytest.fixture
def jobs(tmp_path):
    return {f"job {number}": (number, str(tmp_path)) for number in range(6)}


def test_a_killed_run_goes_on_where_it_stopped(tmp_path, jobs):
    path = tmp_path / "runs.jsonl"
    whole = run_jobs(jobs, work, RunLog(path, "code 1"), n_processes=2)
    assert executed(tmp_path) == list(range(6))
    assert list(whole) == list(jobs)
    assert whole["job 3"] == {"square": 9, "threads": "1"}

    lines = path.read_text().splitlines(keepends=True)
    done = {line.split('"job": "')[1][:5] for line in lines[:3]}
    path.write_text("".join(lines[:3]) + lines[3][:25])  # as a kill in the middle of a line leaves it
    standings = []
    resumed = run_jobs(jobs, work, RunLog(path, "code 1"), progress=standings.append)
    assert executed(tmp_path) == [number for number in range(6) if f"job {number}" not in done]
    assert resumed == whole
    assert [standing.n_done for standing in standings] == [3, 4, 5, 6]
    assert standings[-1].seconds_left == 0

    assert run_jobs(jobs, work, RunLog(path, "code 1")) == whole
    assert executed(tmp_path) == []
