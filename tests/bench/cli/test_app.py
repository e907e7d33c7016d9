import pytest

import scalesr
from scalesr_bench.cli import main


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    out, err = capsys.readouterr()
    return stop.value.code, out, err


def test_version(capsys):
    assert run(capsys, "--version") == (0, f"scalesr-bench {scalesr.__version__}\n", "")


@pytest.mark.parametrize("command", ["engine", "clock", "paper", "scaling", "verdict", "public-tables"])
def test_every_command_shows_an_example(capsys, command):
    code, out, _ = run(capsys, command, "--help")
    assert code == 0
    assert f"Example: scalesr-bench {command}" in out


def test_what_is_no_command_is_a_suite_of_laws(capsys):
    code, out, _ = run(capsys, "srbench", "--help")
    assert code == 0
    assert "how often the law behind a table is found" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("paper", "table9"), "The paper has no 'table9'"),
        (("paper", "--quick", "all", "--time-limit", "0"), "above 0"),
        (("paper", "--methods", "no-such-method"), "Unknown method 'no-such-method'"),  # a suite of laws
    ],
)
def test_paper_is_an_experiment_where_one_is_named_and_else_a_suite(capsys, arguments, said):
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert said in err


@pytest.mark.parametrize("arguments", [("engine", "--no-such-option"), ("engine", "--seed", "-1")])
def test_bad_usage_is_exit_code_2(capsys, arguments):
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert "Usage" in err
