"""The summary of an earlier compaction, block by block, as messages that stand before a session's own.

Of a summary of hippo's own every original is among the messages, so nothing is taken from it, unless there are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hippocampus_cli.context.transcripts import Continued, Message, Messages, Part, Session

TITLE = "# hippocampus.md Compaction"
PRIOR = "prior"
"""The role of a block."""
_BLOCK = re.compile(r"\n\s*\n|\n(?=[ \t]*(?:[-*•]|\d+[.)])[ \t])")
_NO_TEXT = re.compile(r"#[^\n]*|<!--[^\n]*|\[[0-9a-f]{6} [^\n]*\]")


def with_prior(session: Session) -> Session:
    """A session behind the blocks of its earlier summary."""
    return Continued(Messages(list(_blocks(session))), session)


def _blocks(session: Session) -> Iterator[Message]:
    """The paragraphs and bullets of the earlier summary."""
    summary = session.previous
    own = summary is not None and TITLE in summary.text
    if summary is None or (own and len(session)):
        return
    blocks = summary.text.split("\n") if own else _BLOCK.split(summary.text)
    for block in map(str.strip, blocks):
        if block and not _NO_TEXT.fullmatch(block):
            yield Message(summary.id, PRIOR, (Part("text", block),), {})
