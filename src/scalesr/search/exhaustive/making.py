"""A list of canonical skeletons in the making, which may be put down and taken up again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator

from scalesr.expr.canonical import canonical, canonical_key
from scalesr.expr.expression import Expression

CHUNK = 256  # skeletons between two looks at whether to go on


class Making:
    """The skeletons of one size of which `seen` has no key, as far as they have been gone through."""

    def __init__(self, skeletons: Iterator[Expression], seen: set[int]) -> None:
        self._skeletons, self.seen = skeletons, seen
        self._forms: list[Expression] = []
        self._n_tried = 0
        self.is_at_rest = True  # not so where something has ended it in the middle of a step: then one may be missing

    def finished(self, check: Callable[[], None]) -> list[Expression]:
        """All of them, the cheap ones first; `check` is called now and then, and where it raises nothing is lost."""
        self.is_at_rest = False
        for skeleton in self._skeletons:
            self._take(skeleton)
            self._n_tried += 1
            if self._n_tried % CHUNK == 0:
                self.is_at_rest = True
                check()
                self.is_at_rest = False
        forms = self._forms
        order = sorted(range(len(forms)), key=lambda i: (forms[i].n_open, forms[i].n_nodes, i))
        return [forms[i] for i in order]

    def _take(self, skeleton: Expression) -> None:
        first_key = number_of(skeleton)
        if first_key in self.seen:
            return
        form = canonical(skeleton)
        key = number_of(form)  # a rare form has its canonical form only on the second look
        if key not in self.seen:
            self._forms.append(form)
        self.seen |= {first_key, key}


def number_of(skeleton: Expression) -> int:
    """A number for the family of a skeleton: two families with the same one are not to be met."""
    return int.from_bytes(hashlib.blake2b(canonical_key(skeleton).encode(), digest_size=8).digest(), "little")
