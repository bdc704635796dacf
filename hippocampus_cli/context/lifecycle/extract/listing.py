"""Directory listings: ``ls -l``, ``find``, ``tree``, plain paths."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from hippocampus_cli.context.lifecycle.extract import Extract, Value, counted, extracted, short

_LONG = re.compile(
    r"^(?P<kind>[-dlbcps])[rwxsStT-]{9}[.+@]?\s+\d+\s+\S+\s+\S+\s+[\d.,]+[KMGT]?\s+"
    r"\S+\s+\S+\s+\S+\s+(?P<name>\S.*)$"
)
_TREE = re.compile(r"^(?P<lead>[│| \xa0]*)(?:[├└|`+\\](?:──|--|─) ?)(?P<name>\S.*)$")
_PATH = re.compile(r"^(?:\./|\.\./|/|~/)?(?:[^\s/:*?\"<>|]+/)*[^\s/:*?\"<>|]+/?$")
_NOTABLE = re.compile(
    r"(?:^|/)(?:readme|license|changelog|makefile|dockerfile|package\.json|pyproject\.toml|cargo\.toml"
    r"|go\.mod|setup\.py|tsconfig\.json|agents\.md|claude\.md|memory\.md|index\.\w+|main\.\w+)[^/]*$",
    re.IGNORECASE,
)
_LEAST = 4
_SHARE = 0.8
_MOST = 40
_LONGEST = 400
_TRIED = 100


class Listed(NamedTuple):
    """One line: a path, or a name where the listing tells no more."""

    path: str
    folder: bool


def extract_listing(text: str, hint: str) -> Extract | None:
    """The extract of a listing, ``None`` for other text."""
    lines = [line.rstrip("\r") for line in text.split("\n") if line.strip()]
    if len(lines) < _LEAST:
        return None
    for read in (_long, _tree, _paths):
        head = lines[:_TRIED]
        if _enough(read(head), head) and _enough(listed := read(lines), lines):
            return _described(listed)
    return None


def _enough(listed: list[Listed], lines: list[str]) -> bool:
    return len(listed) >= max(_LEAST, len(lines) * _SHARE)


def _described(listed: list[Listed]) -> Extract:
    root, listed = _below_root(listed)
    files = [one for one in listed if not one.folder]
    endings = Counter(_ending(one.path) for one in files)
    folders = Counter(one.path.rpartition("/")[0] or "." for one in files)
    named = [one.path for one in listed if one.folder]
    top = list(dict.fromkeys(_top(one) for one in listed))
    kinds = ", ".join(f"{count} {ending}" for ending, count in endings.most_common(6))
    parts = [f"{counted(len(files), 'file')} ({kinds})" if files else "no files"]
    if named:
        parts.append(counted(len(named), "folder"))
    where = f" of {short(root)}" if root else ""
    lines = (f"listing{where}: {short(', '.join(parts))}", f"at the top: {', '.join(top[:20])}")
    notable = [short(one.path) for one in files if _NOTABLE.search(one.path)][:_MOST]
    below: Value = [short(name) for name in named[:_MOST]]
    if len(folders) > 1:
        below = {short(name): str(count) for name, count in folders.most_common(_MOST)}
    return extracted("listing", lines, notable=notable, folders=below)


def _below_root(listed: list[Listed]) -> tuple[str, list[Listed]]:
    """The folder that holds everything, empty where there is none, and the paths below it."""
    first, last = min(listed).path, max(listed).path
    same = 0
    for one, other in zip(first.split("/")[:-1], last.split("/")[:-1], strict=False):
        if one != other:
            break
        same += len(one) + 1
    return first[: max(0, same - 1)], [Listed(one.path[same:], one.folder) for one in listed]


def _long(lines: list[str]) -> list[Listed]:
    found = []
    for line in lines:
        if line.startswith("total "):
            continue
        if one := _LONG.match(line[:_LONGEST]):
            found.append(Listed(one["name"].partition(" -> ")[0], one["kind"] == "d"))
    return [one for one in found if one.path not in (".", "..")] if found else []


def _tree(lines: list[str]) -> list[Listed]:
    """The paths of a tree; a name with something below it is a folder."""
    found: list[Listed] = []
    stack: list[tuple[int, str]] = []
    for line in lines:
        one = _TREE.match(line[:_LONGEST])
        if one is None:
            continue
        depth, name = len(one["lead"]), one["name"].rstrip("/")
        while stack and stack[-1][0] >= depth:
            stack.pop()
        path = "/".join([*(part for _, part in stack), name])
        if stack and found and found[-1].path == "/".join(part for _, part in stack):
            found[-1] = Listed(found[-1].path, True)
        found.append(Listed(path, one["name"].endswith("/")))
        stack.append((depth, name))
    return found


def _paths(lines: list[str]) -> list[Listed]:
    """Paths, one a line; words without a slash or a dot are no paths."""
    found = [
        Listed(line.strip().rstrip("/"), line.strip().endswith("/"))
        for line in lines
        if len(line) <= _LONGEST and _PATH.match(line.strip())
    ]
    telling = sum("/" in one.path or "." in one.path[1:] for one in found)
    return found if telling >= len(found) * _SHARE else []


def _ending(path: str) -> str:
    name = path.rpartition("/")[2]
    stem, dot, ending = name.rpartition(".")
    return f".{ending}" if dot and stem and len(ending) <= 10 else "others"


def _top(one: Listed) -> str:
    parts = one.path.removeprefix("./").lstrip("/").split("/")
    return short(parts[0] + ("/" if len(parts) > 1 or one.folder else ""), 60)
