from __future__ import annotations

from hippocampus_cli.entries.passages import Passage
from hippocampus_cli.entries.relations import Related, relations
from hippocampus_cli.entries.vocabulary import learn
from tests.support.passages import one

NOTES = {
    "ghost": ("docs/ghost.md", "Ghost alarms came from the watchdog in the firmware of the buoy."),
    "bench": (
        "docs/bench.md",
        "On the bench the watchdog tripped: firmware, not fouling, made ghost alarms.",
    ),
    "cake": ("docs/cake.md", "Carrot cake with walnuts for the birthday party."),
    "menu": (
        "docs/menu.md",
        "The menu is in [the cake note](cake.md) and nothing else matters here.",
    ),
    "wiki": ("docs/wiki.md", "Compare [[ghost]] if you like reading long stories by the sea."),
}


def related(names: list[str], limits: Related | None = None) -> dict[str, tuple[str, ...]]:
    passages: list[Passage] = [one(*NOTES[name]) for name in names]
    found = relations(passages, names, learn(passages), limits or Related())
    return dict(zip(names, found, strict=True))


def test_shared_rare_words_relate_both_ways() -> None:
    found = related(["ghost", "bench", "cake"])
    assert found == {"ghost": ("bench",), "bench": ("ghost",), "cake": ()}


def test_a_markdown_link_relates() -> None:
    assert related(["cake", "menu", "bench"]) == {"cake": ("menu",), "menu": ("cake",), "bench": ()}


def test_a_link_by_path_or_wiki_name_relates() -> None:
    passages = [one("docs/cake.md", "Cake."), one("menu.md", "See [it](docs/cake.md).")]
    assert relations(passages, ["cake", "menu"], learn(passages), Related()) == [
        ("menu",),
        ("cake",),
    ]
    assert related(["ghost", "wiki", "cake"])["wiki"] == ("ghost",)


def test_limits_hold() -> None:
    same = [one(f"docs/{n}.md", NOTES["ghost"][1]) for n in range(6)]
    ids = [f"entry-{n}" for n in range(6)]
    for found in relations(same, ids, learn(same), Related(2, 60)):
        assert len(found) <= 2
    for found in relations(same, ids, learn(same), Related(3, 10)):
        assert len(",".join(found)) <= 10


def test_no_entry_relates_to_itself() -> None:
    passages = [one("docs/a.md", "see docs/a.md and [[a]]"), one("docs/b.md", "other")]
    assert relations(passages, ["a", "b"], learn(passages), Related()) == [(), ()]


def test_paths_that_lead_out_relate_to_nothing() -> None:
    passages = [one("docs/a.md", "[x](../../../etc/passwd.md)"), one("etc/passwd.md", "other")]
    assert relations(passages, ["a", "b"], learn(passages), Related()) == [(), ()]
