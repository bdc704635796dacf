"""Directory listings: ``ls -l``, ``find``, ``tree``, plain paths."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import PurePosixPath

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


def extract_listing(text: str, hint: str) -> Extract | None:
    """The extract of a listing, ``None`` for other text. Paths that end in a slash are folders."""
    lines = [line.strip("\r")[:_LONGEST] for line in text.split("\n") if line.strip()]
    for read in (_long, _tree, _paths):
        paths = read(lines)
        if len(paths) >= max(_LEAST, len(lines) * _SHARE):
            return _described(paths)
    return None


def _described(paths: list[str]) -> Extract:
    files = [path for path in paths if not path.endswith("/")]
    endings = Counter(PurePosixPath(path).suffix[:10] or "others" for path in files)
    kinds = ", ".join(f"{count} {ending}" for ending, count in endings.most_common(6))
    size = f"{counted(len(files), 'file')} ({kinds})" if files else "no files"
    if len(files) < len(paths):
        size += f", {counted(len(paths) - len(files), 'folder')}"
    holders = Counter(path.rpartition("/")[0] or "." for path in files)
    folders = {short(name): str(count) for name, count in holders.most_common(_MOST)}
    return extracted(
        "listing",
        (f"listing: {short(size)}",),
        folders=folders if len(folders) > 1 else None,
        files=[short(path) for path in files[:_MOST]],
    )


def _long(lines: list[str]) -> list[str]:
    rows = [_LONG.match(line) for line in lines]
    names = [row["name"].partition(" -> ")[0] + "/" * (row["kind"] == "d") for row in rows if row]
    return [name for name in names if name not in ("./", "../")]


def _tree(lines: list[str]) -> list[str]:
    """The paths of a tree; a name with something below it is a folder."""
    paths: list[str] = []
    above: list[tuple[int, str]] = []
    for row in filter(None, map(_TREE.match, lines)):
        depth = len(row["lead"])
        while above and above[-1][0] >= depth:
            above.pop()
        folder = "".join(f"{name}/" for _, name in above)
        if paths and f"{paths[-1]}/" == folder:
            paths[-1] = folder
        above.append((depth, row["name"].rstrip("/")))
        paths.append(folder + row["name"])
    return paths


def _paths(lines: list[str]) -> list[str]:
    """Paths, one a line; words without a slash or a dot are no paths."""
    paths = [line.strip() for line in lines if _PATH.match(line.strip())]
    telling = sum("/" in path or "." in path[1:] for path in paths)
    return paths if telling >= len(paths) * _SHARE else []
