import socket
import sys

import pytest

from scalesr.cli.app import run


def told(capsys) -> str:
    said = capsys.readouterr()
    return said.out + said.err


def test_help_names_the_options(capsys):
    assert run(["app", "--help"]) == 0
    text = told(capsys)
    for option in ("--port", "--no-browser", "--folder"):
        assert option in text


def test_a_table_that_is_not_there_is_refused(capsys, tmp_path):
    assert run(["app", str(tmp_path / "none.csv"), "--no-browser"]) == 2
    assert "is not a file" in told(capsys)


def test_a_port_that_is_taken_is_told(capsys, tmp_path):
    pytest.importorskip("nicegui", reason="The page needs NiceGUI: pip install 'scalesr[app]'")
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert run(["app", "--no-browser", "--port", str(port), "--folder", str(tmp_path)]) == 2
    assert f"Port {port} cannot be used" in told(capsys)


def test_without_its_extra_the_command_says_how_to_get_it(capsys, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "nicegui", None)
    assert run(["app", "--no-browser", "--folder", str(tmp_path)]) == 2
    assert "pip install 'scalesr[app]'" in told(capsys)
