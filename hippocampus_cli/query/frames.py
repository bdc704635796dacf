"""Statements of one shape with another value: ``The port is 5432`` and, a week later, ``The port is 5433``. Pure.

Two statements are about the same matter if they read alike but for one run of words in one place, and that run is
a value: it stands after a word that says how things are (*is*, *in*, *uses*, ``:``), or before one. What is asked
for must stand in what they share: *the capital of France* is not *the capital of Spain*.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.text.tokenizer import forms, is_stop

_WORD = pattern(r"\w+(?:[.'’/-]\w+)*|[:=→]")
_LEADING = pattern(r"[\s>*+-]*(?:\d{1,9}[.)]\s)?(?:\[[ xX]\]\s)?")
_MOST_WORDS = 40
_LONGEST_VALUE = 10
_SHORTEST_FRAME = 3
_CONTENT = 2
_RELATIONS = """
    is are was were be been being am to of in by at on from for with as has have had likes prefers uses use runs wants
    needs costs takes lives works speaks plays named called a an the
    ist sind war waren heißt wohnt arbeitet nutzt mag die der das es son era fue est sont était
    := : = →
"""
_BEFORE_VALUE = frozenset(_RELATIONS.split())
_AFTER_VALUE = frozenset(["is", "are", "was", "were", "ist", "sind", "war"])


class Frame(NamedTuple):
    """The words of a statement, in lower case."""

    words: tuple[str, ...]


def frame_of(text: str) -> Frame:
    """A statement's words; none for one that is too long to have a shape."""
    head = _LEADING.match(text)
    words = _WORD.findall(text[head.end() if head else 0 :].lower())
    return Frame(tuple(words) if len(words) <= _MOST_WORDS else ())


def other_value(old: Frame, new: Frame, asked: AbstractSet[str]) -> bool:
    """Whether they say the same of the same thing, with another value that nobody asked for by name."""
    one, other = old.words, new.words
    if not one or not other or one == other:
        return False
    most = min(len(one), len(other))
    first = next((at for at in range(most) if one[at] != other[at]), most)
    last = next((at for at in range(most - first) if one[-1 - at] != other[-1 - at]), most - first)
    values = one[first : len(one) - last], other[first : len(other) - last]
    if not all(0 < len(value) <= _LONGEST_VALUE for value in values):
        return False
    shared = (*one[:first], *one[len(one) - last :])
    after = first > 0 and one[first - 1] in _BEFORE_VALUE
    before = last > 0 and first == 0 and one[len(one) - last] in _AFTER_VALUE
    if len(shared) < _SHORTEST_FRAME or not (after or before):
        return False
    frame = _stems(shared)
    sought = asked & (frame | _stems(values[0]) | _stems(values[1]))
    return len(frame) >= _CONTENT and bool(sought) and sought <= frame


def _stems(words: tuple[str, ...]) -> set[str]:
    return {stem for word in words for stem in forms(word)[:1] if not is_stop(stem)}
