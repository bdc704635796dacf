"""The summary of an earlier compaction, block by block, as messages that stand before a session's own.

Of a summary of hippo's whose originals are gone each line is a block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hippocampus_cli.context.transcripts import Message, MessagePart, Session

PRIOR = "prior"
"""The role of a block."""
_BLOCK = re.compile(r"\n\s*\n|\n(?=[ \t]*(?:[-*•]|\d+[.)])[ \t])")
_NO_TEXT = re.compile(r"#[^\n]*|<!--[^\n]*|\[[0-9a-f]{6} [^\n]*\]")


class WithPrior:
    """A session behind the blocks of its earlier summary."""

    previous = None

    def __init__(self, session: Session) -> None:
        self._blocks = list(_blocks(session))
        self._session = session

    def __len__(self) -> int:
        return len(self._blocks) + len(self._session)

    def message(self, place: int) -> Message:
        """The message at a place."""
        before = len(self._blocks)
        return self._blocks[place] if place < before else self._session.message(place - before)


def _blocks(session: Session) -> Iterator[Message]:
    """The paragraphs and bullets of the earlier summary."""
    summary = session.previous
    if summary is None:
        return
    text = summary.text
    blocks = text.split("\n") if summary.is_own_summary else _BLOCK.split(text)
    for block in map(str.strip, blocks):
        if block and not _NO_TEXT.fullmatch(block):
            yield Message(summary.id, PRIOR, (MessagePart("text", block),), {})
