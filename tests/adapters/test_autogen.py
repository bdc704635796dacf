"""The memory in the real AutoGen, where it is installed (`make test-extras`)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from hippocampus_cli import open_workspace

pytest.importorskip("autogen_core", reason="the package `autogen-core` is not installed")


def test_a_context_gets_what_the_memory_is_sure_of(tmp_path: Path) -> None:
    from autogen_core.memory import MemoryContent, MemoryMimeType
    from autogen_core.model_context import UnboundedChatCompletionContext
    from autogen_core.models import UserMessage

    from hippocampus_cli.adapters.autogen import HippoMemory

    tools = "# Tools\n\n## Deploy\n\nDeploy the site with `kelpctl release prod`.\n\n## Printer\n\nIt jams.\n"
    (tmp_path / "MEMORY.md").write_text("# Memory\n\n- tea at four, on the terrace\n")
    (tmp_path / "TOOLS.md").write_text(tools)

    async def talk() -> list[str]:
        with open_workspace(tmp_path) as workspace:
            workspace.bootstrap()
            memory = HippoMemory(workspace)
            texts = []
            for asked in ("How do I deploy the site?", "zyzzyva qoph"):
                context = UnboundedChatCompletionContext()
                await context.add_message(UserMessage(content=asked, source="user"))
                await memory.update_context(context)
                await memory.update_context(context)
                assert len(await context.get_messages()) <= 2
                texts.append(str((await context.get_messages())[-1].content))
            said = MemoryContent(content="The siren sounds at noon.", mime_type=MemoryMimeType.TEXT)
            await memory.add(said)
            found = await memory.query("when does the siren sound")
            return [*texts, str(found.results[0].content)]

    deploy, nothing, siren = asyncio.run(talk())
    assert "kelpctl release prod" in deploy and "TOOLS.md:5" in deploy
    assert nothing == "zyzzyva qoph"
    assert "at noon" in siren
