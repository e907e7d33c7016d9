"""fit_many: a law for each of many tables, targets or groups, on this machine or on a cluster."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from scalesr.cluster.files import ReadOptions, jobs_of_files, paths_of
from scalesr.cluster.job import BatchLine, Done, Job
from scalesr.cluster.kept import Kept, mark_of
from scalesr.cluster.named import file_names, matching
from scalesr.cluster.origins import ArrayOrigin
from scalesr.cluster.standing import BatchStanding, Tally, Watcher
from scalesr.cluster.summary import write_summary
from scalesr.cluster.workers.choose import backend_of, results
from scalesr.errors import DataError, SettingError
from scalesr.estimators.many import laws_of_table
from scalesr.estimators.parameters import random_sources, settings_of
from scalesr.estimators.regressor import ScaleSRRegressor
from scalesr.estimators.saved_regressor import load_regressor, regressor_of
from scalesr.tables import Wanted
from scalesr.visible import visible


class Laws(Mapping[str, ScaleSRRegressor]):
    """The laws of a batch by their names, each a fitted regressor; `lines` tell of all, also of those without a law.

    `unwritten` are sentences about files that could not be written; their laws are here all the same.
    """

    def __init__(
        self, lines: Sequence[BatchLine], models: Mapping[str, Path | bytes], unwritten: Sequence[str] = ()
    ) -> None:
        self.lines, self.unwritten = tuple(lines), tuple(unwritten)
        self._models = models

    def __getitem__(self, name: str) -> ScaleSRRegressor:
        model = self._models[name]
        return load_regressor(model) if isinstance(model, Path) else regressor_of(model, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._models)

    def __len__(self) -> int:
        return len(self._models)

    def __repr__(self) -> str:
        return f"<{len(self)} laws of {len(self.lines)} tables>"


class BatchInterrupted(KeyboardInterrupt):
    """A batch was interrupted; `laws` are those that it had found, and the same call goes on with the others."""

    def __init__(self, laws: Laws) -> None:
        super().__init__()
        self.laws = laws


def fit_many(  # noqa: PLR0913 - what is fitted, where and how
    tables: Any,
    targets: Any = None,
    *,
    groups: Any = None,
    output: str | Path | None = None,
    backend: str | None = None,
    cluster: str | None = None,
    n_jobs: int | None = None,
    restart: bool = False,
    verbose: int | Watcher = 0,
    reading: ReadOptions | None = None,
    **settings: Any,
) -> Laws:
    """Find a law for each of many tables, targets or groups.

    tables : a folder, a pattern such as "runs/*.csv" or a list of files; one table in memory; or tables by their
        names, {"a": (X, y), "b": frame}
    targets : the column that the laws are for, several, or a pattern such as "gene*"; for tables in memory also values
    groups : a column, or a label for each row: a law for each of its values
    output : a folder for the laws as they end, `laws/NAME.json` as `scalesr.load` reads them, and for summary.csv and
        summary.json; what it holds of the same rows and settings is not done again
    backend : "joblib" on this machine, "dask" or "ray"; a cluster's address tells it
    cluster : "dask://HOST:PORT" or "ray://HOST:PORT"; without it the workers are processes of this machine
    n_jobs : workers of this machine, by joblib's rules; every core if not given
    restart : whether all is done again
    verbose : 1 tells on standard error what is done and what is left; a function is called with each Standing
    reading : how files are read, where more is to be said than their targets
    settings : parameters of ScaleSRRegressor; the time limit is that of each law

    A law does not depend on the backend or the number of workers, and is the one that ScaleSRRegressor finds alone
    with the same settings. What cannot be done is a line in `lines` with its sentence, and ends nothing. An interrupt
    is a BatchInterrupted with the laws so far, which are in the folder as well. A folder with laws for another target
    or other settings is refused.
    """
    _check(settings)
    used = backend_of(backend, cluster)
    folder = None if output is None else Path(output)
    jobs = _jobs(tables, targets, groups, folder, reading, settings)
    kept = None if folder is None else Kept(folder, jobs, restart=restart)
    marks = {} if kept is None else {job.name: mark_of(job) for job in jobs}
    known = {
        job.name: line
        for job in jobs
        if kept is not None and not restart and (line := kept.known(job, marks[job.name])) is not None
    }
    waiting = sorted((job for job in jobs if job.name not in known), key=lambda job: job.cost)
    collected = _Collected(folder, kept, jobs, known, marks)
    count = Tally(len(jobs), len(known), _watcher(verbose))
    try:
        with closing(results(waiting, used, cluster, n_jobs)) as ended:  # ends the workers, too
            for done in ended:
                try:
                    count.add(done.line)  # a law is told before its file is written
                finally:
                    collected.add(done)
    except KeyboardInterrupt as interrupt:
        raise BatchInterrupted(collected.laws()) from interrupt
    return collected.laws()


class _Collected:
    """What has come of a batch; a file that cannot be written costs that file, and the law stays in memory."""

    def __init__(
        self, folder: Path | None, kept: Kept | None, jobs: Sequence[Job], known: Mapping[str, BatchLine],
        marks: Mapping[str, str],
    ) -> None:  # fmt: skip
        self._folder, self._kept, self._marks = folder, kept, marks
        self._jobs = {job.name: job for job in jobs}
        self._lines = dict(known)
        self._models: dict[str, Path | bytes] = {} if kept is None else {name: kept.law(name) for name in known}
        self._unwritten: list[str] = []

    def add(self, done: Done) -> None:
        """Keep what has come of one job."""
        name = done.line.name
        self._lines[name] = done.line
        if done.model:
            self._models[name] = done.model
        if self._kept is not None and self._is_written(self._kept.keep, done, self._jobs[name], self._marks[name]):
            self._models[name] = self._kept.law(name)

    def laws(self) -> Laws:
        """All that has come so far, with its summary in the folder."""
        lines = [self._lines[name] for name in self._jobs if name in self._lines]
        if self._folder is not None:
            self._is_written(write_summary, self._folder, lines)
        models = {line.name: self._models[line.name] for line in lines if not line.failure}
        return Laws(lines, models, self._unwritten)

    def _is_written(self, write: Callable[..., None], *what: Any) -> bool:
        try:
            write(*what)
        except DataError as error:
            self._unwritten.append(str(error))
            return False
        return True


def _check(settings: Mapping[str, Any]) -> None:
    """Refuse settings that no worker could use, before any of them is started."""
    known = ScaleSRRegressor().get_params(deep=False)
    if unknown := sorted(settings.keys() - known.keys()):
        raise SettingError(f"There is no setting {unknown[0]!r}; ScaleSRRegressor has {', '.join(known)}.")
    seed = settings.get("random_state")
    if seed is not None and not isinstance(seed, int):
        raise SettingError(f"random_state={seed!r} would give laws that depend on their order; give a whole number.")
    if settings.get("checkpoint") is not None:
        raise SettingError("Many laws have no checkpoint; give output=FOLDER, which keeps what is done.")
    settings_of({**known, **settings})
    random_sources(seed, 1)


def _jobs(
    tables: Any,
    targets: Any,
    groups: Any,
    folder: Path | None,
    reading: ReadOptions | None,
    settings: Mapping[str, Any],
) -> list[Job]:
    if _are_files(tables):
        if groups is not None and not isinstance(groups, str):
            raise SettingError("The groups of files are the name of a column; labels need one table in memory.")
        given = () if targets is None else (targets,) if isinstance(targets, str) else tuple(targets)
        how = reading or ReadOptions(Wanted(""), given, groups)
        return jobs_of_files(paths_of(tables, folder), how, settings)
    named = tables if isinstance(tables, Mapping) else {"": tables}
    found = []
    for name, table in named.items():
        X, y = table if isinstance(table, tuple) and len(table) == 2 else (table, targets)
        if y is None:
            raise DataError("Say what the laws are for: targets=COLUMN, or (X, y) for each table.")
        for words, own, target in laws_of_table(X, y, groups, matching):
            found.append((".".join([*([str(name)] if name else []), *words]) or "law", own, target))
    names = file_names([one[0] for one in found])
    return [
        Job(name, ArrayOrigin(X, y, about=wanted), settings, float(X.size))
        for name, (wanted, X, y) in zip(names, found, strict=True)
    ]


def _are_files(tables: Any) -> bool:
    if isinstance(tables, str | Path):
        return True
    return isinstance(tables, list | tuple) and bool(tables) and all(isinstance(one, str | Path) for one in tables)


def _watcher(verbose: int | Watcher) -> Watcher | None:
    if callable(verbose):
        return verbose
    return _told if verbose else None


def _told(standing: BatchStanding) -> None:
    print(visible(standing.sentence), file=sys.stderr, flush=True)
