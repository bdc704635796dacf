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


def test_a_history_in_a_chain_that_fades(tmp_path: Path) -> None:
    from langchain_core.messages import AIMessage, HumanMessage
    from langchain_core.runnables import RunnableLambda
    from langchain_core.runnables.history import RunnableWithMessageHistory

    from hippocampus_cli.adapters.langchain import HippocampusMemory

    with open_workspace(tmp_path) as workspace:
        seen: list[list[str]] = []

        def model(messages: list[HumanMessage | AIMessage]) -> AIMessage:
            seen.append([str(one.text) for one in messages])
            return AIMessage(f"answer {len(seen)}")

        chain = RunnableWithMessageHistory(
            RunnableLambda(model), lambda session_id: HippocampusMemory(workspace, session_id)
        )
        for said in ("the oven is on bittern", "where is it"):
            config = {"configurable": {"session_id": "kelpie"}}
            chain.invoke([HumanMessage(said)], config)  # type: ignore[arg-type]
        assert seen[1] == ["the oven is on bittern", "answer 1", "where is it"]
        history = HippocampusMemory(workspace, "kelpie", tokens=400)
        history.add_messages([HumanMessage("word " * 300), AIMessage("noted"), HumanMessage("")])
        for at in range(30):
            history.add_messages([HumanMessage(f"question {at} " + "of some length " * 8)])
        shown = [str(one.text) for one in history.messages]
        assert len("".join(shown)) <= 400 * 4
        assert shown[-1].startswith("question 29") and "word word" not in "".join(shown)
        kept = workspace.context("kelpie")
        (long,) = [one.entry.id for one in kept.entries() if one.entry.content.tokens > 250]
        assert b"word word" in kept.get(long).data
        history.clear()
        assert history.messages == []
        assert HippocampusMemory(workspace, "kelpie").messages == []
        history.add_messages([AIMessage("anew")])
        assert [type(one) for one in HippocampusMemory(workspace, "kelpie").messages] == [AIMessage]
