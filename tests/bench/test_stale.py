"""Ages of results, in small repositories made here."""

import json
import subprocess

import pytest

from scalesr.errors import DataError
from scalesr_bench.cli import main
from scalesr_bench.stale import ages, code_digest, depends_on

FIT = '"""Fits."""\nfrom scalesr.kernels.evaluate import run\nimport math\n\n\ndef fit(x):\n    return 2 * x\n'


class Repository:
    """A repository with the parts that results of the engine depend on, and others."""

    def __init__(self, root):
        self.root, self.results = root, root / "results"
        self.git("init", "--quiet")
        self.write("src/scalesr/kernels/fit.py", FIT)
        self.write("src/scalesr/app/page.py", "COLOUR = 1\n")
        self.commit()

    def git(self, *command):
        who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
        done = subprocess.run(["git", *who, *command], cwd=self.root, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def commit(self):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", "a change")
        return self.git("rev-parse", "HEAD")

    def measure(self, name="engine", **said):
        result = {"commit": self.git("rev-parse", "HEAD"), "day": "2026-01-02"} | said
        self.write(f"results/{name}.json", json.dumps(result))

    def age(self, name="engine"):
        (found,) = ages(self.results, self.root, [name])
        return found


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path)


def test_a_result_of_the_last_commit_is_not_stale(repository):
    repository.measure()
    repository.commit()
    assert not repository.age().is_stale
    assert repository.age().day == "2026-01-02"


def test_a_change_of_code_that_the_result_depends_on_makes_it_stale(repository):
    repository.measure()
    repository.write("src/scalesr/kernels/fit.py", FIT.replace("2 * x", "3 * x"))
    repository.write("src/scalesr/kernels/new.py", "ONE = 1\n")
    repository.commit()
    assert repository.age().changed == ("src/scalesr/kernels/fit.py", "src/scalesr/kernels/new.py")
    assert repository.age().sentence.startswith("2 files have changed since: src/scalesr/kernels/fit.py")


@pytest.mark.parametrize(
    "text",
    [
        FIT.replace("Fits.", "Fits, and says so."),
        FIT.replace("2 * x", "2 * x  # twice"),
        FIT.replace("import math\n", "").replace('"""\n', '"""\nimport math\n'),
        FIT.replace("kernels.evaluate", "kernels.values"),
    ],
    ids=["docstring", "comment", "order of imports", "a name from elsewhere"],
)
def test_what_does_the_same_is_no_change(repository, text):
    repository.measure()
    repository.write("src/scalesr/kernels/fit.py", text)
    repository.commit()
    assert not repository.age().is_stale


def test_a_file_that_was_moved_is_the_same_and_one_that_was_removed_and_came_back_is_too(repository):
    repository.measure()
    (repository.root / "src/scalesr/kernels/fit.py").rename(repository.root / "src/scalesr/kernels/fits.py")
    repository.commit()
    assert not repository.age().is_stale
    repository.write("src/scalesr/kernels/fits.py", "gone = True\n")
    repository.commit()
    assert repository.age().is_stale
    repository.write("src/scalesr/kernels/fits.py", FIT)
    repository.commit()
    assert not repository.age().is_stale


def test_folders_that_a_result_does_not_depend_on_do_not_matter_to_it(repository):
    repository.measure("engine")
    repository.measure("clock")  # depends on everything
    repository.write("src/scalesr/app/page.py", "COLOUR = 2\n")
    repository.commit()
    assert not repository.age("engine").is_stale
    assert repository.age("clock").changed == ("src/scalesr/app/page.py",)


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"commit": "0" * 40}, "does not have its commit"),
        ({"commit": "--all"}, "does not have its commit"),
        ({"commit": "unknown"}, "does not have its commit"),
        ({"uncommitted_changes": True}, "not committed"),
    ],
)
def test_what_cannot_be_compared_is_stale_and_says_why(repository, said, sentence):
    repository.measure(**said)
    assert repository.age().is_stale
    assert sentence in repository.age().sentence


def test_without_a_history_and_without_the_result_there_is_an_error(repository, tmp_path_factory, monkeypatch):
    repository.measure()
    with pytest.raises(DataError, match="has no result 'engin'; it has engine"):
        ages(repository.results, repository.root, ["engin"])
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", "/")
    with pytest.raises(DataError, match="no history"):
        ages(repository.results, tmp_path_factory.mktemp("plain"))


def test_the_command_lists_what_is_stale_and_ends_with_1(repository, monkeypatch, capsys):
    monkeypatch.setattr("scalesr_bench.machine.ROOT", repository.root)
    repository.measure("engine")
    repository.measure("search", uncommitted_changes=True)
    options = ["--folder", str(repository.results)]
    with pytest.raises(SystemExit) as stop:
        main(["stale", *options])
    assert stop.value.code == 1
    out = capsys.readouterr().out
    assert "search (commit " in out
    assert "engine (" not in out
    assert "1 of 2 results are older" in out
    with pytest.raises(SystemExit) as stop:
        main(["stale", "engine", *options, "--json", "-"])
    assert stop.value.code == 0
    (age,) = json.loads(capsys.readouterr().out)
    assert (age["name"], age["is_stale"]) == ("engine", False)


def test_contents_that_are_no_python_differ_by_every_byte():
    assert code_digest(b"a,b\n1;;\n") != code_digest(b"a,b\n1;; \n")


def test_every_stored_result_says_commit_day_machine_and_versions():
    from scalesr_bench.machine import ROOT

    for path in sorted((ROOT / "benchmarks" / "results").glob("*.json")):
        stored = json.loads(path.read_text(encoding="utf-8"))
        assert stored.keys() >= {"commit", "day", "machine", "versions"}, path.name


def test_the_parts_that_results_depend_on_exist():
    from scalesr_bench.machine import ROOT
    from scalesr_bench.stale import DEPENDS

    for name in DEPENDS:
        for part in depends_on(name):
            assert (ROOT / part).exists(), part
