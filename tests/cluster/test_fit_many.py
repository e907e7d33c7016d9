"""Many laws: the same on every kind of worker, each kept as it ends, and errors as lines."""

import json
from dataclasses import replace
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest

import scalesr
from scalesr import ScaleSRRegressor, fit_many
from scalesr.cluster.fit_many import BatchInterrupted
from scalesr.errors import DataError, SettingError
from scalesr.records.outcome import Ending
from tests.cluster.tables import FITS, Deadly, write_tables

UNSAVED = pytest.mark.filterwarnings("ignore:The file does not hold search")  # it is an object of the test's own


def told(laws):
    """Laws to the last digit, and their lines without what depends on the clock."""
    equations = {name: laws[name].equation_.text() for name in laws}
    lines = [{**line.values(), "seconds": None, "source": None} for line in laws.lines]
    return equations, lines


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return write_tables(tmp_path_factory.mktemp("tables"))


@pytest.fixture(scope="module")
def one_by_one(folder):
    return told(fit_many(folder, "y", n_jobs=1, **FITS))


def test_the_laws_are_those_that_single_fits_find(folder, one_by_one):
    table = pd.read_csv(folder / "noisy.csv")
    model = ScaleSRRegressor(**FITS).fit(table[["x", "z"]], table["y"])
    equations, lines = one_by_one
    assert equations["noisy"] == model.equation_.text()
    assert equations["product"] == "x*z"
    assert [line["name"] for line in lines] == ["decay", "noisy", "product", "ratio", "root", "wave"]


def test_two_threads_find_the_same(folder, one_by_one):
    with joblib.parallel_config(backend="threading", n_jobs=2):
        assert told(fit_many(folder, "y", **FITS)) == one_by_one


def test_two_processes_find_the_same_and_a_broken_table_is_a_line(folder, one_by_one, tmp_path):
    some = write_tables(tmp_path / "tables")
    (some / "broken.csv").write_text("x,y\n1\n")
    (some / "other.csv").write_text("a,b\n1,2\n3,4\n")
    laws = fit_many(some, "y", n_jobs=2, output=tmp_path / "out", **FITS)
    failures = {line.name: line.failure for line in laws.lines if line.failure}
    assert set(failures) == {"broken", "other"}
    assert "has no column 'y'" in failures["other"]
    equations, lines = told(laws)
    assert (equations, [line for line in lines if not line["failure"]]) == one_by_one
    written = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert [line["name"] for line in written] == [line.name for line in laws.lines]
    assert (tmp_path / "out" / "summary.csv").read_text().count("\n") == 9
    assert scalesr.load(tmp_path / "out" / "laws" / "product.json").equation_.text() == "x*z"


@UNSAVED
def test_a_law_whose_worker_dies_is_found_by_another_and_a_table_that_kills_every_worker_is_a_line(tmp_path):
    """Each of the first two searches kills its worker, and with it the pool in which both tables are at work."""
    tables = write_tables(tmp_path / "tables", ("noisy", "decay"))
    pd.read_csv(tables / "noisy.csv").rename(columns={"x": "w"}).to_csv(tables / "noisy.csv", index=False)
    settings = FITS | {"plain_laws": False, "search": Deadly(tmp_path / "mark", column="w")}
    laws = fit_many(tables, "y", n_jobs=2, **settings)
    failures = {line.name: line.failure for line in laws.lines}
    assert (tmp_path / "mark").exists()
    assert "The worker died 3 times" in failures["noisy"]
    assert failures["decay"] == ""
    alone = fit_many(tables / "decay.csv", "y", n_jobs=1, **settings)
    assert laws["decay"].equation_.text() == alone["decay"].equation_.text()


