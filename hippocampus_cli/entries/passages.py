"""What an entry is about: a whole note, or a section of it that is worth an entry of its own; what that says,
sentence by sentence, and which of them many workspaces say alike."""

from __future__ import annotations

import math
import re
import string
import zlib
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cache, cached_property
from heapq import nlargest
from itertools import islice, pairwise, takewhile
from operator import itemgetter
from pathlib import Path

from hippocampus_cli.embedding.digests import digest_of
from hippocampus_cli.entries.worth import Frequencies
from hippocampus_cli.fast_types import Frozen, NamedTuple
from hippocampus_cli.index.metadata import Priority
from hippocampus_cli.markdown.blocks import Kind, fence_of
from hippocampus_cli.redaction.redactor import holds_placeholder
from hippocampus_cli.text.plain_text import plain_text
from hippocampus_cli.text.sentences import sentences_of
from hippocampus_cli.text.stop_words import LANGUAGES, STOP_WORDS
from hippocampus_cli.workspace.fingerprints import checksum
from hippocampus_cli.workspace.kinds import NoteKind, days_in, is_core, kind_of, period_of
from hippocampus_cli.workspace.note import Note, Section

WHOLE = 1200
"""Characters of a note, or of a section, up to which its own entry speaks for all of it."""
_NEARLY_ALL = 0.9  # of a note: such a section needs no entry beside the note's
WORTH = 160
"""Characters from which a section of a longer note may have an entry of its own: a note has as many as the square
root of how often it has these."""


class Passage(Frozen):
    """Part of a note written on ``day``: all of it, or a ``section``, which has its subsections with it unless
    it is ``direct``. ``frequencies`` are those of its workspace."""

    note: Note
    day: date
    section: Section | None = None
    direct: bool = False
    frequencies: Frequencies = Frequencies()

    @cached_property
    def kind(self) -> NoteKind:
        """The kind of its note."""
        return kind_of(self.note.path)

    @property
    def end(self) -> int:
        """Its last line, 1-based and inclusive."""
        if self.section is None:
            return len(self.note.lines)
        return self.section.end if self.direct else self.section.tree_end

    @property
    def line(self) -> int:
        """The 1-based line where it starts."""
        return self.section.start if self.section else 1

    @property
    def title(self) -> str:
        """The heading as written, or the note's title; empty where there is neither."""
        return self.section.title if self.section else self.note.title or ""

    @property
    def interest(self) -> float:
        """How rare the words of its heading are, half as much where its first lines have no sentence."""
        begin = self.note.lines[self.line : self.line + _BEGIN]
        return self.frequencies.rarity(self.title) * (1 + any(map(_is_prose, begin)))

    @property
    def sections(self) -> list[Section]:
        """The sections inside, its own not among them."""
        return [
            section
            for section in self.note.sections
            if section.level and self.line < section.start <= self.end
        ]

    def lines(self) -> Iterator[tuple[str, int]]:
        """Each line that says something, with its :class:`Kind`; comments, front matter and what hippo wrote itself
        between its marks do not."""
        kinds, lines, own = self.note.blocks.kinds, self.note.lines, False
        for place in range(self.line - 1, self.end):
            if kinds[place] == Kind.COMMENT:
                own = (own or "hippo:begin " in lines[place]) and "hippo:end " not in lines[place]
            elif kinds[place] != Kind.FRONT_MATTER and not own:
                yield lines[place], kinds[place]

    @property
    def body(self) -> str:
        """The text without headings, comments, front matter and the marks of code blocks.

        Not kept: the bodies of all passages would take as much room as the notes.
        """
        return "".join(
            line
            for line, kind in self.lines()
            if kind == Kind.TEXT or (kind == Kind.CODE and not fence_of(line))
        )

    @cached_property
    def content(self) -> tuple[int, bytes]:
        """The characters of the body and a digest of them, white space aside."""
        said = "".join(self.body.split())
        return len(said), digest_of(said)


def _is_prose(text: str) -> bool:
    """Whether a text begins with a whole sentence of some length: lists, tables and code have no function words."""
    words = text.casefold().split()
    return (
        len(words) >= _FEWEST
        and not (_BULLET.match(text) or text.lstrip(f"{_MARKS} ")[:1].islower())
        and len(_FUNCTION_WORDS.intersection(words)) + text.rstrip("*_ \r\n").endswith(".") > 1
    )


