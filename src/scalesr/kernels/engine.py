"""The engine: everything that is compiled, made ready before it is needed.

Numba holds the interpreter lock for half of the time that it compiles, so parts are compiled in processes of
their own where there are cores; what they make lies on disk, and this process loads it from there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import ExitStack, suppress
from multiprocessing import spawn
from queue import SimpleQueue

from scalesr.kernels.blocks import backward, forward
from scalesr.kernels.breeding import breed
from scalesr.kernels.compile import Compiled
from scalesr.kernels.covariance import covariance
from scalesr.kernels.disk import base_of, writable_folder
from scalesr.kernels.evaluate import evaluate_programs
from scalesr.kernels.fit import fit_tasks
from scalesr.kernels.levenberg import levenberg
from scalesr.kernels.niches import place, wrap
from scalesr.kernels.problem import linear_optimum, make_problem
from scalesr.kernels.screen import screen
from scalesr.kernels.sound import first_unsound
from scalesr.kernels.starts import guess_constants
from scalesr.kernels.tape import gradient_by_variables, jacobian_by_constants, values_and_jacobian

# Those that take longest come first, so that the last one ends soon after the others.
PARTS: tuple[Compiled, ...] = (
    forward, levenberg, backward, breed, fit_tasks, linear_optimum, screen, make_problem, evaluate_programs, covariance,
    guess_constants, values_and_jacobian, gradient_by_variables, jacobian_by_constants, first_unsound, wrap, place,
)  # fmt: skip
MOST_WORKERS = 4  # processes; each takes 150 MB, and more would not end sooner than the longest part
WORKER = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from scalesr.kernels import engine; engine.work()"

Told = Callable[[int, int], None]  # parts that are ready, and all of them


def make_ready(told: Told | None = None, *, n_workers: int | None = None) -> None:
    """Load the engine; what no place on disk has is compiled first, which is told as it goes on.

    `n_workers` are the processes that compile, as many as there are cores if not given; 1 is this one.
    """
    missing = [part for part in PARTS if not (part.is_ready or part.is_on_disk)]
    n_ready = len(PARTS) - len(missing)
    for n_done, _ in enumerate(_compiled(missing, _n_cores() if n_workers is None else n_workers), n_ready):
        if told is not None:
            told(n_done, len(PARTS))
    for part in PARTS:
        part.make_ready()


def _compiled(parts: Sequence[Compiled], n_workers: int) -> Iterator[None]:
    """Comes back before the first part and after each."""
    if parts:
        yield None
    if min(n_workers, len(parts)) > 1:
        yield from _compiled_elsewhere([part.name for part in parts], min(n_workers, MOST_WORKERS, len(parts)))
    else:
        for part in parts:
            part.make_ready()
            yield None


def _n_cores() -> int:
    """Cores that this process may use; a program that is one file has no interpreter to start again."""
    if getattr(sys, "frozen", False) or writable_folder() is None:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _compiled_elsewhere(names: Sequence[str], n_workers: int) -> Iterator[None]:
    """Comes back after each part that other processes have compiled; one that fails is left to this process."""
    waiting: SimpleQueue[str] = SimpleQueue()
    for name in names:
        waiting.put(name)
    with ExitStack() as stack:
        pool = stack.enter_context(ThreadPoolExecutor(n_workers))
        workers = [_started() for _ in range(n_workers)]
        for worker in workers:
            stack.callback(_ended, worker)
        running = {pool.submit(_asked, worker, waiting): worker for worker in workers}
        while running:
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                worker = running.pop(future)
                if future.result():
                    yield None
                    running[pool.submit(_asked, worker, waiting)] = worker


def _started() -> subprocess.Popen[str]:
    """A process that compiles what it is asked for into this one's folder."""
    folder = writable_folder()
    assert folder is not None  # or there would be no workers
    interpreter = os.fsdecode(spawn.get_executable() or sys.executable)
    environment = os.environ | {"NUMBA_CACHE_DIR": str(base_of(folder))}
    return subprocess.Popen(
        [interpreter, "-c", WORKER, json.dumps(sys.path)], env=environment, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip


def _asked(worker: subprocess.Popen[str], waiting: SimpleQueue[str]) -> bool:
    """Whether the worker has one more part ready; not so if there is none, or the worker is no more."""
    assert worker.stdin is not None
    assert worker.stdout is not None
    if waiting.empty():
        return False
    name = waiting.get()
    try:
        print(name, file=worker.stdin, flush=True)
        return worker.stdout.readline().strip() == name
    except OSError:
        return False


def _ended(worker: subprocess.Popen[str]) -> None:
    worker.kill()
    worker.communicate()


def work() -> None:
    """Compile the parts whose names come in, one a line, and answer each with its name."""
    by_name = {part.name: part for part in PARTS}
    with suppress(KeyboardInterrupt):  # the process that asks hears of it, too
        for line in sys.stdin:
            by_name[line.strip()].make_ready()
            print(line.strip(), flush=True)
