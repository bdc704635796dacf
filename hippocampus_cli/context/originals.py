"""Where the originals of compacted messages are: a record of each session that was compacted, among the sessions.

For a session file the record names the file, and the original is read there. Messages that came from a program and
are in no file that hippo knows are copied: the copies are data (D17). A message is copied once, however often its
session is compacted, and no number of compactions removes a record: what a summary points at stays until it is
forgotten.

A record may have come with a workspace that somebody handed over. So only one that is as hippo left it
(:mod:`~hippocampus_cli.workspace.own_files`) leads to a file outside of the workspace.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from hippocampus_cli.context.transcripts import FORMATS, Format, Message, Transcript
from hippocampus_cli.context.transcripts.pi import message_of
from hippocampus_cli.errors import (
    HippoError,
    MessageAmbiguous,
    MessageNotFound,
    OutsideWorkspace,
)
from hippocampus_cli.markdown.lines import decode, encode
from hippocampus_cli.redaction.redactor import Redactor
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.own_files import (
    CACHE,
    ORIGINALS,
    ensure_folder,
    is_as_left,
    is_inside,
    seal,
)
from hippocampus_cli.workspace.redaction import redactor_for

_FORMER = f"{CACHE}/compactions"  # up to version 0.1; read, and written no more
_LABEL = 60  # characters
_LABELS = 5_000  # ids of a session that are listed; the oldest go first, and are found all the same
_LEAST = 4  # characters of an id that may stand for the whole
_LONGEST = 100_000_000  # bytes of a line
_UNUSABLE = (
    *(HippoError, OSError, ValueError, LookupError),
    *(TypeError, AttributeError, RecursionError),
)
Labels = Iterable[tuple[str, str]]


class Original(NamedTuple):
    """An original, and the file it is in: relative to the workspace, or absolute; empty for a copy of hippo's.

    ``session`` names its session to ``hippo fetch --session``.
    """

    message: Message
    path: str
    session: str = ""


class _Record(NamedTuple):
    """A record on disk and its first line; ``root`` is the workspace it is in, or the user's own folder."""

    root: Path
    path: Path
    head: Mapping[str, Any]

    @property
    def session(self) -> str:
        """What names its session."""
        place = self.head["transcript"]
        return str(self.head.get("session") or self.path.stem) if place is None else str(place)

    def lists(self, identity: str) -> bool:
        """Whether the id stands in a summary of the session."""
        return any(_is_meant(identity, str(one)) for one, _ in self.head["ids"])

    def copies(self, identity: str = "") -> Iterator[tuple[str, Message]]:
        """The messages that the record holds, each with its id; those that an id may mean."""
        wanted = encode(identity)
        with self.path.open("rb") as file:
            file.readline(_LONGEST)
            while line := file.readline(_LONGEST):
                if wanted in line:
                    kept = json.loads(decode(line))
                    yield str(kept["id"]), message_of(kept["message"], str(kept["id"]))


def note_transcript(root: Path, path: Path, form: Format, labels: Labels) -> None:
    """Note where the messages of a summary are; ``labels`` are their ids and what they are.

    Raises :class:`FileUnwritable`, :class:`OutsideWorkspace`.
    """
    place = str(path.resolve())
    name = f"{ORIGINALS}/{_digest(place)}.jsonl"
    former = _read(root, root / name)
    there = [] if former is None else [(str(one), str(what)) for one, what in former.head["ids"]]
    known = list({**dict(_cut(labels, redactor_for(root))), **dict(there)}.items())[:_LABELS]
    record = _write(root, name, {"transcript": place, "format": form, "ids": known}, ())
    if not is_inside(root, Path(place)):
        seal(record)


def keep_messages(root: Path, session: str, messages: Sequence[Message], labels: Labels) -> None:
    """Keep copies of those messages of a session that are not kept yet; ``root`` can be the user's own folder.

    Secrets are not copied: nothing but the copy would hold them.

    Raises :class:`FileUnwritable`, :class:`OutsideWorkspace`.
    """
    there = _kept(root, session)  # two at once keep some messages twice, and lose none
    redactor = redactor_for(root)
    copies = [(one.id, redactor.redact_all(one.raw)) for one in messages]
    lines = [{"id": key, "message": raw} for key, raw in copies if there.get(key) != raw]
    head = {"transcript": None, "session": session, "ids": _cut(labels, redactor)}
    if lines:
        key = _digest("\n".join(json.dumps(one) for one in lines))
        _write(root, f"{ORIGINALS}/{_digest(session)}-{key}.jsonl", head, lines)


def find_original(roots: Sequence[Path], identity: str, session: str = "") -> Original:
    """The original of an id, in the session that is named or in all that ``roots`` know of.

    Where a summary lists the id, it means that summary's session. Raises :class:`MessageNotFound`, and
    :class:`MessageAmbiguous` where several sessions have different messages of this id.
    """
    records = [one for root in roots for one in _records(root)]
    if session:
        records = [one for one in records if _is_named(one, session)]
    listed = [one for one in records if _lists(one, identity)]
    missing = MessageNotFound(id=identity, nearest=_gone(listed))
    found: list[Original] = []
    sessions = {one.session for one in listed} or {one.session for one in records}
    for record in [one for one in records if one.session in sessions]:
        try:
            found += _found_in(record, identity)
        except MessageNotFound as error:
            if error.facts["nearest"]:
                error.path = shown_place(record.root, error.path or "")
                missing = error
        except _UNUSABLE:
            continue  # a damaged record, a session that is gone
    if not found:
        raise missing
    return _only(found, identity)


