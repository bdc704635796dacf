"""A budget of tokens, filled in order of worth: what does not fit is left out, and smaller things may follow."""

from __future__ import annotations

_MOST_REFUSED = 20  # one after the other


class Budget:
    """The tokens that are ``left``. Parts of one add up."""

    def __init__(self, left: float) -> None:
        self.left = left
        self._reserve = 0.0
        self._refused = 0

    def allow(self, most: float) -> None:
        """Begin another part of what is bought, for which at most so many tokens may be used."""
        self._reserve = max(0.0, self.left - most)
        self._refused = 0

    @property
    def exhausted(self) -> bool:
        """Whether so much did not fit that it is not worth reading the next thing to try it."""
        return self._refused >= _MOST_REFUSED

    def spend(self, cost: float) -> bool:
        """Use ``cost`` tokens if they are left; whether they were."""
        if cost > self.left - self._reserve:
            self._refused += 1
            return False
        self.left -= cost
        self._refused = 0
        return True
