"""A run that is resumed makes no finished search again and ends in the same discovery."""

import json
import re

import numpy as np
import pytest

from scalesr import pipeline
from scalesr.atomic import write_atomically
from scalesr.errors import DataError, ScaleSRWarning
from scalesr.expr.operators import Operators
from scalesr.model_files.checkpoint import checksum_of
from scalesr.model_files.journal import Journal, Remembered, open_journal
from scalesr.records.budget import Budget
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.stop import Stop
from scalesr.records.sweep import Sweep
from scalesr.search.default import DefaultSearch
from scalesr.search.genetic.search import GeneticSearch
from scalesr.search.mcts import MctsSearch

RNG = np.random.default_rng(0)
X = RNG.uniform(1, 3, (25, 1))
DATA = Dataset.from_table(X, 2 * X[:, 0] ** 2 + 0.1 * RNG.normal(size=25), names=["x"])


class Counting:
    """A search that counts how often it is asked, draws and splits randomness, and may be halted before its end."""

    is_halted = False

    def __init__(self):
        self.n_asked = 0

    def search(self, sweep, budget, *, rng, progress=None):
        self.n_asked += 1
        rng.random(3)
        own = Budget(n_fits=300, stop=budget.stop)
        found = GeneticSearch().search(sweep, own, rng=rng.spawn(1)[0], progress=progress)
        if self.is_halted:
            raise KeyboardInterrupt
        return found


def discover(checkpoint, search, seed=0):
    settings = Settings(checkpoint=checkpoint, search=search, time_limit=None, plain_laws=False)
    return pipeline.discover(DATA, settings, rng=np.random.default_rng(seed))


def results(discovery):
    return str(discovery.equation), discovery.verdict, [(str(law.equation), law.loss) for law in discovery.front]


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "run.json"
    search = Counting()
    return path, results(discover(path, search)), search.n_asked


def test_a_checkpoint_changes_nothing(finished):
    assert results(discover(None, Counting())) == finished[1]


def test_finished_searches_are_not_made_again(finished):
    path, expected, n_asked = finished
    again = Counting()
    assert results(discover(path, again)) == expected
    assert (n_asked > 0, again.n_asked) == (True, 0)


def test_a_search_from_the_file_counts_as_the_work_that_it_was(tmp_path):
    journal = Journal(tmp_path / "run.json", "a run", "a table")
    sweep, stop, again = Sweep.from_groups([X], [DATA.y]), Stop(work=1e6), Stop(work=1e6)
    Remembered(Counting(), journal, "a role").search(sweep, stop.budget(), rng=np.random.default_rng(0))
    journal.save()  # a search that ends soon after a slow writing waits for the next
    kept, search = Journal(tmp_path / "run.json", "a run", "a table"), Counting()
    Remembered(search, kept, "a role").search(sweep, again.budget(), rng=np.random.default_rng(0))
    assert (search.n_asked, again.spent) == (0, stop.spent)
    assert stop.spent > 0
    less = Stop(work=stop.spent / 2)
    Remembered(search, kept, "a role").search(sweep, less.budget(), rng=np.random.default_rng(0))
    assert search.n_asked == 1  # with less work to spend it would not have come to its end
    assert less.spent < stop.spent


def test_another_seed_is_another_run(finished):
    with pytest.raises(DataError, match="belongs to another table, other settings"):
        discover(finished[0], Counting(), seed=1)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda text: text[: len(text) // 2], "is not JSON"),
        (lambda text: text.replace('"version": 3', '"version": 7'), "version 7"),
        (lambda text: text.replace('"codes": [', '"codes": [7, ', 1), "is not a formula"),
        (lambda text: text.replace('"rss": "', '"rss": "!', 1), "not base64"),
        (lambda text: text.replace('"n_spawned"', '"spawned"', 1), "lacks the field"),
        (lambda text: text.replace('"has_uint32": "', '"has_uint32": "-', 1), "not a whole number of 128 bits"),
        (lambda text: "[" * 100_000, "nested more than"),
    ],
)
def test_a_damaged_file_is_refused_with_the_reason(finished, tmp_path, damage, message):
    text = finished[0].read_text()
    path = tmp_path / "run.json"
    path.write_text(sealed(damage(text)))
    assert path.read_text() != text
    with pytest.raises(DataError, match=message):
        discover(path, Counting())


def sealed(text):
    """A file with the checksum of what it has become."""
    return re.sub('"checksum": "[0-9a-f]*"', f'"checksum": "{checksum_of(text)}"', text, count=1)