def day_of(path: str, modified: date, text: str = "") -> date | None:
    """When a note was written, as it says itself: the day (or the last day of the month) in its name, else the latest
    day that its text speaks of up to ``modified``."""
    if period := period_of(path):
        return period[1]
    return max((day for day in days_in(text) if day <= modified), default=None)


def cut(whole: Passage) -> list[Passage]:
    """The sections of a note that are worth an entry beside its own, in file order: those with the rarest headings,
    more of a longer note, all of a core file; none of a short note or of data.

    The title's own text belongs to the note. A long section is left to its subsections, and to one for what it says
    before them.
    """
    note = whole.note
    sections = [section for section in note.sections if section.level]
    if whole.kind is NoteKind.STATE or len(note.text) <= WHOLE or len(sections) < 2:
        return []
    core = whole.kind is NoteKind.CONFIG
    found = []
    done = 0
    for section in sections:
        if section.start <= done:
            continue
        tree = len(note.text_of(section.start, section.tree_end))
        divided = section.tree_end > section.end and tree > WHOLE
        passage = whole.replaced(section=section, direct=divided)
        size = len(note.text_of(section.start, passage.end))
        if not divided:
            done = section.tree_end
        elif not section.parents:
            continue
        interest = passage.interest
        if (interest or core) and WORTH <= size < _NEARLY_ALL * len(note.text):
            found.append((interest, section.ordinal, passage))
    best = found if core else nlargest(math.isqrt(len(note.text) // WORTH), found)
    return [passage for _, _, passage in sorted(best, key=itemgetter(1))]


_FUNCTION_WORDS = STOP_WORDS.union(*map(str.split, LANGUAGES.values()))
_LEAD = 16  # units of a passage that are looked at
_TURN = re.compile(r"\s*(?:[a-z]+:|\[)")
_BEGIN = 8  # lines of a section that tell whether it is prose
_FEWEST = 7  # words of a sentence that a summary begins with
_BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX~-]\]\s+)?")
_RULE = re.compile(r"\s*+(?:[-*_=]\s*+){3,}+$|[\s:|]*+-[\s:-]*+\|[\s:|-]*+$")
_LABEL = re.compile(r"[*_>\s]*[^\s:*|-][^:*|\n]{0,30}\**:\**\s+\S")
_STRUCK = re.compile(r"~~(?=\S)[^~\n]+~~")
_BAR = re.compile(r"\|[\s|]*")
_SHELL = re.compile(r"[`~]+\s*(?:bash|sh|shell|console|zsh)?$")
_COMMAND = re.compile(
    r"(?!//|echo\b)[A-Za-z./~$][^\s:,;=({]*\s+\S.*[^{(\[:,;]$"
)  # no data, remark or drawing
_HOLE = re.compile(r"\s?[(\[][\s,;/|]*[)\]]")
_MARKS = string.punctuation
SHARED = Path(__file__).with_name("data") / "shared.txt"


def wording(text: str) -> str:
    """The words of a text, those with a digit alike: ids, dates and numbers are each one's own."""
    words = (word.strip(_MARKS) for word in text.casefold().split())
    return " ".join("0" if any(map(str.isdigit, word)) else word for word in words if word)


def form_checksum(text: str) -> str:
    """The checksum of the form of a text, as the list of shared ones has it."""
    return f"{zlib.crc32(wording(text).encode('utf-8', 'replace')):08x}"


def is_shared(text: str) -> bool:
    """Whether several workspaces of strangers have this sentence or heading: it is a template's, or a program's, and
    says nothing of this workspace."""
    return form_checksum(text) in _shared()


@cache
def _shared() -> frozenset[str]:
    return frozenset(SHARED.read_text(encoding="ascii").split())


def says_nothing(passage: Passage) -> bool:
    """Whether all that the passage says is shared; of a section also whether it says nothing at all, as code does."""
    return next(statements(passage), None) is None and (
        bool(passage.section) or next(sentences(passage), None) is not None
    )


def statements(passage: Passage) -> Iterator[str]:
    """The sentences that the workspace does not share with others."""
    return (sentence for sentence in sentences(passage) if not is_shared(sentence))


