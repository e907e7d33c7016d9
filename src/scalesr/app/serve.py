"""serve: the page on this machine, behind its gate."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_urlsafe
from typing import Any, Final

from scalesr.app.gate import App, Gate, Keys
from scalesr.app.opening import opened
from scalesr.app.sign_in import LEAST
from scalesr.errors import MissingExtra, SettingError
from scalesr.runs.project import Project

HOST: Final = "127.0.0.1"
SECONDS_BETWEEN: Final = 0.5  # two looks for a free place for what waits
PATIENCE: Final = 60.0  # seconds that a page may take to be made and to connect, on a busy machine: it would be loaded
# again, and lose what its user has just chosen
MOST_CONNECTIONS: Final = 200  # at a time; one page needs about ten


@dataclass(frozen=True, slots=True)
class Served:
    """Where a page is served and to whom: to this machine alone, or under a host to those who have the password."""

    host: str = HOST
    port: int = 0  # 0 is any free one
    password: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if self.is_shared and len(self.password) < LEAST:
            raise SettingError(f"A page that other machines reach needs a password of {LEAST} characters or more.")

    @staticmethod
    def is_elsewhere(host: str) -> bool:
        """Whether other machines reach a server that listens there."""
        return host not in ("127.0.0.1", "localhost", "::1")

    @property
    def is_shared(self) -> bool:
        """Whether other machines can reach it."""
        return self.is_elsewhere(self.host)

    def keys(self, token: str, port: int) -> Keys:
        """What its requests have to bring."""
        if not self.is_shared:
            return Keys.local(token, port)
        name = socket.gethostname()
        return Keys.shared(token, port, (self.host, name, f"{name}.local"), self.password)


def serve(
    folder: Path, where: Served, *, table: Path | None = None, opens: bool = True, say: Callable[[str], None]
) -> None:
    """Serve the runs of a folder until somebody interrupts; `say` tells the address."""
    uvicorn = _required()
    listener = bound(where)
    port = listener.getsockname()[1]
    token = token_urlsafe(24)
    application, first = page_application(folder, table, is_shared=where.is_shared)
    address = f"http://{_named(where.host)}:{port}{first}"
    own = address if where.is_shared else f"{address}?token={token}"
    say(f"ScaleSR is at {own}")
    say(f"Runs are kept in {folder}. Ctrl-C ends the page; searches that are under way go on.")
    config = uvicorn.Config(
        Gate(application, where.keys(token, port)), log_level="error", server_header=False,
        limit_concurrency=MOST_CONNECTIONS, ws_max_size=2**20, timeout_graceful_shutdown=2,
    )  # fmt: skip
    with suppress(KeyboardInterrupt), opened(own, private_folder(folder)) if opens else nullcontext():
        asyncio.run(uvicorn.Server(config).serve(sockets=[listener]))


def bound(where: Served) -> socket.socket:
    """A socket that listens there."""
    listener = socket.socket(socket.AF_INET6 if ":" in where.host else socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((where.host, where.port))
    except OSError as error:
        listener.close()
        raise SettingError(
            f"Port {where.port} cannot be used at {where.host}: {error.strerror or error}. Choose another with --port."
        ) from error
    return listener


def private_folder(folder: Path) -> Path:
    """A folder in that of the runs for what the page keeps for itself; nobody else can look into it."""
    path = folder / ".page"
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.chmod(0o700)
    except OSError as error:
        raise SettingError(
            f"{folder} cannot hold runs: {error.strerror or error}. Choose another folder by --folder."
        ) from error
    return path


def _named(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def page_application(folder: Path, table: Path | None = None, *, is_shared: bool = False) -> tuple[App, str]:
    """The pages as one application, without its gate, and the path of the first of them."""
    Project.opened(folder)
    os.environ.setdefault("NICEGUI_STORAGE_PATH", str(private_folder(folder)))  # NiceGUI reads it when it is loaded
    from fastapi import FastAPI
    from nicegui import ui

    from scalesr.app.pages.compare import compare_page
    from scalesr.app.pages.home import home
    from scalesr.app.pages.run import run_page
    from scalesr.app.routes import add_routes
    from scalesr.app.site import Site

    site = Site.of(folder, is_shared=is_shared)
    first = "/"
    if table is not None:
        with table.open("rb") as file:
            first = f"/runs/{site.add(table.name, iter(lambda: file.read(2**20), b'')).key}"
    api = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, lifespan=None)
    add_routes(api, site)

    def front() -> None:
        home(site)

    async def one(key: str) -> None:
        await run_page(site, key)

    def beside(runs: str = "") -> None:
        compare_page(site, runs)

    ui.page("/")(front)
    ui.page("/compare")(beside)
    ui.page("/runs/{key}", response_timeout=PATIENCE)(one)  # a law is read before its page is sent
    _keep_going(site)
    ui.run_with(
        api, title="ScaleSR", dark=None, tailwind=False, language="en-US", show_welcome_message=False,
        reconnect_timeout=PATIENCE,
    )  # fmt: skip
    return api, first


def _keep_going(site: Any) -> None:
    """Start what waits for a place, for as long as the page is served."""
    from nicegui import app

    async def look() -> None:
        while True:
            await asyncio.to_thread(site.processes.advance)
            await asyncio.sleep(SECONDS_BETWEEN)

    async def begin() -> None:
        tasks.append(asyncio.create_task(look()))
        tasks.append(asyncio.create_task(asyncio.to_thread(_warm)))

    tasks: list[asyncio.Task[Any]] = []
    app.on_startup(begin)
    app.on_shutdown(lambda: [task.cancel() for task in tasks])


def _warm() -> None:
    """Load what the first law needs, while nobody waits for it."""
    from scalesr.expr.evaluate import evaluate
    from scalesr.expr.text import parse

    evaluate(parse("x0"), [[1.0]])


def _required() -> Any:
    try:
        import nicegui  # noqa: F401
        import uvicorn
    except ImportError as error:
        raise MissingExtra("The page needs NiceGUI: pip install 'scalesr[app]'.") from error
    return uvicorn
