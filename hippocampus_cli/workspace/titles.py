"""Headings as people cite them: without markdown, case, or the invisible parts of an emoji."""

from __future__ import annotations

from functools import lru_cache

from hippocampus_cli.light import pattern

_INVISIBLE = pattern("[\u200b-\u200d\u2060\ufe00-\ufe0f\ufeff\u00ad]")
_IMAGE_OR_LINK = pattern(r"!?\[([^\[\]]*)\]\([^()]*\)")
_WIKI_LINK = pattern(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_MARKS = pattern(r"\*+|`+|~~|==|(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)|\\(?=[!-/:-@\[-`{-~])")
_SUSPICIOUS = pattern(r"[*`~=_\\\[\]]|[^\x20-\x7e]")


def plain(title: str) -> str:
    """``title`` as it reads: links by their text, no emphasis, single blanks."""
    if _SUSPICIOUS.search(title):
        title = _INVISIBLE.sub("", title)
        title = _WIKI_LINK.sub(r"\1", _IMAGE_OR_LINK.sub(r"\1", title))
        title = _MARKS.sub("", title)
    return " ".join(title.split())


@lru_cache(maxsize=8192)
def fold(title: str) -> str:
    """What two titles have in common that name the same heading."""
    return plain(title).casefold()
