from itertools import product

from scalesr_bench.analysis.counts import BINARY, UNARY, count_trees


def listed(n, terminals):
    """All valid trees of a complexity, one by one: (text, whether it has a unary operator)."""
    if n == 0:
        return [(t, False) for t in terminals]
    found = [(f"{u}({inner})", True) for u in UNARY for inner, has in listed(n - 1, terminals) if not has]
    for left in range(n - 1):
        pairs = product(BINARY, listed(left, terminals), listed(n - 2 - left, terminals))
        found += [(f"({a}{o}{b})", x or y) for o, (a, x), (b, y) in pairs]
    return found


def test_counts_are_those_of_a_list_of_all_trees():
    counts = count_trees(2, 5)
    for n in range(6):
        trees = listed(n, "xc")
        assert len(set(trees)) == len(trees)
        assert counts.without[n] == sum(not has for _, has in trees)
        assert counts.with_unary[n] == sum(has for _, has in trees)


def test_counts_with_five_terminals_are_the_known_ones():
    counts = count_trees(5, 31)
    assert counts.without[:5] == (5, 0, 100, 0, 4000)
    assert counts.with_unary[:6] == (0, 20, 0, 1200, 1600, 80000)
    assert f"{counts.up_to(16):.1e}" == "3.8e+15"
    assert f"{counts.up_to(31):.1e}" == "5.1e+30"
    assert counts.of(31) == counts.up_to(31) - counts.up_to(30)
