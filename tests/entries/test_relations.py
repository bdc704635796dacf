from __future__ import annotations

from hippocampus_cli.entries.relations import relations
from tests.support.passages import one

CAKE = one("docs/cake.md", "# Cake\n\nCarrot cake with walnuts.")


def test_links_relate_both_ways() -> None:
    notes = [
        CAKE,
        one("docs/menu.md", "The menu is in [the note](cake.md)."),
        one("party.md", "See [it](docs/cake.md), and docs/menu.md."),
        one("docs/wiki.md", "Compare [[party]] if you like."),
        one("docs/alone.md", "Carrot cake with walnuts, https://x.y/cake.md."),
    ]
    ids = ["cake", "menu", "party", "wiki", "alone"]
    assert relations(notes, ids) == [("menu", "party"), ("cake", "party"), ("cake", "menu"), (), ()]
    assert relations(notes[2:], ids[2:]) == [("wiki",), ("party",), ()]


def test_no_entry_relates_to_itself_or_out_of_the_workspace() -> None:
    notes = [one("docs/a.md", "docs/a.md, [[a]], [x](../../../etc/b.md)"), one("etc/b.md", "other")]
    assert relations(notes, ["a", "b"]) == [(), ()]
