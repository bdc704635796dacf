"""Whether two statements can both hold. Pure.

They are compared where they claim something of the same subject and attribute: another value of what has one at a
time, the denial of the same value, the other way round of a preference, or words that say what came instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.mind.claims import BECOMES, IS, Claim

How = Literal["denies", "other value", "reversed", "replaces", "in other words"]
"""Only a language model finds the last one."""
_ALIKE = 0.6  # share of stems in common: the same subject, said with a word more
_ANY = frozenset(
    (
        "prefer",
        "like",
        "use",
        "drink",
        "eat",
        "want",
        "drive",
        "smoke",
        "take",
        "play",
        "own",
        "live",
        "work",
    )
)


class Conflict(NamedTuple):
    """A later statement and the earlier one that it conflicts with. ``change``: the later says that it is new."""

    later: Claim
    earlier: Claim
    how: How
    change: bool


def conflict(later: Claim, earlier: Claim) -> Conflict | None:
    """How ``later`` conflicts with ``earlier``; ``None`` where both can hold, or where that cannot be told."""
    how = _how(later, earlier)
    return Conflict(later, earlier, how, later.change) if how else None


def conflicts(later: Claim, held: Iterable[Claim]) -> list[Conflict]:
    """Every statement that ``later`` conflicts with."""
    return [found for one in held if (found := conflict(later, one))]


def _how(new: Claim, old: Claim) -> How | None:
    if not _same_subject(new.subject, old.subject) or new.text == old.text:
        return None
    if _takes_back_number(new, old):
        return "replaces"
    if not _same_attribute(new, old):
        return None
    if (
        new.old
        and not old.negative
        and _overlap(new.old, old.value)
        and not _same(new.value, old.value)
    ):
        return "replaces"
    if new.attribute == "any" and not new.negative:
        return None
    if (new.against or old.against) and _reversed(new, old):
        return "reversed"
    if new.negative != old.negative:
        return "denies" if _same(new.value, old.value) else None
    if new.negative or _same(new.value, old.value):
        return None
    if new.single and old.single:
        return "other value"
    if _overlap(new.value, old.value):
        return None
    if (
        new.attribute == "prefer" == old.attribute
        and new.change
        and not (new.against and old.against)
    ):
        return "other value"
    return None


def _takes_back_number(new: Claim, old: Claim) -> bool:
    """Whether the later statement says that a number of the earlier one no longer holds."""
    number = any(stem[0].isdigit() for stem in new.old)
    return new.change and number and new.old <= old.value and not old.negative


def _same_attribute(new: Claim, old: Claim) -> bool:
    if new.attribute == "any":
        return old.attribute in _ANY
    if BECOMES in (new.attribute, old.attribute):
        return {new.attribute, old.attribute} <= IS | {BECOMES}
    return new.attribute == old.attribute


def _same_subject(one: frozenset[str], other: frozenset[str]) -> bool:
    """One may have a word more; if each has its own word (*head of Chile*, *head of Peru*), they are two."""
    if one == other:
        return True
    less, more = sorted((one, other), key=len)
    return less < more and len(less) > 1 and len(less) / len(more) >= _ALIKE


def _reversed(new: Claim, old: Claim) -> bool:
    if new.negative != old.negative:
        return False
    return (_overlap(new.value, old.against) and not _same(new.value, old.value)) or (
        _overlap(new.against, old.value) and not _same(new.value, old.value)
    )


def _same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two values are the same, maybe with words left out."""
    return (
        bool(one)
        and bool(other)
        and (one <= other or other <= one)
        and not _other_numbers(one, other)
    )


def _overlap(one: frozenset[str], other: frozenset[str]) -> bool:
    """Enough in common to be the same thing, or a part of it."""
    common = len(one & other)
    if not common or _other_numbers(one, other):
        return False
    return _same(one, other) or common / min(len(one), len(other)) >= _ALIKE


def _other_numbers(one: frozenset[str], other: frozenset[str]) -> bool:
    first, second = ({stem for stem in all_ if stem[0].isdigit()} for all_ in (one, other))
    return bool(first) and bool(second) and first != second
