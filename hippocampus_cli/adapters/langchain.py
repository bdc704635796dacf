"""LangChain: a retriever over the memory, and a chat history that fades (the extra ``langchain``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hippocampus_cli.adapters.brought import of_extra, places
from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.errors import SessionNotFound

with of_extra("langchain", "what LangChain is given"):
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.chat_history import BaseChatMessageHistory
    from langchain_core.documents import Document
    from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
    from langchain_core.retrievers import BaseRetriever


class HippoRetriever(BaseRetriever):  # type: ignore[misc,unused-ignore]
    """The places that answer a question, best first: ``metadata`` says where each stands and how sure the answer is.

    ``write`` counts what was found as used, as ``hippo query`` does.
    """

    workspace: Any
    limit: int = 5
    tokens: int = 1_500
    write: bool = False

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        found = places(self.workspace, query, self.limit, self.tokens, self.write)
        return [Document(page_content=one.text, metadata=known) for one, known in found]


_ROLES = {"human": "user", "ai": "assistant", "tool": "tool", "system": "system"}
_MESSAGES: dict[str, type[BaseMessage]] = {"assistant": AIMessage, "system": SystemMessage}


class HippocampusMemory(BaseChatMessageHistory):  # type: ignore[misc,unused-ignore]
    """What was said in a session, within ``tokens``: the newest and strongest whole, older messages as summaries.

    Every message of the user is a turn, and the others fade by it. What left the window is kept, and
    ``workspace.context(session).get(id)`` gives it back whole. Messages are their texts. ``clear`` ends the session,
    and what was marked to persist goes to MEMORY.md.
    """

    def __init__(self, workspace: Workspace, session: str, tokens: int | None = None) -> None:
        self._workspace = workspace
        self._named = session
        self._tokens = tokens
        self._begin()

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override,unused-ignore]
        """The messages of the window, in order."""
        window = self._context.window(self._tokens)
        state = self._context.session()
        found: list[BaseMessage] = []
        for one, (heading, text) in zip(window.shown, window.blocks, strict=True):
            role = state.entry(one.id).source.type
            said = text if one.form == "full" else f"{heading}\n{text}"
            found.append(_MESSAGES.get(role, HumanMessage)(said))
        return found

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Keep what was said; empty messages say nothing."""
        for one in messages:
            if text := str(one.text).strip():
                role = _ROLES.get(one.type, one.type)
                if role == "user" and self._context.session().entries:
                    self._context.turn()
                self._context.add(text.encode(), type="message", source=role)

    def clear(self) -> None:
        """Start a new session."""
        self._context.end()
        self._begin()

    def _begin(self) -> None:
        name, count = self._named, 1
        while True:
            self._context = self._workspace.context(name)
            try:
                self._context.begin()
            except SessionNotFound:  # it has ended
                count += 1
                name = f"{self._named}-{count}"
            else:
                return
