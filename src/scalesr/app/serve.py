"""serve: the page on this machine, behind its gate."""

from __future__ import annotations

import asyncio
import os
import socket
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from secrets import token_urlsafe
from typing import Any, Final

from scalesr.app.gate import App, Gate, Keys
from scalesr.errors import MissingExtra, SettingError

HOST: Final = "127.0.0.1"
SECONDS_BETWEEN: Final = 0.5  # two looks for a free place for what waits
PATIENCE: Final = 60.0  # seconds that a page may take to connect, on a busy machine: it would be loaded again, and lose
# what its user has just chosen
MOST_CONNECTIONS: Final = 200  # at a time; one page needs about ten


def serve(folder: Path, *, port: int, table: Path | None, opens: bool, say: Callable[[str], None]) -> None:
    """Serve the runs of a folder until somebody interrupts; `say` tells the address."""
    uvicorn = _required()
    listener = bound(port)
    number = listener.getsockname()[1]
    token = token_urlsafe(24)
    application, first = page_application(folder, table)
    keys = Keys.local(token, number)
    address = f"http://{HOST}:{number}{first}?token={token}"
    say(f"ScaleSR is at {address}")
    say(f"Runs are kept in {folder}. Ctrl-C ends the page; searches that are under way go on.")
    config = uvicorn.Config(
        Gate(application, keys), log_level="error", server_header=False, limit_concurrency=MOST_CONNECTIONS,
        ws_max_size=2**20, timeout_graceful_shutdown=2,
    )  # fmt: skip
    if opens:
        webbrowser.open(address)
    with suppress(KeyboardInterrupt):
        asyncio.run(uvicorn.Server(config).serve(sockets=[listener]))


def bound(port: int) -> socket.socket:
    """A socket on this machine alone; 0 is any free port."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
    except OSError as error:
        listener.close()
        raise SettingError(
            f"Port {port} cannot be used: {error.strerror or error}. Choose another with --port."
        ) from error
    return listener


def page_application(folder: Path, table: Path | None = None) -> tuple[App, str]:
    """The pages as one application, without its gate, and the address of the first of them."""
    os.environ.setdefault("NICEGUI_STORAGE_PATH", str(folder / ".page"))  # which NiceGUI reads when it is loaded
    from fastapi import FastAPI
    from nicegui import ui

    from scalesr.app.pages.home import home
    from scalesr.app.pages.run import run_page
    from scalesr.app.routes import add_routes
    from scalesr.app.site import Site

    site = Site.of(folder)
    first = "/"
    if table is not None:
        with table.open("rb") as file:
            first = f"/runs/{site.add(table.name, iter(lambda: file.read(2**20), b'')).key}"
    api = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, lifespan=None)
    add_routes(api, site)

    def front() -> None:
        home(site)

    def one(key: str) -> None:
        run_page(site, key)

    ui.page("/")(front)
    ui.page("/runs/{key}")(one)
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
