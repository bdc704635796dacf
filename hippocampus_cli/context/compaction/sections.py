"""Filling a summary within a budget, in characters, so that the whole is never above it."""

from __future__ import annotations

from dataclasses import dataclass, field

_PATIENCE = 20  # things that did not fit, one after the other


@dataclass(slots=True)
class Purse:
    """What may still be spent."""

    left: int
    _refused: int = 0

    @property
    def closed(self) -> bool:
        """Whether so much did not fit that the next thing, which has to be read first, is not worth trying."""
        return self._refused >= _PATIENCE

    def spend(self, cost: int) -> bool:
        """Spend it, if it is there."""
        if cost > self.left:
            self._refused += 1
            return False
        self.left -= cost
        self._refused = 0
        return True


@dataclass(slots=True)
class Section:
    """A heading and what stands below it, written in the order of the places.

    ``head`` are the characters that are added later to each block.
    """

    heading: str
    gap: str = "\n"
    head: int = 0
    blocks: dict[int, str] = field(default_factory=dict)

    def add(self, at: int, block: str, purse: Purse) -> bool:
        """Add a block, if the purse pays for it and, with the first, for the heading."""
        cost = (
            len(block) + self.head + len(self.gap) + (0 if self.blocks else len(self.heading) + 3)
        )
        if not purse.spend(cost):
            return False
        self.blocks[at] = block
        return True

    def text(self) -> str:
        """The section with a blank line before it; nothing where it is empty."""
        if not self.blocks:
            return ""
        body = self.gap.join(self.blocks[at] for at in sorted(self.blocks))
        return f"\n{self.heading}\n{body}\n"
