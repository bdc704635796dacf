"""A memory for CrewAI (the extra ``crewai``): asked before a task, and written to by ``remember``."""

from __future__ import annotations

from secrets import token_bytes
from typing import Any

from hippocampus_cli.adapters.brought import of_extra, places
from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.workspace.fence import Piece, fenced

with of_extra("crewai", "the CrewAI memory"):
    from crewai.memory.types import MemoryMatch, MemoryRecord
    from crewai.memory.unified_memory import Memory
    from pydantic import PrivateAttr


class HippoMemory(Memory):  # type: ignore[misc,unused-ignore]
    """The memory of a workspace instead of CrewAI's own: no model, no embedder and no vector store is asked.

    What is recalled stands in a fence with the place it is from, and ``metadata`` says how sure the answer is. A crew
    keeps only what it is told to remember; ``forget`` and ``reset`` remove nothing (``workspace.forget`` does that).
    Scopes, categories and sources are not told apart.
    """

    _workspace: Any = PrivateAttr(default=None)
    _tokens: int = PrivateAttr(default=600)

    def __init__(self, workspace: Workspace, *, tokens: int = 600, **named: Any) -> None:
        super().__init__(storage=object(), llm="none", **named)
        self._workspace = workspace
        self._tokens = tokens

    def recall(self, query: str, *given: Any, limit: int = 5, **named: Any) -> list[MemoryMatch]:
        """The places that answer, best first."""
        if not query.strip():
            return []
        return [
            MemoryMatch(
                record=MemoryRecord(
                    content=fenced([Piece(f"{one.path}:{one.start_line}", one.text)], token_bytes),
                    metadata=known,
                    source=one.path,
                ),
                score=one.score,
            )
            for one, known in places(self._workspace, query, limit, self._tokens)
        ]

    def remember(self, content: str, *given: Any, **named: Any) -> MemoryRecord | None:
        """Add it to today's log and the index."""
        if self.read_only:
            return None
        kept = self._workspace.remember(content)
        return MemoryRecord(content=content, source=kept.path)

    def remember_many(self, contents: list[str], *given: Any, **named: Any) -> list[MemoryRecord]:
        """Remember each of them."""
        return list(filter(None, map(self.remember, contents)))

    def extract_memories(self, content: str) -> list[str]:
        """Does nothing: no model is asked which parts of a task to keep."""
        return []

    def forget(self, *given: Any, **named: Any) -> int:
        """Removes nothing."""
        return 0

    def reset(self, *given: Any, **named: Any) -> None:
        """Removes nothing."""

    def reset_all(self) -> None:
        """Removes nothing."""
