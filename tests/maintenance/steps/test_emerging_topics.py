from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.config.settings import Config, Upkeep
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import Kind
from hippocampus_cli.maintenance.steps.emerging_topics import emerge
from tests.maintenance.steps.made import block, everywhere, index, one, snapshot

FILLING = tuple(block(f"other{at}", tags=f"tag{at}") for at in range(24))


def about(tag: str, count: int, notes: int = 3, topic: str = "", **values: object) -> list[str]:
    return [
        block(
            f"{tag}{at}",
            topic or f"{tag} matter {at}",
            "",
            f"n{at % notes}.md §H",
            tags=tag,
            **values,
        )
        for at in range(count)
    ]


def sections(whole: Hierarchy) -> dict[str, str]:
    return {one.key: one.section[-1] for one in whole.entries}


def emerged(whole: Hierarchy, **settings: int) -> Hierarchy:
    return emerge(whole, snapshot(config=Config(upkeep=Upkeep(**settings)))).result


def test_six_entries_of_three_notes_that_share_a_tag_become_a_section() -> None:
    whole = index(*FILLING, *about("ghost-alarm", 4), Projects=about("Ghost-alarm", 2))
    after, actions = emerge(whole, snapshot())
    moved = {action.key for action in actions}
    assert len(moved) == 6 and {action.kind for action in actions} == {Kind.SECTION}
    assert {key for key, title in sections(after).items() if title == "Ghost alarm"} == moved
    first = actions[0]
    assert (first.before, first.after) == ("By Topic > Core", "By Topic > Ghost alarm")
    assert first.reason == "6 entries from 3 notes share the tag ghost-alarm"
    for key in everywhere(whole):
        assert one(after, key).entry.raw == one(whole, key).entry.raw


def test_too_few_entries_or_notes_or_a_tag_of_everything_make_none() -> None:
    assert not emerge(index(*FILLING, *about("ghost", 5)), snapshot()).actions
    assert not emerge(index(*FILLING, *about("ghost", 6, notes=2)), snapshot()).actions
    assert not emerge(index(*FILLING[:17], *about("ghost", 6)), snapshot()).actions
    assert emerge(index(*FILLING[:18], *about("ghost", 6)), snapshot()).actions
    assert (
        sections(emerged(index(*FILLING, *about("ghost", 3)), emerging_entries=3))["ghost0"]
        == "Ghost"
    )


def test_sections_of_somebody_else_and_the_queue_are_left_alone() -> None:
    whole = index(*FILLING, My_own=about("ghost", 6))
    assert not emerge(whole, snapshot()).actions
    whole = index(*FILLING, *about("ghost", 6))
    queued = whole.moved(["ghost0"], ("Decay Queue",))
    assert not emerge(queued, snapshot()).actions
    assert not emerge(whole, snapshot(undone=[(Kind.SECTION, "ghost3")])).actions


def test_what_questions_taught_takes_part() -> None:
    assert emerge(index(*FILLING, Learned_from_Questions=about("ghost", 6)), snapshot()).actions


def test_a_topic_that_has_a_section_gets_no_second_one() -> None:
    for title in ("Ghost", "ghost"):
        whole = index(*FILLING, *about("ghost", 6), **{title: [block("x")]})
        assert not emerge(whole, snapshot()).actions


def test_nothing_moves_back_and_forth_from_month_to_month() -> None:
    whole = emerged(index(*FILLING, *about("ghost", 6)))
    for at in range(6, 18):
        new = block(f"ghost{at}", f"ghost matter {at}", "", f"n{at}.md §H", tags="ghost")
        whole = whole.add(("By Topic", "Core"), [new])
        assert not emerge(whole, snapshot()).actions
    assert not emerge(whole.moved(["ghost0"], ("By Topic", "Core")), snapshot()).actions


TAGS = ("ghost", "deploy", "buoys", "buoy", "acme")
ENTRIES = st.lists(
    st.tuples(
        st.lists(st.sampled_from(TAGS), max_size=3, unique=True),
        st.sampled_from(TAGS),
        st.integers(0, 4),
    ),
    max_size=16,
)


@given(ENTRIES, st.randoms(use_true_random=False))
def test_the_laws(made, random) -> None:  # type: ignore[no-untyped-def]
    texts = [
        block(f"e{at}", f"The {topic}", "", f"n{note}.md §H", tags=",".join(tags) or None)
        for at, (tags, topic, note) in enumerate(made)
    ]
    world = snapshot(config=Config(upkeep=Upkeep(emerging_entries=3)))
    once, actions = emerge(index(*FILLING, *texts), world)
    assert not emerge(once, world).actions
    assert everywhere(once) == everywhere(index(*FILLING, *texts))
    shuffled = emerge(index(*FILLING, *random.sample(texts, len(texts))), world)
    assert sections(shuffled.result) == sections(once) and set(shuffled.actions) == set(actions)
