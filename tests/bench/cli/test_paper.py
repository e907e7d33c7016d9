import json

import pytest

from scalesr_bench.cli import main


def run(*arguments):
    with pytest.raises(SystemExit) as stop:
        main(["paper", *arguments])
    return stop.value.code


def test_a_table_is_printed_and_written(tmp_path, capsys):
    stub = "tests.bench.stub_method:plane"
    assert (
        run("table1", "--quick", "--methods", stub, "--output", str(tmp_path), "--json", str(tmp_path / "t.json")) == 0
    )
    printed = capsys.readouterr().out
    assert "Table 1: recovery on Nguyen and Jin" in printed
    assert "QUICK" in printed
    assert (tmp_path / "table1.tex").read_text().startswith("\\begin{table}")
    assert "headings" in (tmp_path / "t.json").read_text()
    assert run("table1", "--quick", "--methods", stub, "--output", str(tmp_path), "--json", "-") == 0
    stored = json.loads(capsys.readouterr().out)
    assert stored.keys() >= {"table1", "commit", "machine"}
    assert stored["settings"]["methods"] == [stub]
    assert str(tmp_path) not in json.dumps(stored["settings"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("table9",), "The paper has no 'table9'"),
        (("table1", "--methods", "nonsense"), "Unknown method"),
        (("table1", "--time-limit", "0"), "time limit"),
        (("table1", "--problems", "Jin-1"), "--problems, --steps and --max-work are for where-lost"),
        (("where-lost", "--quick"), "leave --methods, --quick and --rival-seeds out"),
        (("where-lost", "--problems", "Jin-9"), "No problem is called 'Jin-9'"),
    ],
)
def test_bad_input_is_refused(tmp_path, capsys, arguments, message):
    assert run(*arguments, "--output", str(tmp_path)) == 2
    assert message in capsys.readouterr().err
