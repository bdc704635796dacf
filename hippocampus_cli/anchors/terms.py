"""What a note names: headings, bold terms, people and projects, capitalised names (ANCHOR, ``extract_anchors``).

Pure, but for the stems' memo.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from hippocampus_cli.anchors.keys import MOST_WORDS, trimmed
from hippocampus_cli.markdown.blocks import Kind
from hippocampus_cli.search.tokens import forms, is_stop, words_of
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.titles import plain

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
