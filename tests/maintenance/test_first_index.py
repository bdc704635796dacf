from __future__ import annotations

import pytest

from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.views import SECTIONS, Limits
from hippocampus_cli.maintenance.bootstrap import first_index
from tests.maintenance.workspace import CLOCK

ENTRY = "#### Deploy\nShip it.\n→ TOOLS.md §Deploy\n<!-- hx: id=deploy | hits=0 -->"


def test_an_index_has_its_header_its_views_and_its_entries() -> None:
    document = first_index({"Core": [ENTRY]}, CLOCK, Limits())
    assert document.header is not None and document.header.entries == 1
    assert list(document.views) == list(SECTIONS)
    assert document.entries[0].section == ("By Topic", "Core")
    assert parse(document.text) == document


def test_an_index_of_nothing_is_sound() -> None:
    document = first_index({}, CLOCK, Limits())
    assert not document.entries and document.text.endswith("<!-- hippo:end meta -->\n")


def test_a_block_that_is_no_entry_is_refused() -> None:
    with pytest.raises(IndexRefused):
        first_index({"Core": [ENTRY, "#### No metadata\ntext"]}, CLOCK, Limits())
