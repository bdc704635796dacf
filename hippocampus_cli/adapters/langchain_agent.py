"""A middleware for LangChain's agents (the extra ``langchain-agent``): the memory stands in every request."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from hippocampus_cli.adapters.brought import Brought, of_extra
from hippocampus_cli.api.workspace import Workspace

with of_extra("langchain-agent", "the LangChain middleware"):
    from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
    from langchain_core.messages import AnyMessage, HumanMessage, SystemMessage


class HippoMiddleware(AgentMiddleware):  # type: ignore[misc,type-arg,unused-ignore]
    """Adds the brief to the system message, and to each request what is likely to answer it; nothing that the model
    saw before changes."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._brought = Brought(workspace)

    def wrap_model_call(
        self, request: ModelRequest, handler: Callable[[ModelRequest], ModelResponse]
    ) -> Any:
        """Call the handler with the memory added to the request."""
        return handler(self._with_memory(request))

    async def awrap_model_call(
        self, request: ModelRequest, handler: Callable[[ModelRequest], Awaitable[ModelResponse]]
    ) -> Any:
        """The same, asked in a thread."""
        return await handler(await asyncio.to_thread(self._with_memory, request))

    def _with_memory(self, request: ModelRequest) -> ModelRequest:
        said = [each for each in request.messages if isinstance(each, HumanMessage)]
        about = iter(self._brought.about([str(each.text) for each in said]))
        known = request.system_message
        system = SystemMessage(
            content=_with_text(known, self._brought.brief) if known else self._brought.brief
        )
        messages = [
            each.model_copy(update={"content": _with_text(each, text)})
            if isinstance(each, HumanMessage) and (text := next(about))
            else each
            for each in request.messages
        ]
        return request.override(system_message=system, messages=messages)


def _with_text(message: AnyMessage, text: str) -> list[Any]:
    """The message's content with a text behind it."""
    return [*message.content_blocks, {"type": "text", "text": text}]
