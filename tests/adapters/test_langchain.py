"""The retriever in the real LangChain, where it is installed (`make test-extras`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from hippocampus_cli import open_workspace

pytest.importorskip("langchain_core", reason="the package `langchain-core` is not installed")


def test_a_retriever_in_a_chain(tmp_path: Path) -> None:
    from langchain_core.runnables import RunnableLambda

    from hippocampus_cli.adapters.langchain import HippoRetriever

    note = "# Memory\n\n## Deploy\n\nWe deploy with `kelpctl release prod`.\n"
    (tmp_path / "MEMORY.md").write_text(note)
    with open_workspace(tmp_path) as workspace:
        workspace.bootstrap()
        before = (tmp_path / "HIPPOCAMPUS.md").read_bytes()
        chain = HippoRetriever(workspace=workspace) | RunnableLambda(lambda found: found[0])
        first = chain.invoke("how do we deploy")
        assert "kelpctl release prod" in first.page_content
        assert (first.metadata["path"], first.metadata["section"]) == ("MEMORY.md", "Deploy")
        assert (tmp_path / "HIPPOCAMPUS.md").read_bytes() == before
