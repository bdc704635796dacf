from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.entries.draft import MOST_TAGS, tags_of
from tests.support.passages import one


@pytest.mark.parametrize(
    ("path", "text", "tags"),
    [
        ("docs/r.md", "---\ntags: [Ops, on call]\n---\n# Runbook\n", ("ops", "on-call")),
        ("d.md", "---\ntags: ops, deploy\n---\nx\n", ("ops", "deploy")),
        ("d.md", "---\ntags: 3\n---\nx\n", ()),
        ("docs/r.md", "x", ()),
        ("d.md", "Ask **Eirik Moen** about the harvest.", ()),
    ],
)
def test_tags_are_the_authors(path: str, text: str, tags: tuple[str, ...]) -> None:
    assert tags_of(one(path, text)) == tags


@given(st.lists(st.text(max_size=30), max_size=8))
def test_tags_are_slugs_within_their_limit(given: list[str]) -> None:
    text = f"---\ntags: {[word.replace(chr(39), '') for word in given]}\n---\nx\n"
    tags = tags_of(one("d.md", text))
    assert len(tags) <= MOST_TAGS and len(set(tags)) == len(tags)
    for tag in tags:
        assert tag == tag.casefold() and not set(tag) & set(" ,|>\n")