def test_what_is_done_is_not_done_again(tmp_path):
    tables, out = write_tables(tmp_path / "tables", ("product", "ratio", "root")), tmp_path / "out"
    counted = []

    def fitted():
        counted.clear()
        laws = fit_many(
            tables, "y", output=out, n_jobs=1, verbose=lambda standing: counted.append(standing.last), **FITS
        )
        return {line.name for line in counted if line is not None}, told(laws)

    names, first = fitted()
    assert names == {"product", "ratio", "root"}
    assert fitted() == (set(), first)
    (out / "laws" / "ratio.json").unlink()  # a law that is gone is found again
    (out / "lines" / "root.json").write_text("{")  # as is one whose line was cut short
    assert fitted() == ({"ratio", "root"}, first)
    with (tables / "product.csv").open("a") as file:
        file.write("1,1,1\n")
    assert fitted()[0] == {"product"}


@pytest.mark.parametrize(("target", "change"), [("x", {}), ("y", {"random_state": 1}), ("y", {"operators": "paper"})])
def test_laws_that_were_asked_for_otherwise_are_not_written_over(tmp_path, target, change):
    tables, out = write_tables(tmp_path / "tables", ("product", "ratio")), tmp_path / "out"
    fit_many(tables, "y", output=out, n_jobs=1, **FITS)
    before = {path: path.read_bytes() for path in out.rglob("*.*")}
    with pytest.raises(DataError, match=r"is the law of 'y' in .*, found with other settings"):
        fit_many(tables, target, output=out, n_jobs=1, **(FITS | change))
    assert {path: path.read_bytes() for path in out.rglob("*.*")} == before
    laws = fit_many(tables, target, output=out, n_jobs=1, restart=True, **(FITS | change))
    assert len(laws) == 2


@pytest.mark.parametrize("name", ["summary.csv", "laws/product.json"])
def test_a_batch_writes_over_no_table_and_no_file_of_others(tmp_path, name):
    tables, out = write_tables(tmp_path / "tables", ("product",)), tmp_path / "out"
    path = out / name
    path.parent.mkdir(parents=True)
    (tables / "product.csv").rename(path)
    before = path.read_bytes()
    with pytest.raises(DataError, match="would be written over"):
        fit_many(path, "y", output=out, n_jobs=1, **FITS)
    with pytest.raises(DataError, match="was written by something else than a batch"):
        fit_many({"product": (np.ones((9, 1)), np.ones(9))}, output=out, n_jobs=1, **FITS)
    assert path.read_bytes() == before


def test_a_full_disk_costs_the_files_and_no_law(tmp_path, monkeypatch):
    tables, out = write_tables(tmp_path / "tables", ("product", "ratio")), tmp_path / "out"

    def full(path, content):
        raise DataError(f"{path} cannot be written: no space.")

    monkeypatch.setattr("scalesr.cluster.kept.write_atomically", full)
    monkeypatch.setattr("scalesr.cluster.summary.write_atomically", full)
    laws = fit_many(tables, "y", output=out, n_jobs=1, **FITS)
    assert {name: laws[name].equation_.text() for name in laws} == {"product": "x*z", "ratio": "x/z"}
    assert [line.failure for line in laws.lines] == ["", ""]
    assert len(laws.unwritten) == 3


def test_an_interrupt_of_a_search_ends_the_batch_and_its_law_is_found_anew(tmp_path, monkeypatch):
    tables, out = write_tables(tmp_path / "tables", ("product", "ratio", "root")), tmp_path / "out"
    fit = ScaleSRRegressor.fit
    interrupted = []

    def fitted(model, *given, **options):
        found = fit(model, *given, **options)
        if len(interrupted) == 1:
            found.discovery_ = replace(found.discovery_, ending=Ending.INTERRUPTED)
        interrupted.append(str(found.equation_))
        return found

    monkeypatch.setattr(ScaleSRRegressor, "fit", fitted)
    with pytest.raises(BatchInterrupted) as stopped:
        fit_many(tables, "y", output=out, n_jobs=1, **FITS)
    assert len(stopped.value.laws) == len(interrupted) == 2
    assert len(list((out / "laws").iterdir())) == 2
    monkeypatch.setattr(ScaleSRRegressor, "fit", fit)
    standings = []
    assert len(fit_many(tables, "y", output=out, n_jobs=1, verbose=standings.append, **FITS)) == 3
    assert standings[0].n_done == 1  # the other was cut short


