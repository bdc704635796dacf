"""How rare a word is in a workspace, which headings repeat, and what its logs say again and again."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from hippocampus_cli.entries.passages import Passage
from hippocampus_cli.text.words import words
from hippocampus_cli.workspace.kinds import NoteKind, is_core
from hippocampus_cli.workspace.note import fold

Pair = tuple[str, str]
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_DIGITS = re.compile(r"\d+")
_LOGS = frozenset((NoteKind.DAILY, NoteKind.TEMP))
_READ_CHARACTERS = 6000  # of a passage of a log
_MOST_LOGS = (
    500  # notes from which routine is learned: what is said again and again is in any of them
)
_OFTEN = 3  # notes that have two words beside each other, so that these are routine ...
_OFTEN_SHARE = 0.025  # ... and this share of all logs
_LEAST_WORDS = 4  # of a line that several notes have
_ROUTINE_SHARE = 0.5  # of a sentence's pairs of words


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """``frequency``: in how many of ``passages`` a word's key occurs; ``titles``: how often a heading does;
    ``routine``: words that stand beside each other in many logs; ``boilerplate``: lines that several notes have.

    An empty vocabulary is fine: then every word is as rare as any other, and nothing is routine.
    """

    passages: int = 0
    frequency: Mapping[str, int] = field(default_factory=dict)
    titles: Mapping[str, int] = field(default_factory=dict)
    routine: frozenset[Pair] = frozenset()
    boilerplate: frozenset[str] = frozenset()

    def rarity(self, key: str) -> float:
        """0 for a word that is in every passage, higher the rarer it is."""
        if not self.passages:
            return 1.0
        return math.log((self.passages + 1) / self.frequency.get(key, 1))

    def repeated(self, title: str) -> bool:
        """Whether a heading occurs more than once, so that it names no section by itself."""
        return self.titles.get(fold(title), 0) > 1

    def is_routine(self, sentence: str) -> bool:
        """Whether the logs of the workspace say this again and again, with other numbers and names perhaps, or other
        notes have the same line."""
        said = _plain(sentence)
        if said and said in self.boilerplate:
            return True
        if not self.routine:
            return False
        found = list(_pairs(sentence))
        known = sum(pair in self.routine for pair in found)
        return known >= max(_ROUTINE_SHARE * len(found), min(2, len(found)))

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
    logs: dict[str, list[str]] = defaultdict(list)
    lines: dict[str, set[str]] = defaultdict(set)
    count = 0
    for passage in passages:
        count += 1
        frequency.update(passage.words)
        if passage.section is not None:
            titles[fold(passage.section.title)] += 1
        body = passage.body[:_READ_CHARACTERS]
        if passage.kind in _LOGS:
            logs[passage.note.path].append(body)
        elif not is_core(passage.note.path):
            lines[passage.note.path].update(map(_plain, body.splitlines()))
    shared = Counter(line for found in lines.values() for line in found)
    boilerplate = frozenset(line for line, notes in shared.items() if line and notes >= _OFTEN)
    return Vocabulary(count, frequency, titles, _routine(logs), boilerplate)


def _routine(logs: Mapping[str, list[str]]) -> frozenset[Pair]:
    """The pairs of words that many of the logs have; of very many logs, evenly chosen ones are read."""
    every = len(logs) // _MOST_LOGS + 1
    read = [logs[path] for path in sorted(logs)[::every]]
    notes: Counter[Pair] = Counter()
    for bodies in read:
        notes.update(
            {pair for body in bodies for line in body.splitlines() for pair in _pairs(line)}
        )
    least = max(_OFTEN, _OFTEN_SHARE * len(read))
    return frozenset(pair for pair, found in notes.items() if found >= least)


def _plain(line: str) -> str:
    """A line as its words; empty where it has too few to be more than a label."""
    found = words(line)
    return " ".join(found).lower() if len(found) >= _LEAST_WORDS else ""


def _pairs(line: str) -> Iterator[Pair]:
    """Words that stand beside each other, numbers alike, with where the line begins."""
    spoken = [""]
    for word in words(line):
        said = _DIGITS.sub("0", word.lower())
        if _HAN.match(said):  # which is written without blanks between words
            spoken += said
        elif said != "0":
            spoken.append(said)
    return pairwise(spoken)
