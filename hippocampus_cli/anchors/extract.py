"""Anchors drawn from notes: what they name, and the keys by which a message finds them (ANCHOR, ``extract_anchors``).

A note names what its headings and bold terms say, people and projects, capitalised names. A key is one to eight stems
that an anchor and a message have in common. A compound gives two readings, as a whole and in its parts, so that
``follow-up`` is met by ``followup`` and by ``follow up``; a word of a script without spaces is its pairs of
characters. Pure, but for the stems' memo.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from hippocampus_cli.anchors.chunks import Lexicon, company, idf
from hippocampus_cli.markdown.blocks import Kind
from hippocampus_cli.text.tokenizer import forms, is_stop, words_of
from hippocampus_cli.workspace.note import Note, plain

MOST_WORDS = 4
"""Words of a phrase at most."""
_MOST_STEMS = 8
_MOST_READ = 1_000  # words of a message that are looked at


def keys_of(phrase: str) -> tuple[str, ...]:
    """The keys of an anchor, stop words around it left out; none for what can be no anchor."""
    words = trimmed(words_of(phrase))
    if not words or len(words) > MOST_WORDS:
        return ()
    readings = (_flat(reading) for reading in zip(*map(_readings, words), strict=True))
    found = (" ".join(stems) for stems in readings if 0 < len(stems) <= _MOST_STEMS)
    return tuple(dict.fromkeys(found))


def keys_in(message: str) -> list[str]:
    """Every key that could stand in ``message``, in the order of the text, the longest first at each word."""
    words = words_of(message)[:_MOST_READ]
    found: dict[str, None] = {}
    for reading in zip(*map(_readings, words), strict=True):
        found |= dict.fromkeys(_runs(reading))
    return list(found)


def trimmed(words: Sequence[str]) -> Sequence[str]:
    """``words`` without the stop words and lone signs before and behind."""
    start, end = 0, len(words)
    while start < end and _is_empty(words[start]):
        start += 1
    while end > start and _is_empty(words[end - 1]):
        end -= 1
    return words[start:end]


def _is_empty(word: str) -> bool:
    found = forms(word)
    return not found or is_stop(found[0])


def _readings(word: str) -> tuple[list[str], list[str]]:
    """The stems of a word as a whole and in its parts, mostly the same."""
    found = forms(word)
    if len(found) < 2 or (not found[0].isascii() and len(found[0]) <= 2):  # pairs of characters
        return found, found
    if found[0][:1].isdigit() and "-" in found[0]:  # a day, whose other forms are wider than it
        return found[:1], found[:1]
    return found[:1], found[1:]


def _runs(reading: Sequence[list[str]]) -> Iterator[str]:
    """Runs of one to four words; within a long word without spaces, those of its pairs."""
    stems = [(stem, number) for number, part in enumerate(reading) for stem in part]
    for at, (_, first) in enumerate(stems):
        longest = min(at + _MOST_STEMS, len(stems))
        for end in range(longest, at, -1):
            if stems[end - 1][1] - first < MOST_WORDS:
                yield " ".join(stem for stem, _ in stems[at:end])


def _flat(parts: Sequence[list[str]]) -> list[str]:
    return [stem for part in parts for stem in part]


ENTITY, INDEX, HEADING, BOLD, NAME, WORD = "entity", "index", "heading", "bold", "name", "word"
KINDS = (ENTITY, INDEX, HEADING, BOLD, NAME, WORD)
"""Where an anchor comes from, the surest first."""

_ENTITY_FOLDERS = frozenset(
    (
        *("people", "persons", "contacts", "team", "customers", "clients", "companies"),
        *("entities", "project", "projects", "products"),
    )
)
_BOLD = re.compile(
    r"\*\*(?=\S)([^*\n]{2,80}?)(?<=\S)\*\*|(?<!\w)__(?=\S)([^_\n]{2,80}?)(?<=\S)__(?!\w)"
)
_CAPITAL = "A-Z\u00c0-\u00d6\u00d8-\u00de\u0391-\u03a9\u0410-\u042f"
_CAPITALISED = rf"[{_CAPITAL}](?:[\w’'+#-]|\.(?=\w))*"
_NAMES = re.compile(rf"(?<![\w./@-]){_CAPITALISED}(?: (?:{_CAPITALISED}|\d+(?:\.\d+)*(?!\w)))*")
_ODD = re.compile(r"(?<![\w./@-])(?:[a-z]+[A-Z]\w+|[A-Za-z]{2,}-?\d\w*)(?![\w/@])")
_BEFORE_SENTENCE = frozenset(".!?:;-•*#|>–—")
_BREAK = re.compile(r"[:;,()\[\]{}/|–—→•!?\"“”]+|\s-+\s")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(\S.*)|\s*\|\s*([^|\s][^|]*)\|")
_SAID = re.compile(r"[:,;(|=→]|\s[-–—]+\s")
_LONGEST = 60  # characters


class Term(NamedTuple):
    """A word or phrase as it is shown, its kind, and whether one mention of it is enough."""

    text: str
    kind: str
    sure: bool = True


def terms_of(note: Note) -> Iterator[Term]:
    """Everything that ``note`` names, as often as it does."""
    for text in _entities(note.path):
        yield from _terms(text, ENTITY)
    for section in note.sections:
        yield from _terms(section.title, HEADING)
        if _is_list(note.path, section.title):
            for line in note.lines[section.start : section.end]:
                yield from _listed(line)
    for line, kind in zip(note.lines, note.blocks.kinds, strict=True):
        if kind == Kind.TEXT:
            yield from _in_line(line)


def named(text: str, kind: str) -> Iterator[Term]:
    """The terms of a name that comes from elsewhere, such as the topic of an entry."""
    return _terms(text, kind)


def phrases_of(title: str) -> Iterator[str]:
    """``title`` as phrases of at most four words, in lower case, without dates and stop words around them.

    What is longer falls apart at punctuation, then at stop words.
    """
    for piece in _BREAK.split(plain(title)):
        words = _bare(words_of(piece))
        if len(words) <= MOST_WORDS:
            runs: Sequence[Sequence[str]] = [words]
        else:
            runs = [run[:MOST_WORDS] for run in _between_stops(words)]
        for run in runs:
            text = " ".join(run).lower()
            if 1 < len(text) <= _LONGEST and any(map(str.isalpha, text)):
                yield text


def _in_line(line: str) -> Iterator[Term]:
    if "**" in line or "__" in line:
        for found in _BOLD.finditer(line):
            yield from _terms(found[1] or found[2], BOLD)
    for found in _NAMES.finditer(line):
        before = line[: found.start()].rstrip(" \t\"'“(*_")[-1:]
        begins = not before or before in _BEFORE_SENTENCE
        text = found[0].rstrip("'’-")
        sure = not begins or " " in text or text[1:] != text[1:].lower()
        for phrase in phrases_of(text):
            yield Term(phrase, NAME, sure)
    for found in _ODD.finditer(line):
        yield Term(found[0].lower(), NAME)


def _terms(text: str, kind: str) -> Iterator[Term]:
    return (Term(phrase, kind) for phrase in phrases_of(text))


def _entities(path: str) -> Iterator[str]:
    """The names that a path gives: of the folder or file within one of people or projects."""
    *folders, name = path.split("/")
    for folder, inner in pairwise((*folders, name.rpartition(".")[0])):
        if folder.lower() in _ENTITY_FOLDERS:
            yield inner.replace("-", " ").replace("_", " ")


def _is_list(path: str, title: str) -> bool:
    """Whether a section of a note lists people or projects: by its heading, or by the note's name."""
    stem = path.rpartition("/")[2].rpartition(".")[0]
    said = {word.lower() for name in (title, stem) for word in re.split(r"[\W_]+", name)}
    return bool(said & _ENTITY_FOLDERS) and len(words_of(title)) <= MOST_WORDS