def shown_place(root: Path | None, place: str) -> str:
    """An absolute path, relative to the workspace where it is in it."""
    path = Path(place)
    if root is None or not place or not path.is_relative_to(root.resolve()):
        return place
    return path.relative_to(root.resolve()).as_posix()


def original_files(root: Path) -> list[Path]:
    """Every file that holds originals, or says where they are, in a workspace or in the user's own folder."""
    folders = (root / ORIGINALS, root / _FORMER)
    with contextlib.suppress(OSError):
        return sorted(path for folder in folders for path in folder.glob("*") if path.is_file())
    return []


def originals_of(root: Path, session: str) -> list[Path]:
    """The files of one session's originals: by its name, its file, or that one's stem."""
    found = []
    for one in _records(root):
        with contextlib.suppress(*_UNUSABLE):
            named = one.head["transcript"] is not None or "session" in one.head
            if named and (_is_named(one, session) or Path(one.session).stem == session):
                found.append(one.path)
    return found


def known_ids(root: Path) -> Iterator[tuple[str, str]]:
    """The ids of the newest summaries, each with what it is. For completion: nothing is ever raised."""
    for record in _records(root)[:3]:
        with contextlib.suppress(*_UNUSABLE):
            yield from ((str(one), str(label)) for one, label in record.head["ids"])


def _found_in(record: _Record, identity: str) -> list[Original]:
    """The messages of a record that an id means. Raises :class:`MessageNotFound`, and what reading raises."""
    place = record.head["transcript"]
    if place is None:
        held = dict(record.copies(identity))
        if identity in held:
            held = {identity: held[identity]}
        found = [one for key, one in held.items() if _is_meant(identity, key)]
        return [Original(one, "", record.session) for one in found]
    form = next((one for one in FORMATS if one == record.head["format"]), None)
    if form is None:
        raise ValueError(f"no format {record.head['format']!r}")
    with Transcript(_session_file(record, place), form) as transcript:
        shown = shown_place(record.root, place)
        return [Original(transcript.find(identity), shown, shown)]


def _session_file(record: _Record, place: str) -> Path:
    """The session file that a record leads to, links followed. Raises :class:`OutsideWorkspace`."""
    real = Path(os.path.realpath(place))
    if not (is_inside(record.root, real) or is_as_left(record.path)):
        reason = f"a record that came with the workspace leads to {place}"
        shown = record.path.relative_to(record.root).as_posix()
        raise OutsideWorkspace(path=shown, reason=reason)
    return real


def _only(found: Sequence[Original], identity: str) -> Original:
    if all(one.message.raw == found[0].message.raw for one in found):
        return found[0]
    sessions = list(dict.fromkeys(one.session for one in found))
    words = "; ".join(f"hippo fetch {identity} --session {one}" for one in sessions[:8])
    raise MessageAmbiguous(id=identity, count=len(sessions), sessions=words)


def _is_meant(identity: str, key: str) -> bool:
    """Whether an id as it was given, or was cut for a summary, means the message of this key."""
    short, whole = sorted((identity, key), key=len)
    return short == whole or (len(short) >= _LEAST and whole.startswith(short))


def _is_named(record: _Record, session: str) -> bool:
    """Whether a session's name means the record; copies of an older hippo are of no session."""
    try:
        own = record.session
        unnamed = record.head["transcript"] is None and "session" not in record.head
        place = os.path.realpath(record.root / session)
        return unnamed or session == own or os.path.realpath(session) == own or place == own
    except _UNUSABLE:
        return False


def _lists(record: _Record, identity: str) -> bool:
    try:
        return record.lists(identity)
    except _UNUSABLE:
        return False


def _gone(listed: Sequence[_Record]) -> str:
    """What to say of an id whose session a summary names, and which is not there any more."""
    places = list(dict.fromkeys(shown_place(one.root, one.session) for one in listed))
    return f"; its session can no longer be read: {', '.join(places[:4])}" if places else ""


def _kept(root: Path, session: str) -> dict[str, object]:
    """What is kept of a session already, by its id."""
    there: dict[str, object] = {}
    for path in (root / ORIGINALS).glob(f"{_digest(session)}-*.jsonl"):
        record = _read(root, path) if is_inside(root, path) else None
        with contextlib.suppress(*_UNUSABLE):
            there |= {key: one.raw for key, one in record.copies()} if record else {}
    return there


def _records(root: Path) -> list[_Record]:
    """The records that can be read, the newest first."""
    found = []
    for path in original_files(root):
        with contextlib.suppress(OSError):
            if path.suffix == ".jsonl" and is_inside(root, path):
                found.append((FileStat.of(path.stat()).mtime_ns, path))
    records = (_read(root, path) for _, path in sorted(found, reverse=True))
    return [one for one in records if one is not None]


def _read(root: Path, path: Path) -> _Record | None:
    with contextlib.suppress(*_UNUSABLE), path.open("rb") as file:
        head = json.loads(decode(file.readline(_LONGEST)))
        if isinstance(head, dict) and isinstance(head["ids"], list) and "transcript" in head:
            return _Record(root, path, head)
    return None


def _write(
    root: Path, name: str, head: Mapping[str, object], lines: Iterable[Mapping[str, object]]
) -> Path:
    path = ensure_folder(root, name)
    text = "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in (head, *lines))
    replace_bytes(path, encode(text), name, mode=0o600)  # two at once write the same
    return path


def _cut(labels: Labels, redactor: Redactor) -> list[tuple[str, str]]:
    return [(one, redactor.redact(label)[:_LABEL]) for one, label in labels if one]


def _digest(text: str) -> str:
    return hashlib.sha256(encode(text)).hexdigest()[:16]
