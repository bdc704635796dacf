"""Where the originals of compacted messages are: a small record a compaction, in the cache.

For a session file the record names the file, and the original is read there. For messages that came from a
program, which are in no file that hippo knows, the record holds them. Deleting it costs the way back (D17).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.context.transcripts import FORMATS, Format, Message, Transcript
from hippocampus_cli.context.transcripts.pi import message_of
from hippocampus_cli.errors import HippoError, MessageNotFound
from hippocampus_cli.markdown.lines import decode, encode
from hippocampus_cli.redaction.redactor import Redactor
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.own_files import CACHE, ensure_folder
from hippocampus_cli.workspace.redaction import redactor_for

_FOLDER = f"{CACHE}/compactions"
_KEPT = 200  # records; the oldest go first
_LABEL = 60  # characters


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
    _write(root, _digest(place), {"transcript": place, "format": form, "ids": known}, ())


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
            found = _find_in(record, identity)
        except MessageNotFound as error:
            if error.facts["nearest"]:
                error.path = _shown(root, error.path or "")
                missing = error
        except (HippoError, OSError, ValueError, KeyError, TypeError):
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
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            with record.open("rb") as file:
                head = json.loads(decode(file.readline()))
            yield from ((str(one), str(label)) for one, label in head["ids"])


def _find_in(record: Path, identity: str) -> Found:
    with record.open("rb") as file:
        head = json.loads(decode(file.readline()))
        place = head["transcript"]
        if place is None:
            for line in file:
                kept = json.loads(decode(line))
                if kept["id"] == identity:
                    return Found(message_of(kept["message"], identity), "")
            raise MessageNotFound(id=identity, nearest="")
    form = next(one for one in FORMATS if one == head["format"])
    with Transcript(Path(place), form) as transcript:
        return Found(transcript.find(identity), place)


def _records(root: Path) -> list[Path]:
    """The records, the newest first."""
    with contextlib.suppress(OSError):
        files = (path for path in (root / _FOLDER).glob("*.jsonl") if path.is_file())
        found = [(path.stat().st_mtime_ns, path) for path in files]
        return [path for _, path in sorted(found, reverse=True)]
    return []


def _write(
    root: Path, key: str, head: Mapping[str, object], lines: Iterable[Mapping[str, object]]
) -> None:
    name = f"{_FOLDER}/{key}.jsonl"
    path = ensure_folder(root, name)
    text = "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in (head, *lines))
    replace_bytes(path, encode(text), name)  # two at once write the same under the same key
    for old in _records(root)[_KEPT:]:
        with contextlib.suppress(OSError):
            old.unlink()


def _cut(labels: Iterable[tuple[str, str]], redactor: Redactor) -> list[tuple[str, str]]:
    return [(one, redactor.redact(label)[:_LABEL]) for one, label in labels if one]


def _digest(text: str) -> str:
    return hashlib.sha256(encode(text)).hexdigest()[:16]
