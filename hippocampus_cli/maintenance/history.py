"""The history of upkeep: one record a cycle, and what takes it back (decision D16).

``.hippocampus/history/0042-weekly.json`` says what was done and why; ``0042-weekly.zip`` holds the files that
changed as they were before and after. The records of many cycles ago stay, without their files.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from hippocampus_cli.fast_types import Frozen
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import Action, Kind
from hippocampus_cli.workspace.atomic import Replacements
from hippocampus_cli.workspace.commit import is_own, read_or_none
from hippocampus_cli.workspace.own_files import HISTORY, files_in
from hippocampus_cli.workspace.state import IF_SENSIBLE, read_state
from hippocampus_cli.workspace.store import Beside, Files, Result
from hippocampus_cli.workspace.transaction import packed, unpacked

UNDO, RESTORE, REPAIR, MIND, CURATE = "undo", "restore", "repair", "mind", "curate"
_RECORDS = 1_000
"""Records are kept this long; without their files they are small."""


class Record(Frozen):
    """One cycle. ``undoes`` is the number of the cycle that this one undid.

    ``stats`` are ``entries``, ``tokens`` and ``notes`` afterwards; ``restorable`` whether its files are kept.
    """

    number: int
    cycle: str
    at: datetime
    actions: tuple[Action, ...]
    stats: Mapping[str, int]
    undoes: int | None
    forced: bool
    restorable: bool

    @property
    def name(self) -> str:
        """The file name without its ending."""
        return f"{self.number:04}-{self.cycle}"


def records(root: Path) -> list[Record]:
    """Every record, oldest first; one that cannot be read is skipped."""
    found = map(_read, files_in(root, HISTORY, "*.json"))
    return sorted((one for one in found if one), key=lambda one: one.number)


def files_of(root: Path, record: Record) -> Replacements | None:
    """The files that a cycle changed, before and after; ``None`` where they are not kept any more.

    Raises :class:`FileUnreadable`.
    """
    name = f"{HISTORY}/{record.name}.zip"
    data = read_or_none(root, name)
    return None if data is None else unpacked(data, name, is_own)


def written(
    root: Path,
    changes: Replacements,
    cycle: str,
    now: datetime,
    actions: Iterable[Action],
    **more: Any,
) -> tuple[int, Files]:
    """The number and the files of a new record, of which ``more`` may be said; the caller holds the lock."""
    number, at = next_number(root), now.isoformat("T", "seconds")
    row = {"number": number, "cycle": cycle, "at": at, **more}
    row["actions"] = [action._asdict() for action in actions]
    text, name = json.dumps(row, ensure_ascii=False, indent=1), f"{HISTORY}/{number:04}-{cycle}"
    return number, {
        f"{name}.json": f"{text}\n".encode("utf-8", "surrogatepass"),
        f"{name}.zip": packed(changes),
    }


def recording(
    root: Path,
    cycle: str,
    now: datetime,
    actions: Callable[[Result], Iterable[Action]],
    undoes: int | None = None,
    more: Callable[[Result], Replacements] = lambda result: {},
) -> Beside[Result]:
    """What writes a record with a change of the index, if that changes anything, has ``actions`` (by the result of
    the change) or undoes a cycle; a frozen result gets the record's ``number``. ``more`` are own files beside the
    index that change with it."""

    def beside(
        old: Hierarchy, new: Hierarchy, changes: Replacements, result: Result
    ) -> tuple[Files, Result]:
        others, done = more(result), [*actions(result)]
        after = {path: one.after for path, one in others.items()}
        if not changes and not done and undoes is None:
            return after, result
        stats, every = {"entries": len(new.entries)}, {**changes, **others}
        number, files = written(root, every, cycle, now, done, stats=stats, undoes=undoes)
        if isinstance(result, Frozen):
            result = result.replaced(number=number)
        return {**files, **after}, result

    return beside


def outdated(root: Path, keep: int) -> list[Path]:
    """The files that need not be kept any more, once another record is there."""
    kinds: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(files_in(root, HISTORY, "*.zip"), key=_number):
        cycle = path.stem.partition("-")[2]
        kinds[cycle if cycle in ("sync", MIND) else ""].append(path)  # of these many a day
    texts = sorted(files_in(root, HISTORY, "*.json"), key=_number)[:-_RECORDS]
    return [*(path for paths in kinds.values() for path in paths[:-keep]), *texts]


def next_number(root: Path) -> int:
    """The number of the next record; the caller holds the lock."""
    return max(map(_number, (root / HISTORY).glob("*.json")), default=0) + 1


def _number(path: Path) -> int:
    number = path.name.partition("-")[0]
    return int(number) if number.isdecimal() else 0


def undone_cycles(kept: Sequence[Record]) -> set[int]:
    """The numbers of those records, the oldest first, that were undone and not done again since."""
    undone: set[int] = set()
    for record in reversed(kept):
        if record.undoes is not None and record.number not in undone:
            undone.add(record.undoes)
    return undone


def name_of(record: Record) -> str:
    """What a person calls it: ``daily``, ``undo of 12``."""
    return record.cycle if record.undoes is None else f"{UNDO} of {record.undoes}"


def refused(root: Path) -> frozenset[tuple[Kind, str]]:
    """What a person undid, by kind and entry: upkeep does not do it again by itself."""
    if not any((root / HISTORY).glob(f"*-{UNDO}.json")):
        return frozenset()  # the usual case, for which no record need be read
    kept = records(root)
    undone = undone_cycles(kept)
    actions = (action for record in kept if record.number in undone for action in record.actions)
    return frozenset((action.kind, action.key) for action in actions)


def were_listed(root: Path) -> bool:
    """Whether a cycle wrote generated lists before: where they are gone, somebody does not want them."""
    return any(action.kind is Kind.LIST for record in records(root) for action in record.actions)


def _read(path: Path) -> Record | None:
    with IF_SENSIBLE:
        row = read_state(path.parent, path.name)
        actions = [Action(**{**one, "kind": Kind(one["kind"])}) for one in row["actions"]]
        return Record(
            int(row["number"]),
            str(row["cycle"]),
            datetime.fromisoformat(row["at"]),
            tuple(actions),
            {str(key): int(value) for key, value in row.get("stats", {}).items()},
            row.get("undoes"),
            bool(row.get("forced")),
            path.with_suffix(".zip").is_file(),
        )
    return None
