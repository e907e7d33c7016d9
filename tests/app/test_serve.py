"""The page as the command line starts it."""

import pytest

pytest.importorskip("nicegui", reason="The page needs NiceGUI: pip install 'scalesr[app]'")

from scalesr.runs.state import Phase
from tests.app.servers import served
from tests.runs.tables import LINE
from tests.runs.waiting import until


def test_a_table_on_the_command_line_is_the_first_page(tmp_path):
    table = tmp_path / "line.csv"
    table.write_bytes(LINE)
    with served(tmp_path / "runs", str(table)) as server:
        (run,) = server.project.runs()
        assert server.address.startswith(f"{server.origin}/runs/{run.key}?token=")
        until(lambda: run.state.phase is Phase.READY, "the table is read")
        assert run.name == "line.csv"
        status, headers, _ = server.ask(server.address.removeprefix(server.origin))
        assert status == 303
        assert headers["location"] == f"/runs/{run.key}"
        assert headers["set-cookie"].startswith(server.cookie)
        assert server.ask(headers["location"], headers={"Cookie": server.cookie})[0] == 200


def test_each_server_has_a_token_of_its_own(tmp_path):
    with served(tmp_path / "one") as one, served(tmp_path / "two") as two:
        assert one.token != two.token
        assert len(one.token) >= 32
        assert two.ask("/", headers={"Cookie": f"scalesr-{two.port}={one.token}"})[0] == 403
