"""A data set of CORF: questions about a workspace, each with the lines that answer (ANCHOR, ``benchmark.py``).

It is JSON, a query a line, so that a person can read it and a diff shows what changed. Whatever is not as it should
be is refused, with its line where that is known.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.dataset import Reader
from bench.errors import DatasetInvalid
from bench.questions import Place
from hippocampus_cli.markdown.lines import decode, split_lines
from hippocampus_cli.workspace.paths import is_absolute, is_possible, normal, real_path

VERSION = 1
ABSENT, FAILED, PRONOUN, SILENT = "absent", "failed", "pronoun", "silent"
ASSOCIATIVE, SOURCE, PARAPHRASE = "associative", "source", "paraphrase"
KINDS = (FAILED, PRONOUN, ASSOCIATIVE, SOURCE, SILENT, PARAPHRASE, ABSENT)
"""Why retrieval tends to fail: it once did; the project is only referred to; the question has another word that
goes with the answer's; it names where the answer came from; no anchor stands in it; it is said in other words.
``absent``: there is no answer."""


class Query(NamedTuple):
    """A question; any of ``gold`` answers it. ``project`` is the one that is active while it is asked."""

    id: str
    text: str
    kind: str
    project: str | None
    gold: tuple[Place, ...]


class Dataset(NamedTuple):
    """``workspace`` is a folder, relative to the one that ``file`` stands in."""

    file: Path
    workspace: str
    queries: tuple[Query, ...]

    @property
    def root(self) -> Path:
        """The workspace."""
        return self.file.absolute().parent / self.workspace


_KEYS = frozenset(Query._fields)
_DOCUMENT_KEYS = 3
_ADVICE = "correct it; `python -m bench corf --help` shows what a question looks like"


def read_dataset(path: Path) -> Dataset:
    """The data set in ``path``. Raises :class:`FileUnreadable`, :class:`DatasetInvalid`."""
    reader = _Reader(path, _ADVICE)
    return reader.dataset(reader.load())


def check_gold(found: Dataset, root: Path) -> None:
    """Refuse what is no line of a file below ``root``. Raises :class:`DatasetInvalid`."""
    reader = _Reader(found.file, _ADVICE)
    lengths: dict[str, int] = {}
    for query in found.queries:
        for gold in query.gold:
            if gold.path not in lengths:
                lengths[gold.path] = reader.length(root, gold.path, query.id)
            if gold.end > lengths[gold.path]:
                reason = f"{gold.path} has {lengths[gold.path]} lines, not {gold.end}"
                raise reader.wrong(reason, query.id)


class _Reader(Reader):
    """The line of a query is that of its id."""

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

    def wrong(self, reason: str, id: str, nth: int = 0) -> DatasetInvalid:
        """An error about the ``nth`` query with this id."""
        return self.refusal(f"{id}: {reason}", self._line(id, nth))

    def length(self, root: Path, path: str, id: str) -> int:
        """The lines of a note, which has to lie in the workspace."""
        inner = None if is_absolute(path) or not is_possible(path) else normal(path)
        file = real_path(str(root), inner) if inner else None
        if file is None:
            raise self.wrong(f"{path} is outside the workspace", id)
        try:
            return len(split_lines(decode((root / file).read_bytes())))
        except OSError as error:
            raise self.wrong(f"{path}: {error.strerror or error}", id) from error

    def _query(self, row: Any, at: int) -> Query:
        match row:
            case {"id": str(id), "text": str(text), "kind": str(kind), "gold": list(gold)}:
                pass
            case _:
                raise self.refusal(f"query {at} has no id, text, kind or gold")
        if unknown := row.keys() - _KEYS:
            raise self.wrong(f"there is no key {min(map(str, unknown))!r}", id)
        if not id.strip() or not text.strip():
            raise self.refusal(f"query {at} has an empty id or text")
        if kind not in KINDS:
            raise self.wrong(f"kind {kind!r} is none of {', '.join(KINDS)}", id)
        if bool(gold) == (kind == ABSENT):
            raise self.wrong(f"kind {kind} with {len(gold)} gold places", id)
        project = self._project(row.get("project"), kind, id)
        places = tuple(self._gold(one, id) for one in gold)
        return Query(id, text, kind, project, places)

    def _project(self, value: Any, kind: str, id: str) -> str | None:
        if value is not None and not (isinstance(value, str) and value.strip()):
            raise self.wrong("project is a name or null", id)
        if kind == PRONOUN and value is None:
            raise self.wrong("kind pronoun without a project", id)
        return value

    def _gold(self, row: Any, id: str) -> Place:
        match row:
            case {"path": str(path), "start": int(start), "end": int(end)} if len(row) == 3:
                if path and 1 <= start <= end:
                    return Place(path, start, end)
        raise self.wrong(
            "a gold place is a path with its lines, from start (1 at least) to end", id
        )

    def _distinct(self, queries: Sequence[Query]) -> None:
        ids: dict[str, int] = {}
        asked: dict[tuple[str, str | None], str] = {}
        for query in queries:
            ids[query.id] = ids.get(query.id, -1) + 1
            if ids[query.id]:
                raise self.wrong("the id was given before", query.id, ids[query.id])
            first = asked.setdefault((query.text.casefold(), query.project), query.id)
            if first != query.id:
                raise self.wrong(f"{first} asks the same", query.id)

    def _line(self, id: str, nth: int) -> int | None:
        """Where the ``nth`` query with this id says so; ``None`` where it is spelt with other escapes."""
        text = self.path.read_text(encoding="utf-8", errors="replace")
        spelt = "|".join(re.escape(json.dumps(id, ensure_ascii=flag)) for flag in (False, True))
        found = list(re.finditer(rf'"id"\s*:\s*(?:{spelt})', text))
        return text.count("\n", 0, found[nth].start()) + 1 if nth < len(found) else None
