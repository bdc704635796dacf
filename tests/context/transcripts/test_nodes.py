from __future__ import annotations

from hippocampus_cli.context.transcripts.records import Node, Span, branch_to


def node(line: int, identity: str, parent: str | None) -> Node:
    return Node(Span(line, line * 10, 10), identity, parent, "message")


def test_the_way_from_the_leaf_to_the_root() -> None:
    nodes = [node(1, "a", None), node(2, "b", "a"), node(3, "c", "a"), node(4, "d", "c")]
    assert [one.id for one in branch_to(3, nodes, []).nodes] == ["a", "c", "d"]


def test_a_loop_ends_the_way_and_is_named() -> None:
    nodes = [node(1, "a", "c"), node(2, "b", "a"), node(3, "c", "b")]
    branch = branch_to(2, nodes, [])
    assert [one.id for one in branch.nodes] == ["a", "b", "c"]
    assert branch.loop is nodes[2]


def test_its_own_parent_is_a_loop() -> None:
    nodes = [node(1, "a", "a")]
    assert branch_to(0, nodes, []).loop is nodes[0]


def test_an_unknown_parent_ends_the_way() -> None:
    nodes = [node(1, "a", None), node(2, "b", "gone")]
    branch = branch_to(1, nodes, [])
    assert [one.id for one in branch.nodes] == ["b"]
    assert branch.bridged == 0


def test_a_parent_in_a_broken_line_is_bridged() -> None:
    nodes = [node(1, "a", None), node(3, "c", "b")]
    branch = branch_to(1, nodes, [2])
    assert [one.id for one in branch.nodes] == ["a", "c"]
    assert branch.bridged == 1


def test_of_two_of_the_same_id_the_later_is_the_parent() -> None:
    nodes = [node(1, "a", None), node(2, "a", None), node(3, "b", "a")]
    assert [one.span.line for one in branch_to(2, nodes, []).nodes] == [2, 3]
