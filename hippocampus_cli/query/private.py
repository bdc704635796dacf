"""The private tier beside a memory that a team shares: a workspace of its own, in a folder that git ignores.

The scan of the shared one never enters it, so nothing of it comes into the team's index, exports or packages.
"""

from __future__ import annotations

from pathlib import Path

from hippocampus_cli.errors import UsageError
from hippocampus_cli.query.request import Request
from hippocampus_cli.query.results import QueryResult
from hippocampus_cli.search.confidence import SURE
from hippocampus_cli.workspace.ignore import GIT_IGNORE, HIPPO_IGNORE
from hippocampus_cli.workspace.own_files import INDEX, PRIVATE, is_inside

_ALL = "*\n"
"""Git ignores everything in the folder, this file too."""


def has_private(root: Path) -> bool:
    """Whether the workspace has a private tier."""
    return is_inside(root, root / PRIVATE) and (root / PRIVATE / INDEX).is_file()


def make_private(root: Path, tracked: str) -> Path:
    """The folder of the private tier, made; ``tracked`` are files in it that git knows.

    Raises :class:`UsageError` where it is not hippo's, or others could see it.
    """
    folder = root / PRIVATE
    ignore = folder / GIT_IGNORE
    advice = f"move what is in {PRIVATE}/ elsewhere, and take it out of git"
    if tracked or not is_inside(root, folder):
        raise UsageError(reason=f"{PRIVATE}/ is not private: others have it", advice=advice)
    if not ignore.exists():
        folder.mkdir(mode=0o700, exist_ok=True)
        if any(folder.iterdir()):
            raise UsageError(reason=f"{PRIVATE}/ holds something else", advice=advice)
        ignore.write_text(_ALL, encoding="utf-8")
        (folder / HIPPO_IGNORE).write_text(f"!{_ALL}", encoding="utf-8")  # hippo reads it all
    if ignore.read_text(encoding="utf-8", errors="replace") != _ALL:
        raise UsageError(reason=f"{PRIVATE}/{GIT_IGNORE} does not ignore all", advice=advice)
    return folder


def marked(result: QueryResult) -> QueryResult:
    """An answer of the private tier, its paths as they are from the shared one's folder."""
    rows = [
        place._replace(
            path=f"{PRIVATE}/{place.path}",
            copies=tuple(f"{PRIVATE}/{copy}" for copy in place.copies),
            earlier=tuple(e._replace(place=f"{PRIVATE}/{e.place}") for e in place.earlier),
        )
        for place in result.results
    ]
    waiting = tuple(f"{PRIVATE}/{line}" for line in result.waiting)
    return result._replace(results=tuple(rows), waiting=waiting)


def both(shared: QueryResult, private: QueryResult, request: Request) -> QueryResult:
    """One answer of two tiers: the surer one's places first, half of the room for the other's."""
    private = marked(private)
    beliefs = (*shared.beliefs, *private.beliefs)
    waiting = (*shared.waiting, *private.waiting)
    if not private.results:
        return shared._replace(beliefs=beliefs, waiting=waiting)
    first, second = sorted((shared, private), key=lambda tier: -tier.confidence)
    room = request.limit - min(len(second.results), request.limit // 2)
    rows = request.first([*first.results[:room], *second.results])
    return first._replace(
        results=rows,
        tokens=sum(place.tokens for place in rows),
        full_scan_tokens=shared.full_scan_tokens + private.full_scan_tokens,
        missing=tuple(name for name in shared.missing if name in private.missing),
        beliefs=beliefs,
        waiting=waiting,
        notices=(*first.notices, *(() if first.sure == SURE else second.notices)),
    )
