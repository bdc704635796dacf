"""What one branch moved to another file while the other used it is one entry again, every use counted once."""

from __future__ import annotations

from hippocampus_cli.index.archive import Why, retired
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.merge import rejoined
from hippocampus_cli.index.parse import parse
from tests.index.test_merge import BASE, NOW, hit, merged

TOPIC = ".hippocampus/topics/projects.md"


def test_moved_to_a_topic_file_and_used_on_both_branches() -> None:
    moved = Hierarchy(hit(parse(BASE), "a", 3)).moved(["a"], ("By Topic", "Projects"), TOPIC)
    used = hit(hit(parse(BASE), "a", 1), "a", 2).text
    master = parse(merged(BASE, used, moved.master.text).text)
    split = Hierarchy(master, dict(moved.topics))
    whole = rejoined(split, archive=False)
    (one,) = [located for located in whole.entries if located.entry.id == "a"]
    assert (one.file, one.entry.hits) == ("HIPPOCAMPUS.md", 2 + 1 + 2)
    assert "split" not in one.entry.values
    assert rejoined(whole, archive=True) == whole


def test_archived_and_used() -> None:
    archived = retired(Hierarchy(parse(BASE)), {"a": {}}, Why.SILENT, NOW.date())
    master = parse(merged(BASE, archived.master.text, hit(parse(BASE), "a").text).text)
    assert (
        rejoined(Hierarchy(master), archive=False).master == master
    )  # what the archive holds is not known
    whole = rejoined(Hierarchy(master, {}, archived.archive), archive=True)
    assert [one.key for one in whole.archived] == [] and whole.by_key["a"].entry.hits == 3
    assert not {"split", "archived", "why", "home"} & whole.by_key["a"].entry.values.keys()


def test_removed_by_hand_and_used_stays() -> None:
    index = Hierarchy(parse(BASE.replace("hits=2", "hits=3 | split=2")))
    whole = rejoined(index, archive=True)
    assert whole.master.text == BASE.replace("hits=2", "hits=3")
