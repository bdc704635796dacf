"""A middleware for LangChain's agents (the extra ``langchain-agent``): the memory stands in every request."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from hippocampus_cli.adapters.brought import Brought
from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.errors import ExtraMissing

try:
    from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
    from langchain_core.messages import AnyMessage, HumanMessage, SystemMessage
except ImportError as error:
    raise ExtraMissing(feature="the LangChain middleware", extra="langchain-agent") from error


class HippoMiddleware(AgentMiddleware):  # type: ignore[misc,type-arg,unused-ignore]
    """Adds the brief, and what the memory is sure of about the last request, to the system message."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._brought = Brought(workspace)

    def wrap_model_call(
        self, request: ModelRequest, handler: Callable[[ModelRequest], ModelResponse]
    ) -> Any:
        """Call the handler with the memory added to the request."""
        return handler(_with(request, self._brought.text(_last(request.messages))))

    async def awrap_model_call(
        self, request: ModelRequest, handler: Callable[[ModelRequest], Awaitable[ModelResponse]]
    ) -> Any:
        """The same, asked in a thread."""
        text = await asyncio.to_thread(self._brought.text, _last(request.messages))
        return await handler(_with(request, text))


def _last(messages: list[AnyMessage]) -> str:
    """What the user said last."""
    said = (str(one.text) for one in reversed(messages) if isinstance(one, HumanMessage))
    return next(said, "")


def _with(request: ModelRequest, text: str) -> ModelRequest:
    known = request.system_message
    content = [*known.content_blocks] if known else []
    message = SystemMessage(content=[*content, {"type": "text", "text": text}])
    return request.override(system_message=message)
