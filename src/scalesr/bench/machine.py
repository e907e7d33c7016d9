"""Where a number was measured: commit, processor and versions, and nothing that names a computer."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

LIBRARIES = ("scalesr", "numpy", "scipy", "numba", "llvmlite", "pyoperon")


def provenance() -> dict[str, object]:
    """Commit, day, machine and library versions of this run."""
    return {
        "commit": _git("rev-parse", "HEAD") or "unknown",
        "uncommitted_changes": bool(_git("status", "--porcelain", "--", "src")),
        "day": datetime.now(UTC).date().isoformat(),
        "machine": {"cpu": _cpu(), "cores": os.cpu_count(), "system": platform.system()},
        "versions": {"python": platform.python_version()} | {name: _version(name) for name in LIBRARIES},
    }


def _git(*command: str) -> str:
    root = Path(__file__).resolve().parents[3]
    try:
        done = subprocess.run(["git", *command], cwd=root, capture_output=True, text=True, check=True)
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
