"""The context provider with the real Agent Framework, where it is installed (`make test-extras`)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from hippocampus_cli import open_workspace

pytest.importorskip("agent_framework", reason="the package `agent-framework-core` is not installed")


def test_the_instructions_of_a_run_have_the_memory(tmp_path: Path) -> None:
    from agent_framework import AgentSession, Message, SessionContext

    from hippocampus_cli.adapters.agent_framework import HippoContextProvider

    (tmp_path / "TOOLS.md").write_text("## Deploy\n\nDeploy with `kelpctl release prod`.\n")
    with open_workspace(tmp_path) as workspace:
        workspace.bootstrap()
        provider = HippoContextProvider(workspace)
        context = SessionContext(input_messages=[Message("user", ["how do we deploy?"])])
        run = provider.before_run(agent=None, session=AgentSession(), context=context, state={})
        asyncio.run(run)
    assert "This workspace has a memory" in "\n".join(context.instructions)
    (said,) = (message for messages in context.context_messages.values() for message in messages)
    assert "kelpctl release prod" in said.text
