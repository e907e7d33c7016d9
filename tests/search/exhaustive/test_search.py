"""The complete search: complete it is, and it finds, stops and says what it may."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest

from scalesr.errors import DataError
from scalesr.expr.canonical import canonical, canonical_key
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.expr.operators import Operators
from scalesr.expr.simpler import simpler
from scalesr.expr.text import parse
from scalesr.kernels.codes import ADD
from scalesr.records.budget import Budget, Progress
from scalesr.records.skeleton import Ranking
from scalesr.records.sweep import Sweep
from scalesr.search.exhaustive import ExhaustiveSearch, making
from scalesr.search.exhaustive import search as exhaustive
from scalesr.search.exhaustive.grammar import Grammar
from scalesr.search.exhaustive.ladders import ladders
from scalesr.search.exhaustive.lists import Level, SkeletonLists
from scalesr.search.exhaustive.making import Making, number_of
from scalesr.search.scoring import Scorer

X = np.sort(np.random.default_rng(8).uniform(0.2, 3, 80))


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep lists out of the user's folder."""
    monkeypatch.setenv("SCALESR_CACHE", str(tmp_path_factory.getbasetemp().parent / "lists"))


def search(text: str, constants: list[list[float]], *, noise: float = 0.0, **options: object) -> Ranking:
    """Search the sweep that a skeleton gives with one list of constants per group."""
    law = parse(text, ["x"])
    curves = [evaluate(law.bind(values), X) for values in constants]
    level = noise * float(np.std(curves))
    rng = np.random.default_rng(8)
    noisy = [curve + level * rng.standard_normal(len(X)) for curve in curves]
    sweep = Sweep.from_groups([X] * len(curves), noisy, noise=level, names=["x"])
    return ExhaustiveSearch(**options).search(sweep, Budget(), rng=rng)  # type: ignore[arg-type]


LAWS = [
    ("C*x^C", [[2.0, 1.5], [1.0, 0.7], [3.0, -0.5]]),
    ("C*exp(C*x) + C", [[2.0, -1.5, 1.0], [1.0, 0.7, 0.0], [3.0, -0.5, -2.0]]),
    ("C*sin(C*x + C)", [[2.0, 1.5, 0.3], [1.0, 2.7, 1.0], [3.0, 4.0, 2.0]]),
    ("C*exp(C*(x + C)^2)", [[2.0, -1.5, -1.0], [1.0, -0.7, -2.0], [3.0, -0.5, 0.1]]),
    ("C*x/(x + C) + C", [[2.0, 1.5, 0.3], [1.0, 2.7, 1.0], [3.0, 4.0, 2.0]]),
    ("(C*x + C)/sqrt(C*x^2 + C)", [[2.0, 1.5, 0.3, 9.0], [1.0, 2.7, -0.05, 1.0], [3.0, 4.0, 2.0, 1.0]]),
    ("C*x^5 + C*x^3 + C*x + C", [[2.0, 1.5, 0.3, 1.0], [1.0, 2.7, 1.0, 1.0], [3.0, 4.0, 2.0, 1.0]]),
]


@pytest.mark.parametrize(("text", "constants"), LAWS)
def test_laws_are_found_in_all_groups_at_once(text: str, constants: list[list[float]]) -> None:
    best = search(text, constants).best
    assert best is not None
    assert best.within_noise
    law = parse(text, ["x"])
    for group, values in enumerate(constants):
        found = evaluate(best.in_group(group), X)
        np.testing.assert_allclose(found, evaluate(law.bind(values), X), rtol=1e-8, atol=1e-10)
    assert best.expression.n_nodes <= 2 * law.n_nodes


@pytest.mark.parametrize(("text", "constants"), LAWS[:4])
def test_forms_are_found_under_one_percent_of_noise(text: str, constants: list[list[float]]) -> None:
    best = search(text, constants, noise=0.01).best
    assert best is not None
    assert canonical_key(best.expression) == canonical_key(parse(text, ["x"]))


def test_what_was_ruled_out_is_said() -> None:
    ranking = search("C*sin(x^2)*cos(x) + C", [[2.0, 1.0], [1.0, -1.0]], max_size=4)
    assert ranking.complete_up_to == 4
    assert ranking.sentence == "No formula up to size 4 fits within the noise."


def test_sizes_that_were_searched_in_part_are_not_claimed() -> None:
    ranking = search(*LAWS[0], noise=0.01)
    assert ranking.best is not None
    assert ranking.best.within_noise
    assert ranking.complete_up_to is not None
    assert ranking.complete_up_to < 8  # larger ones were searched for forms with fewer constants only


def test_targets_that_make_many_forms_equal_are_searched(rng: np.random.Generator) -> None:
    flat = Sweep.from_groups([X], [np.zeros(len(X))], noise=1.0)
    best = ExhaustiveSearch(max_size=6).search(flat, Budget(), rng=rng).best
    assert best is not None
    assert str(best.expression) == "C"


