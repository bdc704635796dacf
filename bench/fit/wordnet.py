"""Relations between words in the database files of WordNet 3.0. See wndb(5WN) for the format."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path

_PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
_SMOOTHING = 0.5  # occurrences that every sense is granted beyond those counted
_SYNONYM = 1.0
_BY_POINTER = {"+": 0.9, "$": 0.7, "&": 0.7, "\\": 0.7, "*": 0.5}
_ABOVE = (0.6, 0.35)  # the hypernym, and the one above it

Pair = tuple[str, str]
_Synset = tuple[str, str]  # part of speech and offset


@dataclass
class WordNet:
    """``counts`` says how often a word was met in the tagged texts, in all its senses."""

    synsets: dict[_Synset, list[str]] = field(default_factory=dict)
    pointers: dict[_Synset, list[tuple[str, _Synset, int, int]]] = field(default_factory=dict)
    shares: dict[tuple[str, _Synset], float] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=lambda: defaultdict(int))


def read(folder: Path) -> WordNet:
    """The four parts of speech. Words are in lower case, with spaces."""
    net = WordNet()
    tagged = _tag_counts(folder / "cntlist.rev")
    for part, letter in _PARTS.items():
        for line in _lines(folder / f"data.{part}"):
            _read_synset(net, letter, line)
        for line in _lines(folder / f"index.{part}"):
            _read_senses(net, letter, line, tagged)
    return net


def relations(net: WordNet) -> dict[Pair, float]:
    """Every related pair of words (in both orders) and how near they are, above 0 to 1.

    A relation of a rare sense is held against it: the root of the product of both senses' shares
    in the uses of their words is a factor.
    """
    found: dict[Pair, float] = defaultdict(float)
    for synset, words in net.synsets.items():
        for one in words:
            for other in words:
                _note(net, found, (one, synset), (other, synset), _SYNONYM)
        for sense, related, nearness in _pointed(net, synset, words):
            _note(net, found, sense, related, nearness)
            _note(net, found, related, sense, nearness)
    return dict(found)


def _pointed(
    net: WordNet, synset: _Synset, words: list[str]
) -> Iterator[tuple[tuple[str, _Synset], tuple[str, _Synset], float]]:
    for symbol, target, source_at, target_at in net.pointers[synset]:
        if symbol in ("@", "@i"):
            grand = [two for sign, two, *_ in net.pointers.get(target, []) if sign == "@"]
            for word in words:
                for above in net.synsets.get(target, []):
                    yield (word, synset), (above, target), _ABOVE[0]
                for two in grand:
                    for above in net.synsets.get(two, []):
                        yield (word, synset), (above, two), _ABOVE[1]
        elif nearness := _BY_POINTER.get(symbol):
            targets = net.synsets.get(target, [])
            for word in [words[source_at - 1]] if source_at else words:
                for other in [targets[target_at - 1]] if target_at and targets else targets:
                    yield (word, synset), (other, target), nearness


def _note(
    net: WordNet,
    found: dict[Pair, float],
    one: tuple[str, _Synset],
    other: tuple[str, _Synset],
    nearness: float,
) -> None:
    if one[0] != other[0]:
        share = sqrt(net.shares.get(one, 0.0) * net.shares.get(other, 0.0))
        pair = one[0], other[0]
        found[pair] = max(found[pair], nearness * share)


def _read_synset(net: WordNet, letter: str, line: str) -> None:
    fields = line.split(" | ")[0].split()
    synset = letter, fields[0]
    count = int(fields[3], 16)
    words = [_plain(fields[4 + 2 * at]) for at in range(count)]
    at = 4 + 2 * count
    pointers = []
    for _ in range(int(fields[at])):
        symbol, offset, part, ends = fields[at + 1 : at + 5]
        target = part.replace("s", "a"), offset
        pointers.append((symbol, target, int(ends[:2], 16), int(ends[2:], 16)))
        at += 4
    net.synsets[synset] = words
    net.pointers[synset] = pointers


def _read_senses(net: WordNet, letter: str, line: str, tagged: dict[tuple[str, str], int]) -> None:
    fields = line.split()
    word = _plain(fields[0])
    offsets = fields[-int(fields[2]) :]
    counts = [
        tagged.get((f"{fields[0]}%{letter}", str(at)), 0) for at in range(1, len(offsets) + 1)
    ]
    total = sum(counts) + _SMOOTHING * len(counts)
    for offset, count in zip(offsets, counts, strict=True):
        net.shares[word, (letter, offset)] = (count + _SMOOTHING) / total
    net.counts[word] += sum(counts)


def _tag_counts(path: Path) -> dict[tuple[str, str], int]:
    """How often a sense was met, by ``word%part`` and the sense's number."""
    counts: dict[tuple[str, str], int] = {}
    for line in _lines(path):
        key, number, count = line.split()
        word, _, rest = key.partition("%")
        counts[f"{word}%{'?nvara'[int(rest[0])]}", number] = int(count)
    return counts


def _plain(word: str) -> str:
    return word.partition("(")[0].replace("_", " ").lower()


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as file:
        yield from (line for line in file if not line.startswith("  "))
