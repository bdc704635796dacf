"""The middleware in a real agent of LangChain's with a scripted model, where it is installed (`make test-extras`)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from hippocampus_cli import open_workspace

pytest.importorskip("langchain", reason="the package `langchain` is not installed")


def test_an_agent_answers_from_memory_at_its_first_request(tmp_path: Path) -> None:
    from langchain.agents import create_agent
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage

    from hippocampus_cli.adapters.langchain_agent import HippoMiddleware

    seen: list[list[Any]] = []

    class Scripted(GenericFakeChatModel):
        def _generate(self, messages: list[Any], *args: Any, **named: Any) -> Any:
            seen.append(messages)
            return super()._generate(messages, *args, **named)

    (tmp_path / "TOOLS.md").write_text(
        "# Tools\n\n## Deploy\n\nDeploy with `kelpctl release prod`.\n"
    )
    with open_workspace(tmp_path) as workspace:
        workspace.bootstrap()
        model = Scripted(messages=iter([AIMessage("a"), AIMessage("b")]))
        agent = create_agent(
            model, [], system_prompt="Be short.", middleware=[HippoMiddleware(workspace)]
        )
        asked = {"messages": [{"role": "user", "content": "how do we deploy"}]}
        assert agent.invoke(asked)["messages"][-1].content == "a"
        assert asyncio.run(agent.ainvoke(asked))["messages"][-1].content == "b"
    for messages in seen:
        system = str(messages[0].text)
        assert system.startswith("Be short.") and "kelpctl release prod" in system
    assert seen[0][0].text == seen[1][0].text
