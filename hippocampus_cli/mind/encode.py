"""A session, or a daily log, becomes episodes: what its user said, what was decided, what tools told; verbatim.

Nothing is reworded: a line of an episode is a line that was said, cut if it is very long. What was encoded
before is not encoded again: of a session what follows the last message of its last episode is new, of a log the lines
that none of its episodes has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from itertools import pairwise
from pathlib import PurePath

from hippocampus_cli.config.context import Compaction
from hippocampus_cli.context.compaction.classify import Classifier, classifier
from hippocampus_cli.context.transcripts import Message, Transcript
from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.markdown.blocks import Kind
from hippocampus_cli.mind.append import EpisodeDraft
from hippocampus_cli.mind.beliefs import least_trusted
from hippocampus_cli.mind.claims import claims_in
from hippocampus_cli.mind.episodes import Episode, Statement, digest
from hippocampus_cli.mind.gate import Gate
from hippocampus_cli.workspace.kinds import NoteKind, date_of, kind_of
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.origin import of_each, of_role

ENCODER = "extractive/1"
_STATEMENTS = 60  # of one episode
_USER, _DECISION = 1_000, 400  # characters of a line
_FROM_TOOL = 3  # lines of one tool's output
_TOOL_READ = 4_000  # characters of it
_NO_TALK = 7  # below every heading
_PAUSE = 4 * 3600  # seconds: after a longer one, a new episode begins
_UNSAFE = pattern(r"[^\w.:@-]+")
_LABEL = pattern(
    r"(?:\[?\d{1,2}:\d\d(?::\d\d)?\]?\s+)?(?:(?P<mark>\*\*|__|)(?:user|human|assistant|tool)(?::(?P=mark)|(?P=mark):)\s+"
    r"|\[(?:user|human|assistant|tool)\]:?\s+)",
    2,  # re.IGNORECASE
)
_BULLET = pattern(r"\s*(?:[-*+]\s+(?:\[[ xX]\]\s+)?|\d{1,3}[.)]\s+|>\s*)?")


class Refused(NamedTuple):
    """A message or a line that the gate refused: its category and its place, not its words; ``mark`` as in
    :class:`Refusal`."""

    category: str
    source: str
    mark: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """What identifies a repeated refusal: for a line, its note and its mark."""
        place = self.source.rpartition(":")[0] if self.mark else self.source
        return self.category, place, self.mark


class Encoded(NamedTuple):
    """The episodes and refusals of a session."""

    drafts: list[EpisodeDraft]
    refused: list[Refused]


def encode_session(
    transcript: Transcript,
    there: Sequence[Episode],
    gate: Gate,
    settings: Compaction,
    source: str,
    who: str,
    now: datetime,
) -> Encoded:
    """The episodes of what is new in a session; ``source`` is where its file lies, ``who`` its user."""
    session = session_of(transcript)
    messages = list(_new_messages(transcript, there, session))
    refused: list[Refused] = []
    said: list[tuple[Message, list[Statement]]] = []
    reader = classifier(settings)
    for message in messages:
        statements = [one for one in _statements(message, reader) if one.text]
        category = next(filter(None, (gate.category(one.text) for one in statements)), None)
        if category is not None:
            refused.append(Refused(category, f"{session}#{_word(message.id)}"))
        elif statements:
            said.append((message, statements))
    drafts = [_draft(part, session, source, who, now) for part in _parts(said)]
    if drafts and messages:  # what follows the last line was looked at too
        first, _, _ = drafts[-1].range.partition("..")
        drafts[-1] = drafts[-1]._replace(range=f"{first}..{_word(messages[-1].id)}")
    return Encoded(drafts, refused)


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
    transcript: Transcript, there: Sequence[Episode], session: str
) -> Iterator[Message]:
    """The messages after those that the session's episodes cover, oldest first."""
    seen = {part for one in there if one.session == session for part in one.range.split("..")}
    until = max((one.until for one in there if one.session == session), default="")
    messages = list(transcript)
    last = max((at for at, one in enumerate(messages) if _word(one.id) in seen), default=-1)
    for at, one in enumerate(messages):
        late = not until or not one.timestamp or _moment(one.timestamp) > until
        if at > last and (last >= 0 or not seen or late):
            yield one


def _statements(message: Message, reader: Classifier) -> Iterator[Statement]:
    """The lines of a message that are kept."""
    origin, text = of_role(message.role), message.text
    where = _moment(message.timestamp), _word(message.id)
    if origin == "tool":
        for claim in list(claims_in(text[:_TOOL_READ]))[:_FROM_TOOL]:
            yield Statement("tool", *where, _line(claim.text, _DECISION))
        return
    kind = reader.type_of(message)
    if kind == "user_intent" and origin == "user":
        yield Statement("user", *where, _line(text, _USER))
    elif kind == "decision":
        yield Statement(origin, *where, _line(reader.from_decision(text, _DECISION), _DECISION))


