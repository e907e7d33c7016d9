"""The page as the command line starts it."""

import stat
import sys
from pathlib import Path

import pytest

pytest.importorskip("nicegui", reason="The page needs NiceGUI: pip install 'scalesr[app]'")

from scalesr.runs.state import Phase
from tests.app.servers import served
from tests.runs.tables import LINE
from tests.runs.waiting import until


def test_a_table_on_the_command_line_is_the_first_page_and_each_server_has_a_token_of_its_own(tmp_path, server):
    table = tmp_path / "line.csv"
    table.write_bytes(LINE)
    with served(tmp_path / "runs", str(table)) as another:
        assert another.token != server.token
        assert len(another.token) >= 32
        assert another.ask("/", headers={"Cookie": f"scalesr-{another.port}={server.token}"})[0] == 403
        (run,) = another.project.runs()
        assert another.address.startswith(f"{another.origin}/runs/{run.key}?token=")
        until(lambda: run.state.phase is Phase.READY, "the table is read")
        assert run.name == "line.csv"
        status, headers, _ = another.ask(another.address.removeprefix(another.origin))
        assert status == 303
        assert headers["location"] == f"/runs/{run.key}"
        assert headers["set-cookie"].startswith(another.cookie)
        assert another.ask(headers["location"], headers={"Cookie": another.cookie})[0] == 200


@pytest.mark.skipif(sys.platform != "linux", reason="Reads the processes of Linux")
def test_other_users_cannot_read_the_token(tmp_path):
    opener, seen = tmp_path / "opener", tmp_path / "seen"
    opener.write_text(f'#!/bin/sh\nprintf "%s" "$*" > {seen}.part && mv {seen}.part {seen}\n')
    opener.chmod(0o700)
    with served(tmp_path / "runs", opens=True, BROWSER=f"{opener} %s") as server:
        until(seen.exists, "the browser is sent to the page")
        place = Path(seen.read_text().removeprefix("file://"))
        assert server.token in place.read_text()  # and in nothing that others can read:
        assert server.token not in seen.read_text()
        assert server.token not in Path(f"/proc/{server.process.pid}/cmdline").read_text()
        assert stat.S_IMODE(place.stat().st_mode) == 0o600
        assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700
        key = server.send(LINE)
        folder = server.project.run(key).path
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        private = (folder, place.parent)
        others = [path for path in server.folder.rglob("*") if not any(path.is_relative_to(own) for own in private)]
        assert others == []
        assert stat.S_IMODE(server.folder.stat().st_mode) == 0o700


def test_other_machines_are_asked_for_a_password(tmp_path):
    with served(tmp_path / "runs", "--host", "0.0.0.0", SCALESR_PASSWORD="long enough") as server:
        assert "Warning" in server.said
        assert "token" not in server.address
        own = {"Origin": server.origin, "Content-Type": "application/x-www-form-urlencoded"}
        status, _, body = server.ask("/")
        assert (status, b'type="password"' in body) == (401, True)
        assert server.ask("/tables?name=x", method="POST", headers=own, body=LINE)[0] == 403
        assert server.ask("/sign-in", method="POST", headers=own, body=b"password=wrong")[0] == 401
        assert server.ask("/sign-in", method="POST", headers=own, body=b"x" * 10_000)[0] == 401
        status, headers, _ = server.ask("/sign-in", method="POST", headers=own, body=b"password=long+enough")
        assert (status, headers["location"]) == (303, "/")
        cookie = headers["set-cookie"].split(";")[0]
        assert server.ask("/", headers={"Cookie": cookie})[0] == 200
        assert server.ask("/", headers={"Cookie": cookie, "Host": f"evil.example:{server.port}"})[0] == 400


def test_a_short_password_is_refused(tmp_path, capsys, monkeypatch):
    from scalesr.cli.app import run

    monkeypatch.setenv("SCALESR_PASSWORD", "short")
    assert run(["app", "--host", "0.0.0.0", "--folder", str(tmp_path)]) == 2
    assert "10 characters" in capsys.readouterr().err
