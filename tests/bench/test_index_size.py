"""The size of an index, and the days on which nothing happens."""

from __future__ import annotations

from pathlib import Path

from bench.index_size import findings, run


def test_a_small_workspace_is_reached_whole_and_quiet(tmp_path: Path) -> None:
    for name in ("boats", "moorings", "tides"):
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\nWhat is known of {name}: {name} rise.\n")
    size = run(tmp_path, 9, [{"boats.md"}, {"gone.md"}])
    assert (size.notes, size.reached, size.quiet, size.named) == (3, 3, 0, 0.5)
    assert 0 < size.metadata < 0.35
    assert size.aim == 300
    found = findings([size._replace(tokens=301, missed=1, quiet=2)])
    assert len(found.notes) == 4
    assert findings([size._replace(tokens=300, named=0.6)]).notes == ("every aim is met",)
    assert not (tmp_path / "HIPPOCAMPUS.md").exists()
