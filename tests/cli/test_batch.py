"""The command for many tables."""

import json

import pytest

from scalesr import load
from scalesr.cli import main
from scalesr.cluster.standing import Tally
from tests.cluster.tables import write_tables


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main([str(argument) for argument in arguments])
    return stop.value.code, capsys.readouterr()


def test_a_folder_becomes_a_folder_of_laws_and_a_summary(capsys, tmp_path):
    tables, out = write_tables(tmp_path / "tables", ("product", "ratio")), tmp_path / "out"
    (tables / "empty.csv").write_text("")
    command = ["batch", tables, "--target", "y", "--output", out, "--jobs", "1", "--max-work", "300"]
    code, (printed, told) = run(capsys, *command)
    assert code == 0
    assert "product: y = x*z (exact, probability 100%)" in printed
    assert "empty: empty.csv is empty; a table needs" in printed
    assert "2 of 3 laws were found; 1 could not be looked for." in printed
    assert "3 of 3 done, 1 without a law" in told
    assert sorted(path.name for path in (out / "laws").iterdir()) == ["product.json", "ratio.json"]
    code, (printed, told) = run(capsys, *command, "--json", "-", "--quiet")
    assert [line["name"] for line in json.loads(printed)] == ["empty", "product", "ratio"]
    code, (printed, told) = run(capsys, "predict", out / "laws" / "ratio.json", tables / "ratio.csv")
    assert code == 0


def test_a_pattern_and_a_law_alike_to_that_of_fit(capsys, tmp_path):
    tables, out = write_tables(tmp_path / "tables", ("product", "noisy")), tmp_path / "out"
    settings = ["--target", "y", "--max-work", "60", "--quiet", "--json", "-"]
    _, (alone, _) = run(capsys, "fit", tables / "noisy.csv", *settings)
    code, (printed, _) = run(capsys, "batch", tables / "n*.csv", "--output", out, "--jobs", "1", *settings)
    (line,) = json.loads(printed)
    assert (code, line["verdict"]) == (0, json.loads(alone)["verdict"])
    law = json.loads((out / "laws" / "noisy.json").read_text())["discoveries"][0]["law"]["equation"]
    assert law == json.loads(alone)["law"]


def test_templates_and_constraints_go_with_every_table(capsys, tmp_path):
    tables, out = write_tables(tmp_path / "tables", ("product",)), tmp_path / "out"
    known = ["--template", "f(x)*g(z)", "--constraint", "increasing in x"]
    code, _ = run(capsys, "batch", tables, "--target", "y", "--output", out, "--jobs", "1", "--max-work", "500", *known)
    assert code == 0
    model = load(out / "laws" / "product.json")
    assert (model.template, model.constraints) == ("f(x)*g(z)", ("increasing in x",))
    assert [part.title for part in model.discovery_.taken.parts] == ["f(x)", "g(z)"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--output", "out"], "--target COLUMN"),
        (["--target", "y"], "--output FOLDER"),
        (["--target", "y", "--output", "out", "--cluster", "here"], "give dask://HOST:PORT or ray://HOST:PORT"),
        (["--target", "y", "--output", "."], "would be mixed with the tables"),
    ],
)
def test_bad_input_is_said(capsys, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(write_tables(tmp_path, ("product",)))
    code, (printed, told) = run(capsys, "batch", ".", *arguments)
    assert (code, printed) == (2, "")
    assert message in told


def test_an_interrupt_prints_the_laws_so_far_and_what_is_left_is_found_later(capsys, tmp_path, monkeypatch):
    tables, out = write_tables(tmp_path / "tables", ("product", "ratio")), tmp_path / "out"
    command = ["batch", tables, "--target", "y", "--output", out, "--jobs", "1", "--max-work", "300"]
    add = Tally.add

    def interrupted(count, line):
        add(count, line)
        raise KeyboardInterrupt

    monkeypatch.setattr(Tally, "add", interrupted)
    code, (printed, told) = run(capsys, *command)
    assert code == 130
    assert printed.count(" = ") == 1
    assert "the same command continues with what is left" in told
    monkeypatch.setattr(Tally, "add", add)
    code, (printed, _) = run(capsys, *command)
    assert (code, printed.count(" = ")) == (0, 2)


def test_nothing_is_written_among_the_tables(capsys, tmp_path):
    tables = write_tables(tmp_path / "tables", ("product", "ratio"))
    before = (tables / "ratio.csv").read_bytes()
    for given in (tables, tables / "*.csv"):
        code, (_, told) = run(
            capsys, "batch", given, "--target", "y", "--output", tmp_path / "out", "--json", tables / "ratio.csv"
        )
        assert code == 2
        assert "that is read" in told
    assert (tables / "ratio.csv").read_bytes() == before


def test_only_tables_that_cannot_be_read_is_bad_input_and_no_law_is_one(capsys, tmp_path):
    tables = tmp_path / "tables"
    tables.mkdir()
    (tables / "words.csv").write_text("a,y\nx,z\nu,v\n")
    options = ["--target", "y", "--output", tmp_path / "out", "--jobs", "1", "--quiet", "--max-work", "100"]
    assert run(capsys, "batch", tables, *options)[0] == 2
    (tables / "level.csv").write_text("x,y\n" + "".join(f"{i},4\n" for i in range(30)))
    assert run(capsys, "batch", tables, *options)[0] in (0, 1)
