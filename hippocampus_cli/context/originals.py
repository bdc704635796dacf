"""Where the originals of compacted messages are: a small record a compaction, in the cache.

For a session file the record names the file, and the original is read there. For messages that came from a
program, which are in no file that hippo knows, the record holds them. Deleting it costs the way back (D17).

A record may have come with a workspace that somebody handed over. So only one that is as hippo left it
(:mod:`~hippocampus_cli.workspace.seal`) leads to a file outside of the workspace.
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
from hippocampus_cli.context.transcripts.pi import message_of
from hippocampus_cli.errors import HippoError, MessageNotFound, OutsideWorkspace
from hippocampus_cli.markdown.lines import decode, encode
from hippocampus_cli.redaction.redactor import Redactor
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.own_files import CACHE, SEAL, ensure_folder, is_inside
from hippocampus_cli.workspace.redaction import redactor_for
from hippocampus_cli.workspace.seal import is_as_left, seal

_FOLDER = f"{CACHE}/compactions"
_KEPT = 200  # records; the oldest go first
_LABEL = 60  # characters
_LONGEST = 100_000_000  # bytes of a line
_UNUSABLE = (
    *(HippoError, OSError, ValueError, LookupError),
    *(TypeError, AttributeError, RecursionError),
)


class Found(NamedTuple):
    """An original, and the file it is in: relative to the workspace, or absolute; empty for the cache."""

    message: Message
    path: str


def note_transcript(
    root: Path, path: Path, form: Format, labels: Iterable[tuple[str, str]]
) -> None:
    """Note where the messages of a summary are; ``labels`` are their ids and what they are.

    Raises :class:`FileUnwritable`, :class:`OutsideWorkspace`.
    """
    place = str(path.resolve())
    known = _cut(labels, redactor_for(root))
    record = _write(root, _digest(place), {"transcript": place, "format": form, "ids": known}, ())
    if not is_inside(root, Path(place)):
        seal(record)


def keep_messages(
    root: Path, messages: Sequence[Message], labels: Iterable[tuple[str, str]]
) -> None:
    """Keep the messages themselves, without secrets. Raises :class:`FileUnwritable`, :class:`OutsideWorkspace`."""
    redactor = redactor_for(root)
    lines = [{"id": one.id, "message": redactor.redact_all(one.raw)} for one in messages]
    key = _digest("\n".join(one.id for one in messages))
    _write(root, key, {"transcript": None, "ids": _cut(labels, redactor)}, lines)


def find_original(root: Path, identity: str) -> Found:
    """The original of an id, newest compaction first. Raises :class:`MessageNotFound`."""
    missing = MessageNotFound(id=identity, nearest="")
    for record in _records(root):
        try:
            found = _find_in(root, record, identity)
        except MessageNotFound as error:
            if error.facts["nearest"]:
                error.path = _shown(root, error.path or "")
                missing = error
        except _UNUSABLE:
            continue  # a damaged record, a session that is gone
        else:
            return found._replace(path=_shown(root, found.path))
    raise missing


def _shown(root: Path, place: str) -> str:
    """A path relative to the workspace where it is in it."""
    path = Path(place)
    inside = bool(place) and path.is_relative_to(root.resolve())
    return path.relative_to(root.resolve()).as_posix() if inside else place


def known_ids(root: Path) -> Iterator[tuple[str, str]]:
    """The ids of the newest summaries, each with what it is. For completion: nothing is ever raised."""
    for record in _records(root)[:3]:
        with contextlib.suppress(*_UNUSABLE):
            with record.open("rb") as file:
                head = json.loads(decode(file.readline(_LONGEST)))
            yield from ((str(one), str(label)) for one, label in head["ids"])


def _find_in(root: Path, record: Path, identity: str) -> Found:
    with record.open("rb") as file:
        head = json.loads(decode(file.readline(_LONGEST)))
        place = head["transcript"]
        if place is None:
            while line := file.readline(_LONGEST):
                kept = json.loads(decode(line))
                if kept["id"] == identity:
                    return Found(message_of(kept["message"], identity), "")
            raise MessageNotFound(id=identity, nearest="")
    form = next((one for one in FORMATS if one == head["format"]), None)
    if form is None:
        raise ValueError(f"no format {head['format']!r}")
    with Transcript(_session_file(root, record, place), form) as transcript:
        return Found(transcript.find(identity), place)


def _session_file(root: Path, record: Path, place: str) -> Path:
    """The session file that a record leads to, links followed. Raises :class:`OutsideWorkspace`."""
    real = Path(os.path.realpath(place))
    if not (is_inside(root, real) or is_as_left(record)):
        reason = f"a record that came with the workspace leads to {place}"
        raise OutsideWorkspace(path=record.relative_to(root).as_posix(), reason=reason)
    return real


def _records(root: Path) -> list[Path]:
    """The records, the newest first."""
    with contextlib.suppress(OSError):
        files = (path for path in (root / _FOLDER).glob("*.jsonl") if _is_own(root, path))
        found = [(path.stat().st_mtime_ns, path) for path in files]
        return [path for _, path in sorted(found, reverse=True)]
    return []


def _is_own(root: Path, path: Path) -> bool:
    return path.is_file() and is_inside(root, path)


def _write(
    root: Path, key: str, head: Mapping[str, object], lines: Iterable[Mapping[str, object]]
) -> Path:
    name = f"{_FOLDER}/{key}.jsonl"
    path = ensure_folder(root, name)
    text = "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in (head, *lines))
    replace_bytes(path, encode(text), name)  # two at once write the same under the same key
    for old in _records(root)[_KEPT:]:
        with contextlib.suppress(OSError):
            old.unlink()
            Path(f"{old}{SEAL}").unlink()
    return path


def _cut(labels: Iterable[tuple[str, str]], redactor: Redactor) -> list[tuple[str, str]]:
    return [(one, redactor.redact(label)[:_LABEL]) for one, label in labels if one]


def _digest(text: str) -> str:
    return hashlib.sha256(encode(text)).hexdigest()[:16]
