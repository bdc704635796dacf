"""An anchor, and the vocabulary of anchors that a workspace has (ANCHOR, ``extract_anchors``). Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from hippocampus_cli.anchors.association import company
from hippocampus_cli.anchors.keys import keys_of
from hippocampus_cli.anchors.terms import KINDS, WORD, Term
from hippocampus_cli.anchors.wording import Lexicon, idf
from hippocampus_cli.search.tokens import forms, is_stop, words_of

_WORDS = 0.4  # the share of the anchors that single words have for sure, where there are too many
_LEAST = 2  # mentions, or chunks, below which a word or an unsure name is none
_SHORTEST = 3  # letters


class Anchor(NamedTuple):
    """A word or phrase in lower case. ``own`` are its stems with what each is worth (1 in all), ``company``
    the stems that stand around it more than chance has them, with how firmly (0 to 1 each)."""

    text: str
    kind: str
    own: Mapping[str, float]
    company: Mapping[str, float]


@dataclass(eq=False, repr=False)
class Gathered:
    """What notes name, with how often; and how their words are spelt. Filled a note at a time."""

    terms: Counter[str] = field(default_factory=Counter)
    kinds: dict[str, str] = field(default_factory=dict)
    sure: set[str] = field(default_factory=set)
    spellings: dict[str, str] = field(default_factory=dict)

    def add(self, terms: Iterable[Term], texts: Iterable[str]) -> None:
        """Take in what a note names, and the texts of its chunks."""
        for term in terms:
            self.terms[term.text] += 1
            kind = self.kinds.get(term.text, term.kind)
            self.kinds[term.text] = min(kind, term.kind, key=KINDS.index)
            if term.sure:
                self.sure.add(term.text)
        for text in texts:
            for word in set(words_of(text)):
                for stem in forms(word)[:1] if word.isascii() else forms(word):
                    spelt = self.spellings.get(stem)
                    if spelt is None or (len(word), word) < (len(spelt), spelt):
                        self.spellings[stem] = word

    def phrases(self) -> list[Term]:
        """The names that count, the surest kinds and the most mentioned first."""
        found = [
            Term(text, self.kinds[text])
            for text, count in self.terms.items()
            if text in self.sure and (self.kinds[text] not in _RARE or count >= _LEAST)
        ]
        return sorted(found, key=lambda term: (self._rank(term), term.text))

    def _rank(self, term: Term) -> tuple[int, int]:
        count = self.terms[term.text]
        once = count < _LEAST and term.kind in KINDS[2:]
        return (2 if once else int(term.kind in KINDS[2:])), -count


_RARE = frozenset(("name",))


def vocabulary(
    gathered: Gathered, lexicon: Lexicon, most: int, deny: Collection[str] = ()
) -> list[Term]:
    """The anchors to be: at most ``most``, one for each key, in the order of the alphabet."""
    barred = {key for text in deny for key in keys_of(text)}
    words = _words(gathered.spellings, lexicon)
    phrases = _distinct(gathered.phrases(), barred)
    room = max(most - len(words), int(most * (1.0 - _WORDS)))
    chosen = phrases[:room]
    taken = barred.union(*(keys_of(term.text) for term in chosen))
    chosen += _distinct(words, taken)[: most - len(chosen)]
    return sorted(chosen, key=lambda term: term.text)


def weighed(
    terms: Sequence[Term], lexicon: Lexicon, progress: Callable[[], object] | None = None
) -> list[Anchor]:
    """Anchors with what their stems are worth, and their company."""
    made = []
    for term in terms:
        own = _own(term.text, lexicon)
        parts = {stem for word in words_of(term.text) for stem in forms(word)}
        around = company(own, lexicon, parts) if own else {}
        made.append(Anchor(term.text, term.kind, own, around))
        if progress:
            progress()
    return made


def _own(text: str, lexicon: Lexicon) -> dict[str, float]:
    readings = [key.split() for key in keys_of(text)]
    if not readings:
        return {}
    # the reading that the notes use: "followup", or "follow up"
    stems = max(readings, key=lambda one: min(map(lexicon.frequency, one)))
    worth = {stem: idf(lexicon, stem) + 1e-6 for stem in stems}
    whole = sum(worth.values())
    return {stem: round(value / whole, 4) for stem, value in worth.items()}


def _words(spellings: Mapping[str, str], lexicon: Lexicon) -> list[Term]:
    """The single words that tell chunks apart: in two at least, the best by TF-IDF first."""
    found = []
    for stem, spelt in spellings.items():
        times = lexicon.frequency(stem)
        if times >= _LEAST and _is_word(stem):
            text = spelt.lower() if spelt.isascii() or len(stem) > 2 else stem
            found.append((-times * idf(lexicon, stem), text))
    return [Term(text, WORD) for worth, text in sorted(found) if worth < 0]


def _is_word(stem: str) -> bool:
    if is_stop(stem):
        return False
    if stem.isascii():
        letters = any(map(str.isalpha, stem))
        return len(stem) >= _SHORTEST and (letters or stem.isdigit())
    return len(stem) > 1


def _distinct(terms: Iterable[Term], taken: Collection[str]) -> list[Term]:
    """The first of several terms that one key meets."""
    seen, kept = set(taken), []
    for term in terms:
        keys = keys_of(term.text)
        if keys and not seen.intersection(keys):
            seen.update(keys)
            kept.append(term)
    return kept
