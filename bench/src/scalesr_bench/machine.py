"""Where a number was measured: commit, processor and versions, and nothing that names a computer."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

COMMIT = "SCALESR_COMMIT"  # environment variable with the commit of a tree that has no history
ROOT = Path(__file__).resolve().parents[3]  # of the repository, where this file lies in one
OWN_FILE = "bench/src/scalesr_bench/machine.py"
LIBRARIES = ("scalesr", "numpy", "scipy", "numba", "llvmlite", "pyoperon")


def provenance() -> dict[str, object]:
    """Commit, day, machine and library versions of this run."""
    return {
        **_code(),
        "day": datetime.now(UTC).date().isoformat(),
        "machine": {"cpu": _cpu(), "cores": os.cpu_count(), "system": platform.system()},
        "versions": {"python": platform.python_version()} | {name: _version(name) for name in LIBRARIES},
    }


def _code() -> dict[str, object]:
    """The commit, read from the history or, where there is none, as somebody told it, which nothing can confirm."""
    is_tracked = bool(_git("ls-files", "--error-unmatch", OWN_FILE))  # and not a copy within another project's tree
    if is_tracked and (commit := _git("rev-parse", "HEAD")):
        changes = bool(_git("status", "--porcelain", "--", "src", "bench"))
        return {"commit": commit, "commit_from": "history", "uncommitted_changes": changes}
    told = os.environ.get(COMMIT, "")
    if re.fullmatch(r"[0-9a-f]{7,40}", told):
        return {"commit": told, "commit_from": "told", "uncommitted_changes": None}
    return {"commit": "unknown", "commit_from": "nowhere", "uncommitted_changes": None}


def _git(*command: str) -> str:
    try:
        done = subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


def _cpu() -> str:
    listing = Path("/proc/cpuinfo")
    if listing.exists():
        for line in listing.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
