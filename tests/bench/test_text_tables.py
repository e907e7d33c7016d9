import csv
import io

import pytest

from scalesr.errors import DataError
from scalesr_bench.laws.law_tables import problem_table, summary_table
from scalesr_bench.laws.runs import LawRun
from scalesr_bench.laws.summary import by_problem, summarise
from scalesr_bench.text_tables import TextTable, rate

TABLE = TextTable("Rates & more", ("law", "a|b"), (("x_1^2", "90 % (60–98)"), ("{y}", "-")), ("A note of 5 %.",))


def run(problem, finding="right", *, suite="s", seed=0, method="m", n_asked=0):
    return LawRun(method, suite, problem, "x", 0.0, seed, finding, 100, 1.0, n_asked=n_asked)


def test_a_csv_table_is_read_back():
    assert list(csv.reader(io.StringIO(TABLE.csv()))) == [["law", "a|b"], ["x_1^2", "90 % (60–98)"], ["{y}", "-"]]


def test_every_markdown_row_has_as_many_cells():
    lines = [line for line in TABLE.markdown().splitlines() if line.startswith("|")]
    assert len(lines) == 4
    assert all(line.replace(r"\|", "").count("|") == 3 for line in lines)
    assert "A note of 5 %." in TABLE.markdown()


def test_latex_has_no_bare_special_character():
    body = TABLE.latex().split("\\hline\n", 1)[1]
    assert r"x\_1\textasciicircum{}2 & 90 \% (60--98) \\" in body
    assert r"\{y\} & - \\" in body
    assert r"Rates \& more" in TABLE.latex()


def test_a_rate_has_its_interval():
    assert rate(9, 10) == "90 % (60–98)"  # Wilson, from statistical tables
    assert rate(0, 10) == "0 % (0–28)"
    assert rate(0, 0) == "-"


def test_tables_are_written_in_three_forms(tmp_path):
    paths = TABLE.write(tmp_path / "new", "rates")
    assert sorted(path.name for path in paths) == ["rates.csv", "rates.md", "rates.tex"]
    assert all(path.read_text() for path in paths)
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="cannot be written"):
        TABLE.write(tmp_path / "file", "rates")


def test_rows_of_another_width_are_refused():
    with pytest.raises(ValueError, match="2 cells"):
        TextTable("t", ("a", "b"), (("c",),))


def test_runs_become_a_row_per_problem_and_suites_are_kept_apart():
    runs = [run("p"), run("p", "form", seed=1), run("p", suite="t"), run("p", method="n")]
    table = problem_table(by_problem(runs))
    assert table.headings == ("problem", "m", "n")
    assert table.rows == (("s/p", "50 % (9–91)", "100 % (21–100)"), ("t/p", "100 % (21–100)", "-"))
    assert summary_table(summarise(runs)).rows[0][:6] == ("s", "m", "0", "-", "2", "50 % (9–91)")


def test_rows_asked_of_an_oracle_have_a_column_where_there_was_one():
    assert "median rows asked" not in summary_table(summarise([run("p")])).headings
    asked = [run("p", n_asked=count, seed=count) for count in (100, 300, 900)] + [run("p", method="n")]
    table = summary_table(summarise(asked))
    assert table.headings[-1] == "median rows asked"
    assert [row[-1] for row in table.rows] == ["300", "0"]
