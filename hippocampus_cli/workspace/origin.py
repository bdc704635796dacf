"""Whose words a piece of text is: ``user``, ``assistant``, ``tool``, ``file``, ``import``, or ``unknown``.

It is what the text says of itself, for an agent that weighs what it reads. It proves nothing: whoever can write a
note can write a label.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.workspace.kinds import SHARED_FOLDER, NoteKind, kind_of

Origin = Literal["user", "assistant", "tool", "file", "import", "unknown"]

_SHARED = f"{SHARED_FOLDER}/"
_ROLES: dict[str, Origin] = {
    "user": "user",
    "human": "user",
    "bash": "tool",  # a command that the user ran, and most of it what it printed
    "assistant": "assistant",
    "tool": "tool",
    "tool result": "tool",
    "file": "file",
}
_WORDS = "user|human|assistant|system|tool|tool result"
LABEL = pattern(  # - 09:12 **User:** …  and  [tool] …
    r"\s*(?:[-*+]\s+)?(?:\[?\d{1,2}:\d\d(?::\d\d)?\]?\s+)?"
    rf"(?:(\*\*|__|)({_WORDS})(?::\1|\1:)|\[({_WORDS})\]:?)(?:\s|$)",
    2,  # re.IGNORECASE
)
_HEADING = pattern(r"#{1,6}\s++(.*)$")


def of_role(role: str) -> Origin:
    """The origin of what somebody in this role of a transcript said; ``unknown`` for any other word."""
    return _ROLES.get(role.casefold(), "unknown")


def of_lines(path: str, lines: Iterable[str]) -> Origin:
    """The origin of these lines of the note ``path``.

    ``import`` for what another agent shared. Else ``file``, but for a daily log in which every line is the same
    one's: behind ``User:``, ``**Assistant:**``, ``[tool]`` and the like, in a line that follows such a one without a
    blank line, or below a heading that is such a word.
    """
    if path.startswith(_SHARED):
        return "import"
    if kind_of(path) != NoteKind.DAILY:
        return "file"
    origins = {origin for origin in of_each(lines) if origin is not None}
    return origins.pop() if len(origins) == 1 else "file"


def of_each(lines: Iterable[str]) -> Iterator[Origin | None]:
    """The origin of each line of a daily log; ``None`` for a heading and for a line that says nothing."""
    section: Origin = "file"
    speaker: Origin = "file"
    for line in lines:
        if line.startswith("#") and (heading := _HEADING.match(line)):
            title = heading[1].rstrip().rstrip("#").rstrip()
            section = speaker = _ROLES.get(title.casefold(), "file")
        elif not line.strip():
            speaker = section
        elif line.strip() != "…":
            if label := LABEL.match(line):
                speaker = of_role(label[2] or label[3])
            yield speaker
            continue
        yield None
