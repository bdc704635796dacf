"""A session, or a daily log, becomes an episode: what its user said, and what was decided; verbatim.

Nothing is reworded: a line of an episode is a line that was said, cut if it is very long. What was encoded
before is not encoded again: of a session what follows the last message of its last episode is new, of a log the lines
that none of its episodes has. A session, and a note, is searched for secrets as a whole before its lines are read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime, tzinfo
from pathlib import PurePath

from hippocampus_cli.config.context import Compaction
from hippocampus_cli.context.compaction.classify import Classifier, classifier
from hippocampus_cli.context.transcripts import Message, Transcript
from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.markdown.blocks import Kind
from hippocampus_cli.mind.append import EpisodeDraft
from hippocampus_cli.mind.beliefs import least_trusted
from hippocampus_cli.mind.episodes import Episode, Statement, digest
from hippocampus_cli.mind.gate import Gate, Refusal
from hippocampus_cli.mind.own_words import between_tags, own_lines
from hippocampus_cli.text.plain_text import shorten
from hippocampus_cli.workspace.kinds import date_of
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.origin import LABEL, of_each, of_role

ENCODER = "extractive/1"
_USER, _DECISION = 1_000, 400  # characters of a line
_FOREIGN = frozenset(("web", "mail", "tool-output", "imported"))
"""Folders whose notes are not their owner's words."""
_UNIQUE = 20  # characters of a message's id that no other session uses
_NO_TALK = 7  # below every heading
_UNSAFE = pattern(r"[^\w.:@-]+")
_BULLET = pattern(r"\s*(?:[-*+]\s+(?:\[[ xX]\]\s+)?|\d{1,3}[.)]\s+|>\s*)?")
_CLOCK = pattern(r"#{1,6}\s+(\d\d:\d\d)\b")


Encoded = Iterator[EpisodeDraft | Refusal]
"""The episode of a session or a log, if there is one, and what was refused of it."""


class _Spoken(NamedTuple):
    """What is kept or refused as a whole, a message or a line of a log: its ``place`` for who refuses it, its
    ``line`` in the file, what it is ``raw``, and what it says."""

    place: str
    line: int
    raw: str
    statements: Sequence[Statement]


def encode_session(
    transcript: Transcript,
    there: Sequence[Episode],
    gate: Gate,
    settings: Compaction,
    source: str,
    zone: tzinfo | None,
) -> Encoded:
    """The episode of what is new in a session; ``source`` is where its file lies, moments are of the ``zone``."""
    session = session_of(transcript)
    reader = classifier(settings)
    spoken = [
        _Spoken(f"{session}#{_word(message.id)}", message.line, repr(message.raw), statements)
        for message in _new_messages(transcript, there, session, zone)
        if (statements := [*_statements(message, reader, zone)])
    ]
    return _encoded(session, source, _redacted(spoken, gate), gate)


def _encoded(session: str, source: str, spoken: Iterable[_Spoken], gate: Gate) -> Encoded:
    """The episode of what the gate lets through."""
    kept: list[_Spoken] = []
    for part in spoken:
        category = next(filter(None, (gate.category(said.text) for said in part.statements)), None)
        if category is None:
            kept.append(part)
        else:
            yield Refusal(category, part.place)
    if kept:
        yield EpisodeDraft(
            session=session,
            source=f"{source}:{kept[0].line}-{kept[-1].line}",
            source_sha256=digest("\n".join(part.raw for part in kept)),
            encoder=ENCODER,
            statements=tuple(said for part in kept for said in part.statements),
        )


def _redacted(spoken: Sequence[_Spoken], gate: Gate) -> Iterator[_Spoken]:
    """The messages with what is secret in any of them taken out of all."""
    texts = [said.text for part in spoken for said in part.statements]
    lines = iter(gate.redactor.redact("\n".join(texts)).split("\n"))
    for part in spoken:
        yield part._replace(statements=[s._replace(text=next(lines)) for s in part.statements])


def session_of(transcript: Transcript) -> str:
    """The name of a session: its own id; that of its file and first message where it has none."""
    header = transcript.header or {}
    if isinstance(header.get("id"), str) and header["id"]:
        return _word(header["id"])
    stem = _word(transcript.path.stem)
    if transcript.format == "messages" and len(transcript):
        return f"{stem}-{digest(repr(transcript.message(0).raw))[:8]}"
    return stem


