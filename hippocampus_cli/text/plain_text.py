"""Markdown to the plain text of one line."""

from __future__ import annotations

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.markdown.safe import inline_text
from hippocampus_cli.redaction.redactor import filled

_MACHINE = pattern(r"\[\w{1,40}=[^\]]{0,200}\]")  # [score=0.86 recalls=6], left by other tools
_CONTROL = pattern(
    "[\x00-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffd\ud800-\udfff]+"
)
_ESCAPE = pattern("(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)")
_EMOJI = pattern(
    "[\u20e3\u231a-\u23ff\u2600-\u27bf\u2b05-\u2b55\u3030\ufe00-\ufe0f\U0001f000-\U0001faff"
    "\U000e0020-\U000e007f]+"
)
_LOOSE = pattern(r" ([.,;:!?)\]](?: |$))")  # what an emoji or a comment left behind
_LONGEST = 600
ELSEWHERE = "(see the note)"
"""What an entry says in the place of what it must not hold."""


def plain_text(markdown: str) -> str:
    """``markdown`` (of one paragraph or bullet) as it reads: no marks, emoji or control characters.

    Text beyond the first 600 characters is dropped.
    """
    text = _MACHINE.sub("", filled(markdown, ELSEWHERE)[:_LONGEST])
    if "\x1b" in text or "\x9b" in text:
        text = _ESCAPE.sub(" ", text)
    return clean(inline_text(text).replace("~~", ""))


def clean(text: str) -> str:
    """``text`` on one line, without emoji and without characters that steer a terminal."""
    if not text.isascii() or not text.isprintable():
        text = _ESCAPE.sub(" ", text)
        text = _EMOJI.sub("", _CONTROL.sub(" ", text))
    text = " ".join(text.split())
    return _LOOSE.sub(r"\1", text)


def shorten(text: str, limit: int) -> str:
    """``text`` cut at a word to at most ``limit`` characters, with an ellipsis where it was cut."""
    if len(text) <= limit:
        return text
    kept = text[: limit - 1]
    if not text[limit - 1].isspace():
        space = kept.rfind(" ")
        kept = kept[:space] if space > limit // 2 else kept
    return kept.rstrip(" ,;:.–—-(\"'“") + "…"
