"""Every module is tested from its own folder: by a file of its name, or by others there through what they import."""

import re
from pathlib import Path

import scalesr

ROOT = Path(__file__).parent.parent
TESTS = ROOT / "tests"
PACKAGES = {"scalesr": ROOT / "src" / "scalesr", "scalesr_bench": ROOT / "bench" / "src" / "scalesr_bench"}
# Modules that nobody enters by themselves: tests of what uses them go through them.
THROUGH = {
    "app/servers.py": ["scalesr.app.serve", "scalesr.runs.compare"],
    "bench/cli/test_beyond_memory.py": [
        "scalesr.tables.streams.parts", "scalesr_bench.beyond_memory", "scalesr_bench.figures.memory",
        "scalesr_bench.memory",
    ],
    "bench/cli/test_engine.py": ["scalesr_bench.engine.measure"],
    "bench/groups/test_groups.py": ["scalesr_bench.groups.measure"],
    "bench/cli/test_search.py": ["scalesr_bench.search.measure"],
    "bench/laws/test_drawing.py": ["scalesr_bench.bundled"],
    "bench/laws/test_rivals.py": ["scalesr_bench.limits", "scalesr_bench.loaded"],
    "bench/laws/test_suites.py": ["scalesr_bench.problems.empirical", "scalesr_bench.problems.measured"],
    "bench/paper/test_space.py": ["scalesr_bench.figures.search_space"],
    "chain/test_track.py": ["scalesr.records.errors", "scalesr.records.grid"],
    "cli/test_fit.py": [
        "scalesr.estimators.fit_rows", "scalesr.estimators.predictions", "scalesr.estimators.told_units",
        "scalesr.report.latex", "scalesr.report.sources",
    ],
    "cli/test_groups.py": ["scalesr.estimators.calibrating"],
    "cluster/test_fit_many.py": ["scalesr.estimators.many"],
    "control/test_control.py": ["scalesr.records.samples"],
    "dynamics/test_shooting.py": ["scalesr.kernels.flow"],
    "estimators/test_dynamics.py": ["scalesr.dynamics.find", "scalesr.dynamics.crossing", "scalesr.dynamics.simulate",
                                    "scalesr.dynamics.starts"],
    "estimators/test_inputs.py": ["scalesr.masks"],
    "estimators/test_judging.py": ["scalesr.pipeline.judging"],
    "estimators/test_showing.py": ["scalesr.report.figure", "scalesr.report.notebook"],
    "expr/test_operators.py": ["scalesr.kernels.custom"],
    "kernels/test_engine.py": ["scalesr.records.engine"],
    "pipeline/test_discover.py": ["scalesr.records.config", "scalesr.records.oracle", "scalesr.records.proposal"],
    "pipeline/test_groups.py": ["scalesr.search.grouped"],
    "pipeline/test_noise.py": ["scalesr.generator.unseen"],
    "pipeline/test_steps.py": ["scalesr.reduce.holes"],
    "polish/test_snap.py": ["scalesr.records.constraints", "scalesr.records.precision"],
    "search/test_weights.py": ["scalesr.records.interfaces", "scalesr.records.skeleton"],
    "test_demo.py": ["scalesr.demo.tables"],
}  # fmt: skip


def modules() -> dict[str, Path]:
    """The files of all modules by their names."""
    found = {}
    for package, folder in PACKAGES.items():
        for path in folder.rglob("*.py"):
            names = [package, *path.relative_to(folder).with_suffix("").parts]
            found[".".join(names if names[-1] != "__init__" else names[:-1])] = path
    return found


MODULES = modules()
DOTTED = re.compile(r"\bscalesr(?:_bench)?(?:\.\w+)+")
FROM = re.compile(r"^\s*from (scalesr[\w.]*) import (\([^)]*\)|[^(\n]*)", re.MULTILINE)
WORD = re.compile(r"\w+")


def named(path: Path) -> set[str]:
    """Modules that a file imports, or names as monkeypatching does."""
    text = path.read_text(encoding="utf-8")
    names = {
        ".".join(parts[:n])
        for parts in (name.split(".") for name in DOTTED.findall(text))
        for n in range(1, len(parts) + 1)
    }
    for module, given in FROM.findall(text):
        own = WORD.findall(given)
        names |= {f"{module}.{name}" for name in own}
        if module == "scalesr":  # its public names are loaded when they are asked for
            names |= {getattr(getattr(scalesr, name), "__module__", "") for name in own if name in scalesr.__all__}
    return names & MODULES.keys()


def by_file(path: Path) -> set[str]:
    """Modules that a test names, or the tests do that it takes something from."""
    others = re.findall(r"^from tests\.([\w.]+) import", path.read_text(encoding="utf-8"), re.MULTILINE)
    paths = [TESTS / f"{other.replace('.', '/')}.py" for other in others]
    return named(path).union(*(named(other) for other in paths if other.is_file()))


def home(module: str) -> list[str]:
    """The folders whose tests are those of a module: its own and the ones above it, up to its layer."""
    parts = module.split(".")
    own = ["bench", *parts[1:-1]] if parts[0] == "scalesr_bench" else parts[1:-1]
    return ["/".join(own[:n]) for n in range(1, len(own) + 1)] or [""]


def reached(begun: set[str], uses: dict[str, set[str]]) -> set[str]:
    """Modules that others use, and what these use."""
    met, new = set(begun), set(begun)
    while new:
        new = {used for one in new for used in uses[one]} - met
        met |= new
    return met


def test_every_module_is_tested_in_its_folder_or_where_it_is_said():
    uses = {module: named(path) for module, path in MODULES.items()}
    within = {one: {used for used in of if used.split(".")[:2] == one.split(".")[:2]} for one, of in uses.items()}
    by_folder: dict[str, set[str]] = {}
    for path in TESTS.rglob("*.py"):
        folder = path.parent.relative_to(TESTS).as_posix().removeprefix(".")
        by_folder.setdefault(folder, set()).update(named(path))
    through = {module for said in THROUGH.values() for module in said}
    tested = reached(through, within)
    for folder, entered in by_folder.items():
        tested |= {one for one in reached(entered, within) if folder in home(one)}
    missed = [one for one, path in MODULES.items() if one not in tested and not path.name.startswith("__")]
    assert not missed, " ".join(sorted(missed))
    for test, said in THROUGH.items():
        assert set(said) <= reached(by_file(TESTS / test), uses), test


def test_every_folder_of_tests_is_one_of_modules():
    alone = {"attack", "docs"}  # the whole from outside, and the documents
    folders = {path.parent.relative_to(TESTS) for path in TESTS.rglob("test_*.py")}
    mirrored = [folder for folder in folders if folder.parts and folder.parts[0] not in alone]
    for folder in mirrored:
        is_bench = folder.parts[0] == "bench"
        source = PACKAGES["scalesr_bench"] / Path(*folder.parts[1:]) if is_bench else PACKAGES["scalesr"] / folder
        assert source.is_dir(), folder
