"""The long form: every attack with its number of inputs, in blocks, each a process of its own; faults are counted.

    python -m tests.attack --share 0.01 --only tables,caches --json benchmarks/results/attack.json

A block whose process dies or does not end is a crash or a hang. Blocks that are finished are kept under
benchmarks/runs, so that a run that was ended goes on where it was, as long as the code is the same. What was stored
of attacks that were not asked for stays in the file.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from scalesr.atomic import write_atomically
from scalesr_bench.machine import provenance
from scalesr_bench.run_log import RunLog, code_stamp
from tests.attack.arrays import attack_arrays
from tests.attack.files import attack_caches, attack_checkpoints, attack_tables
from tests.attack.folders import attack_batches, attack_runs, attack_streams
from tests.attack.laws import attack_formulas, attack_law_files
from tests.attack.processes import attack_disks, attack_kills, attack_signals
from tests.attack.tally import FAULTS, Tally
from tests.attack.texts import attack_texts

SEED = 21
LONGEST_BLOCK = 3600.0  # seconds, after which a block counts as hanging
RUNS = Path("benchmarks/runs/attack.jsonl")


class Attack(NamedTuple):
    """An attack, how many inputs its long form has, and how many of them one process gets."""

    work: Callable[[random.Random, int, Tally, Path], None]
    n: int
    per_block: int


ATTACKS = {
    "formulas": Attack(attack_formulas, 1_000_000, 50_000),
    "law files": Attack(attack_law_files, 100_000, 5_000),
    "checkpoints": Attack(attack_checkpoints, 10_000, 2_000),
    "texts": Attack(attack_texts, 50_000, 12_500),
    "streams": Attack(attack_streams, 2_000, 500),
    "batches": Attack(attack_batches, 1_000, 250),
    "runs of the page": Attack(attack_runs, 4_000, 1_000),
    "caches": Attack(attack_caches, 10_000, 2_000),
    "tables": Attack(attack_tables, 10_000, 2_000),
    "arrays": Attack(attack_arrays, 1_000, 100),
    "kills": Attack(attack_kills, 500, 50),
    "signals": Attack(attack_signals, 200, 50),
    "disks": Attack(attack_disks, 100, 25),
}


def main() -> None:
    """Run attacks, or as a block's process one block."""
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description="Attack ScaleSR with fixed seeds.")
    parser.add_argument("--share", type=float, default=1.0, help="of the long form's inputs")
    parser.add_argument("--only", default=",".join(ATTACKS), help="attacks between commas")
    parser.add_argument("--json", type=Path, help="where counts are stored")
    parser.add_argument("--runs", type=Path, default=RUNS, help="finished blocks, which are not made again")
    parser.add_argument("--jobs", type=int, default=1, help="blocks at a time")
    parser.add_argument("--block", nargs=3, metavar=("ATTACK", "SEED", "N"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.block:
        name, seed, n = asked.block
        print(json.dumps(asdict(_block(name, int(seed), int(n)))))
        return
    log, faults = RunLog(asked.runs, f"{code_stamp()}, attack"), 0
    for name in asked.only.split(","):
        tally, seconds = _whole(name, max(1, round(asked.share * ATTACKS[name].n)), log, asked.jobs)
        record = _record(name, tally, seconds)
        print(json.dumps(record), *tally.faults.items(), sep="\n", flush=True)
        faults += sum(map(len, tally.faults.values()))
        if asked.json:
            _store(asked.json, record)
    sys.exit(bool(faults))


def _block(name: str, seed: int, n: int) -> Tally:
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        ATTACKS[name].work(random.Random(seed), n, tally, Path(folder))
    return tally


def _whole(name: str, n: int, log: RunLog, n_jobs: int) -> tuple[Tally, float]:
    """All blocks of an attack and their seconds together; those that the log has of this code are not made again."""
    per_block, total, seconds = ATTACKS[name].per_block, Tally(), 0.0
    sizes = [min(per_block, n - start) for start in range(0, n, per_block)]
    jobs = {f"{name}, block {block} of {size}": (block, size) for block, size in enumerate(sizes)}
    waiting = [job for job in jobs if job not in log.records]
    with ThreadPoolExecutor(n_jobs) as pool:
        for job, record in zip(waiting, pool.map(lambda job: _made(name, *jobs[job]), waiting), strict=True):
            log.append(job, record)
    for job in jobs:
        total.add(Tally(**log.records[job]["tally"]))
        seconds += log.records[job]["seconds"]
    return total, seconds


def _made(name: str, block: int, size: int) -> dict[str, object]:
    """One block in a process of its own."""
    started, found = time.monotonic(), Tally()
    command = [sys.executable, "-m", "tests.attack", "--block", name, str(SEED * 1000 + block), str(size)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_BLOCK, check=False)
        if done.returncode == 0:
            found = Tally(**json.loads(done.stdout.splitlines()[-1]))
        else:
            found.crashes.append(f"block {block} of {name} ended with {done.returncode}: {done.stderr[-300:]}")
    except subprocess.TimeoutExpired:
        found.hangs.append(f"block {block} of {name}")
    return {"tally": asdict(found), "seconds": time.monotonic() - started}


def _record(name: str, tally: Tally, seconds: float) -> dict[str, object]:
    """The counts of an attack, and the commit that they were made at."""
    made = provenance()
    return {
        "attack": name,
        "inputs": tally.n,
        "of_the_long_form": ATTACKS[name].n,
        "taken": tally.taken,
        "refused": tally.refused,
        **{kind: len(getattr(tally, kind)) for kind in FAULTS},
        "slowest_seconds": round(tally.slowest, 2),
        "minutes": round(seconds / 60, 1),
        "seed": SEED,
        "at_commit": str(made["commit"])[:10],
    }


def _store(path: Path, record: dict[str, object]) -> None:
    """Put a record in the place of an older one of the same attack."""
    stored = json.loads(path.read_text()) if path.exists() else {}
    others = [one for one in stored.get("attacks", []) if one["attack"] != record["attack"]]
    attacks = sorted([*others, record], key=lambda one: list(ATTACKS).index(one["attack"]))
    write_atomically(path, (json.dumps(provenance() | {"attacks": attacks}, indent=1) + "\n").encode())


if __name__ == "__main__":
    main()
