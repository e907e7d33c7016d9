"""Checkpoints of the command line: kills, other tables, files that are something else."""

import pytest

from scalesr.cli import main
from tests.cli.killing import killed, resumed, unbroken, write_table


def test_a_run_that_is_killed_twice_ends_in_the_same_result(tmp_path):
    table, checkpoint = tmp_path / "table.csv", tmp_path / "run.json"
    write_table(table)
    expected, seconds = unbroken(table)
    assert killed(table, checkpoint, 0.3 * seconds)
    assert not list(tmp_path.glob(".*.part")) or checkpoint.stat().st_size > 0
    killed(table, checkpoint, 0.2 * seconds)
    assert resumed(table, checkpoint) == expected


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main([str(argument) for argument in arguments])
    return stop.value.code, capsys.readouterr()


def test_what_cannot_be_resumed_is_said(capsys, tmp_path):
    table, other, checkpoint = tmp_path / "t.csv", tmp_path / "o.csv", tmp_path / "run"
    table.write_text("x,y\n" + "".join(f"{i},{2 * i}\n" for i in range(9)))
    other.write_text("x,y\n" + "".join(f"{i},{3 * i}\n" for i in range(9)))
    fit = ["--target", "y", "--quiet"]
    assert run(capsys, "fit", table, *fit, "--checkpoint", checkpoint)[0] == 0
    assert run(capsys, "fit", table, *fit, "--checkpoint", checkpoint)[0] == 0  # its own run is resumed
    kept = checkpoint.read_bytes()
    for arguments, message in (
        ([other, *fit, "--checkpoint", checkpoint], "(9 rows of x with the target y, preset default"),
        ([table, *fit, "--checkpoint", checkpoint, "--seed", "1"], "belongs to another table, other settings"),
        ([table, *fit, "--checkpoint", checkpoint, "--search", "luck"], "search='luck' is unknown"),
        ([table, *fit, "--checkpoint", checkpoint, "--restart", "--search", "luck"], "search='luck' is unknown"),
        ([table, *fit, "--checkpoint", other], "is not a checkpoint that can be resumed"),
        ([table, *fit, "--checkpoint", other, "--restart"], "--restart does not remove it"),
        ([table, *fit, "--checkpoint", tmp_path], "it is a folder"),
    ):
        code, (out, err) = run(capsys, "fit", *arguments)
        assert (code, out) == (2, "")
        assert message in err
    assert other.read_text().startswith("x,y")
    assert checkpoint.read_bytes() == kept


def test_restart_begins_anew_and_leaves_one_file(capsys, tmp_path):
    table, checkpoint = tmp_path / "t.csv", tmp_path / "run"
    table.write_text("x,y\n" + "".join(f"{i},{2 * i}\n" for i in range(9)))
    fit = ["fit", table, "--target", "y", "--quiet", "--checkpoint", checkpoint]
    assert run(capsys, *fit)[0] == 0
    before = checkpoint.read_bytes()
    assert run(capsys, *fit, "--seed", "1", "--restart")[0] == 0
    assert checkpoint.read_bytes() != before
    assert sorted(tmp_path.iterdir()) == [checkpoint, table]
