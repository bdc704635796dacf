"""What was asked before is found again in fewer words; the rest is found as search finds it."""

from __future__ import annotations

from bench.habits import Asked, findings


def test_the_table_counts_first_places_and_places_among_five() -> None:
    asked = [Asked(True, "word", (3, 1)), Asked(True, "word", (0, 2)), Asked(False, "cue", (1, 1))]
    rows = {(row[0], row[1]): row[2:] for row in findings(asked).table.rows}
    assert rows["weekly", "word"] == (2, 0.0, 0.5, 0.5, 1.0)
    assert rows["never", "cue"] == (1, 1.0, 1.0, 1.0, 1.0)
    assert rows["never", "question"] == (0, 0.0, 0.0, 0.0, 0.0)
