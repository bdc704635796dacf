"""What a unit is like whatever is asked: its label, and whether it asks itself."""

from __future__ import annotations

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.text.tokenizer import stem_text

QUESTION = 1
"""The flag of a unit that ends with a question mark."""
LABEL_SHIFT = 12
_LONGEST_LABEL = 255  # characters of its stems
_WIDE = r"：(?!\Z|(?<=\d：)\d)"  # no space stands behind it; that of a time of day is none
_LABEL = pattern(
    r"\s*(?:(?:[-*+•]|\d{1,9}[.)])\s+)?(?:\[[ xX]\]\s+)?"
    r"(?:\|\s*+(?P<cell>[^|\n]{1,60}?)\s*+\||"
    r"(?P<mark>\*\*|__)?(?P<name>\w[^:：*|\n.!?。！？]{0,40}?)(?:(?<=\w)|(?<=[)`”\"）」』】]))"
    rf"(?(mark)(?::?(?:\*\*|__)(?::?\s|{_WIDE})|[:：](?:\*\*|__)\s?)|(?::\s|{_WIDE})))"
)
_MOST_WORDS = 4
_MOST_UNSPACED = 12  # characters, where words stand without spaces


def traits_of(text: str, stems: str) -> int:
    """The flags of a unit, and above :data:`LABEL_SHIFT` how many characters of ``stems`` its label takes.

    ``stems`` are those of ``text``. A label says what the rest is about or who says it: what stands before a
    colon (``Deploy:``, ``**Ines:**``), or the first cell of a row.
    """
    flags = QUESTION if _asks(text) else 0
    return flags | _label(text, stems) << LABEL_SHIFT


def _asks(text: str) -> bool:
    text = text.rstrip()
    if text.endswith("]"):  # what stands in brackets at the end is an aside
        text = text[: text.rfind("[")].rstrip()
    return text.endswith("?")


def _label(text: str, stems: str) -> int:
    if not (":" in text or "|" in text or "**" in text or "__" in text or "：" in text):
        return 0  # spares most units the pattern
    found = _LABEL.match(text)
    if found is None:
        return 0
    group = "cell" if found["cell"] else "name"
    if not 0 < len(found[group].split()) <= _MOST_WORDS:
        return 0
    if "：" in text[found.end(group) : found.end()] and _is_long(found[group]):
        return 0
    own = stem_text(text[: found.end(group)])  # a number or a box that is ticked stands before it
    return len(own) if f"{stems} ".startswith(f"{own} ") and len(own) <= _LONGEST_LABEL else 0


def _is_long(name: str) -> bool:
    return len(name) > _MOST_UNSPACED and not name.isascii()
