"""The page as its users start it: a process of its own, on a free port, with a folder of its own."""

from __future__ import annotations

import http.client
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from scalesr.runs.project import Project
from scalesr.runs.run import PAUSE
from scalesr.runs.state import Phase
from tests.runs.waiting import until


@dataclass
class Server:
    """A running server and what its owner knows about it."""

    process: subprocess.Popen[str]
    address: str
    folder: Path
    said: str = ""  # up to the address
    cookie: str = field(init=False)

    def __post_init__(self) -> None:
        parts = urlsplit(self.address)
        self.port, self.token = int(parts.port or 0), parse_qs(parts.query).get("token", [""])[0]
        self.cookie = f"scalesr-{self.port}={self.token}"

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def own(self) -> dict[str, str]:
        """The headers of the page's own requests."""
        return {"Cookie": self.cookie, "Origin": self.origin}

    @property
    def project(self) -> Project:
        return Project.opened(self.folder)

    def ask(
        self, path: str, *, method: str = "GET", headers: dict[str, str] | None = None, body: bytes | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of an answer; headers are sent as they are."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body=body, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def send(self, content: bytes, name: str = "table.csv") -> str:
        """Send a table as the page does, and wait until it is read; the key of its run."""
        status, _, body = self.ask(f"/tables?name={name}", method="POST", headers=self.own, body=content)
        assert status == 200, body
        key = re.search(rb"/runs/([^\"]+)", body)[1].decode()
        until(lambda: self.project.run(key).state.phase is not Phase.READING, "the table is read")
        return key

    def kill(self) -> None:
        """End the server as a crash would."""
        self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


def start(folder: Path, *arguments: str, opens: bool = False, **variables: str) -> Server:
    command = [sys.executable, "-m", "scalesr.cli", "app", "--port", "0", "--folder", str(folder)]
    command += [] if opens else ["--no-browser"]
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"} | variables
    process = subprocess.Popen(
        [*command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    )
    assert process.stdout is not None
    said, found = "", None
    while found is None and (line := process.stdout.readline()):
        said, found = said + line, re.search(r"http://\S+", line)
    if found is None:
        process.kill()
        raise AssertionError(said)
    server = Server(process, found[0], folder, said)
    until(lambda: _answers(server), "the server answers")
    return server


@contextmanager
def served(folder: Path, *arguments: str, opens: bool = False, **variables: str) -> Iterator[Server]:
    """A server for a block; its searches end with it. `variables` are of its environment."""
    server = start(folder, *arguments, opens=opens, **variables)
    try:
        yield server
    finally:
        server.kill()
        end_searches(server.project)


def end_searches(project: Project) -> None:
    at_work = [run for run in project.runs() if run.is_worked_on]
    for run in at_work:
        run.ask(PAUSE)
    for run in at_work:
        until(lambda run=run: not run.is_worked_on, "a search ends")


def _answers(server: Server) -> bool:
    try:
        return server.ask("/")[0] in (401, 403)
    except OSError:
        return False
