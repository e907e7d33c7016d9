import pytest

from scalesr.bench.paper.experiment import Column, Effort, Experiment, run_experiment
from scalesr.bench.paper.published import BY_K, BY_M, BY_N, RECOVERY, SECONDS
from scalesr.bench.paper.tables import TABLES, table1, table4

STUB = "tests.bench.stub_method:plane"


def test_the_papers_averages_are_those_it_prints():
    averages = {method: sum(rates.values()) / len(rates) for method, rates in RECOVERY.items()}
    assert averages == pytest.approx({"scalesr-paper": 78, "spl": 63, "nggp": 46, "dsr": 38, "gplearn": 13})


def test_every_table_has_a_figure_for_every_problem():
    for figures in (*BY_M.values(), *BY_K.values(), *BY_N.values(), *SECONDS.values()):
        assert list(figures) == ["Nguyen-09", "Nguyen-10", "Nguyen-11", "Nguyen-12"]
    assert all(len(rates) == 10 for rates in RECOVERY.values())


def test_every_table_is_an_experiment():
    for name, make in TABLES.items():
        made = make()
        assert made.name == name
        assert made.columns
        assert any(column.published for column in made.columns)
    assert [column.n_rows for column in table4(["scalesr-paper"]).columns] == [1000, 2000, 4000, 6000, 8000]
    assert [column.method for column in table1(["spl", "scalesr"]).columns] == ["spl", "scalesr"]


def test_our_rates_stand_beside_the_papers_and_a_quick_run_says_so(tmp_path):
    columns = (Column("stub", STUB, {"Jin-2": 70.0, "Nguyen-10": 90.0}), Column("small", STUB, n_rows=50))
    experiment = Experiment("t", "A table", ("Nguyen-10", "Jin-1", "Jin-2"), columns)
    table = run_experiment(experiment, Effort(quick=True), tmp_path)
    assert table.headings == ("problem", "stub", "small")
    assert table.rows == (
        ("Nguyen-10", "0 % (0–79), paper 90 %", "0 % (0–79)"),
        ("Jin-2", "0 % (0–79), paper 70 %", "0 % (0–79)"),
        ("average", "0 % (0–66), paper 80 %", "0 % (0–66)"),
    )
    assert any(note.startswith("QUICK: 2 of 3 problems") for note in table.notes)
    assert (tmp_path / "runs.jsonl").read_text().count("\n") == 4