def _listed(line: str) -> Iterator[Term]:
    """What a line of a list begins with, up to what is said of it; of a table the first cell."""
    if found := _ITEM.match(line):
        text = _SAID.split(plain(found[1] or found[2]), maxsplit=1)[0].strip()
        if 0 < len(words_of(text)) <= MOST_WORDS:
            yield from _terms(text, ENTITY)


def _bare(words: Sequence[str]) -> Sequence[str]:
    """``words`` without stop words around them, and without the date or number they begin with."""
    words = trimmed(words)
    while words and not any(map(str.isalpha, words[0])):
        words = trimmed(words[1:])
    return words


def _between_stops(words: Sequence[str]) -> Iterator[Sequence[str]]:
    run: list[str] = []
    for word in (*words, ""):
        found = forms(word) if word else []
        if found and not is_stop(found[0]):
            run.append(word)
        elif run:
            yield run
            run = []


_WORDS = 0.4  # the share of the anchors that single words have for sure, where there are too many
_LEAST = 2  # mentions, or chunks, below which a word or an unsure name is none
_SHORTEST = 3  # letters
# What a message may be all of that wants nothing ("thanks, looks good"): no word that tells notes apart.
_COURTESIES = """
    thanks thank ok okay yes yeah sure good great nice fine perfect cool awesome super done look looks looking please
    go ahead continue danke gut prima passt klar bitte gerne weiter 谢谢 好的 可以 不错
"""


def is_courtesy(text: str) -> bool:
    """Whether a message has no word but of the kind of *thanks, looks good*."""
    if len(text) > _LONGEST:
        return False
    found = {stem for word in words_of(text) for stem in forms(word) if not is_stop(stem)}
    return bool(found) and found <= _courtesies()


@cache
def _courtesies() -> frozenset[str]:
    return frozenset(stem for word in _COURTESIES.split() for stem in forms(word))


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
    if is_stop(stem) or stem in _courtesies():
        return False
    if stem.isascii():
        return len(stem) >= _SHORTEST and any(map(str.isalpha, stem))
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
