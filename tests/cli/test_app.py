import json

import pytest

import scalesr
from scalesr.cli import main
from scalesr.kernels.disk import stamp


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    out, err = capsys.readouterr()
    return stop.value.code, out, err


def test_version(capsys):
    assert run(capsys, "--version") == (0, f"scalesr {scalesr.__version__}\n", "")


def test_help_lists_the_commands_and_the_exit_codes(capsys):
    code, out, _ = run(capsys, "--help")
    assert code == 0
    assert "demo" in out
    assert "0 found, 1 nothing acceptable found, 2 bad input" in out


@pytest.mark.parametrize("command", ["demo", "warmup"])
def test_every_command_shows_an_example(capsys, command):
    code, out, _ = run(capsys, command, "--help")
    assert code == 0
    assert f"Example: scalesr {command}" in out


@pytest.mark.parametrize("arguments", [("fly",), ("demo", "--no-such-option"), ("demo", "--seed", "-1")])
def test_bad_usage_is_exit_code_2(capsys, arguments):
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert "Usage" in err


def test_a_path_that_cannot_be_written_is_one_sentence_and_exit_code_2(capsys, tmp_path):
    code, _, err = run(capsys, "demo", "--time-limit", "0.1", "--json", str(tmp_path))
    assert code == 2
    assert err.splitlines()[-1].startswith("Error: ")
    assert "cannot be written: it is a folder. Choose another file" in err
    assert "compiles" not in err  # it is found out before the work
    assert "Traceback" not in err


def test_a_warm_up_says_where_compiled_code_is_kept(capsys):
    code, out, _ = run(capsys, "warmup", "--quiet", "--json")
    assert code == 0
    made = json.loads(out)
    assert made["folder"].endswith(stamp())