def sentences(passage: Passage) -> Iterator[str]:
    """The sentences of a passage, as plain text, from its first prose on: of paragraphs, bullets and rows of tables,
    and the first command of a block of code that is announced or alone. What is struck through holds no longer."""
    for unit in _units(passage):
        text = _HOLE.sub("", plain_text(_STRUCK.sub("", unit)))
        if text.endswith(":") and not unit.rstrip("*_ ").endswith(":"):
            continue  # a label of a picture that is no text
        yield from sentences_of(text)


class _Unit(NamedTuple):
    """The text of a paragraph, of an item or row, or of what speaks only where nothing else does: a command, a field
    of a form, a turn of a conversation."""

    text: str
    paragraph: bool = False
    weak: bool = False


def _units(passage: Passage) -> list[str]:
    """The first units: those from the first prose above all items on, then those before it; weak ones only where they
    are announced or alone."""
    units = [*islice(_blocks(passage), _LEAD)] or [*_blocks(passage, alone=not passage.section)]
    strong = [
        unit
        for last, unit in pairwise([_Unit(""), *units])
        if not unit.weak or last.text.rstrip("*_ ").endswith(":")
    ] or units
    lead = enumerate(takewhile(lambda unit: unit.paragraph, strong))
    start = next((n for n, unit in lead if _is_prose(unit.text)), 0)
    return [unit.text for unit in (*strong[start:], *strong[:start])]


def _blocks(passage: Passage, alone: bool = False) -> Iterator[_Unit]:
    text: list[str] = []  # each line with a label begins another part of a paragraph
    item = code = row = own = False
    for line, kind in passage.lines():
        bare = line.strip().lstrip(">").strip()
        bullet = _BULLET.match(line)
        words = kind == Kind.TEXT and bare and not _RULE.match(bare)
        table = bare.startswith("|")
        if not words or bullet or table:
            if own:
                yield from _of_text(text, item)
            text, item, own = [], bool(bullet), False
        own = own or bool(bare and checksum(line.strip()) not in passage.frequencies.lines)
        if kind == Kind.CODE:
            if fence_of(line):
                code = alone or bool(_SHELL.match(bare))
            elif code and _COMMAND.match(bare):
                code = False
                yield _Unit(bare.rstrip("\\"), weak=True)
        elif table:
            if row and words:
                yield _Unit(_BAR.sub(", ", _BAR.sub(": ", bare.strip("| "), 1)))
        elif bullet:
            text = [line[bullet.end() :]]
        elif words and text and (item or not _LABEL.match(bare)):
            text[-1] += f" {bare}"
        elif words:
            text.append(bare)
        row = table  # the first one names the columns
    if own:
        yield from _of_text(text, item)


def _of_text(parts: Sequence[str], item: bool) -> Iterator[_Unit]:
    """The units of an item, or of a paragraph, whose fields are weak where they are several, or no sentences."""
    for part in parts:
        field = _LABEL.match(part) and (len(parts) > 1 or not _is_prose(part))
        yield _Unit(part, not item, not item and bool(field or _TURN.match(part)))


RULE_TITLE = re.compile(
    r"\b(?:rules?|never|always|critical|important|lessons?|do not|don'?t|boundaries|red lines|principles"
    r"|warnings?|regeln|wichtig|warnung|niemals|reglas|règles)\b|规则|注意|禁止|必须",
    re.IGNORECASE,
)
RULE = re.compile(
    r"\b(?:never|always|must|do not|don'?t|only ever|nie|niemals|immer|nunca|siempre|jamais|toujours)\b"
    r"|不要|必须|禁止|永远|务必",
    re.IGNORECASE,
)


def priority_of(passage: Passage) -> tuple[Priority, str]:
    """The priority that an entry of the passage deserves, and the reason in words; none for a normal one."""
    if not is_core(passage.note.path):
        return Priority.NORMAL, ""
    titles = " / ".join((*(passage.section.parents if passage.section else ()), passage.title))
    if passage.kind is NoteKind.CONFIG and passage.section and RULE_TITLE.search(titles):
        return Priority.AMYGDALA, "it is a rule or a warning"
    if holds_placeholder(passage.body):
        return Priority.AMYGDALA, "it says where a credential is"
    return Priority.HIGH, "it is a core file"
