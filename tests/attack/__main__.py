"""The long form: every attack with its number of inputs, in blocks, each a process of its own; faults are counted.

    python -m tests.attack --share 0.01 --only tables,caches --json benchmarks/results/attack.json

A block whose process dies or does not end is a crash or a hang. What was stored of attacks that were
not asked for stays in the file.
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
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from scalesr.atomic import write_atomically
from scalesr.bench.machine import provenance
from tests.attack.arrays import attack_arrays
from tests.attack.files import attack_caches, attack_checkpoints, attack_tables
from tests.attack.laws import attack_formulas, attack_law_files
from tests.attack.processes import attack_disks, attack_kills, attack_signals
from tests.attack.tally import FAULTS, Tally

SEED = 21
LONGEST_BLOCK = 3600.0  # seconds, after which a block counts as hanging


class Attack(NamedTuple):
    """An attack, how many inputs its long form has, and how many of them one process gets."""

    work: Callable[[random.Random, int, Tally, Path], None]
    n: int
    per_block: int


ATTACKS = {
    "formulas": Attack(attack_formulas, 1_000_000, 50_000),
    "law files": Attack(attack_law_files, 100_000, 5_000),
    "checkpoints": Attack(attack_checkpoints, 10_000, 1_000),
    "caches": Attack(attack_caches, 10_000, 1_000),
    "tables": Attack(attack_tables, 10_000, 1_000),
    "arrays": Attack(attack_arrays, 1_000, 100),
    "kills": Attack(attack_kills, 500, 25),
    "signals": Attack(attack_signals, 200, 20),
    "disks": Attack(attack_disks, 100, 20),
}


def main() -> None:
    """Run attacks, or as a block's process one block."""
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description="Attack ScaleSR with fixed seeds.")
    parser.add_argument("--share", type=float, default=1.0, help="of the long form's inputs")
    parser.add_argument("--only", default=",".join(ATTACKS), help="attacks between commas")
    parser.add_argument("--json", type=Path, help="where counts are stored")
    parser.add_argument("--block", nargs=3, metavar=("ATTACK", "SEED", "N"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.block:
        name, seed, n = asked.block
        print(json.dumps(asdict(_block(name, int(seed), int(n)))))
        return
    faults = 0
    for name in asked.only.split(","):
        tally, seconds = _whole(name, max(1, round(asked.share * ATTACKS[name].n)))
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


def _whole(name: str, n: int) -> tuple[Tally, float]:
    """All blocks of an attack, one after the other."""
    started, total = time.monotonic(), Tally()
    per_block = ATTACKS[name].per_block
    for block in range(-(-n // per_block)):
        size = min(per_block, n - block * per_block)
        command = [sys.executable, "-m", "tests.attack", "--block", name, str(SEED * 1000 + block), str(size)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_BLOCK, check=False)
        except subprocess.TimeoutExpired:
            total.hangs.append(f"block {block} of {name}")
            continue
        if done.returncode == 0:
            total.add(Tally(**json.loads(done.stdout.splitlines()[-1])))
        else:
            total.crashes.append(f"block {block} of {name} ended with {done.returncode}: {done.stderr[-300:]}")
    return total, time.monotonic() - started


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
