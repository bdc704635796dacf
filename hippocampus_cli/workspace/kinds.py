"""What sort of note a file is (INDEX §11.3), told from its path alone."""

from __future__ import annotations

from enum import StrEnum

from hippocampus_cli.light import pattern
from hippocampus_cli.workspace.dates import date_of, period_in_name


class NoteKind(StrEnum):
    """The types of INDEX §11.3."""

    CONFIG = "config"  # the workspace's core files: MEMORY.md, AGENTS.md, ...
    DAILY = "daily"
    STATE = "state"  # data: JSON, YAML, TOML
    PROJECT = "project"
    DOC = "doc"
    RESEARCH = "research"
    SKILL = "skill"
    AGENT = "agent"
    TEMP = "temp"


_CORE = frozenset(
    {
        *(
            "memory",
            "agents",
            "soul",
            "user",
            "identity",
            "tools",
            "heartbeat",
            "bootstrap",
            "boot",
        ),
        *("defrag", "dreams", "claude", "gemini", "persona", "rules"),
    }
)
_DATA = (".json", ".jsonl", ".yaml", ".yml", ".toml")
_NAMES = {
    "skill": NoteKind.SKILL,
    "project": NoteKind.PROJECT,
    "agent": NoteKind.AGENT,
    "research": NoteKind.RESEARCH,
}
_FOLDERS = {
    NoteKind.DAILY: "daily dailies journal journals diary logs",
    NoteKind.PROJECT: "project projects",
    NoteKind.RESEARCH: "research deep-research investigations",
    NoteKind.SKILL: "skill skills",
    NoteKind.AGENT: "agent agents subagent subagents sub-agents",
    NoteKind.TEMP: "tmp temp scratch drafts",
    NoteKind.DOC: "doc docs documentation whitepapers papers reference",
}
_OF_FOLDER = {name: kind for kind, names in _FOLDERS.items() for name in names.split()}
_TEMP_WORD = pattern(r"(?:^|[^a-z])(?:tmp|temp|temporary|scratch|scratchpad)(?:[^a-z]|$)")
_RESEARCH_WORD = pattern(r"(?:^|[^a-z])research(?:[^a-z]|$)")


def kind_of(path: str) -> NoteKind:
    """The kind of the note at ``path`` (relative, ``/``-separated).

    Data first, then a date in the file's name, then the core files at the root; then the name, then the
    outermost folder that says something, so a skill's docs belong to the skill. The rest is ``doc``.
    """
    lowered = path.lower()
    *folders, name = lowered.split("/")
    if name.endswith(_DATA):
        return NoteKind.STATE
    if period_in_name(name):
        return NoteKind.DAILY
    stem = name.rpartition(".")[0] or name
    if not folders and stem in _CORE:
        return NoteKind.CONFIG
    if named := _of_name(stem):
        return named
    for folder in folders:
        if kind := _OF_FOLDER.get(folder.lstrip(".")):
            return kind
    if date_of(lowered):
        return NoteKind.DAILY
    return NoteKind.RESEARCH if _RESEARCH_WORD.search(stem) else NoteKind.DOC


def _of_name(stem: str) -> NoteKind | None:
    return NoteKind.TEMP if _TEMP_WORD.search(stem) else _NAMES.get(stem)
