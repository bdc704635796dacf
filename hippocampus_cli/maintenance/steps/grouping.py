"""Finding the entries that say the same among thousands, without comparing each with each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from hippocampus_cli.index.document import Located
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.maintenance.steps.sameness import Saying, same_handle, same_subject

_MOST = 50  # entries of a group; where more say the same, the groups become one in the next round

_Key = tuple[str, frozenset[str], frozenset[str] | None]


class Merge(NamedTuple):
    """One entry, and those that become part of it."""

    kept: Located
    absorbed: list[Located]


class Groups:
    """Entries taken in one by one, the ones to be kept first; each joins the first group that it fits.

    Of two texts that are alike one holds all words of the other, hence also the rarest of them; and their
    places agree in figures and days. That is what groups are looked up by. ``precise`` says whether pointers
    lead to one place each; ``may_join`` whether an entry may become part of another.
    """

    def __init__(
        self,
        said: Mapping[str, Saying],
        least: float,
        precise: Callable[[Iterable[Pointer]], bool],
        may_join: Callable[[Located, Located], bool],
    ) -> None:
        self.found: list[Merge] = []
        self._said, self._least = said, least
        self._precise, self._may_join = precise, may_join
        self._counts = Counter(word for saying in said.values() for word in set(saying.words))
        self._holding: dict[_Key, list[int]] = defaultdict(list)
        self._named: dict[_Key, list[int]] = defaultdict(list)
        self._at: dict[frozenset[Pointer], list[int]] = defaultdict(list)

    def take(self, one: Located) -> None:
        """Put an entry into a group, its own if need be."""
        for at in self._near(self._said[one.key]):
            group = self.found[at]
            if len(group.absorbed) < _MOST and self._fits(one, group):
                group.absorbed.append(one)
                return
        self._open(one)

    def _near(self, saying: Saying) -> list[int]:
        """The groups that an entry may fit, in the order in which they were opened."""
        near = set(self._at.get(saying.targets, ()))
        days = (saying.days, frozenset[str]()) if saying.days else (None,)
        for day in days:
            if saying.words:
                near.update(self._holding.get((self._rarest(saying), saying.figures, day), ()))
            for word in set(saying.words):
                near.update(self._named.get((word, saying.figures, day), ()))
        return sorted(near)

    def _fits(self, one: Located, group: Merge) -> bool:
        members = (group.kept, *group.absorbed)
        return self._may_join(one, group.kept) and all(self._same(one, other) for other in members)

    def _same(self, one: Located, other: Located) -> bool:
        this, that = self._said[one.key], self._said[other.key]
        at_one = bool(this.targets) and this.targets == that.targets
        if at_one and same_handle(this, that, self._least) and self._precise(this.targets):
            return True
        return same_subject(this, that, self._least)

    def _open(self, one: Located) -> None:
        at, saying = len(self.found), self._said[one.key]
        self.found.append(Merge(one, []))
        self._at[saying.targets].append(at)
        for day in (saying.days, None):
            for word in set(saying.words):
                self._holding[word, saying.figures, day].append(at)
            if saying.words:
                self._named[self._rarest(saying), saying.figures, day].append(at)

    def _rarest(self, saying: Saying) -> str:
        return min(saying.words, key=lambda word: (self._counts[word], word))
