"""Whose words a piece of a note is."""

from __future__ import annotations

import pytest

from hippocampus_cli.workspace.origin import of_lines, of_role

LOG = "memory/2026-05-11.md"


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("User: feed the walrus", "user"),
        ("**User:** feed the walrus", "user"),
        ("**User**: feed the walrus", "user"),
        ("- 09:12 **Human:** feed the walrus\n  at noon", "user"),
        ("[assistant] I fed it.", "assistant"),
        ("## Call\n\nassistant: I fed it.\n\nAssistant: Twice.", "assistant"),
        ("### User\n\nFeed the walrus.\n\nAt noon.", "user"),
        ("Tool: fed", "tool"),
        ("Tool result: fed", "tool"),
        ("User: feed it\nAssistant: done", "file"),
        ("User: feed it\n\nThe walrus is grey.", "file"),
        ("The walrus is grey.\nUser: feed it", "file"),
        ("### User\n\nFeed it.\n\n### Notes\n\nGrey.", "file"),
        ("Tools: a hammer", "file"),
        ("The user: somebody", "file"),
        ("> User: feed it", "file"),
        ("User:feed it", "file"),
        ("user story: feed it", "file"),
        ("", "file"),
        ("User: feed it\n…\nUser: again", "user"),
    ],
)
def test_what_a_daily_log_says_of_itself(text: str, origin: str) -> None:
    assert of_lines(LOG, text.split("\n")) == origin


def test_other_notes_are_files_whatever_they_say() -> None:
    assert of_lines("TOOLS.md", ["User: feed the walrus"]) == "file"


def test_roles_of_transcripts() -> None:
    roles = ("user", "Assistant", "tool", "bash", "file", "system", "")
    assert [*map(of_role, roles)] == [
        *("user", "assistant", "tool", "tool", "file", "unknown", "unknown")
    ]
