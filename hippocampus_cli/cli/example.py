"""A question that the notes at hand answer, as it is typed into a shell."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable

from hippocampus_cli.markdown.safe import safe_line

_LONGEST = 40  # characters that somebody likes to type
_WORDS = re.compile(r"\w[\w'-]* \w[\w' ,()-]*")
_PLAIN = re.compile(r"\w[\w .,'()-]*")  # nothing to any shell between double quotes


def example(topics: Iterable[str]) -> str:
    """The first of ``topics`` that is a few plain words, else a plain one, else any, quoted; empty without one."""
    found = [one for one in map(safe_line, topics) if one.strip() and not one.startswith("-")]
    short = [one for one in found if len(one) <= _LONGEST]
    plain = [one for one in short if _PLAIN.fullmatch(one)]
    words = [one for one in plain if _WORDS.fullmatch(one)]
    chosen = next(iter([*words, *plain, *short, *found]), "")
    if not chosen:
        return ""
    return f'"{chosen}"' if _PLAIN.fullmatch(chosen) else shlex.quote(chosen)
