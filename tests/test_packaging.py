import re
import tomllib
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import scalesr

ROOT = Path(__file__).parent.parent
PROJECTS = [tomllib.loads((ROOT / path).read_text()) for path in ("pyproject.toml", "bench/pyproject.toml")]
OURS = {"scalesr", "scalesr-bench"}


def pins() -> dict[str, str]:
    lines = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if line and line[0] != "#"]
    return {canonicalize_name(name): version for name, version in (line.split("==") for line in lines)}


def declared() -> list[Requirement]:
    texts = []
    for project in PROJECTS:
        texts += project["project"]["dependencies"] + project["build-system"]["requires"]
        texts += [text for extra in project["project"]["optional-dependencies"].values() for text in extra]
    return [found for found in map(Requirement, texts) if found.name not in OURS]


def needed_by(requirement: Requirement) -> list[Requirement]:
    try:
        texts = requires(requirement.name) or []
    except PackageNotFoundError:  # an extra that is not installed here
        return []
    candidates = [Requirement(text) for text in texts]
    return [found for found in candidates if found.marker is None or found.marker.evaluate({"extra": ""})]


def test_every_package_that_is_installed_is_pinned():
    known: set[str] = set()
    waiting = declared()
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if name not in known:
            known.add(name)
            waiting += needed_by(requirement)
    assert known - pins().keys() == set()


def test_the_pins_lie_within_the_declared_ranges():
    for requirement in declared():
        assert pins()[canonicalize_name(requirement.name)] in requirement.specifier, requirement


def test_torch_is_pinned_to_the_version_we_test():
    assert pins()["torch"] == "2.13.0"


def test_the_bench_has_the_version_of_what_it_measures():
    assert PROJECTS[1]["project"]["version"] == scalesr.__version__


def test_continuous_integration_runs_what_a_developer_runs():
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & 0o111
    assert re.search(r"^exec make test$", script.read_text(), re.MULTILINE)
