import pytest

from scalesr_bench.laws.methods import check_method
from scalesr_bench.paper.experiment import Experiment, MethodColumn, RunPlan, run_experiment
from scalesr_bench.paper.published import BY_K, BY_M, BY_N, RECOVERY, SECONDS
from scalesr_bench.paper.tables import TABLES, table1, table2, table4

STUB = "tests.bench.stub_method:plane"
BOASTER = "tests.bench.stub_method:boaster"


def test_the_papers_averages_are_those_it_prints():
    averages = {method: sum(rates.values()) / len(rates) for method, rates in RECOVERY.items()}
    assert averages == pytest.approx({"scalesr-paper": 78, "spl": 63, "nggp": 46, "dsr": 38, "gplearn": 13})


def test_every_table_has_a_figure_for_every_problem():
    for figures in (*BY_M.values(), *BY_K.values(), *BY_N.values(), *SECONDS.values()):
        assert list(figures) == ["Nguyen-09", "Nguyen-10", "Nguyen-11", "Nguyen-12"]
    assert all(len(rates) == 10 for rates in RECOVERY.values())


def test_every_table_is_an_experiment():
    for name, make in TABLES.items():
        made = make(())
        assert made.name == name
        assert any(column.published for column in made.columns)
        assert {"scalesr", "scalesr-no-plain", "scalesr-paper"} <= {c.method.partition("@")[0] for c in made.columns}
    assert [column.n_rows for column in table4(["scalesr-paper"]).columns] == [1000, 2000, 4000, 6000, 8000]
    assert [column.method for column in table1(["spl", "scalesr"]).columns] == ["spl", "scalesr"]
    assert [column.method for column in table2(["scalesr"]).columns][:2] == ["scalesr@M=24", "scalesr@M=50"]


def test_the_papers_ablations_stand_beside_the_literal_method_alone():
    for column in TABLES["table3"](()).columns:
        assert bool(column.published) == column.method.startswith("scalesr-paper@K=")
        check_method(column.method)


def test_a_method_that_is_not_installed_is_left_out_and_named(monkeypatch):
    monkeypatch.setattr("scalesr_bench.paper.tables.missing", lambda name: "Get it." if name == "pyoperon" else "")
    made = table1()
    assert "pyoperon" not in [column.method for column in made.columns]
    assert "pyoperon is left out: Get it." in made.notes
    assert [column.method for column in table1(["pyoperon"]).columns] == ["pyoperon"]


def test_our_rates_stand_beside_the_papers_and_a_quick_run_says_so(tmp_path):
    columns = (MethodColumn("stub", STUB, {"Jin-2": 70.0, "Nguyen-10": 90.0}), MethodColumn("small", STUB, n_rows=50))
    experiment = Experiment("t", "A table", ("Nguyen-10", "Jin-1", "Jin-2"), columns)
    table = run_experiment(experiment, RunPlan(quick=True), tmp_path)
    assert table.headings == ("method", "Nguyen-10", "Jin-2", "average", "median s")
    assert [row[:-1] for row in table.rows] == [
        ("stub", "0 % (0–79), paper 90 %", "0 % (0–79), paper 70 %", "0 % (0–66), paper 80 %"),
        ("small", "0 % (0–79)", "0 % (0–79)", "0 % (0–66)"),
    ]
    assert all(float(row[-1]) >= 0 for row in table.rows)
    assert any(note.startswith("QUICK: 2 of 3 problems") for note in table.notes)
    assert any(note.startswith("4 runs made at commit ") for note in table.notes)
    assert (tmp_path / "runs.jsonl").read_text().count("\n") == 4


def test_parts_made_elsewhere_are_merged_and_other_methods_may_have_fewer_runs(tmp_path):
    experiments = [Experiment("t", "A table", ("Jin-2",), (MethodColumn(name, name),)) for name in (STUB, BOASTER)]
    effort = RunPlan(n_seeds=3, n_rival_seeds=2, time_limit=5.0)
    for name, experiment in zip("ab", experiments, strict=True):
        run_experiment(experiment, effort, tmp_path / name)
    parts = [(tmp_path / name / "runs.jsonl").read_text() for name in "ab"]
    elsewhere = parts[1].replace('"cpu": "', '"cpu": "Other ')
    (tmp_path / "runs.jsonl").write_text(parts[0] + elsewhere)
    both = Experiment("t", "A table", ("Jin-2",), (experiments[0].columns[0], experiments[1].columns[0]))
    merged = run_experiment(both, effort, tmp_path)
    assert (tmp_path / "runs.jsonl").read_text() == parts[0] + elsewhere, "a merged run was run again"
    assert [row[1] for row in merged.rows] == ["0 % (0–66)", "0 % (0–66)"]
    assert sum(note.startswith("2 runs made at commit ") for note in merged.notes) == 2
    assert sum(" on Other " in note for note in merged.notes) == 1


def test_seeds_are_counted_for_ours_and_others():
    effort = RunPlan(n_seeds=10, n_rival_seeds=3)
    assert [effort.seeds_of(method) for method in ("scalesr@M=50", "spl")] == [10, 3]
    assert RunPlan(n_seeds=10).seeds_of("spl") == 10
