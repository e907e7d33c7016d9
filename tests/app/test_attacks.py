"""Attacks over HTTP on the page as it is served."""

import base64
import io
import json
import os
import re
import socket
import zipfile
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import pytest

pytest.importorskip("nicegui", reason="The page needs NiceGUI: pip install 'scalesr[app]'")

from scalesr.runs.state import Phase
from tests.runs.tables import LINE
from tests.runs.waiting import until

PAGES = ["/", "/runs/x", "/tables", "/static/style.css", "/_nicegui/1/static/nicegui.js", "/_nicegui_ws/socket.io/"]


@pytest.mark.parametrize("path", PAGES)
def test_a_second_user_of_the_machine_sees_nothing(server, path):
    for headers in ({}, {"Cookie": f"scalesr-{server.port}=guess"}, {"Origin": server.origin}):
        assert server.ask(path, headers=headers)[0] == 403
    assert server.ask(f"{path}?token=guess")[0] == 403


@pytest.mark.parametrize("path", PAGES)
def test_names_that_an_attacker_points_here_are_refused(server, path):
    for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1", f"127.0.0.1:{server.port}@evil.example"):
        assert server.ask(path, headers={"Host": host, "Cookie": server.cookie})[0] == 400


def test_posts_of_other_sites_change_nothing(server):
    before = server.project.runs()
    for origin in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {}):
        status, _, _ = server.ask(
            "/tables?name=x", method="POST", headers={"Cookie": server.cookie, **origin}, body=LINE
        )
        assert status == 403
    assert server.project.runs() == before


@pytest.mark.parametrize(
    ("headers", "status"), [({}, 101), ({"Origin": "http://evil.example"}, 403), ({"Cookie": "none=1"}, 403)]
)
def test_sockets_of_other_sites_are_refused(server, headers, status):
    upgrade = {
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
    }  # fmt: skip
    path = "/_nicegui_ws/socket.io/?EIO=4&transport=websocket&client_id=1"
    lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{server.port}"]
    lines += [f"{name}: {value}" for name, value in {**upgrade, **server.own, **headers}.items()]
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
        line.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        assert int(line.recv(100).split()[1]) == status


@pytest.mark.parametrize("name", ["../../evil", "/etc/cron.d/evil", "..\\evil", "a\0b", "%2e%2e%2fevil", "x" * 3000])
def test_a_path_in_a_files_name_leads_nowhere(server, name):
    parent = server.folder.parent
    before = sorted(parent.iterdir())
    key = server.send(LINE, quote(name, safe=""))
    run = server.project.run(key)
    assert run.path.parent == server.folder.resolve()
    assert sorted(path.name for path in run.path.iterdir()) == sorted(
        ["about.json", "lock", "log.txt", "pid", "state.json", "table", "understood.json"]
    )
    assert sorted(parent.iterdir()) == before


@pytest.mark.parametrize(
    "path",
    [
        "/runs/..%2f..%2fetc/export/law",
        "/runs/../../etc/passwd/export/law",
        "/runs/%2e%2e/predicted",
        "/static/..%2f..%2fpyproject.toml",
        "/static/%2e%2e/gate.py",
        "/static/gate.py",
        "/_nicegui/1/static/..%2f..%2f..%2fgate.py",
    ],
)
def test_paths_in_addresses_lead_nowhere(server, path):
    status, _, body = server.ask(path, headers=server.own)
    assert status in (200, 400, 404)
    assert b"root:" not in body
    assert b"Keys" not in body
    assert b"setuptools" not in body


def test_new_rows_that_cannot_be_used_are_one_sentence(server):
    key = server.send(LINE)
    for content in (b"", b"z,w\n1,2\n", b"PK\x03\x04"):
        status, _, body = server.ask(f"/runs/{key}/predict", method="POST", headers=server.own, body=content)
        assert status == 400
        assert json.loads(body)["fault"].endswith(".")


