"""Directory listings: ``ls -l``, ``find``, ``tree``, plain paths."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import PurePosixPath
from typing import NamedTuple

from hippocampus_cli.context.extract import Extract, counted, extracted, short

_LONG = re.compile(
    r"^(?P<kind>[-dlbcps])[rwxsStT-]{9}[.+@]?\s+\d+\s+\S+\s+\S+\s+[\d.,]+[KMGT]?\s+"
    r"\S+\s+\S+\s+\S+\s+(?P<name>\S.*)$"
)
_TREE = re.compile(r"^(?P<lead>[│| \xa0]*)(?:[├└|`+\\](?:──|--|─) ?)(?P<name>\S.*)$")
_PATH = re.compile(r"^(?:\./|\.\./|/|~/)?(?:[^\s/:*?\"<>|]+/)*[^\s/:*?\"<>|]+/?$")
_LEAST, _SHARE = 4, 0.8
_MOST = 40
_LONGEST = 400  # characters of a line


class Listed(NamedTuple):
    """One line: a path, or a name where the listing tells no more."""

    path: str
    folder: bool


def extract_listing(text: str, hint: str) -> Extract | None:
    """The extract of a listing, ``None`` for other text."""
    lines = [line.strip("\r")[:_LONGEST] for line in text.split("\n") if line.strip()]
    for read in (_long, _tree, _paths):
        listed = read(lines)
        if len(listed) >= max(_LEAST, len(lines) * _SHARE):
            return _described(listed)
    return None


def _described(listed: list[Listed]) -> Extract:
    root = _root(listed)
    listed = [one._replace(path=one.path[len(root) :]) for one in listed]
    files = [one for one in listed if not one.folder]
    endings = Counter(PurePosixPath(one.path).suffix[:10] or "others" for one in files)
    kinds = ", ".join(f"{count} {ending}" for ending, count in endings.most_common(6))
    parts = [f"{counted(len(files), 'file')} ({kinds})" if files else "no files"]
    if len(files) < len(listed):
        parts.append(counted(len(listed) - len(files), "folder"))
    where = f" of {short(root.rstrip('/'))}" if root else ""
    top = list(dict.fromkeys(map(_top, listed)))
    holders = Counter(one.path.rpartition("/")[0] or "." for one in files)
    folders = {short(name): str(count) for name, count in holders.most_common(_MOST)}
    return extracted(
        "listing",
        (f"listing{where}: {short(', '.join(parts))}", f"at the top: {', '.join(top[:20])}"),
        folders=folders if len(folders) > 1 else None,
        files=[short(one.path) for one in files[:_MOST]],
    )


def _root(listed: list[Listed]) -> str:
    """The folder that holds everything, empty where there is none."""
    first, last = min(listed).path.split("/")[:-1], max(listed).path.split("/")[:-1]
    same = 0
    while same < min(len(first), len(last)) and first[same] == last[same]:
        same += 1
    return "".join(f"{name}/" for name in first[:same])


def _long(lines: list[str]) -> list[Listed]:
    rows = [_LONG.match(line) for line in lines]
    named = [(row["name"].partition(" -> ")[0], row["kind"] == "d") for row in rows if row]
    return [Listed(name, folder) for name, folder in named if name not in (".", "..")]


def _tree(lines: list[str]) -> list[Listed]:
    """The paths of a tree; a name with something below it is a folder."""
    listed: list[Listed] = []
    above: list[tuple[int, str]] = []
    for row in filter(None, map(_TREE.match, lines)):
        depth, name = len(row["lead"]), row["name"].rstrip("/")
        while above and above[-1][0] >= depth:
            above.pop()
        folder = "/".join(part for _, part in above)
        if listed and listed[-1].path == folder:
            listed[-1] = Listed(folder, True)
        above.append((depth, name))
        listed.append(Listed(f"{folder}/{name}" if folder else name, row["name"].endswith("/")))
    return listed


def _paths(lines: list[str]) -> list[Listed]:
    """Paths, one a line; words without a slash or a dot are no paths."""
    paths = [line.strip() for line in lines if _PATH.match(line.strip())]
    telling = sum("/" in path or "." in path[1:] for path in paths)
    if telling < len(paths) * _SHARE:
        return []
    return [Listed(path.rstrip("/"), path.endswith("/")) for path in paths]


def _top(listed: Listed) -> str:
    name, slash, _ = listed.path.removeprefix("./").lstrip("/").partition("/")
    return short(f"{name}/" if slash or listed.folder else name, 60)
