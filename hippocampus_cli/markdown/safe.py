"""Text of a workspace where people read it: no signs of markdown, no control codes.

Control codes become visible and do nothing (decision D19). Emphasis is CommonMark's, but for one thing: names win.
A ``*`` or ``_`` between two letters or digits opens nothing (``2*3*4``, ``snake_case``), a ``_`` beside what goes
on as a path or a call is part of it (``_config_.yml``, ``/_build_/``), and ``__init__`` around one identifier is a
name. Code spans and escaped signs stand as they are.
"""

from __future__ import annotations

import re

from hippocampus_cli.fast_types import pattern

# C0 but tab and newline, DEL, C1 (whose U+009B starts a sequence like ESC [ does), line separators,
# bidirectional marks, overrides and isolates, spaces without width (the joiners stay: scripts and emoji need them),
# invisible operators and tags, lone surrogates.
_HARMFUL = pattern(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\ud800-\udfff]"
)
_BYTES = pattern("[\udc80-\udcff]")
_BREAKS = pattern(r"[\t\n\r]+")
_REPLACEMENT = "\ufffd"
_SPECIAL = pattern(r"[*_`\[\]<>\\&\ue000]")
_HELD = "\ue000"  # for a piece that stands as it is; private use, so it is rare in a text
_VERBATIM = pattern(
    r"\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?<!`)(?P<ticks>`++)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)"
    r"|<(?P<address>[A-Za-z][\w.+-]{1,30}:[^\s<>]*|[\w.+-]{1,64}@[\w.-]+)>"
    rf"|(?P<held>{_HELD})",
    re.DOTALL,
)
_WIKI_LINK = pattern(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_LINK = pattern(r"!?\[([^\[\]]*)\]\((?:[^()]++|\([^()]*\))*+\)")
# Of HTML; `<NAME>` and `List<T>` are text.
_TAG = (
    "a|abbr|article|aside|b|big|blockquote|br|center|cite|code|dd|del|details|div|dl|dt|em|figcaption|figure|font|h[1-6]|hr"
    "|i|iframe|img|ins|kbd|li|mark|ol|p|picture|pre|q|s|samp|section|small|source|span|strong|style|sub|summary|sup|table"
    "|tbody|td|tfoot|th|thead|time|tr|tt|u|ul|var|video|wbr"
)
_HTML = pattern(rf"</?(?:{_TAG})(?:[\s/][^<>]*)?>|<!--(?:(?!-->|<!--).)*+-->", re.DOTALL)
_ENTITY = pattern(r"&#?\w{1,31};")
# Without signs of their own within: what is nested goes first.
_STARS = pattern(
    r"(?<!\*)(?:(?<![A-Za-z0-9])|(?!\*+[A-Za-z0-9]))(\*{1,3})(?![\s*])([^*]++)(?<!\s)\1(?!\*)"
)
_SCORES = pattern(
    r"(?<![^\s(\[{<\"'“„‘«*~—–|])(?!__[^\W_]\w*__(?!\w))(_{1,3})(?![\s_])((?:[^_]|(?<=[^\W_])_+(?=[^\W_]))++)(?<!\s)\1"
    r"(?=[.,;:!?)\]}>\"'”’»*~—–|…]{0,4}(?:\s|$))"
)
_NESTED = 3  # how deep emphasis is taken off


def safe(text: str) -> str:
    """``text`` with everything but tabs and newlines that a terminal would act on made visible, and bytes that are no
    UTF-8 spelled."""
    if text.isascii() and text.isprintable():
        return text
    return _HARMFUL.sub(_visible, bytes_spelled(text.replace("\r\n", "\n")))


def safe_line(text: str) -> str:
    """The same as one line: each run of tabs and line breaks is one space."""
    return safe(_BREAKS.sub(" ", text))


def safe_json(document: str) -> str:
    """A JSON document with the same characters as escapes: its meaning stays, but for lone surrogates, which strict
    readers of JSON refuse."""
    return _HARMFUL.sub(_escaped, bytes_spelled(document))


def bytes_spelled(text: str) -> str:
    """``text`` with each byte that is no UTF-8 (a lone surrogate stands for it) written as in a pointer: ``%FF``."""
    return _BYTES.sub(lambda found: f"%{ord(found.group()) - 0xDC00:02X}", text)


def _escaped(found: re.Match[str]) -> str:
    code = ord(found.group())
    if 0xD800 <= code <= 0xDFFF:  # no UTF-8 can hold it
        return _REPLACEMENT
    units = found.group().encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def _visible(found: re.Match[str]) -> str:
    code = ord(found.group())
    if code < 0x20:
        return chr(0x2400 + code)  # the control pictures: ESC is shown as ␛
    if code == 0x7F:
        return "\u2421"
    if 0xD800 <= code <= 0xDFFF:
        return _REPLACEMENT
    return f"<U+{code:04X}>"


def inline_text(markdown: str) -> str:
    """``markdown`` (of one paragraph, bullet or title) without links' targets, tags of HTML, escapes and emphasis."""
    if not _SPECIAL.search(markdown):
        return markdown
    held: list[str] = []

    def hold(match: re.Match[str]) -> str:
        held.append(_verbatim(match))
        return _HELD

    text = _VERBATIM.sub(hold, markdown)
    text = _WIKI_LINK.sub(r"\1", text)
    text = _LINK.sub(r"\1", _LINK.sub(r"\1", text))  # twice: a picture may be a link
    text = _without_emphasis(_HTML.sub("", text))
    if _ENTITY.search(text):
        from html import unescape

        text = unescape(text)
    pieces = text.split(_HELD)
    return "".join(part for pair in zip(pieces, [*held, ""], strict=False) for part in pair)


def _verbatim(match: re.Match[str]) -> str:
    code = match["code"]
    if code is None:
        return match["escaped"] or match["address"] or match[0]
    padded = code[0] == code[-1] == " " and bool(code.strip())
    return code[1:-1] if padded else code


def _without_emphasis(text: str) -> str:
    for _ in range(_NESTED):
        text = _SCORES.sub(r"\2", _STARS.sub(r"\2", text))
    return text
