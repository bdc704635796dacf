"""What every failure has."""

from __future__ import annotations

from typing import ClassVar


class HippoError(Exception):
    """Base of all expected failures. ``path`` and ``line`` (1-based) say where; ``facts`` fill the templates."""

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1
    what: ClassVar[str] = "{reason}"
    next: ClassVar[str] = ""

    def __init__(
        self, *, path: str | None = None, line: int | None = None, **facts: object
    ) -> None:
        self.path = path
        self.line = line
        self.facts = facts
        super().__init__(self.message)

    @property
    def where(self) -> str:
        """``file:line``, ``file``, or an empty string."""
        if self.path is None:
            return ""
        return self.path if self.line is None else f"{self.path}:{self.line}"

    @property
    def message(self) -> str:
        """What happened, with the facts filled in."""
        return self.what.format(path=self.path, line=self.line, **self.facts)

    @property
    def advice(self) -> str:
        """What to do next, or an empty string."""
        return self.next.format(path=self.path, line=self.line, **self.facts)
