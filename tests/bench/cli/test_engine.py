import json

import pytest

from scalesr_bench.cli import main
from scalesr_bench.engine import compile_time
from scalesr_bench.engine.measure import ROWS
from scalesr_bench.engine.operon import has_operon

ONE_PART = "from scalesr.kernels.engine import place; place.make_ready()"


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    path = tmp_path_factory.mktemp("bench") / "engine.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compile_time, "EVERYTHING", ONE_PART)  # is compiled from nothing in a second
        with pytest.raises(SystemExit) as stop:
            main(["engine", "--quick", "--seed", "1", "--json", str(path)])
    assert stop.value.code == 0
    return json.loads(path.read_text())


def test_the_result_says_where_it_was_measured(stored):
    assert stored.keys() >= {"commit", "machine", "versions", "quick", "seed"}
    assert stored["quick"] is True


def test_both_kinds_of_trees_are_measured_at_every_size(stored):
    assert [(line["kind"], line["rows"]) for line in stored["evaluation"]] == [
        (kind, rows) for kind in ("arithmetic", "mixed") for rows in ROWS
    ]
    for line in stored["evaluation"]:
        assert line["nodes_rows_per_second_evaluate"] > 1e6
        assert line["trees_left_out_as_disagreeing"] <= 0.2 * line["trees"]
        assert (line["ratio_to_operon_evaluate"] is not None) == has_operon()


def test_our_fits_from_the_same_starts_succeed_where_scipy_does(stored):
    rate = {line["method"]: line["success_rate"] for line in stored["fits"]["methods"]}
    assert rate["fit, same start"] == rate["fit_groups, same start"] >= rate["SciPy MINPACK, same start"]
    assert rate["fit, own starts"] == rate["fit_groups, own starts"] == 1


def test_memory_stays_flat(stored):
    assert stored["memory"]["evaluations"] == 20_000
    assert stored["memory"]["ratio_before_to_after"] is None or stored["memory"]["ratio_before_to_after"] > 0.9


def test_every_bar_is_a_ratio_with_a_verdict(stored):
    for bar in stored["bars"]:
        assert bar["is_met"] == (bar["ratio"] >= bar["at_least"])
