"""A memory for AutoGen's agents (the extra ``autogen``): asked before each answer, and written to by ``add``."""

from __future__ import annotations

import asyncio
from typing import Any

from hippocampus_cli.adapters.brought import Brought, of_extra, places
from hippocampus_cli.api.workspace import Workspace

with of_extra("autogen", "the AutoGen memory"):
    from autogen_core import CancellationToken
    from autogen_core.memory import (
        Memory,
        MemoryContent,
        MemoryMimeType,
        MemoryQueryResult,
        UpdateContextResult,
    )
    from autogen_core.model_context import ChatCompletionContext
    from autogen_core.models import SystemMessage, UserMessage


class HippoMemory(Memory):  # type: ignore[misc,unused-ignore]
    """The memory of a workspace. Only sure answers are put into a context."""

    component_type = "memory"

    def __init__(self, workspace: Workspace, *, limit: int = 3, tokens: int = 300) -> None:
        self._workspace = workspace
        self._limit = limit
        self._tokens = tokens
        self._brought = Brought(workspace)

    async def update_context(self, model_context: ChatCompletionContext) -> UpdateContextResult:
        """Add what the memory knows about the user's last message and the context lacks, as quoted text."""
        messages = await model_context.get_messages()
        asked = [str(each.content) for each in messages if isinstance(each, UserMessage)]
        known = "\n".join(str(each.content) for each in messages if isinstance(each, SystemMessage))
        texts = await asyncio.to_thread(self._brought.about, asked)
        new = [text for text in texts[-1:] if text and text not in known]
        for text in new:
            await model_context.add_message(SystemMessage(content=text))
        kind = MemoryMimeType.TEXT
        added = [MemoryContent(content=text, mime_type=kind) for text in new]
        return UpdateContextResult(memories=MemoryQueryResult(results=added))

    async def query(
        self,
        query: str | MemoryContent,
        cancellation_token: CancellationToken | None = None,
        **_: Any,
    ) -> MemoryQueryResult:
        """The places that answer, best first; ``metadata`` says where each stands and how sure the answer is."""
        asked = str(query.content) if isinstance(query, MemoryContent) else query
        found = await asyncio.to_thread(places, self._workspace, asked, self._limit, self._tokens)
        kind = MemoryMimeType.MARKDOWN
        return MemoryQueryResult(
            results=[
                MemoryContent(content=one.text, mime_type=kind, metadata=known)
                for one, known in found
            ]
        )

    async def add(
        self, content: MemoryContent, cancellation_token: CancellationToken | None = None
    ) -> None:
        """Remember it: into today's log and the index."""
        await asyncio.to_thread(self._workspace.remember, str(content.content))

    async def clear(self) -> None:
        """Does nothing: an agent does not remove notes (``workspace.forget`` does that)."""

    async def close(self) -> None:
        """Does nothing: the workspace belongs to the program."""
