"""What an entry is about: a whole note, or a section of it that is worth an entry of its own; what that says,
sentence by sentence, and which of them many workspaces say alike."""

from __future__ import annotations

import math
import re
import string
from collections.abc import Iterator
from datetime import date
from functools import cache, cached_property
from heapq import nlargest
from itertools import islice
from operator import itemgetter
from pathlib import Path

from hippocampus_cli.embedding.digests import digest_of
from hippocampus_cli.entries.telling import CODE, MOST, Sentence, feature_rows, sentences, trees
from hippocampus_cli.entries.worth import Frequencies
from hippocampus_cli.fast_types import Frozen
from hippocampus_cli.index.metadata import Priority, plain_line
from hippocampus_cli.markdown.blocks import Kind, fence_of
from hippocampus_cli.redaction.redactor import holds_placeholder
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

    @cached_property
    def interest(self) -> float:
        """How telling its best sentences are, above 0; 0 where its heading is a form that many sections have."""
        best = sum(max(0.0, value) for value, *_ in told(self)[:_BEST])
        return self.frequencies.rarity(self.title) and 1 + best

    @property
    def most_parts(self) -> int:
        """How many sections of a note may have entries: more of a longer one, all of a core file's."""
        sections = len(self.note.sections)
        return (
            sections if self.kind is NoteKind.CONFIG else math.isqrt(len(self.note.text) // WORTH)
        )

    @cached_property
    def parts(self) -> list[Passage]:
        """The sections of a whole note that are worth an entry beside its own, in file order: the most telling ones;
        none of a short note or of data.

        The title's own text belongs to the note. A long section is left to its subsections, and to one for what it
        says before them.
        """
        note = self.note
        sections = [section for section in note.sections if section.level]
        if self.kind is NoteKind.STATE or len(note.text) <= WHOLE or len(sections) < 2:
            return []
        core = self.kind is NoteKind.CONFIG
        found = []
        done = 0
        for section in sections:
            if section.start <= done:
                continue
            tree = len(note.text_of(section.start, section.tree_end))
            divided = section.tree_end > section.end and tree > WHOLE
            passage = self.replaced(section=section, direct=divided)
            size = len(note.text_of(section.start, passage.end))
            if not divided:
                done = section.tree_end
            elif not section.parents:
                continue
            interest = passage.interest
            if (interest or core) and WORTH <= size < _NEARLY_ALL * len(note.text):
                found.append((interest, section.ordinal, passage))
        best = nlargest(self.most_parts, found)
        return [passage for _, _, passage in sorted(best, key=itemgetter(1))]

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


def day_of(path: str, modified: date, text: str = "") -> date | None:
    """When a note was written, as it says itself: the day (or the last day of the month) in its name, else the latest
    day that its text speaks of up to ``modified``."""
    if period := period_of(path):
        return period[1]
    return max((day for day in days_in(text) if day <= modified), default=None)


_BEST = 3  # sentences of a section that tell what it is worth
SHARED = Path(__file__).with_name("data") / "shared.txt"


def form_checksum(text: str) -> str:
    """The checksum of the words of a text, as the list of shared ones has it; those with a digit are alike: ids and
    dates are each one's own."""
    words = (word.strip(string.punctuation) for word in text.casefold().split())
    forms = ("0" if any(map(str.isdigit, word)) else word for word in words if word)
    return f"{checksum(' '.join(forms)):08x}"


def is_shared(text: str) -> bool:
    """Whether several workspaces of strangers have this sentence or heading: it is a template's, or a program's, and
    says nothing of this workspace."""
    return form_checksum(text) in _shared()


@cache
def _shared() -> frozenset[str]:
    try:
        return frozenset(SHARED.read_text(encoding="ascii").split())
    except (OSError, ValueError):
        return frozenset()


NOTICE = "entries may say less: what tells sentences apart cannot be read (reinstall hippo)"


def notices() -> tuple[str, ...]:
    """What a person should know where the data by which entries are told cannot be read."""
    return () if trees().roots and _shared() else (NOTICE,)


def says_nothing(passage: Passage) -> bool:
    """Whether all that the passage says is shared, or labels that nothing follows."""
    return next(statements(passage), None) is None


def statements(passage: Passage) -> Iterator[Sentence]:
    """The sentences that the workspace does not share with others, one line each; one that ends with a colon stands
    before the next, as part of a paragraph, or nowhere."""
    announced = ""
    for text, form, headings in sentences(passage.lines(), passage.frequencies.lines):
        line = plain_line(text).rstrip(" ;,")
        if not line or is_shared(line):
            announced = ""
        elif line.endswith((":", "：")):
            announced = line
        else:
            yield Sentence(f"{announced} {line}".lstrip(), form * (not announced), headings)
            announced = ""


def told(passage: Passage) -> list[tuple[float, int, Sentence]]:
    """The first statements, the most telling one first, each with its value and its place; lines of code, which may
    hold what no index should, only where nothing else is said."""
    first = list(islice(statements(passage), MOST))
    said = [sentence for sentence in first if sentence.form != CODE] or first
    values = map(trees().value, feature_rows(said))
    return sorted(zip(values, range(MOST), said, strict=False), key=lambda each: -each[0])


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
    section = passage.section
    titles = " / ".join((*section.parents, section.title)) if section else ""
    if passage.kind is NoteKind.CONFIG and RULE_TITLE.search(titles):
        return Priority.AMYGDALA, "it is a rule or a warning"
    if holds_placeholder(passage.body):
        return Priority.AMYGDALA, "it says where a credential is"
    return Priority.HIGH, "it is a core file"
