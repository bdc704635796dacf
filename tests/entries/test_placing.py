from __future__ import annotations

import pytest

from hippocampus_cli.entries.add import passage_at, place_for, section_path
from hippocampus_cli.entries.check import Follower
from hippocampus_cli.errors import UsageError
from hippocampus_cli.index.pointers import Pointer
from tests.entries.places import NOW, WORKSPACES
from tests.index.whole import index_of

DOCUMENT = index_of((WORKSPACES / "acme/HIPPOCAMPUS.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("path", "section"),
    [
        ("TOOLS.md", ("By Topic", "Infrastructure")),  # beside its neighbours
        ("memory/2026-01-31.md", ("By Topic", "Scratch")),
        ("memory/wifi.md", ("By Topic", "Scratch")),  # not in the Decay Queue
    ],
)
def test_a_new_entry_stands_beside_its_like(path: str, section: tuple[str, ...]) -> None:
    assert place_for(DOCUMENT, Pointer(path), "Scratch") == section


def test_a_path_of_sections_is_read_from_the_outside_in() -> None:
    assert section_path(" By Topic / **People** ") == ("By Topic", "People")


@pytest.mark.parametrize("text", ["", "/", "By Topic//People", "# /x"])
def test_a_section_without_a_name_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        section_path(text)


@pytest.mark.parametrize(
    ("pointer", "body"),
    [
        (Pointer("TOOLS.md", "Staging"), "\nThe staging database listens on port 5432.\n"),
        (Pointer("memory/garden.md"), "\nTomatoes in May.\n"),
        (Pointer("memory"), ""),
        (Pointer("gone.md", "Nowhere"), ""),
        (Pointer("../../etc/passwd"), ""),
    ],
)
def test_the_passage_is_what_the_pointer_leads_to(pointer: Pointer, body: str) -> None:
    follower = Follower(WORKSPACES / "acme", 1_000_000)
    assert passage_at(pointer, follower, NOW.date()).body == body
