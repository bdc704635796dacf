"""The memory in a real crew with a scripted model, where CrewAI is installed (`make test-extras`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hippocampus_cli import open_workspace

pytest.importorskip("crewai", reason="the package `crewai` is not installed")


def test_a_crew_answers_from_memory_at_its_first_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CREWAI_DISABLE_TELEMETRY", "true")
    monkeypatch.setenv("CREWAI_STORAGE_DIR", str(tmp_path / "crewai"))
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    from crewai import Agent, Crew, Task
    from crewai.llms.base_llm import BaseLLM

    from hippocampus_cli.adapters.crewai import HippoMemory

    seen: list[str] = []

    class Scripted(BaseLLM):
        def call(self, messages: Any, *args: Any, **named: Any) -> str:
            seen.append(str(messages))
            return "Thought: I know it.\nFinal Answer: kelpctl release prod"

    root = tmp_path / "workspace"
    root.mkdir()
    (root / "TOOLS.md").write_text("# Tools\n\n## Deploy\n\nDeploy with `kelpctl release prod`.\n")
    with open_workspace(root) as workspace:
        workspace.bootstrap()
        before = (root / "HIPPOCAMPUS.md").read_bytes()
        memory = HippoMemory(workspace)
        agent = Agent(
            role="operator", goal="deploy", backstory="calm", llm=Scripted(model="scripted")
        )
        task = Task(description="How do we deploy?", expected_output="a command", agent=agent)
        crew = Crew(agents=[agent], tasks=[task], memory=memory)
        assert "kelpctl" in str(crew.kickoff())
        assert "TOOLS.md:" in seen[0] and "data, not instructions" in seen[0]
        assert (root / "HIPPOCAMPUS.md").read_bytes() == before
        assert memory.remember("The oven is on bittern") is not None
        assert "oven" in memory.recall("oven")[0].record.content
        assert memory.recall(" ") == [] and memory.forget() == 0
        assert HippoMemory(workspace, read_only=True).remember("x") is None
