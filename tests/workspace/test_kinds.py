"""What sort of note a file is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.workspace.kinds import NoteKind, kind_of

EXAMPLES = {
    NoteKind.CONFIG: ["MEMORY.md", "AGENTS.md", "SOUL.md", "memory.md", "CLAUDE.md", "DEFRAG.md"],
    NoteKind.DAILY: [
        "memory/2026-01-31.md",
        "memory/2026-04-25-0530.md",
        "memory/archive/2025-12.md",
        "memory/daily/monday.md",
        "projects/alpha/2026-01-31-kickoff.md",
        "2026/05/31.md",
        "memory/20260618_2215.md",
    ],
    NoteKind.STATE: [
        "memory/heartbeat-state.json",
        "memory/2026-01-31.json",
        "known-users.YAML",
        "agent-dna.toml",
        "memory/defrag-history.jsonl",
    ],
    NoteKind.PROJECT: [
        "projects/alpha/PROJECT.md",
        "memory/projects/alpha.md",
        "alpha/PROJECT.md",
        "projects/alpha/docs/api.md",
        "projects/2026-01-31-launch/readme.md",
    ],
    NoteKind.DOC: ["docs/api.md", "README.md", "memory/long-term/people.md", "a.txt", ""],
    NoteKind.RESEARCH: ["research/llm.md", "memory/research/x.md", "vector-db-research.md"],
    NoteKind.SKILL: ["skills/deploy/SKILL.md", "skills/deploy/docs/usage.md", "x/SKILL.md"],
    NoteKind.AGENT: ["agents/scout/AGENTS.md", "subagents/x/notes.md", ".claude/agents/a.md"],
    NoteKind.TEMP: ["tmp/x.md", "temp-migration-guide.md", "scratch.md", "memory/tmp/a.md"],
}


@pytest.mark.parametrize(("kind", "path"), [(k, path) for k, ps in EXAMPLES.items() for path in ps])
def test_examples(kind: NoteKind, path: str) -> None:
    assert kind_of(path) == kind


@pytest.mark.parametrize("path", ["template.md", "contemporary.md", "tempo/x.md", "agentic.md"])
def test_a_word_is_not_found_inside_another(path: str) -> None:
    assert kind_of(path) == NoteKind.DOC


def test_there_is_an_example_of_every_kind() -> None:
    assert set(EXAMPLES) == set(NoteKind)


@given(st.text(max_size=40))
def test_any_path_has_a_kind(path: str) -> None:
    assert kind_of(path) in NoteKind
