"""Which paths the workspace's ``.gitignore`` files and ``.hippoignore`` leave out.

Matching costs an import and a few microseconds a pattern, so verdicts are kept: a caller that hands back the
:class:`IgnoreDecisions` of an earlier scan pays only for paths that are new.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from hippocampus_cli.errors import UsageError
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.markdown.lines import decode
from hippocampus_cli.markdown.safe import bytes_spelled
from hippocampus_cli.workspace.file_table import FileStat

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

GIT_IGNORE = ".gitignore"
HIPPO_IGNORE = ".hippoignore"
_MAX_BYTES = 1_000_000
_MAX_PATTERNS = 5_000  # of one file; a matcher of so many takes half a second to make
_LONGEST = 4_096  # characters of a pattern, as of a path
# What pathspec makes of `*`, of a first `**/` and of `/**/`. Of several in a row only the last may try a second
# place: `*a*a*a*a*b` on a name of many letters `a` would take years. The first place is as good as any for the
# others, for what follows takes in what lies between.
_STAR, _ABOVE, _BETWEEN = "[^/]*", "^(?:.+/)?", "(?:/.+)?/"


class IgnoreDecisions(NamedTuple):
    """Verdicts by path (a folder's ends in ``/``), true for as long as the ``fingerprint`` is the same.

    The fingerprint is plain ASCII: path, size and modification time of every ignore file met; it is empty
    where there is none. Both fields may be stored anywhere and handed back to the next scan.
    """

    fingerprint: str = ""
    ignored: Mapping[str, bool] = MappingProxyType({})


class IgnoreFile:
    """One ignore ``file`` on disk, read when it is first asked; it speaks of paths below ``prefix``.

    ``prefix`` is ``""`` or ends in ``/``; ``stamp`` is this file's part of the fingerprint.
    """

    def __init__(self, file: str, prefix: str, stamp: str) -> None:
        self.file = file
        self.prefix = prefix
        self.stamp = stamp

    @cached_property
    def _spec(self) -> GitIgnoreSpec | None:
        return _compile(_patterns(self.file))

    def verdict(self, path: str) -> bool | None:
        """Whether ``path`` is ignored, or ``None`` if no pattern here speaks of it."""
        if self._spec is None:
            return None
        return self._spec.check_file(path.removeprefix(self.prefix)).include

    @cached_property
    def takes_back(self) -> bool:
        """Whether a pattern begins with ``!``."""
        return any(line.startswith("!") for line in _patterns(self.file))


def ignore_file(entry: os.DirEntry[str], path: str) -> IgnoreFile | None:
    """The ignore file behind ``entry`` at ``path``; like git, a link or a folder of that name is none."""
    try:
        if not entry.is_file(follow_symlinks=False):
            return None
        look = FileStat.of(entry.stat(follow_symlinks=False))
    except OSError:
        return None
    stamp = f"{path!a}:{look.size}:{look.mtime_ns}"
    return IgnoreFile(entry.path, path[: -len(entry.name)], stamp)


def _patterns(file: str) -> list[str]:
    try:
        with open(file, "rb") as stream:
            text = decode(stream.read(_MAX_BYTES)).removeprefix("\ufeff")
    except OSError:
        return []
    lines = (line.rstrip("\r") for line in text.split("\n"))
    found = [
        line
        for line in lines
        if line.strip() and not line.startswith("#") and len(line) <= _LONGEST
    ]
    return found[:_MAX_PATTERNS]


def _compile(patterns: list[str]) -> GitIgnoreSpec | None:
    """A matcher for the patterns that are well-formed; git too passes over one that is not."""
    if not patterns:
        return None
    import warnings

    with warnings.catch_warnings():  # "[[" in a pattern is no business of whoever scans
        warnings.simplefilter("ignore")
        return _spec(patterns) or _spec([line for line in patterns if _spec([line])])


def _spec(patterns: list[str]) -> GitIgnoreSpec | None:
    try:
        return spec_of(patterns)
    except (
        ValueError,
        re.error,
    ):  # not a pattern; or a range like [z-a], which only the regex refuses
        return None


def spec_of(patterns: Sequence[str]) -> GitIgnoreSpec:
    """What these patterns, as in ``.gitignore``, say of paths. Raises :class:`ValueError` and :class:`re.error`."""
    from pathspec import GitIgnoreSpec, RegexPattern

    spec = GitIgnoreSpec.from_lines(patterns)
    for one in spec.patterns:
        if isinstance(one, RegexPattern) and one.regex is not None:
            source = one.regex.pattern
            if (made := without_retries(source)) != source:
                one.regex = re.compile(made)
    return spec


def matcher(patterns: Sequence[str]) -> Callable[[str], bool]:
    """A test whether one of these patterns, as in ``.gitignore``, speaks of a path; both may be spelled (``%FF``).

    Raises :class:`UsageError` for what is no pattern.
    """
    try:
        speaks = spec_of([bytes_spelled(one) for one in patterns]).match_file
    except (ValueError, re.error) as error:  # from pathspec; from the regular expression it made
        raise UsageError(
            reason=f"not a pattern of paths: {' '.join(map(repr, patterns))}",
            advice="write it as in a .gitignore file, for example `memory/*.md` or `projects/`",
        ) from error
    return lambda path: speaks(bytes_spelled(path))


def without_retries(source: str) -> str:
    """The same regular expression of a pattern, in a time that grows with the length of a path and no faster."""
    source = source.replace("[^", "[^/").replace("[^//", "[^/")  # as in git: no class holds a /
    while _STAR * 2 in source:
        source = source.replace(_STAR * 2, _STAR)
    first, *rest = source.split(_STAR)
    for at, part in enumerate(rest[:-1]):
        within = "/" not in part.replace("[^/", "")  # one folder's or file's name
        rest[at] = f"(?>[^/]*?{part})" if within else f"{_STAR}{part}"
    source = "".join((first, *rest[:-1], *(f"{_STAR}{one}" for one in rest[-1:])))
    head, *folders = source.split(_BETWEEN)
    if not folders:
        return source
    if head.startswith(_ABOVE):
        head = f"^(?>(?:.+?/)??{head.removeprefix(_ABOVE)}(?=/))"
    between = (f"(?>(?:/.+?)??/{one}(?=/))" for one in folders[:-1])
    return "".join((head, *between, _BETWEEN, folders[-1]))
