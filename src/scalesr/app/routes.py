"""Files in and out: tables that are sent, values for new rows, exports and the page's own files."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any, BinaryIO, Final

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, JSONResponse, Response

from scalesr.app.site import Busy, Site
from scalesr.errors import ScaleSRError
from scalesr.runs.exports import EXPORTS, export
from scalesr.runs.run import RunFolder

OWN_FILES: Final = {"page.js": "text/javascript; charset=utf-8", "style.css": "text/css; charset=utf-8"}
SHOWN: Final = 5  # values that are told at once


def add_routes(api: FastAPI, site: Site) -> None:
    """Let a FastAPI application answer for the files of a site."""

    async def take_table(request: Request, name: str = "table") -> Response:
        run = site.begin(name)
        try:
            with run.table_to_come() as file:
                await _received(request, file)
        except BaseException:
            run.delete()
            raise
        site.processes.read(run)
        return JSONResponse({"go": f"/runs/{run.key}"})

    async def predict(request: Request, key: str) -> Response:
        run = site.project.run(key)
        given, values = run.path / "new-rows", run.path / "predicted.csv"
        with given.open("wb") as file:
            await _received(request, file)
        await site.aside("predict", run, given, values)
        return JSONResponse({"said": _about(values), "go": f"/runs/{run.key}/predicted"})

    async def predicted(key: str) -> Response:
        run = site.project.run(key)
        return FileResponse(run.path / "predicted.csv", media_type="text/csv", filename="predicted.csv")

    async def take_away(key: str, form: str) -> Response:
        run = site.project.run(key)
        if form == "report" and not _is_fresh(run):
            await site.aside("report", run)
        content, kind = export(run, form), EXPORTS[form]
        return Response(
            content, media_type=kind.media, headers={"Content-Disposition": f"attachment; filename={kind.file}"}
        )

    async def own_file(name: str) -> Response:
        if name not in OWN_FILES:
            return Response("There is no such file.", 404)
        content = resources.files("scalesr.app").joinpath(name).read_bytes()
        return Response(content, media_type=OWN_FILES[name])

    api.add_api_route("/tables", take_table, methods=["POST"])
    api.add_api_route("/runs/{key}/predict", predict, methods=["POST"])
    api.add_api_route("/runs/{key}/predicted", predicted)
    api.add_api_route("/runs/{key}/export/{form}", take_away)
    api.add_api_route("/static/{name}", own_file)
    api.add_exception_handler(ScaleSRError, _told)


async def _received(request: Request, file: BinaryIO) -> None:
    """Write a request's body to a file as it comes."""
    async for part in request.stream():
        file.write(part)


async def _told(_: Request, error: Any) -> Response:
    return JSONResponse({"fault": str(error)}, 429 if isinstance(error, Busy) else 400)


def _about(values: Path) -> str:
    """The first values and what there is to say of all of them."""
    with values.open(encoding="utf-8") as file:
        lines = [file.readline().strip() for _ in range(SHOWN + 1)]
    shown = ", ".join(line for line in lines[1:] if line)
    return " ".join([f"{lines[0]}: {shown}, ...", *values.with_suffix(".txt").read_text(encoding="utf-8").splitlines()])


def _is_fresh(run: RunFolder) -> bool:
    report = run.path / "report.html"
    return report.exists() and report.stat().st_mtime >= run.law.stat().st_mtime