def _parts(
    said: Sequence[tuple[Message, list[Statement]]],
) -> Iterator[list[tuple[Message, list[Statement]]]]:
    """Split after many lines, and after a long pause."""
    part: list[tuple[Message, list[Statement]]] = []
    pauses = [False, *(_is_pause(a[0], b[0]) for a, b in pairwise(said))]
    for one, pause in zip(said, pauses, strict=False):
        if part and (pause or sum(len(lines) for _, lines in part) >= _STATEMENTS):
            yield part
            part = []
        part.append(one)
    if part:
        yield part


def _is_pause(before: Message, after: Message) -> bool:
    try:
        first = datetime.fromisoformat(before.timestamp or "")
        return (datetime.fromisoformat(after.timestamp or "") - first).total_seconds() > _PAUSE
    except (ValueError, TypeError):
        return False


def _draft(
    part: Sequence[tuple[Message, list[Statement]]],
    session: str,
    source: str,
    who: str,
    now: datetime,
) -> EpisodeDraft:
    moments = [m for m in (_moment(one.timestamp) for one, _ in part) if m]
    hashed = "\n".join(repr(one.raw) for one, _ in part)
    return EpisodeDraft(
        at=moments[0] if moments else now.isoformat(timespec="seconds"),
        until=moments[-1] if moments else now.isoformat(timespec="seconds"),
        who=who,
        session=session,
        source=f"{source}:{part[0][0].line}-{part[-1][0].line}",
        range=f"{_word(part[0][0].id)}..{_word(part[-1][0].id)}",
        source_sha256=digest(hashed),
        encoder=ENCODER,
        statements=tuple(line for _, lines in part for line in lines),
    )


def encode_log(
    note: Note, known: Iterable[Statement], gate: Gate, who: str, now: datetime, first: date | None
) -> Encoded:
    """The episode of the lines of a daily log that no episode has yet; ``known`` are the lines that they have.

    What a file without a date says the first time it is read is at least as old as ``first``; later, it is of today.
    """
    seen = {one.text for one in known}
    day = date_of(note.path) or (first if first and not seen else now.date())
    refused: list[Refused] = []
    kept: list[Statement] = []
    places: list[int] = []
    for number, raw, origin in _lines(note):
        line = raw[_BULLET.match(raw).end() :]  # type: ignore[union-attr]
        label = _LABEL.match(line)
        text = _line(line[label.end() :] if label else line, _USER)
        if not text or text in seen:
            continue
        seen.add(text)
        category = gate.category(text)
        if category is not None:
            mark = digest(f"{note.path}\n{text}")[:2]
            refused.append(Refused(category, f"{note.path}:{number}", mark))
            continue
        kept.append(Statement(origin, day.isoformat(), f"L{number}", text))
        places.append(number)
    if not kept:
        return Encoded([], refused)
    held = "\n".join(one.text for one in kept)
    draft = EpisodeDraft(
        *(day.isoformat(), day.isoformat(), who, note.path),
        *(f"{note.path}:{places[0]}-{places[-1]}", f"L{places[0]}..L{places[-1]}", digest(held)),
        *(ENCODER, tuple(kept)),
    )
    return Encoded([draft], refused)


def _lines(note: Note) -> Iterator[tuple[int, str, str]]:
    """The lines of text, numbered from 1, each with its origin, without headings, code and comments.

    In a daily log, what follows in a section is trusted no more than who spoke last: an answer has many paragraphs,
    and headings of its own.
    """
    daily = kind_of(note.path) is NoteKind.DAILY
    origins = list(of_each(note.lines)) if daily else []
    last, level, talk = "user", 0, _NO_TALK  # the level of the section in which somebody speaks
    for at, kind in enumerate(note.blocks.kinds):
        line = note.lines[at]
        if kind == Kind.TEXT and line.strip() and not line.lstrip().startswith(("#", "|", "---")):
            said = (daily and origins[at]) or "file"
            if said != "file":
                last, talk = said, min(level, talk)
            yield at + 1, line.rstrip("\r\n"), least_trusted((said, last)) if daily else "file"
        elif kind == Kind.HEADING:
            level = len(line) - len(line.lstrip("#"))
            if level <= talk:
                last, talk = "user", _NO_TALK


def _line(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def _word(text: str) -> str:
    return _UNSAFE.sub("-", PurePath(text).name if "/" in text else text)[:80] or "m"


def _moment(timestamp: str | None) -> str:
    """ISO 8601 to the second; empty for what is no moment."""
    try:
        return datetime.fromisoformat(timestamp or "").isoformat(timespec="seconds")
    except ValueError:
        return ""
