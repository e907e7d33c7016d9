"""Dask and Ray, with two worker processes of this machine: the same laws, though a worker is killed."""

from pathlib import Path

import pytest

from scalesr import fit_many
from scalesr.cluster.job import Job
from scalesr.cluster.origins import FileOrigin
from scalesr.cluster.workers.dask import on_dask
from scalesr.errors import DataError
from scalesr.tables import Wanted
from tests.cluster.tables import FITS, Deadly, endless_but_for_the_first, write_tables

UNSAVED = pytest.mark.filterwarnings("ignore:The file does not hold search")  # it is an object of the test's own
UNHURRIED = "600s"  # for workers to start on a machine that is busy with other things


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    folder = write_tables(tmp_path_factory.mktemp("tables"), ("product", "root", "noisy"))
    laws = fit_many(folder, "y", n_jobs=1, **FITS)
    return folder, {name: laws[name].equation_.text() for name in laws}


@pytest.fixture(scope="module")
def dask_cluster():
    distributed = pytest.importorskip("distributed")
    import dask

    patient = {"distributed.comm.timeouts.connect": UNHURRIED, "distributed.comm.timeouts.tcp": UNHURRIED}
    with (
        dask.config.set(patient),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
    ):
        yield cluster


def test_a_cluster_of_dask_finds_the_same_laws(dask_cluster, expected, tmp_path):
    folder, laws = expected
    address = dask_cluster.scheduler_address.replace("tcp://", "dask://")
    found = fit_many(folder, "y", cluster=address, output=tmp_path / "out", **FITS)
    assert {name: found[name].equation_.text() for name in found} == laws


@UNSAVED
def test_a_law_whose_worker_of_dask_dies_is_found_by_another(dask_cluster, tmp_path):
    folder = write_tables(tmp_path / "tables", ("noisy", "decay"))
    settings = FITS | {"plain_laws": False, "search": Deadly(tmp_path / "mark")}
    found = fit_many(folder, "y", cluster=dask_cluster.scheduler_address, **settings)
    assert (tmp_path / "mark").exists()
    alone = fit_many(folder, "y", n_jobs=1, **settings)
    assert {name: found[name].equation_.text() for name in found} == {
        name: alone[name].equation_.text() for name in ("decay", "noisy")
    }


@pytest.mark.parametrize("names", [("first", "second", "third"), ("first",)])
def test_a_cluster_of_this_machine_that_is_left_waits_for_no_worker(monkeypatch, names):
    """Neither where an interrupt leaves it early, nor at the end."""
    pytest.importorskip("distributed")
    from distributed import nanny

    kill, patience = nanny.WorkerProcess.kill, []

    async def killed(process, timeout=2, **given):
        patience.append(timeout)
        await kill(process, timeout=timeout, **given)

    monkeypatch.setattr(nanny.WorkerProcess, "kill", killed)
    jobs = [Job(name, FileOrigin(Path(name), Wanted("y")), {}) for name in names]
    results = on_dask(jobs, endless_but_for_the_first, None, 2)
    assert next(results).line.failure == "done"
    results.close()
    assert patience == [0, 0]


def test_a_cluster_that_does_not_answer_is_said(expected):
    distributed = pytest.importorskip("distributed")
    import dask

    del distributed
    with dask.config.set({"distributed.comm.timeouts.connect": "1s"}), pytest.raises(DataError, match="answers at"):
        fit_many(expected[0], "y", cluster="dask://127.0.0.1:9", **FITS)


@pytest.mark.filterwarnings("ignore")  # Ray warns of its own defaults
def test_ray_finds_the_same_laws(expected):
    pytest.importorskip("ray")
    folder, laws = expected
    found = fit_many(folder, "y", backend="ray", n_jobs=2, **FITS)
    assert {name: found[name].equation_.text() for name in found} == laws
