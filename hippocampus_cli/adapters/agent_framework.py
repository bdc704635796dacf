"""A context provider for Microsoft's Agent Framework (the extra ``agent-framework``): asked before each run."""

from __future__ import annotations

import asyncio
from typing import Any

from hippocampus_cli.adapters.brought import Brought, of_extra
from hippocampus_cli.api.workspace import Workspace

with of_extra("agent-framework", "the context provider"):
    from agent_framework import AgentSession, ContextProvider, Message, SessionContext


class HippoContextProvider(ContextProvider):  # type: ignore[misc,unused-ignore]
    """Adds the brief to the agent's instructions, and before the request what is likely to answer it."""

    def __init__(self, workspace: Workspace, source_id: str = "hippo") -> None:
        super().__init__(source_id)
        self._brought = Brought(workspace)

    async def before_run(
        self, *, agent: Any, session: AgentSession, context: SessionContext, state: dict[str, Any]
    ) -> None:
        """Ask the memory, in a thread."""
        said = [one.text for one in context.input_messages if str(one.role) == "user" and one.text]
        context.extend_instructions(
            self.source_id, await asyncio.to_thread(lambda: self._brought.brief)
        )
        (text,) = await asyncio.to_thread(self._brought.about, said[-1:] or [""])
        if text:
            context.extend_messages(self.source_id, [Message("user", [text])])
