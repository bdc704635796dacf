from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import Kind
from hippocampus_cli.maintenance.steps.compress import compress
from hippocampus_cli.text.words import keys
from tests.maintenance.steps.made import block, everywhere, index, one, snapshot


def summary_of(topic: str, summary: str, to: str = "TOOLS.md §Deploy", **values: object) -> str:
    after = compress(index(block("a", topic, summary, to, **values)), snapshot()).result
    return one(after, "a").entry.summary


@pytest.mark.parametrize(
    ("topic", "summary", "after"),
    [
        ("Deploy", "Deploy: run make ship.", "run make ship."),
        ("Deploy", "Deploy. Run make ship.", "Run make ship."),
        ("Deploy", "deploy — run make ship.", "run make ship."),
        ("Deploy", "Deploy: Deploy: TOOLS.md §Deploy", ""),
        ("Kelpie: Owners", "Kelpie: Owners: Grace and Alan.", "Grace and Alan."),
        ("Acme deploy", "Acme deploy.", ""),
        ("Shipping", "TOOLS.md §Deploy", ""),
    ],
)
def test_what_the_heading_or_a_pointer_says_already_goes(
    topic: str, summary: str, after: str
) -> None:
    assert summary_of(topic, summary) == after


@pytest.mark.parametrize(
    ("topic", "summary"),
    [
        ("Deploy", "Deploy command of the website."),
        ("Deploy on bittern", "Deploy on dunlin: run make ship."),
        ("Ines in Bremen", "Ines: I shall be late."),
        ("2026-05-16: telegram, user, Yara", "user: Wren, tomorrow is the climbing hall."),
        ("Deploy", "Never deploy."),
        ("Deploy", "Deploy 2"),
        ("Bob owes Alice", "Alice owes Bob"),
        ("Deploy", ""),
    ],
)
def test_what_says_more_stays(topic: str, summary: str) -> None:
    assert summary_of(topic, summary) == summary


@pytest.mark.parametrize(
    "values",
    [{"src": "manual"}, {"src": None, "created": None}, {"consolidated": "2026-10-01"}],
)
def test_what_a_person_wrote_and_what_upkeep_leaves_alone_stays(values: dict[str, object]) -> None:
    assert summary_of("Deploy", "Deploy: run make ship.", **values) == "Deploy: run make ship."


def test_the_plan_shows_both_summaries_and_the_entry_counts_a_version() -> None:
    whole = index(block("a", "Deploy", "Deploy: run make ship.", ver=2))
    (action,) = compress(whole, snapshot()).actions
    assert (action.kind, action.key) == (Kind.COMPRESS, "a")
    assert (action.before, action.after) == ("Deploy: run make ship.", "run make ship.")
    assert one(compress(whole, snapshot()).result, "a").entry.ver == 3
    assert not compress(whole, snapshot(undone=[(Kind.COMPRESS, "a")])).actions


_WORDS = st.sampled_from(
    ("Deploy", "Acme", "ship", "not", "8080", "TOOLS.md", "see", "the", "§Deploy", "v1.2")
)
_SIGNS = st.sampled_from((" ", " ", ": ", ". ", " — ", ", ", " → ", " ("))
TEXTS = st.lists(st.tuples(_WORDS, _SIGNS), max_size=7).map(
    lambda parts: "".join(map("".join, parts)).strip()
)


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4))
def test_no_word_is_lost_and_a_second_run_plans_nothing(texts: list[tuple[str, str]]) -> None:
    whole = index(
        *(
            block(f"e{at}", topic, summary, "TOOLS.md §Deploy")
            for at, (topic, summary) in enumerate(texts)
        )
    )
    once, actions = compress(whole, snapshot())
    assert not compress(once, snapshot()).actions
    touched = {action.key for action in actions}
    for key, raw in everywhere(whole).items():
        if key not in touched:
            assert everywhere(once)[key] == raw
        before, after = one(whole, key).entry, one(once, key).entry
        assert _content(before) == _content(after) and len(after.summary) <= len(before.summary)
        kept = ("topic", "pointers", "tags", "hits")
        assert all(getattr(before, name) == getattr(after, name) for name in kept)


def _content(entry: Entry) -> set[str]:
    """Words that tell, and those with figures."""
    text = " ".join((entry.topic, entry.summary, *map(str, entry.pointers)))
    return {*keys(text), *re.findall(r"\w*\d\w*", text), *re.findall(r"\bnot\b", text)}


def test_prose_that_would_then_be_read_as_the_summary_keeps_it() -> None:
    text = block("a", "Deploy", "Deploy.").replace("→", "→", 1)
    whole: Hierarchy = index(text.replace("\n→", "\n\nA further paragraph.\n→"))
    assert one(whole, "a").entry.summary == "Deploy."
    assert not compress(whole, snapshot()).actions
