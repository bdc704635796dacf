"""A store for LangGraph (the extra ``langgraph``): each item is a note, which people read and ``hippo`` finds."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from hippocampus_cli.adapters.brought import of_extra
from hippocampus_cli.api.turns import present
from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.errors import FileUnwritable, OutsideWorkspace
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import make_folders
from hippocampus_cli.workspace.paths import real_path
from hippocampus_cli.workspace.regular import read_regular

with of_extra("langgraph", "the LangGraph store"):
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
    )
    from langgraph.store.memory import InMemoryStore

_ITEM = re.compile(r"\A# (?:(?!\n```json item\n).)*+\n```json item\n(.*?)\n```\s*+\Z", re.DOTALL)
_MOST_BYTES = 4_000_000
_EVERY = 1_000_000


class HippoStore(BaseStore):  # type: ignore[misc,unused-ignore]
    """Items as notes in ``folder`` of a workspace: ``("users", "42")`` and ``"likes"`` are in ``users/42/likes.md``.

    A query is answered as ``hippo query`` answers it, among these notes; an item that is deleted is removed. A note
    that is no item is never replaced. Raises :class:`OutsideWorkspace` where the folder leads out of the workspace.
    """

    supports_ttl = False

    def __init__(self, workspace: Workspace, folder: str = "store") -> None:
        self._workspace = workspace
        self._folder = folder.strip("/")
        self._inside(self._folder)

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Each operation in turn."""
        return [self._done(op) for op in ops]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The same, in a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _done(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            return self._read(self._path(op.namespace, op.key))
        if isinstance(op, PutOp):
            self._put(op)
            return None
        items = list(self._items())
        if isinstance(op, ListNamespacesOp):
            return _mirror(items).batch([op])[0]
        return self._found(op, items)

    def _found(self, op: SearchOp, items: list[Item]) -> list[SearchItem]:
        """What LangGraph's own store finds by namespace and filter; with a query, in the order of the answer."""
        mirror = _mirror(items)
        fit = mirror.search(op.namespace_prefix, filter=op.filter, limit=_EVERY)
        known = {(one.namespace, one.key): one for one in items}
        chosen = {self._path(one.namespace, one.key): known[one.namespace, one.key] for one in fit}
        scores: dict[str, float | None] = dict.fromkeys(chosen)
        if op.query and op.query.strip():
            scores = self._asked(op.query, chosen)
        paths = list(scores)[op.offset : op.offset + op.limit]
        return [_scored(chosen[path], scores[path]) for path in paths]

    def _asked(self, query: str, chosen: dict[str, Item]) -> dict[str, float | None]:
        """The paths of the items that answer, best first, each with its score."""
        found = self._workspace.query(
            query,
            paths=[f"/{self._folder}/"],
            limit=max(1, len(chosen)),
            tokens=_EVERY,
            mode="search",
            write=False,
        )
        scores: dict[str, float | None] = {}
        for one in found.results:
            alike = (place.rpartition(":")[0] for place in one.copies)
            for path in filter(chosen.__contains__, (one.path, *alike)):
                scores.setdefault(path, one.score)
        return scores

    def _put(self, op: PutOp) -> None:
        """Raises :class:`FileUnwritable` where a note that is no item is in its place."""
        path = self._path(op.namespace, op.key)
        file = self._inside(path)
        with locked(self._workspace.root, self._workspace.config.lock.timeout_seconds):
            before = self._read(path)
            if before is None and os.path.lexists(file):
                raise FileUnwritable(path=path, reason="it is no item of the store")
            if op.value is None:
                file.unlink(missing_ok=True)
                return
            now = present()
            item = Item(
                value=op.value,
                key=op.key,
                namespace=op.namespace,
                created_at=before.created_at if before else now,
                updated_at=now,
            )
            make_folders(file.parent)
            replace_bytes(file, _note(item).encode(), path)

    def _items(self) -> Iterator[Item]:
        """Every item, by path."""
        base = self._workspace.root / self._folder
        for file in sorted(base.rglob("*.md")):
            path = file.relative_to(self._workspace.root).as_posix()
            if not file.is_symlink() and (item := self._read(path)):
                yield item

    def _read(self, path: str) -> Item | None:
        """The item in a note; ``None`` if there is no note, or it is not an item."""
        try:
            text = read_regular(self._inside(path), _MOST_BYTES, whole=True).decode()
            found = _ITEM.match(text)
            return Item(**json.loads(found[1])) if found else None
        except (OSError, ValueError, TypeError):
            return None

    def _path(self, namespace: tuple[str, ...], key: str) -> str:
        parts = (quote(part, safe=" @+,=") for part in (*namespace, key))
        return "/".join((self._folder, *(part.replace(".", "%2E") for part in parts))) + ".md"

    def _inside(self, path: str) -> Path:
        if real_path(str(self._workspace.root), path) is None:
            raise OutsideWorkspace(
                path=path, reason="the store's notes are inside of the workspace"
            )
        return self._workspace.root / path


def _mirror(items: Iterable[Item]) -> InMemoryStore:
    """LangGraph's own store with these items: it decides what fits a filter or a namespace."""
    mirror = InMemoryStore()
    for one in items:
        mirror.put(one.namespace, one.key, one.value)
    return mirror


def _scored(item: Item, score: float | None) -> SearchItem:
    return SearchItem(item.namespace, item.key, item.value, item.created_at, item.updated_at, score)


def _note(item: Item) -> str:
    """The item as text for people and search, and its exact value."""
    told = "".join(f"- {' '.join(line.split())}\n" for line in _lines(item.value))
    name = " ".join(f"{' / '.join(item.namespace)}: {item.key}".split())
    exact = json.dumps(item.dict(), ensure_ascii=False)
    return f"# {name}\n\n{told}\n```json item\n{exact}\n```\n"


def _lines(value: Any, name: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _lines(inner, f"{name} {key}".strip())
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _lines(inner, name)
    else:
        yield f"{name}: {value}" if name else str(value)
