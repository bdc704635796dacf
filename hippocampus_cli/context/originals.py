"""Where the originals of compacted messages are: a record of each session that was compacted, among the sessions.

For a session file the record names the file, and the original is read there. Messages that came from a program and
are in no file that hippo knows are copied: the copies are data (D17). No number of compactions removes a record: what
a summary points at stays until it is forgotten.

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
from typing import NamedTuple

from hippocampus_cli.context.transcripts import FORMATS, Format, Message, Transcript
from hippocampus_cli.context.transcripts.message import means
from hippocampus_cli.context.transcripts.pi import message_of
from hippocampus_cli.errors import (
    HippoError,
    MessageAmbiguous,
    MessageNotFound,
    OutsideWorkspace,
)
from hippocampus_cli.markdown.lines import decode, encode
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.own_files import (
    ORIGINALS,
    ensure_folder,
    files_in,
    is_as_left,
    is_inside,
    seal,
)
from hippocampus_cli.workspace.redaction import redactor_for

_LISTED = 5_000  # ids of a session that are listed; the oldest go first, and are found all the same
_LONGEST = 100_000_000  # bytes of a line
_DAMAGED = (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError)


class Original(NamedTuple):
    """An original, and the file it is in: relative to the workspace, or absolute; empty for a copy of hippo's.

    ``session`` names its session to ``hippo fetch --session``.
    """

    message: Message
    path: str
    session: str


class _Record(NamedTuple):
    """A record on disk; ``root`` is the workspace it is in, or the user's own folder.

    ``transcript`` is the session file, empty for copies.
    """

    root: Path
    path: Path
    transcript: str
    format: str
    session: str
    ids: tuple[str, ...]


def note_transcript(root: Path, path: Path, form: Format, ids: Iterable[str]) -> None:
    """Note where the messages of a summary are; ``ids`` are those that stand in it.

    Raises :class:`FileUnwritable`, :class:`OutsideWorkspace`.
    """
    place = str(path.resolve())
    name = f"{ORIGINALS}/{_digest(place)}.jsonl"
    former = _read(root, root / name)
    listed = [*dict.fromkeys((*ids, *(former.ids if former else ())))][:_LISTED]
    record = _write(root, name, {"transcript": place, "format": form, "ids": listed}, ())
    if not is_inside(root, Path(place)):
        seal(record)


def keep_messages(root: Path, session: str, messages: Sequence[Message]) -> None:
    """Keep copies of messages of a session; ``root`` can be the user's own folder.

    Secrets are not copied: nothing but the copy would hold them. Raises :class:`FileUnwritable`,
    :class:`OutsideWorkspace`.
    """
    redact = redactor_for(root).redact_all
    lines = [{"id": message.id, "message": redact(message.raw)} for message in messages]
    head: dict[str, object] = {"transcript": None, "session": session, "ids": []}
    digest = _digest("\n".join(map(json.dumps, lines)))
    _write(root, f"{ORIGINALS}/{_digest(session)}-{digest}.jsonl", head, lines)


def find_original(roots: Sequence[Path], identity: str, session: str = "") -> Original:
    """The original of an id, in the session that is named or in all that ``roots`` know of.

    Where a summary lists the id, it means that summary's session. Raises :class:`MessageNotFound`, and
    :class:`MessageAmbiguous` where several sessions have different messages of this id.
    """
    records = [
        record for root in roots for record in _records(root) if session in ("", record.session)
    ]
    listed = [record for record in records if any(means(identity, key) for key in record.ids)]
    sessions = {record.session for record in listed or records}
    places = dict.fromkeys(shown_place(record.root, record.session) for record in listed)
    gone = f"; its session can no longer be read: {', '.join(list(places)[:4])}" if places else ""
    missing = MessageNotFound(id=identity, nearest=gone)
    originals: list[Original] = []
    for record in records:
        if record.session not in sessions:
            continue
        try:
            originals += _originals_in(record, identity)
        except MessageNotFound as error:
            if error.facts["nearest"]:
                error.path = shown_place(record.root, error.path or "")
                missing = error
        except (HippoError, *_DAMAGED):
            continue  # a session that is gone
    if not originals:
        raise missing
    if any(original.message.raw != originals[0].message.raw for original in originals):
        named = list(dict.fromkeys(original.session for original in originals))
        words = "; ".join(f"hippo fetch {identity} --session {name}" for name in named[:8])
        raise MessageAmbiguous(id=identity, count=len(named), sessions=words)
    return originals[0]


def shown_place(root: Path | None, place: str) -> str:
    """An absolute path, relative to the workspace where it is in it."""
    path = Path(place)
    if root is None or not place or not path.is_relative_to(root.resolve()):
        return place
    return path.relative_to(root.resolve()).as_posix()


def originals_of(root: Path, session: str) -> list[Path]:
    """The files of one session's originals: by its name, its file, or that one's stem."""
    names = {session, os.path.realpath(session), os.path.realpath(root / session)}
    return [
        record.path
        for record in _records(root)
        if {record.session, Path(record.session).stem} & names
    ]


def _originals_in(record: _Record, identity: str) -> list[Original]:
    """The messages of a record that an id means. Raises :class:`MessageNotFound`, and what reading raises."""
    if not record.transcript:
        copies = dict(_copies(record.path, identity))
        keys = [identity] if identity in copies else [k for k in copies if means(identity, k)]
        return [Original(copies[key], "", record.session) for key in keys]
    # Links are followed before it is said whether the file is in the workspace.
    real = Path(os.path.realpath(record.transcript))
    if not (is_inside(record.root, real) or is_as_left(record.path)):
        reason = f"a record that came with the workspace leads to {record.transcript}"
        shown = record.path.relative_to(record.root).as_posix()
        raise OutsideWorkspace(path=shown, reason=reason)
    form = next((form for form in FORMATS if form == record.format), None)
    with Transcript(real, form) as transcript:
        shown = shown_place(record.root, record.transcript)
        return [Original(transcript.find(identity), shown, shown)]


def _records(root: Path) -> list[_Record]:
    """The records that can be read."""
    paths = files_in(root, ORIGINALS, "*.jsonl")
    return list(filter(None, (_read(root, path) for path in paths)))


def _read(root: Path, path: Path) -> _Record | None:
    with contextlib.suppress(*_DAMAGED), path.open("rb") as file:
        head = json.loads(decode(file.readline(_LONGEST)))
        transcript = str(head["transcript"] or "")
        session = transcript or str(head.get("session", ""))
        ids = tuple(key if isinstance(key, str) else str(key[0]) for key in head["ids"])
        return _Record(root, path, transcript, str(head.get("format")), session, ids)
    return None


def _copies(path: Path, identity: str) -> Iterator[tuple[str, Message]]:
    """The messages that a record holds, each with its id; those that an id may mean."""
    wanted = encode(identity)
    with contextlib.suppress(*_DAMAGED), path.open("rb") as file:
        file.readline(_LONGEST)
        while line := file.readline(_LONGEST):
            if wanted in line:
                kept = json.loads(decode(line))
                yield str(kept["id"]), message_of(kept["message"], str(kept["id"]))


def _write(
    root: Path, name: str, head: Mapping[str, object], lines: Iterable[Mapping[str, object]]
) -> Path:
    path = ensure_folder(root, name)
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in (head, *lines))
    replace_bytes(path, encode(text), name, mode=0o600)  # two at once write the same
    return path


def _digest(text: str) -> str:
    return hashlib.sha256(encode(text)).hexdigest()[:16]
