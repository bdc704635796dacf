"""A data set as JSON, a query a line, so that a person can read it and a diff shows what changed."""

from __future__ import annotations

import json
from pathlib import Path

from bench.corf.dataset import VERSION, Dataset, Query
from hippocampus_cli.errors import UsageError
from hippocampus_cli.workspace.atomic import Overtaken, replace_bytes


def as_json(found: Dataset) -> str:
    """The document, with a line end behind it."""
    rows = ",\n".join(f"    {_row(query)}" for query in found.queries)
    workspace = json.dumps(found.workspace, ensure_ascii=False)
    return f'{{\n  "version": {VERSION},\n  "workspace": {workspace},\n  "queries": [\n{rows}\n  ]\n}}\n'


def _row(query: Query) -> str:
    row = {**query._asdict(), "gold": [gold._asdict() for gold in query.gold]}
    return json.dumps(row, ensure_ascii=False)


def check_new(path: Path) -> None:
    """Refuse what is there already: somebody may have put questions of his own into it. Raises
    :class:`UsageError`."""
    if path.exists() or path.is_symlink():
        raise UsageError(
            reason=f"{path} is there already", advice="name another file with --out, or move it"
        )
    if not path.absolute().parent.is_dir():
        raise UsageError(reason=f"{path}: no such folder", advice="make it, or name another")


def write_new(path: Path, found: Dataset) -> None:
    """Write a file that was not there. Raises :class:`UsageError`, :class:`FileUnwritable`."""
    check_new(path)
    data = as_json(found).encode("utf-8", "replace")
    try:
        replace_bytes(path.absolute(), data, str(path), None)
    except Overtaken:  # somebody made it between the look and the rename
        check_new(path)
