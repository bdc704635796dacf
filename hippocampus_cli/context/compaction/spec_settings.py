"""The configuration file and the log of the specification (COMPACT, "Configuration", "Logging"), in hippo's own mode.

A ``hippocampus.config.json`` in the workspace has the last word on rates, thresholds, floors and the size of the
sparse index; what of it is no such value is told and left out. With such a file, each compaction is a few lines in
its log.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.config.context import Compaction
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.workspace.own_files import is_inside
from hippocampus_cli.workspace.regular import read_regular

if TYPE_CHECKING:
    from hippocampus_cli.context.compaction import CompactedSession

FILE = "hippocampus.config.json"
_LOG = ".pi/hippocampus.log"
_MOST_BYTES = 100_000
_MOST_TOKENS = 10_000_000
_SHARES = {"sparseThreshold": "sparse_threshold", "compressThreshold": "compress_threshold"}
_GROUPS = {"decayRates": ("rate", 100.0), "retentionFloor": ("floor", 1.0)}


class SpecSettings(NamedTuple):
    """The settings that hold, what is wrong with the file, and the log's path; no log where there is no file."""

    settings: Compaction
    notices: tuple[str, ...] = ()
    log: str = ""


def configured(settings: Compaction, root: Path | None) -> SpecSettings:
    """``settings`` with what the file at ``root`` says."""
    if root is None:
        return SpecSettings(settings)
    try:
        text = read_regular(root / FILE, _MOST_BYTES, whole=True).decode("utf-8-sig", "replace")
    except FileNotFoundError:
        return SpecSettings(settings)
    except OSError as error:
        return SpecSettings(settings, (f"{FILE}: {error.strerror or error}; it is left out",))
    return read(text, settings)


def read(text: str, settings: Compaction) -> SpecSettings:
    """The same of the file's text."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        return SpecSettings(settings, (f"{FILE}: {error}; it is left out",))
    if not isinstance(given, dict):
        return SpecSettings(settings, (f"{FILE}: it is no object; it is left out",))
    found, wrong = dict[str, float](), list[str]()
    for name, ours, value, most in _values(given):
        if ours not in Compaction._fields:
            wrong.append(f"{FILE}: {name} is no type of message; it is left out")
        elif (
            isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most
        ):
            wrong.append(f"{FILE}: {name} is no number from 0 to {most:g}; it is left out")
        else:
            found[ours] = int(value) if ours == "sparse_tokens" else float(value)
    log = given.get("logFile", _LOG)
    return SpecSettings(
        settings._replace(**found),  # type: ignore[arg-type]
        tuple(wrong),
        log if isinstance(log, str) else _LOG,
    )


def _values(given: Mapping[str, object]) -> Iterator[tuple[str, str, object, float]]:
    """What the file says: its name there, the setting, the value and the most that it may be."""
    for name, ours in _SHARES.items():
        if name in given:
            yield name, ours, given[name], 1.0
    if "maxSparseIndexTokens" in given:
        yield "maxSparseIndexTokens", "sparse_tokens", given["maxSparseIndexTokens"], _MOST_TOKENS
    for name, (prefix, most) in _GROUPS.items():
        group = given.get(name)
        for kind, value in group.items() if isinstance(group, dict) else ():
            yield f"{name}.{kind}", f"{prefix}_{kind}", value, most


def log(root: Path, name: str, made: CompactedSession, now: datetime) -> None:
    """Add what was made to the log, where its folder is there and in the workspace; a failure is no word."""
    if not name or "\0" in name or not is_inside(root, root / name):
        return
    counts, all_ = made.counts, len(made.judged)
    kinds = {"sparse": counts["sparse"], "compressed": counts["compress"], "kept": counts["keep"]}
    ratio = f"{made.before / max(1, made.after):.1f}"
    lines = (
        f"🔬 Compaction triggered {_told(messages=all_, tokensBefore=made.before)}",
        f"📊 Scoring complete {_told(total=all_, **kinds)}",
        f"📝 Summary built {_told(summaryTokens=made.after, compressionRatio=ratio)}",
    )
    stamp = now.astimezone(UTC).isoformat("T", "milliseconds").replace("+00:00", "Z")
    with contextlib.suppress(OSError), (root / name).open("a", encoding="utf-8") as file:
        file.writelines(f"[{stamp}] [hippocampus] {line}\n" for line in lines)


def _told(**values: object) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))
