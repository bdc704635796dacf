"""Reading a data set. Whatever is not as it should be is refused, with its line where that is known."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.corf.dataset import (
    ABSENT,
    KINDS,
    PRONOUN,
    VERSION,
    Dataset,
    Gold,
    Query,
)
from hippocampus_cli.errors import DatasetInvalid, FileUnreadable
from hippocampus_cli.markdown.lines import decode, split_lines
from hippocampus_cli.workspace.paths import is_absolute, is_possible, normal, real_file

_KEYS = frozenset(Query._fields)
_DOCUMENT_KEYS = 3
_ADVICE = "correct it; `python -m bench corf --help` shows what a question looks like"


def read_dataset(path: Path) -> Dataset:
    """The data set in ``path``. Raises :class:`FileUnreadable`, :class:`DatasetInvalid`."""
    try:
        text = path.read_text(encoding="utf-8")
        data = json.loads(text)
    except OSError as error:
        raise FileUnreadable(path=str(path), reason=error.strerror or str(error)) from error
    except json.JSONDecodeError as error:
        reason = f"{error.msg} (column {error.colno})"
        raise _unread(path, reason, error.lineno) from error
    except (ValueError, RecursionError) as error:
        raise _unread(path, "it is no JSON text in UTF-8", None) from error
    return _Reader(path, text).dataset(data)


def check_gold(found: Dataset, root: Path) -> None:
    """Refuse what is no line of a file below ``root``. Raises :class:`DatasetInvalid`."""
    reader = _Reader(found.file)
    lengths: dict[str, int] = {}
    for query in found.queries:
        for gold in query.gold:
            if gold.path not in lengths:
                lengths[gold.path] = reader.length(root, gold.path, query.id)
            if gold.end > lengths[gold.path]:
                reason = f"{gold.path} has {lengths[gold.path]} lines, not {gold.end}"
                raise reader.refusal(reason, query.id)


class _Reader:
    """Takes a document apart. The line of a query is that of its id."""

    def __init__(self, path: Path, text: str | None = None) -> None:
        """``text`` is read where a line is wanted, if it is not given."""
        self.path = path
        self._text = text

    def dataset(self, data: Any) -> Dataset:
        match data:
            case {"version": int(version), "workspace": str(workspace), "queries": list(rows)}:
                if version != VERSION:
                    raise self.refusal(f"it has version {version}, this hippo knows {VERSION}")
            case _:
                raise self.refusal("it is no object with version, workspace and queries")
        if len(data) > _DOCUMENT_KEYS:
            raise self.refusal("it has keys besides version, workspace and queries")
        if not rows:
            raise self.refusal("it holds no query")
        queries = tuple(self._query(row, at) for at, row in enumerate(rows, 1))
        self._distinct(queries)
        return Dataset(self.path, workspace, queries)

    def refusal(self, reason: str, id: str | None = None, nth: int = 0) -> DatasetInvalid:
        """An error about the document, or about the ``nth`` query with this id."""
        line = None if id is None else self._line(id, nth)
        said = reason if id is None else f"{id}: {reason}"
        return _unread(self.path, said, line)

    def length(self, root: Path, path: str, id: str) -> int:
        """The lines of a note, which has to lie in the workspace."""
        inner = None if is_absolute(path) or not is_possible(path) else normal(path)
        file = real_file(str(root.resolve()), inner) if inner else None
        if file is None:
            raise self.refusal(f"{path} is outside the workspace", id)
        try:
            return len(split_lines(decode(Path(file).read_bytes())))
        except OSError as error:
            raise self.refusal(f"{path}: {error.strerror or error}", id) from error

    def _query(self, row: Any, at: int) -> Query:
        match row:
            case {"id": str(id), "text": str(text), "kind": str(kind), "gold": list(gold)}:
                pass
            case _:
                raise self.refusal(f"query {at} has no id, text, kind or gold")
        if unknown := row.keys() - _KEYS:
            raise self.refusal(f"there is no key {min(map(str, unknown))!r}", id)
        if not id.strip() or not text.strip():
            raise self.refusal(f"query {at} has an empty id or text")
        if kind not in KINDS:
            raise self.refusal(f"kind {kind!r} is none of {', '.join(KINDS)}", id)
        if bool(gold) == (kind == ABSENT):
            raise self.refusal(f"kind {kind} with {len(gold)} gold places", id)
        project = self._project(row.get("project"), kind, id)
        updated = row.get("updated_after_build", False)
        if not isinstance(updated, bool):
            raise self.refusal("updated_after_build is true or false", id)
        places = tuple(self._gold(one, id) for one in gold)
        return Query(id, text, kind, project, places, updated)

    def _project(self, value: Any, kind: str, id: str) -> str | None:
        if value is not None and not (isinstance(value, str) and value.strip()):
            raise self.refusal("project is a name or null", id)
        if kind == PRONOUN and value is None:
            raise self.refusal("kind pronoun without a project", id)
        return value

    def _gold(self, row: Any, id: str) -> Gold:
        match row:
            case {"path": str(path), "start": int(start), "end": int(end)} if len(row) == 3:
                if path and 1 <= start <= end:
                    return Gold(path, start, end)
        raise self.refusal(
            "a gold place is a path with its lines, from start (1 at least) to end", id
        )

    def _distinct(self, queries: Sequence[Query]) -> None:
        ids: dict[str, int] = {}
        asked: dict[tuple[str, str | None], str] = {}
        for query in queries:
            ids[query.id] = ids.get(query.id, -1) + 1
            if ids[query.id]:
                raise self.refusal("the id was given before", query.id, ids[query.id])
            first = asked.setdefault((query.text.casefold(), query.project), query.id)
            if first != query.id:
                raise self.refusal(f"{first} asks the same", query.id)

    def _line(self, id: str, nth: int) -> int | None:
        """Where the ``nth`` query with this id says so; ``None`` where it is spelt with other escapes."""
        if self._text is None:
            self._text = self.path.read_text(encoding="utf-8")
        spelt = "|".join(re.escape(json.dumps(id, ensure_ascii=flag)) for flag in (False, True))
        found = list(re.finditer(rf'"id"\s*:\s*(?:{spelt})', self._text))
        return self._text.count("\n", 0, found[nth].start()) + 1 if nth < len(found) else None


def _unread(path: Path, reason: str, line: int | None) -> DatasetInvalid:
    return DatasetInvalid(path=str(path), line=line, reason=reason, advice=_ADVICE)
