"""How common words and headings are in a workspace: what makes a section stand out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from hippocampus_cli.drafting.passage import Passage
from hippocampus_cli.workspace.titles import fold


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """``frequency``: in how many of ``passages`` a word's key occurs; ``titles``: how often a heading does.

    An empty vocabulary is fine: then every word is as rare as any other.
    """

    passages: int = 0
    frequency: Mapping[str, int] = field(default_factory=dict)
    titles: Mapping[str, int] = field(default_factory=dict)

    def rarity(self, key: str) -> float:
        """0 for a word that stands in every passage, higher the rarer it is."""
        if not self.passages:
            return 1.0
        return math.log((self.passages + 1) / self.frequency.get(key, 1))

    def repeated(self, title: str) -> bool:
        """Whether a heading stands more than once, so that it names no section by itself."""
        return self.titles.get(fold(title), 0) > 1

    def telling(self, passage: Passage) -> list[tuple[str, float]]:
        """The keys of a passage with how much each sets it apart, best first; ties by the alphabet.

        A word met once here and nowhere else may be a slip of the pen: it counts less.
        """
        scored = [
            (key, (1 + math.log(count)) * self.rarity(key) * self._trust(key, count))
            for key, count in passage.weights.items()
        ]
        return sorted(scored, key=lambda pair: (-pair[1], pair[0]))

    def _trust(self, key: str, count: int) -> float:
        return 0.7 if count == 1 and self.frequency.get(key, 1) < 2 else 1.0


def learn(passages: Iterable[Passage]) -> Vocabulary:
    """The vocabulary of these passages."""
    frequency: Counter[str] = Counter()
    titles: Counter[str] = Counter()
    count = 0
    for passage in passages:
        count += 1
        frequency.update(passage.words)
        if passage.section is not None:
            titles[fold(passage.section.title)] += 1
    return Vocabulary(count, frequency, titles)