def test_a_digit_that_has_changed_is_noticed(finished, tmp_path):
    path = tmp_path / "run.json"
    path.write_text(re.sub(r'"n_scored": \d+', '"n_scored": 7', finished[0].read_text(), count=1))
    with pytest.raises(DataError, match="by its checksum"):
        discover(path, Counting())


def test_a_disk_that_fills_is_a_warning_and_the_fit_goes_on(tmp_path, monkeypatch):
    path, expected = tmp_path / "run.json", results(discover(None, Counting()))
    n_written = 0

    def write(place, content):
        nonlocal n_written
        n_written += 1
        if n_written > 1:
            raise DataError(f"{place} cannot be written: No space left on device.")
        write_atomically(place, content)

    monkeypatch.setattr("scalesr.model_files.checkpoint.write_atomically", write)
    with pytest.warns(ScaleSRWarning, match=r"No space left on device. The fit goes on"):
        found = discover(path, Counting())
    assert results(found) == expected
    assert json.loads(path.read_text())["searches"] == {}


def test_the_file_is_plain_json(finished):
    document = json.loads(finished[0].read_text())
    assert (document["format"], document["version"]) == ("scalesr-checkpoint", 3)
    assert document["searches"]


def test_long_fits_of_a_search_that_did_not_end_are_kept_until_it_does(tmp_path, monkeypatch):
    monkeypatch.setattr("scalesr.model_files.journal.LONG_FIT", 0.0)
    path = tmp_path / "run.json"
    with monkeypatch.context() as changed:
        changed.setattr(Counting, "is_halted", True)
        discover(path, Counting())
    kept = json.loads(path.read_text())
    assert kept["fits"]
    assert not kept["searches"]
    expected = results(discover(None, Counting()))
    assert results(discover(path, Counting())) == expected
    assert len(json.loads(path.read_text())["searches"]) == 1


def test_a_damaged_fit_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("scalesr.model_files.journal.LONG_FIT", 0.0)
    path = tmp_path / "run.json"
    with monkeypatch.context() as changed:
        changed.setattr(Counting, "is_halted", True)
        discover(path, Counting())
    path.write_text(sealed(path.read_text().replace('"rss": "', '"rss": "AAAAAAAAAAA=', 1)))
    with pytest.raises(DataError, match=r"base64|constants"):
        discover(path, Counting())


@pytest.mark.parametrize(
    "other", [DefaultSearch(Operators("paper")), DefaultSearch(nested=True), MctsSearch(), Counting()]
)
def test_another_search_is_another_run(tmp_path, other):
    path = tmp_path / "run.json"
    runs = [open_journal_of(path, search) for search in (DefaultSearch(), DefaultSearch(n_threads=4))]
    assert all(run is not None for run in runs)
    with pytest.raises(DataError, match="belongs to another table, other settings"):
        open_journal_of(path, other)


def open_journal_of(path, search):
    return open_journal(DATA, Settings(checkpoint=path, search=search), np.random.default_rng(0))


def test_searches_of_the_same_rows_with_other_weights_are_kept_apart(tmp_path):
    journal = Journal(tmp_path / "run.json", "a run", "a table")
    search, rng = Counting(), np.random.default_rng
    plain = Sweep.from_groups([X], [DATA.y])
    weighted = Sweep.from_groups([X], [DATA.y], weights=[np.arange(1.0, 26.0)])
    found = [
        Remembered(search, journal, "a role").search(sweep, Budget(n_fits=300), rng=rng(0))
        for sweep in (plain, weighted)
    ]
    assert search.n_asked == 2
    assert found[0].best.error != found[1].best.error
    journal.save()  # a search that ends soon after a slow writing waits for the next
    kept = Journal(tmp_path / "run.json", "a run", "a table")
    again = [
        Remembered(search, kept, "a role").search(sweep, Budget(n_fits=300), rng=rng(0)) for sweep in (plain, weighted)
    ]
    assert search.n_asked == 2
    assert [one.best.error for one in again] == [one.best.error for one in found]


@pytest.mark.parametrize("other", ["a run", "a note"])
def test_what_others_have_put_in_the_place_of_a_checkpoint_is_not_written_over(tmp_path, other):
    path = tmp_path / "run.json"
    first = Journal(path, "a" * 32, "the first")
    path.unlink()
    if other == "a run":
        Journal(path, "b" * 32, "the second")
    else:
        path.write_text("mine")
    before = path.read_bytes()
    with pytest.warns(ScaleSRWarning, match="belongs to another run or to something else by now"):
        remember_one(first)
    assert path.read_bytes() == before


def remember_one(journal):
    fit = np.ones((1, 1)), np.ones((1, 1, 1)), np.ones(1), np.ones((1, 4), np.int64)
    journal.remember_fit("a fit", fit, seconds=1.0)
    journal.save()
