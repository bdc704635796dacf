"""Some lines of a text, by their numbers or by what stands in them: `--lines` and `--grep`."""

from __future__ import annotations

import re

from hippocampus_cli.errors import UsageError

_LINES = re.compile(r"(\d{1,9})?(-)?(\d{1,9})?")
_ADVICE = "write --lines 10-20, 10- (from there), -20 (up to there) or 10"


def excerpt(text: str, lines: str, grep: str) -> str:
    """The lines whose numbers ``lines`` names; of them those in which ``grep`` is found, in any case, each behind its
    number. Raises :class:`UsageError`."""
    if not (lines or grep):
        return text
    given = list(enumerate(text.splitlines(), 1))
    first, last = _range(lines, len(given))
    chosen = given[first - 1 : last]
    if not grep:
        return "".join(f"{line}\n" for _, line in chosen)
    try:
        wanted = re.compile(grep, re.IGNORECASE)
    except re.error as error:
        reason = f"--grep is not a regular expression: {error}"
        raise UsageError(reason=reason, advice="escape its signs with a backslash") from None
    return "".join(f"{number}:{line}\n" for number, line in chosen if wanted.search(line))


def _range(lines: str, count: int) -> tuple[int, int]:
    found = _LINES.fullmatch(lines.strip()) if lines else None
    if lines and (found is None or not (found[1] or found[3])):
        raise UsageError(reason=f"--lines {lines[:40]!r} names no lines", advice=_ADVICE)
    if found is None:
        return 1, count
    first = int(found[1] or 1)
    last = int(found[3]) if found[3] else (count if found[2] else first)
    if not 1 <= first <= last:
        raise UsageError(reason=f"--lines {lines[:40]!r} names no lines", advice=_ADVICE)
    return first, last
