"""Which words and phrases of the notes are anchors (ANCHOR, ``extract_anchors``).

Phrases are what headings, bold terms, labels and the names of people's and projects' files say, and the topics and
tags of the index. Words are those that tell passages apart: in two at least, the best by TF-IDF first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from hippocampus_cli.anchors.lookup import COURTESIES
from hippocampus_cli.fast_types import pattern
from hippocampus_cli.markdown.blocks import Kind
from hippocampus_cli.search.indexing import BOLD_TEXT, LABEL_TEXT
from hippocampus_cli.search.question import idf
from hippocampus_cli.text.stop_words import COMMON_WORDS
from hippocampus_cli.text.terms import language_of, terms, terms_of
from hippocampus_cli.text.tokenizer import is_unspaced, words_of
from hippocampus_cli.workspace.note import Note, plain

MOST_WORDS = 4
"""Words of a phrase at most."""
_PHRASES = 0.6  # of all anchors, where there are too many
_LEAST = 2  # passages with a word
_ENTITIES = (
    "people persons contacts team customers clients companies entities project projects products"
)
_ENTITY_FOLDERS = frozenset(_ENTITIES.split())
_BREAK = pattern(r"[:;,()\[\]{}/|–—→•!?\"“”]+|\s-+\s")


class Vocabulary:
    """What notes name and how their words are spelt; filled a note at a time."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        """``names`` come from elsewhere, such as the topics of entries."""
        self._phrases = Counter(_phrases_in(names))
        self._spellings: dict[str, str] = {}

    def add_note(self, note: Note) -> None:
        """Take what ``note`` names, and its words."""
        self._phrases.update(_phrases_in(_names_in(note)))
        language = language_of(note.text)
        for word in set(words_of(note.text)):
            for term in terms_of(word, language)[: None if is_unspaced(word) else 1]:
                spelt = term if is_unspaced(word) else word.lower()
                known = self._spellings.get(term, spelt)
                self._spellings[term] = min(known, spelt, key=lambda text: (len(text), text))

    def anchors(
        self, frequencies: Mapping[str, int], passages: int, most: int, deny: Collection[str]
    ) -> Sequence[str]:
        """At most ``most`` anchors in the order of the alphabet, of several with the same terms one. ``frequencies``
        says in how many of all ``passages`` a term stands."""
        words = self._words(frequencies, passages)
        phrases = sorted(self._phrases, key=lambda phrase: (-self._phrases[phrase], phrase))
        phrases = phrases[: max(most - len(words), int(most * _PHRASES))]
        chosen: dict[str, str] = {}
        for text in (*phrases, *words):
            chosen.setdefault(_key(text), text)
        denied = set(map(_key, deny))
        return sorted([text for key, text in chosen.items() if key not in denied][:most])

    def _words(self, frequencies: Mapping[str, int], passages: int) -> Sequence[str]:
        worth = {
            word: count * idf(count, passages)
            for term, word in self._spellings.items()
            if (count := frequencies.get(term, 0)) >= _LEAST and can_be_anchor(word)
        }
        return sorted(worth, key=lambda word: (-worth[word], word))


def can_be_anchor(word: str) -> bool:
    """Whether a word in lower case can tell one text from another."""
    if word in COMMON_WORDS or word in COURTESIES:
        return False
    return len(word) > 1 and any(map(str.isalpha, word))


def phrases_of(title: str) -> Iterator[str]:
    """``title`` as phrases of at most four words, in lower case, without the words around them that say nothing."""
    for piece in _BREAK.split(plain(title)):
        words = [word.lower() for word in words_of(piece)]
        telling = [number for number, word in enumerate(words) if can_be_anchor(word)]
        if telling and telling[-1] - telling[0] < MOST_WORDS:
            yield " ".join(words[telling[0] : telling[-1] + 1])


def _phrases_in(names: Iterable[str]) -> Iterator[str]:
    return (phrase for name in names for phrase in phrases_of(name))


def _key(text: str) -> str:
    return " ".join(terms(text))


def _names_in(note: Note) -> Iterator[str]:
    *folders, name = note.path.split("/")
    for folder, inner in pairwise((*folders, name.rpartition(".")[0])):
        if folder.lower() in _ENTITY_FOLDERS:
            yield inner.replace("-", " ").replace("_", " ")
    yield from (section.title for section in note.sections)
    for line, kind in zip(note.lines, note.blocks.kinds, strict=True):
        if kind == Kind.TEXT:
            yield from BOLD_TEXT.findall(line)
            yield from LABEL_TEXT.findall(line)