def _new_messages(
    transcript: Transcript, there: Sequence[Episode], session: str, zone: tzinfo | None
) -> Iterator[Message]:
    """The messages after those that episodes cover, oldest first: a resumed session repeats those of the first."""
    own = [episode for episode in there if episode.session == session]
    ends = [(episode.session, end) for episode in there for end in episode.range.split("..")]
    seen = {end for of, end in ends if of == session or len(end) >= _UNIQUE}
    until = max((episode.until for episode in own), default="")
    messages = list(transcript)
    last = max((n for n, message in enumerate(messages) if _word(message.id) in seen), default=-1)
    for number, message in enumerate(messages):
        late = not message.timestamp or _moment(message.timestamp, zone) > until
        if number > last and (last >= 0 or not own or late):
            yield message


def _statements(message: Message, reader: Classifier, zone: tzinfo | None) -> Iterator[Statement]:
    """The lines of a message that are kept."""
    origin, kind = of_role(message.role), reader.type_of(message)
    where = _moment(message.timestamp, zone), _word(message.id)
    if kind == "user_intent" and origin == "user":
        for line in own_lines(message.text):
            yield Statement("user", *where, _line(line, _USER))
    elif kind == "decision" and message.text.strip():
        text = reader.from_decision(message.text, _DECISION)
        yield Statement(origin, *where, _line(text, _DECISION))


def encode_note(note: Note, known: Collection[str], gate: Gate) -> Encoded:
    """The episode of the lines of a log that no episode has yet; ``known`` are the lines that they have."""
    new: dict[str, Statement] = {}
    for said in said_in(note):
        if said.text not in known:
            new.setdefault(said.text, said)
    spoken = (_Spoken(note.path, int(s.source[1:]), s.text, [s]) for s in new.values())
    return _encoded(note.path, note.path, spoken, gate)


def said_in(note: Note) -> Iterator[Statement]:
    """The lines of text of a log, each with the moment of its section where that has one."""
    day = date_of(note.path)
    for number, line, clock, origin in _lines(note):
        lead = LABEL.match(line) or _BULLET.match(line)
        rest = line[lead.end() :]  # type: ignore[union-attr]
        if inner := LABEL.match(rest):  # what a program said in somebody's name
            origin = least_trusted((origin, of_role((inner[2] or inner[3]).casefold())))
        if text := _line(rest, _USER):
            moment = f"{day}T{clock}" if day and clock else f"{day or ''}"
            yield Statement(origin, moment, f"L{number}", text)


def _lines(note: Note) -> Iterator[tuple[int, str, str, str]]:
    """The lines of text, numbered from 1, each with the clock of its section and its origin, without headings, code
    and comments.

    What follows in a section is trusted no more than who spoke last: an answer has many paragraphs, and headings of
    its own.
    """
    foreign = ["tool"] if _FOREIGN & {*note.path.lower().split("/")[:-1]} else []
    origins = list(of_each(note.lines))
    last, level, talk, clock = "user", 0, _NO_TALK, ""  # the section in which somebody speaks
    tagged = [*between_tags([*map(_unlabelled, note.lines)])]
    for number, kind in enumerate(note.blocks.kinds):
        line = note.lines[number]
        if kind == Kind.TEXT and line.strip() and not line.lstrip().startswith(("#", "|", "---")):
            said = origins[number] or "file"
            if said != "file":
                last, talk = said, min(level, talk)
            origin = least_trusted((said, last, *foreign, *["tool"] * tagged[number]))
            yield number + 1, line.rstrip("\r\n"), clock, origin
        elif kind == Kind.HEADING:
            level = len(line) - len(line.lstrip("#"))
            clock = found[1] if (found := _CLOCK.match(line)) else clock
            if level <= talk:
                last, talk = "user", _NO_TALK


def _unlabelled(line: str) -> str:
    """A line without the sign of who speaks."""
    label = LABEL.match(line)
    return line[label.end() :] if label else line


def _line(text: str, most: int) -> str:
    """A text on one line, cut to ``most`` characters."""
    return shorten(" ".join(text.split()), most)


def _word(text: str) -> str:
    """A name without blanks and slashes, as a record may hold it."""
    return _UNSAFE.sub("-", PurePath(text).name if "/" in text else text)[:80] or "m"


def _moment(timestamp: str | None, zone: tzinfo | None) -> str:
    """ISO 8601 to the second, in local time (decision D36); empty for what is no moment."""
    try:
        moment = datetime.fromisoformat(timestamp or "")
    except ValueError:
        return ""
    return (moment.astimezone(zone) if moment.tzinfo else moment).isoformat(timespec="seconds")
