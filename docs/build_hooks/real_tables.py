"""Writes the transcript of the page on measured tables: python real_tables.py FOLDER > docs/run/real-tables.txt

FOLDER has the tables; none of them is part of this project. The commands are those a reader would type.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

from scalesr_bench.machine import provenance

LIMIT = "--seed 0 --time-limit 120"
COMMANDS = (
    "scalesr fit kepler_1618.csv --target P --drop planet",
    "scalesr fit hubble_1929.csv --target v",
    "scalesr fit leavitt_1912.csv --target M --features P",
    "scalesr fit tully_fisher_1977.csv --target M --features DV",
    "scalesr fit tully_fisher_1977.csv --target L --features DV",
    "scalesr fit bode_1764.csv --target a",
    "scalesr fit nist_misra1a.csv --target y",
    "scalesr fit nist_boxbod.csv --target y",
    "scalesr fit nist_danwood.csv --target y",
    "scalesr fit nist_chwirut2.csv --target y",
    "scalesr fit nist_eckerle4.csv --target y",
    "scalesr fit nist_rat43.csv --target y",
    "scalesr fit nist_hahn1.csv --target y",
    "scalesr fit nist_thurber.csv --target y",
    "scalesr fit nikuradse_1.csv --target target",
    "scalesr fit ball_drops.csv --target h --features t",
)


def transcript(folder: Path) -> None:
    """Run every command in a folder and print it with its result."""
    made = provenance()
    changed = ", with changes that were not committed" if made["uncommitted_changes"] else ""
    print(f"# {made['day']}, commit {str(made['commit'])[:10]}{changed}\n", flush=True)
    program = Path(sys.executable).parent / "scalesr"
    for command in COMMANDS:
        words = [str(program), *shlex.split(f"{command} {LIMIT}")[1:]]
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
        understood = done.stderr.splitlines()[:1]
        print("\n".join([f"$ {command} {LIMIT}", *understood, done.stdout.rstrip(), ""]), flush=True)


if __name__ == "__main__":
    transcript(Path(sys.argv[1]))
