"""Some lines of a text, by their numbers or by what stands in them: `--lines` and `--grep`."""

from __future__ import annotations

import re

from hippocampus_cli.errors import UsageError

_LINES = re.compile(r"(?=.*\d)(\d{1,9})?(-)?(\d{1,9})?")
_ADVICE = "write --lines 10-20, 10- (from there), -20 (up to there) or 10"


def excerpt(text: str, lines: str, grep: str) -> str:
    """The lines whose numbers ``lines`` names; of them those in which ``grep`` is found, in any case, each behind its
    number. Raises :class:`UsageError`."""
    if not (lines or grep):
        return text
    numbered = list(enumerate(text.splitlines(), 1))
    if lines:
        numbered = _chosen(numbered, lines)
    if not grep:
        return "".join(f"{line}\n" for _, line in numbered)
    try:
        wanted = re.compile(grep, re.IGNORECASE)
    except re.error as error:
        reason = f"--grep is not a regular expression: {error}"
        raise UsageError(reason=reason, advice="escape its signs with a backslash") from None
    return "".join(f"{number}:{line}\n" for number, line in numbered if wanted.search(line))


def _chosen(numbered: list[tuple[int, str]], lines: str) -> list[tuple[int, str]]:
    match = _LINES.fullmatch(lines.strip())
    if match:
        first = int(match[1] or 1)
        last = int(match[3] or (len(numbered) if match[2] else first))
        if 1 <= first <= last:
            return numbered[first - 1 : last]
    raise UsageError(reason=f"--lines {lines[:40]!r} names no lines", advice=_ADVICE)