def test_the_same_ranking_with_one_and_two_threads() -> None:
    def ranked(n_threads: int) -> list[tuple[str, float]]:
        found = search(*LAWS[1], n_threads=n_threads, max_size=4)
        return [(str(s.expression), s.score) for s in found.skeletons]

    assert ranked(1) == ranked(2)


def test_a_budget_of_fits_and_an_interrupt_end_the_search_early(rng: np.random.Generator) -> None:
    sweep = Sweep.from_groups([X], [np.sin(X**2) * np.exp(X)], noise=0.0)
    cut = ExhaustiveSearch().search(sweep, Budget(n_fits=200), rng=rng)
    assert "limit of 200 fits" in cut.ended
    assert cut.complete_up_to is not None
    assert cut.complete_up_to < 6

    def interrupt(progress: Progress) -> None:
        if progress.n_scored > 20:
            raise KeyboardInterrupt

    stopped = ExhaustiveSearch().search(sweep, Budget(), rng=rng, progress=interrupt)
    assert stopped.ended == "The search was interrupted."
    assert stopped.best is not None


@pytest.mark.parametrize("scale", [1e-34, 1e30])
def test_magnitudes_of_real_units_make_no_difference(scale: float, rng: np.random.Generator) -> None:
    sweep = Sweep.from_groups([X * scale, X * scale], [scale / X, 3 * scale / X], noise=0.0)
    best = ExhaustiveSearch().search(sweep, Budget(), rng=rng).best
    assert best is not None
    assert str(best.expression) == "C/x0"


def test_a_constant_and_two_points_give_the_simplest_answer(rng: np.random.Generator) -> None:
    flat = ExhaustiveSearch().search(Sweep.from_groups([X], [np.full(len(X), 7.0)], noise=0.0), Budget(), rng=rng).best
    assert flat is not None
    assert str(flat.expression) == "C"
    two = ExhaustiveSearch(max_size=3).search(Sweep.from_groups([X[:2]], [X[:2]], noise=0.0), Budget(), rng=rng)
    assert two.best is not None
    assert two.best.expression.n_open <= 1
    with pytest.raises(DataError, match="NaN"):
        Sweep.from_groups([X], [X * np.nan])


# ---- completeness against brute force over raw trees -----------------------------------------

SMALL = Operators("+", "*", "/", "sin", "exp", "powi")


def raw_sums(size: int, functions: bool) -> Iterator[str]:
    """Every sum of raw terms, a coefficient on each; sizes as the grammar counts them."""
    yield from (f"C*({term})" for term in raw_terms(size, functions))
    for left in range(1, size - 1):
        for a, b in product(raw_sums(left, functions), raw_sums(size - 1 - left, functions)):
            yield f"{a} + {b}"
    if size >= 3:
        yield from (f"{a} + C" for a in raw_sums(size - 2, functions))


def raw_terms(size: int, functions: bool) -> Iterator[str]:
    """Every product and quotient of raw factors, in every order."""
    if size == 1:
        yield "x"
    if size == 2:
        yield from (f"x^{k}" for k in (2, 3, -1, -2))
    if functions and size >= 2:
        yield from (f"{f}({a})" for f in ("sin", "exp") for a in raw_sums(size - 1, False))
    if functions and size >= 3:
        yield from (f"{f}({a})^{k}" for f in ("sin", "exp") for a in raw_sums(size - 2, False) for k in (2, -1))
    for left in range(1, size - 1):
        for a, b in product(raw_terms(left, functions), raw_terms(size - 1 - left, functions)):
            yield f"({a})*({b})"
    for top in range(1, size - 2):
        for a, b in product(raw_terms(top, functions), raw_sums(size - 1 - top, functions)):
            if parse(b, ["x"]).codes[-1] == ADD or b.startswith(("C*(sin", "C*(exp")):
                yield f"({a})/({b})"


def test_every_raw_tree_up_to_size_six_is_in_the_lists(tmp_path: Path) -> None:
    lists = SkeletonLists(SMALL, 1, folder=tmp_path)
    listed: set[str] = set()
    n_raw = 0
    for size in range(1, 7):
        listed |= {canonical_key(lists.level(size)[i]) for i in range(len(lists.level(size)))}
        for text in raw_sums(size, True):
            n_raw += 1
            assert canonical_key(parse(text, ["x"])) in listed, text
    assert n_raw > 1000


def test_no_family_is_listed_twice_and_every_form_is_canonical(tmp_path: Path) -> None:
    lists = SkeletonLists(Operators("physics"), 1, folder=tmp_path)
    forms = [lists.level(size)[i] for size in range(1, 6) for i in range(len(lists.level(size)))]
    keys = [canonical_key(form) for form in forms]
    assert len(set(keys)) == len(keys) > 500
    assert all(canonical(form) == form for form in forms[::7])


