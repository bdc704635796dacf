"""A secret that somebody took out of the notes counts as forgotten: what was derived from it goes too.

``.hippocampus/cache/secrets.json`` holds, by note, salted slow hashes of the secrets that were found in it. One that
is in no note any more gets a tombstone. Without the file nothing is known to have been removed. It also says by which
rules the files were redacted that an older hippo kept: that is done once.
"""

from __future__ import annotations

import contextlib
import json
import secrets
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from hippocampus_cli.config.settings import Config
from hippocampus_cli.errors import HippoError
from hippocampus_cli.maintenance.scrub import SECRETS, redact_old
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.redaction.phrases import KIND, Hashes, Phrase, runs_of
from hippocampus_cli.redaction.redactor import Redactor
from hippocampus_cli.workspace import tombstones
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.own_files import ensure_folder
from hippocampus_cli.workspace.read import read_note
from hippocampus_cli.workspace.redaction import redactor_for, secrets_in
from hippocampus_cli.workspace.regular import read_regular
from hippocampus_cli.workspace.tombstones import Forgotten, Tombstone

RULES = 1
"""Raised where so much more is found that what was kept before is to be looked through again."""
Known = dict[str, list[Phrase]]
_COMMON = 8
"""A single word of fewer letters, none of them a digit, may stand anywhere: it is not forgotten by itself."""


def bury_removed(root: Path, config: Config, snapshot: Snapshot) -> int:
    """Write a tombstone for the secrets that stood in a note and stand in none now; how many phrases it has.

    Raises what writing a tombstone raises.
    """
    forgotten = tombstones.load(root)
    salt, before, redacted = _read(root)
    if redacted != RULES:  # once: what was kept before there were these rules
        redact_old(root, config.lock.timeout_seconds, Redactor([secrets_in]))
    if forgotten is not None and salt != forgotten.hashes.salt:
        salt, before = forgotten.hashes.salt, None
    hashes = Hashes(salt or secrets.token_bytes(16))
    after = _found(root, hashes, before, snapshot)
    if after == before and redacted == RULES:
        return 0
    there = {one for found in after.values() for one in found}
    gone = sorted({one for found in (before or {}).values() for one in found} - there)
    if gone:
        _bury(root, config, snapshot, hashes, gone)
    _write(root, hashes, after)
    return len(gone)


def _found(
    root: Path,
    hashes: Hashes,
    before: Mapping[str, list[Phrase]] | None,
    snapshot: Snapshot,
) -> Known:
    """The secrets of every note; one that was not written since is read only where nothing is known of any."""
    redactor = redactor_for(root)
    found: Known = {}
    for path in sorted(snapshot.paths):
        if before is None or _is_touched(snapshot, path):
            phrases = sorted(set(_phrases(redactor, hashes, _text(root, path, snapshot))))
        else:
            phrases = before.get(path, [])
        if phrases:
            found[path] = phrases
    return found


def _is_touched(snapshot: Snapshot, path: str) -> bool:
    """Whether a note's file was written since the last cycle, be its text the same or not."""
    was, now = snapshot.known.get(path), snapshot.present.get(path)
    stamps = [(one.size, one.mtime_ns, one.ctime_ns) for one in (was, now) if one is not None]
    return len(stamps) < 2 or stamps[0] != stamps[1] or stamps[0][0] < 0


def _text(root: Path, path: str, snapshot: Snapshot) -> str:
    """The text of a note as it stands in its file; empty where it cannot be read."""
    try:
        return read_note(root, path, snapshot.config.scan.max_file_bytes).text
    except HippoError:
        return ""


def _phrases(redactor: Redactor, hashes: Hashes, text: str) -> Iterator[Phrase]:
    for span in redactor.spans(text):
        if span.kind != KIND:
            rows: Iterable[tuple[str, ...]] = runs_of(text[span.start : span.end])
            yield from (hashes.phrase(row) for row in rows if _tells(row))


def _tells(row: tuple[str, ...]) -> bool:
    return len(row) > 1 or len(row[0]) >= _COMMON or any(map(str.isdigit, row[0]))


def _bury(
    root: Path, config: Config, snapshot: Snapshot, hashes: Hashes, gone: list[Phrase]
) -> None:
    def change(there: Forgotten) -> list[Tombstone]:
        number = there.next_number()
        stone = Tombstone(number, snapshot.now, "removed", phrases=tuple(gone))
        return [*there.tombstones, stone]

    tombstones.change(root, config.lock.timeout_seconds, change, hashes.salt)


def _read(root: Path) -> tuple[bytes, Known | None, int]:
    """The salt, what is known (``None`` where nothing is), and by which rules old files were redacted."""
    try:
        row: Any = json.loads(read_regular(root / SECRETS))
        found = {path: [Phrase(*one) for one in rows] for path, rows in row["notes"].items()}
        return bytes.fromhex(row["salt"]), found, int(row.get("rules", 0))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return b"", None, 0


def _write(root: Path, hashes: Hashes, found: Known) -> None:
    row = {"salt": hashes.salt.hex(), "notes": found, "rules": RULES}
    with contextlib.suppress(HippoError):
        data = json.dumps(row, separators=(",", ":")).encode("utf-8", "surrogatepass")
        replace_bytes(ensure_folder(root, SECRETS), data, SECRETS)
