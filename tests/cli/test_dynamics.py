import json

import numpy as np
import pytest

import scalesr
from scalesr.cli import main

T = np.linspace(0, 3, 41)


def write_table(path, header="t,run,x"):
    lines = [header]
    for run, start in enumerate((1.0, 2.0, 3.0, 0.5, 1.5, 2.5)):
        lines += [f"{t},{run},{start * np.exp(-2 * t):.15g}" for t in T]
    path.write_text("\n".join(lines) + "\n")


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main(["dynamics", *map(str, arguments)])
    out, err = capsys.readouterr()
    return stop.value.code, out, err


def test_a_table_becomes_its_law_a_picture_and_a_file(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    write_table(tmp_path / "decay.csv")
    options = ["--time", "t", "--trajectory", "run", "--states", "x", "--max-work", "2000", "--quiet"]
    paths = [
        "--plot",
        tmp_path / "decay.svg",
        "--report",
        tmp_path / "decay.html",
        "--save",
        tmp_path / "law.json",
        "--json",
        tmp_path / "found.json",
    ]
    code, out, err = run(capsys, tmp_path / "decay.csv", *options, *paths)
    assert (code, err) == (0, "")
    assert "dx/dt = -2*x" in out
    assert "x: Exact" in out
    assert "<svg" in (tmp_path / "decay.svg").read_text()
    assert "<title>The laws of x</title>" in (tmp_path / "decay.html").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "found.json").read_text())["laws"][0]["law"] == "-2*x"
    assert str(scalesr.load(tmp_path / "law.json")) == "dx/dt = -2*x"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--time", "when"], "no column 'when'"),
        (["--states", "x"], "column of times"),
        (["--time", "t", "--states", "x"], "do not increase"),
        (["--time", "t", "--trajectory", "run", "--kind", "pde"], "kind='pde'"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(capsys, tmp_path, options, message):
    write_table(tmp_path / "decay.csv")
    code, _, err = run(capsys, tmp_path / "decay.csv", "--quiet", *options)
    assert code == 2
    assert message in err


def test_a_picture_needs_a_known_ending(tmp_path):
    from scalesr.errors import DataError
    from scalesr.report.trajectories import write_trajectories

    with pytest.raises(DataError, match="does not end in"):
        write_trajectories(tmp_path / "a.txt", [(T, T[:, np.newaxis], T[:, np.newaxis])], ["x"])


def test_inputs_alone_leave_the_other_columns_for_the_states(capsys, tmp_path):
    lines = ["t,u,x"]
    lines += [f"{t},{np.sin(t):.15g},{0.5 * (np.sin(t) - np.cos(t)) + 1.5 * np.exp(-t):.15g}" for t in T]
    (tmp_path / "driven.csv").write_text("\n".join(lines) + "\n")
    code, out, _ = run(capsys, tmp_path / "driven.csv", "--time", "t", "--inputs", "u", "--max-work", "2000", "--quiet")
    assert code == 0
    assert "dx/dt = u - x" in out


def test_a_second_order_can_be_asked_for(capsys, tmp_path):
    rows = [f"{t},{run},{start * np.cos(2 * t):.15g}" for run, start in enumerate((1.0, 2.0, 3.0)) for t in T]
    (tmp_path / "spring.csv").write_text("t,run,x\n" + "\n".join(rows) + "\n")
    options = ["--time", "t", "--trajectory", "run", "--order", "2", "--max-work", "2000", "--quiet"]
    code, out, _ = run(capsys, tmp_path / "spring.csv", *options)
    assert code == 0
    assert "d2x/dt2 = -4*x" in out


def test_progress_is_passed_on_now_and_then(monkeypatch):
    from scalesr.cli import dynamics

    told, now = [], [0.0]
    monkeypatch.setattr(dynamics.clock, "monotonic", lambda: now[0])
    report = dynamics.now_and_then(told.append)
    for second in range(12):
        now[0] = float(second)
        report(second)
    assert told == [0, 5, 10]