def test_exports_are_of_known_kinds(server):
    key = server.send(LINE)
    for form in ("..%2ftable", "table", "law", "x" * 5000):
        status, _, body = server.ask(f"/runs/{key}/export/{form}", headers=server.own)
        assert status in (400, 404)
        assert b"x,y" not in body


def test_two_gigabytes_are_refused_before_they_come(server):
    before = server.project.runs()
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
        lines = ["POST /tables?name=big.csv HTTP/1.1", f"Host: 127.0.0.1:{server.port}", f"Content-Length: {2**31}"]
        lines += [f"{name}: {value}" for name, value in server.own.items()]
        line.sendall(("\r\n".join(lines) + "\r\n\r\n").encode() + b"x,y\n")
        assert line.recv(100).split()[1] == b"413"
    assert server.project.runs() == before


def test_a_sender_who_goes_away_leaves_nothing(server):
    before = server.project.runs()
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
        lines = ["POST /tables?name=cut.csv HTTP/1.1", f"Host: 127.0.0.1:{server.port}", "Content-Length: 1000"]
        lines += [f"{name}: {value}" for name, value in server.own.items()]
        line.sendall(("\r\n".join(lines) + "\r\n\r\n").encode() + b"x,y\n")
        until(lambda: server.project.runs() != before, "the table begins to come")
    until(lambda: server.project.runs() == before, "it is removed")


def test_a_workbook_that_unpacks_without_end_is_one_sentence(server):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
        with archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as sheet:
            for _ in range(300):
                sheet.write(b"<c>" * 2**19)
    key = server.send(content.getvalue(), "bomb.xlsx")
    state = server.project.run(key).state
    assert state.phase is Phase.FAILED
    assert "bomb.xlsx" in state.message
    assert server.ask("/", headers=server.own)[0] == 200


@pytest.mark.parametrize(
    "content", [b"", b"\0" * 1000, b"\x93NUMPY\x01\x00\xff\xff", b"PAR1" + b"\xff" * 100, b"\x1f\x8b\x08" + b"\0" * 50]
)
def test_broken_tables_are_one_sentence(server, content):
    state = server.project.run(server.send(content, "broken")).state
    assert state.phase is Phase.FAILED
    assert state.message


def test_texts_of_others_are_escaped_in_the_page(server):
    name = "<script>document.title='owned'<\\script>`${document.title='owned'}`{{7*7}}".replace("\\", "|")
    key = server.send(b"x,y\n1,2\n2,3\n", quote(name, safe=""))
    status, _, body = server.ask(f"/runs/{key}", headers=server.own)
    assert status == 200
    assert b"owned" in body  # it is there, as text
    assert b"<script>document.title" not in body
    scripts = re.findall(rb"<script.*?</script>", body, re.DOTALL)
    assert any(b"owned" in script for script in scripts)
    assert not any(b"`${document" in script for script in scripts)


def test_fifty_requests_at_once_are_all_answered(server):
    def asked(place):
        if place % 2:
            return server.ask("/", headers=server.own)[0]
        return server.ask("/tables?name=t.csv", method="POST", headers=server.own, body=LINE)[0]

    with ThreadPoolExecutor(50) as many:
        statuses = list(many.map(asked, range(50)))
    assert set(statuses[1::2]) == {200}
    assert set(statuses[::2]) <= {200, 429}
    assert 200 in statuses[::2]
    until(lambda: all(run.state.phase is not Phase.READING for run in server.project.runs()), "all tables are read")
    assert server.ask("/", headers=server.own)[0] == 200


def test_the_server_is_heard_on_this_machine_alone(server):
    others = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)} - {"127.0.0.1"}
    for address in others:
        with pytest.raises(OSError, match=r".*"):
            socket.create_connection((address, server.port), timeout=5).close()


def test_exports_are_handed_out_as_files(server):
    status, headers, _ = server.ask("/static/page.js", headers=server.own)
    assert (status, headers["x-content-type-options"]) == (200, "nosniff")
    assert "server" not in headers
