"""The store beside LangGraph's own, and in a real graph, where it is installed (`make test-extras`)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippocampus_cli import open_workspace

pytest.importorskip("langgraph", reason="the package `langgraph` is not installed")

NAMES = st.sampled_from(["users", "42", "a/b", "~", "ä ö", "docs"])
PLACES = st.lists(NAMES, min_size=1, max_size=3).map(tuple)
KEYS = st.sampled_from(["likes", "k/1", "..", "Über", "x y"])
VALUES: st.SearchStrategy[Any] = st.dictionaries(
    st.sampled_from(["text", "n", "tags"]),
    st.one_of(st.text(max_size=12), st.integers(), st.lists(st.text(max_size=4), max_size=2)),
    max_size=3,
)
PUT = st.tuples(PLACES, KEYS, st.none() | VALUES)


@settings(deadline=None, max_examples=25)
@given(puts=st.lists(PUT, max_size=8), place=PLACES, key=KEYS)
def test_it_holds_what_langgraphs_own_store_holds(
    puts: list[tuple[tuple[str, ...], str, Any]],
    place: tuple[str, ...],
    key: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    from langgraph.store.base import SearchOp
    from langgraph.store.memory import InMemoryStore

    from hippocampus_cli.adapters.langgraph import HippoStore

    root = tmp_path_factory.mktemp("w") / "workspace"
    root.mkdir()
    with open_workspace(root) as workspace:
        ours, theirs = HippoStore(workspace), InMemoryStore()
        for where, name, value in puts:
            for store in (ours, theirs):
                store.put(where, name, value)  # type: ignore[attr-defined]
        assert told(ours.get(place, key)) == told(theirs.get(place, key))
        for prefix in ((), place[:1], place):
            found = [store.batch([SearchOp(prefix, limit=50)])[0] for store in (ours, theirs)]
            assert sorted(map(told, found[0])) == sorted(map(told, found[1]))
        held = {one.namespace for one in ours.search((), limit=50)}
        for how in ("prefix", "suffix"):  # its own store names namespaces that are empty again, too
            names = [s.list_namespaces(**{how: place[:1]}, limit=50) for s in (ours, theirs)]
            assert set(names[0]) == set(names[1]) & held
    assert {one.name for one in root.parent.iterdir()} == {"workspace"}


def test_nothing_but_items_is_replaced_or_removed(tmp_path: Path) -> None:
    from hippocampus_cli.adapters.langgraph import HippoStore
    from hippocampus_cli.errors import FileUnwritable, OutsideWorkspace

    root, other = tmp_path / "workspace", tmp_path / "other"
    for folder in (root / "store/b", other):
        folder.mkdir(parents=True)
    (root / "store/a").symlink_to(other)
    own = [other / "k.md", root / "store/b/plan.md"]
    for file in own:
        file.write_text("# My plan\n")
    with open_workspace(root) as workspace:
        store = HippoStore(workspace)
        for value in ({"text": "x"}, None):
            with pytest.raises(OutsideWorkspace):
                store.put(("a",), "k", value)  # type: ignore[arg-type]
            with pytest.raises(FileUnwritable):
                store.put(("b",), "plan", value)  # type: ignore[arg-type]
        with pytest.raises(OutsideWorkspace):
            HippoStore(workspace, "../other")
    assert [file.read_text() for file in own] == ["# My plan\n"] * 2


def test_long_items_are_all_found(tmp_path: Path) -> None:
    from hippocampus_cli.adapters.langgraph import HippoStore

    with open_workspace(tmp_path) as workspace:
        store = HippoStore(workspace)
        for at in range(10):
            store.put(("notes",), f"n{at}", {"text": f"ferry {at} " * 400})
        assert len(store.search(("notes",), query="ferry", limit=10)) == 10


def told(item: Any) -> str:
    return repr((item.namespace, item.key, item.value)) if item else ""


def test_a_question_finds_items_and_people_can_read_them(tmp_path: Path) -> None:
    from hippocampus_cli.adapters.langgraph import HippoStore

    with open_workspace(tmp_path) as workspace:
        store = HippoStore(workspace)
        for name, text in {
            "travel": "I prefer trains over planes",
            "food": "No coriander, ever",
            "work": "The deploy command is kelpctl release prod",
        }.items():
            store.put(("users", "ines"), name, {"text": text, "rank": len(name)})
        store.put(("users", "tobi"), "travel", {"text": "I prefer planes", "rank": 1})
        found = store.search(("users", "ines"), query="how does she like to travel, trains?")
        assert found[0].key == "travel" and found[0].score is not None
        assert {one.namespace for one in found} == {("users", "ines")}
        found = asyncio.run(store.asearch(("users",), query="deploy", filter={"rank": {"$gt": 3}}))
        assert [one.key for one in found] == ["work"]
        note = (tmp_path / "store/users/ines/travel.md").read_text()
        assert note.startswith("# users / ines: travel\n\n- text: I prefer trains over planes\n")
        before = store.get(("users", "ines"), "travel")
        store.put(("users", "ines"), "travel", {"text": "planes now"})
        after = store.get(("users", "ines"), "travel")
        assert before and after and before.created_at == after.created_at < after.updated_at
        (tmp_path / "store/users/ines/notes.md").write_text("# A person's own\n")
        assert store.get(("users", "ines"), "notes") is None
        store.delete(("users", "ines"), "travel")
        assert not (tmp_path / "store/users/ines/travel.md").exists()


def test_a_graph_remembers_over_threads(tmp_path: Path) -> None:
    from langgraph.graph import END, START, StateGraph
    from langgraph.store.base import BaseStore

    from hippocampus_cli.adapters.langgraph import HippoStore

    def node(state: dict[str, str], *, store: BaseStore) -> dict[str, str]:
        known = store.search(("facts",), query=state["said"])
        store.put(("facts",), str(len(state["said"])), {"text": state["said"]})
        return {"said": known[0].value["text"] if known else ""}

    builder = StateGraph(dict)
    builder.add_node("ask", node)
    builder.add_edge(START, "ask")
    builder.add_edge("ask", END)
    with open_workspace(tmp_path) as workspace:
        graph = builder.compile(store=HippoStore(workspace))
        assert graph.invoke({"said": "The oven is on bittern"})["said"] == ""
    with open_workspace(tmp_path) as workspace:
        graph = builder.compile(store=HippoStore(workspace))
        assert graph.invoke({"said": "where is the oven"})["said"] == "The oven is on bittern"


def test_a_link_that_leads_out_is_not_followed(tmp_path: Path) -> None:
    from hippocampus_cli.adapters.langgraph import HippoStore
    from hippocampus_cli.errors import OutsideWorkspace

    (tmp_path / "elsewhere").mkdir()
    root = tmp_path / "workspace"
    root.mkdir()
    (root / "store").symlink_to(tmp_path / "elsewhere")
    with open_workspace(root) as workspace, pytest.raises(OutsideWorkspace):
        HippoStore(workspace).put(("a",), "b", {"text": "c"})
    assert not list((tmp_path / "elsewhere").iterdir())