def test_an_interrupt_keeps_what_was_done(tmp_path):
    tables, out = write_tables(tmp_path / "tables", ("product", "ratio", "root")), tmp_path / "out"

    def interrupt(standing):
        if standing.n_done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit_many(tables, "y", output=out, n_jobs=1, verbose=interrupt, **FITS)
    assert len(json.loads((out / "summary.json").read_text())) == 2
    counted = []
    laws = fit_many(tables, "y", output=out, n_jobs=1, verbose=counted.append, **FITS)
    assert (counted[0].n_done, len(laws)) == (2, 3)


def test_targets_and_groups_of_a_table_in_memory(rng):
    frame = pd.DataFrame({"x": rng.uniform(1, 2, 60), "kind": ["a", "b", "c"] * 20})
    frame["one"] = frame["x"] * 2 + (frame["kind"] == "b")
    frame["two"] = frame["x"] ** 2
    laws = fit_many(frame[["x", "one", "two"]], ["one", "t*"], n_jobs=1, **FITS)
    assert {name: laws[name].equation_.text() for name in laws} == {"one": laws["one"].equation_.text(), "two": "x^2"}
    assert list(laws["two"].feature_names_in_) == ["x"]
    grouped = fit_many(frame[["x", "kind", "one"]], "one", groups="kind", n_jobs=1, **FITS)
    assert {name: grouped[name].equation_.text() for name in grouped} == {
        "kind=a": "2*x", "kind=b": "2*x + 1", "kind=c": "2*x",
    }  # fmt: skip
    arrays = fit_many(frame[["x"]].to_numpy(), frame[["one", "two"]].to_numpy(), n_jobs=1, **FITS)
    assert list(arrays) == ["y0", "y1"]
    named = fit_many({"first": (frame[["x"]], frame["two"])}, n_jobs=1, **FITS)
    assert named["first"].equation_.text() == "x^2"


def test_targets_and_groups_of_files(tmp_path, rng):
    x = rng.uniform(1, 2, 40)
    frame = pd.DataFrame({"x": x, "plant": np.repeat([1, 2], 20), "g1": 2 * x, "g2": x**2})
    frame.to_csv(tmp_path / "cells.csv", index=False)
    laws = fit_many(tmp_path / "cells.csv", "g*", groups="plant", n_jobs=1, **FITS)
    assert {name: laws[name].equation_.text() for name in laws} == {
        "cells.g1.plant=1": "2*x", "cells.g1.plant=2": "2*x", "cells.g2.plant=1": "x^2", "cells.g2.plant=2": "x^2",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"targets": "y", "backend": "slurm"}, SettingError, "known are joblib, dask, ray"),
        ({"targets": "y", "cluster": "10.0.0.1"}, SettingError, "give dask://HOST:PORT or ray://HOST:PORT"),
        ({"targets": "y", "cluster": "ray://a:1", "backend": "dask"}, SettingError, "is a cluster of ray"),
        ({"targets": "y", "n_jobs": 0}, SettingError, "n_jobs=0 is not a number of workers"),
        ({"targets": "y", "random_state": np.random.default_rng()}, SettingError, "depend on their order"),
        ({"targets": "y", "checkpoint": "file"}, SettingError, "give output=FOLDER"),
        ({"targets": "y", "speed": 1}, SettingError, "There is no setting 'speed'"),
        ({"targets": "y", "search": "luck"}, SettingError, "search='luck' is unknown"),
        ({}, SettingError, "Say which column the laws are for"),
    ],
)
def test_what_cannot_be_done_at_all_is_refused_before_any_work(tmp_path, arguments, error, message):
    tables = write_tables(tmp_path / "tables", ("product",))
    with pytest.raises(error, match=message):
        fit_many(tables, **{"n_jobs": 1, **arguments})


def test_places_without_tables_are_refused(tmp_path):
    with pytest.raises(DataError, match="There is no file in"):
        fit_many(tmp_path / "*.csv", "y")
    tables = write_tables(tmp_path / "tables", ("product",))
    with pytest.raises(SettingError, match="would be mixed with the tables"):
        fit_many(tables, "y", output=tables)
