"""A suite that is killed goes on where it stopped, and its table is the same as without."""

import json
import os
import random
import signal
import subprocess
import sys
import time

from scalesr_bench.laws.measure import LawSettings, choose, plan
from scalesr_bench.laws.runs import LawRun, run_job
from scalesr_bench.laws.summary import summarise
from tests.bench.cli.commands import bench

STUB = "tests.bench.stub_method:plane"
PROBLEMS = (
    'name,variables,expression,ranges,sampling\nplane,x y,2*x - 3*y + 1,"{""x"": [0, 1], ""y"": [0, 1]}",Uniform\n'
)
SEEDS = 40


OPTIONS = ["mine", "--from-csv", "problems.csv", "--rows", "10000", "--methods", STUB, "--noise", "0,0.01"]
OPTIONS += ["--seeds", str(SEEDS), "--json", "table.json", "--accept-stale", "--time-limit", "5"]


def start(folder):
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(
        [sys.executable, "-m", "scalesr_bench.cli", *OPTIONS, "--runs", "r.jsonl"], cwd=folder, env=environment,
        start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def lines(path):
    return path.read_text().count("\n") if path.exists() else 0


def kill_after(process, path, n_lines):
    """Kill a suite with all its workers once its file has so many lines; whether it was still running."""
    while lines(path) < n_lines and process.poll() is None:
        time.sleep(0.005)  # a poll of a file, which nothing else tells about
    was_running = process.poll() is None
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return was_running


def without_clock(lines):
    """Everything of a table that does not depend on the clock."""
    clock = ("median_seconds", "slowest_seconds", "median_seconds_per_stage")
    return [{key: value for key, value in line.items() if key not in clock} for line in lines]


def table_of_one_piece(file):
    """The table of the same runs in this process, without a file of runs."""
    settings = LawSettings("mine", (STUB,), noises=(0.0, 0.01), n_seeds=SEEDS, time_limit=5.0, rows=(10_000,))
    jobs = plan(settings, choose(settings, file))
    return [line.as_json() for line in summarise([LawRun.from_record(run_job(job)) for job in jobs.values()])]


def test_a_suite_that_is_killed_ends_with_the_same_table(tmp_path):
    (tmp_path / "problems.csv").write_text(PROBLEMS)
    runs = tmp_path / "r.jsonl"
    moment = random.Random(time.time_ns()).randrange(1, SEEDS)
    assert kill_after(start(tmp_path), runs, moment), "it ended before it could be killed"
    with runs.open("a") as file:
        file.write('{"stamp": "torn by the ki')
    assert lines(runs) < 2 * SEEDS
    assert bench(tmp_path, *OPTIONS).returncode == 0
    resumed = json.loads((tmp_path / "table.json").read_text())["summary"]
    assert without_clock(resumed) == without_clock(table_of_one_piece(tmp_path / "problems.csv"))
    done = [json.loads(line)["job"] for line in runs.read_text().splitlines() if not line.endswith("the ki")]
    assert len(done) == len(set(done)) == 2 * SEEDS, "a finished run was run again"