def test_lists_are_kept_on_disk_and_damaged_ones_are_made_anew(tmp_path: Path) -> None:
    first = SkeletonLists(SMALL, 1, folder=tmp_path)
    expected = [str(first.level(3)[i]) for i in range(len(first.level(3)))]
    files = sorted(tmp_path.glob("*.list"))
    assert len(files) == 3
    loaded = Level.load(files[2])
    assert loaded is not None
    assert [str(loaded[i]) for i in range(len(loaded))] == expected
    files[2].write_bytes(b"PK damaged")
    again = SkeletonLists(SMALL, 1, folder=tmp_path)
    assert [str(again.level(3)[i]) for i in range(len(again.level(3)))] == expected
    assert Level.load(files[2]) is not None


def test_making_lists_can_be_stopped(tmp_path: Path) -> None:
    def stop() -> None:
        raise TimeoutError

    lists = SkeletonLists(SMALL, 1, folder=tmp_path)
    with pytest.raises(TimeoutError):
        lists.level(6, check=stop)
    whole = SkeletonLists(SMALL, 1, folder=tmp_path / "other").level(6)
    assert list(lists.level(6).chunks()) == list(whole.chunks())


@pytest.mark.parametrize("n_before", [1, 300, 700])
def test_a_list_that_is_put_down_is_gone_on_with_and_one_that_is_torn_is_begun_anew(n_before: int) -> None:
    class Torn(Exception):
        pass

    def until(n: int) -> Iterator[Expression]:
        for place, form in enumerate(Grammar(SMALL, 1).skeletons(6)):
            if place == n:
                raise Torn
            yield form

    def stop() -> None:
        raise TimeoutError

    expected = Making(Grammar(SMALL, 1).skeletons(6), set()).finished(lambda: None)
    torn, put_down = Making(until(n_before), set()), Making(Grammar(SMALL, 1).skeletons(6), set())
    with pytest.raises(Torn):
        torn.finished(lambda: None)
    assert not torn.is_at_rest
    with pytest.raises(TimeoutError):
        put_down.finished(stop)
    assert put_down.is_at_rest
    assert put_down.finished(lambda: None) == expected


def test_threads_that_ask_at_once_get_the_same_lists(tmp_path: Path) -> None:
    lists, barrier = SkeletonLists(SMALL, 1, folder=tmp_path), Barrier(4)

    def ask(_: int) -> list[int]:
        barrier.wait()
        return [len(lists.level(size)) for size in range(1, 7)]

    alone = SkeletonLists(SMALL, 1, folder=tmp_path / "other")
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, range(4))) == [[len(alone.level(size)) for size in range(1, 7)]] * 4


def test_simpler_neighbours_drop_one_operand() -> None:
    texts = {str(variant) for variant in simpler(parse("C*x^C + sin(C*x)", ["x"]))}
    assert texts == {"C*x0^C", "sin(C*x0)", "C + sin(C*x0)", "x0^C + sin(C*x0)", "C*x0 + sin(C*x0)",
                     "C*C + sin(C*x0)", "C*x0^C + sin(C)", "C*x0^C + sin(x0)"}  # fmt: skip


def test_ladders_use_only_the_operators_given() -> None:
    assert ladders(Operators("sin", "exp"), 1) == []
    plain = ladders(Operators("+", "*"), 1)
    assert plain
    assert all("/" not in str(skeleton) for skeleton in plain)
    assert any("log(" in str(skeleton) for skeleton in ladders(Operators("physics"), 2))


class Clock:
    """A clock that goes on by a second for every skeleton that is looked at while lists are made, and by no other."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(making, "number_of", self._looked)

    def _looked(self, skeleton: Expression) -> int:
        self.now += 1.0
        return number_of(skeleton)

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(("share", "largest"), [(None, 7), (3.0, 7), (1.0, 6)])
def test_making_lists_takes_half_of_the_time_at_most_and_the_rest_is_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator, share: float | None, largest: int
) -> None:
    clock = Clock(monkeypatch)
    n_whole = len(SkeletonLists(SMALL, 1, folder=tmp_path / "other").level(7))
    seconds, clock.now = clock.now, 0.0
    lists = SkeletonLists(SMALL, 1, folder=tmp_path)
    monkeypatch.setattr(exhaustive, "skeleton_lists", lambda *_: lists)
    sweep = Sweep.from_groups([X], [np.sin(X**2) * np.exp(X) + 0.1 * rng.normal(size=len(X))])
    scorer = Scorer(sweep, Budget(seconds=None if share is None else share * seconds), clock=clock)
    with scorer.running():
        ExhaustiveSearch(SMALL, max_size=7).explore(scorer)
    ranking = scorer.ranking()
    assert ranking.complete_up_to == largest
    assert ranking.ended == "The search came to its end."
    assert any(scorer.knows(form) for chunk in lists.begun(7).chunks() for form in chunk)  # what there was was tried
    assert (len(lists.begun(7)) < n_whole) == (largest < 7)
    assert len(lists.level(7)) == n_whole  # and the next one who asks goes on with it
