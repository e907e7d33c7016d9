from scalesr_bench.laws.condition import Condition
from scalesr_bench.laws.law_tables import problem_table, summary_table
from scalesr_bench.laws.runs import LawRun
from scalesr_bench.laws.summary import by_problem, summarise

CLEAN, NOISY, COUNTS = Condition("", 0.0, None), Condition("constant", 0.1, None), Condition("counts", 0.1, None)


def run(finding="right", *, kind="", noise=0.0, rows=None):
    return LawRun("m", "s", "p", "x", noise, 0, finding, 100, 1.0, noise_kind=kind, given_rows=rows)


def test_words_say_what_tells_a_condition_from_others():
    assert COUNTS._replace(given_rows=20).words == "noise 0.1 counts, 20 rows"
    assert CLEAN.among([CLEAN]) == ""
    assert [one.among([CLEAN, NOISY, COUNTS]) for one in (CLEAN, NOISY, COUNTS)] == [
        "noise 0", "noise 0.1", "noise 0.1 counts",
    ]  # fmt: skip
    few, many = CLEAN._replace(given_rows=10), CLEAN._replace(given_rows=20)
    assert [one.among([CLEAN, few, many]) for one in (CLEAN, few, many)] == ["usual rows", "10 rows", "20 rows"]


def test_kinds_and_numbers_of_rows_are_counted_apart_and_are_columns():
    runs = [run(), run("form", kind="counts", noise=0.1), run(kind="counts", noise=0.1, rows=20)]
    lines = summarise(runs)
    assert [(line.condition, line.n_right) for line in lines] == [
        (CLEAN, 1), (COUNTS, 0), (COUNTS._replace(given_rows=20), 1),
    ]  # fmt: skip
    table = summary_table(lines)
    assert table.headings[2:6] == ("noise", "noise kind", "rows", "runs")
    assert [row[2:6] for row in table.rows] == [
        ("0", "-", "usual", "1"), ("0.1", "counts", "usual", "1"), ("0.1", "counts", "20", "1"),
    ]  # fmt: skip
    assert problem_table(by_problem(runs)).headings == (
        "problem", "m, noise 0, usual rows", "m, noise 0.1 counts, usual rows", "m, noise 0.1 counts, 20 rows",
    )  # fmt: skip


def test_a_table_without_given_rows_has_no_column_for_them():
    assert "rows" not in summary_table(summarise([run()])).headings
