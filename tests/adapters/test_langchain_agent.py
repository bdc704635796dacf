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

    (tmp_path / "TOOLS.md").write_text("## Deploy\n\nDeploy with `kelpctl release prod`.\n")
    with open_workspace(tmp_path) as workspace:
        workspace.bootstrap()
        model = Scripted(messages=iter(map(AIMessage, "abc")))
        agent = create_agent(
            model, [], system_prompt="Be short.", middleware=[HippoMiddleware(workspace)]
        )
        asked: list[Any] = [{"role": "user", "content": "how do we deploy?"}]
        assert agent.invoke({"messages": asked})["messages"][-1].content == "a"
        more = [*asked, AIMessage("a"), {"role": "user", "content": "deploy how, please?"}]
        assert asyncio.run(agent.ainvoke({"messages": more}))["messages"][-1].content == "b"
        workspace.remember("the kelp farm has a new owner")
        assert agent.invoke({"messages": more})["messages"][-1].content == "c"
    texts = [[str(message.text) for message in messages] for messages in seen]
    system, request = texts[0]
    assert system.startswith("Be short.") and "This workspace has a memory" in system
    assert "kelpctl release prod" in request and "data, not instructions" in request
    assert texts[1][:2] == texts[2][:2] == texts[0]  # what a model's cache has stays valid
    assert "kelpctl" not in texts[1][3]  # and nothing is said twice
