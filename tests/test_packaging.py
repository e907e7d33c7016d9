import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
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


def test_the_citation_has_the_version():
    (version,) = re.findall(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    assert version == scalesr.__version__


def test_a_tagged_commit_is_the_version_that_its_tag_says_and_has_a_section_in_the_changelog():
    command = ["git", "tag", "--points-at", "HEAD", "v*"]
    tags = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    assert tags in ([], [f"v{scalesr.__version__}"])
    if tags:
        assert f"## [{scalesr.__version__}]" in (ROOT / "CHANGELOG.md").read_text()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> zipfile.ZipFile:
    """The wheel of the product, built from a copy so that nothing is left in the tree."""
    pytest.importorskip("setuptools")
    copy = tmp_path_factory.mktemp("copy")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    shutil.copytree(ROOT / "src", copy / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    command = [sys.executable, "-c", "from setuptools.build_meta import build_wheel; build_wheel('.')"]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return zipfile.ZipFile(next(copy.glob("*.whl")))


def test_the_wheel_has_every_file_of_the_product_and_nothing_of_the_bench(wheel):
    names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    files = [
        path for path in (ROOT / "src" / "scalesr").rglob("*") if path.is_file() and "__pycache__" not in path.parts
    ]
    assert names == {path.relative_to(ROOT / "src").as_posix() for path in files}


def test_the_wheel_needs_no_extra_and_says_where_it_comes_from(wheel):
    (name,) = [name for name in wheel.namelist() if name.endswith("METADATA")]
    lines = wheel.read(name).decode().splitlines()
    needed = {Requirement(line.partition(": ")[2]) for line in lines if line.startswith("Requires-Dist")}
    plain = {canonicalize_name(one.name) for one in needed if one.marker is None}
    assert plain == {canonicalize_name(Requirement(text).name) for text in PROJECTS[0]["project"]["dependencies"]}
    assert any(line.startswith("Project-URL: Paper, https://") for line in lines)


def test_every_extra_that_an_error_names_exists():
    for project, folder in zip(PROJECTS, ("src/scalesr", "bench/src/scalesr_bench"), strict=True):
        extras = project["project"]["optional-dependencies"]
        for path in (ROOT / folder).rglob("*.py"):
            for named in re.findall(rf"{project['project']['name']}\[([a-z,]+)\]", path.read_text(encoding="utf-8")):
                assert set(named.split(",")) <= extras.keys(), (path, named)


def test_continuous_integration_runs_what_a_developer_runs():
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & 0o111
    assert re.search(r"^exec make test$", script.read_text(), re.MULTILINE)
