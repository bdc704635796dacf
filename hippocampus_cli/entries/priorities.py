"""Which sections matter most, by what they are (decision D22): core files, rules, warnings, credentials."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hippocampus_cli.index.metadata import Priority
from hippocampus_cli.redaction.redactor import holds_placeholder
from hippocampus_cli.workspace.kinds import NoteKind, is_core

if TYPE_CHECKING:
    from hippocampus_cli.entries.passages import Passage

RULE_TITLE = re.compile(
    r"\b(?:rules?|never|always|critical|important|lessons?|do not|don'?t|boundaries|red lines|principles"
    r"|warnings?|regeln|wichtig|warnung|niemals|reglas|règles)\b|规则|注意|禁止|必须",
    re.IGNORECASE,
)
RULE = re.compile(
    r"\b(?:never|always|must|do not|don'?t|only ever|nie|niemals|immer|nunca|siempre|jamais|toujours)\b"
    r"|不要|必须|禁止|永远|务必",
    re.IGNORECASE,
)


def priority_of(passage: Passage) -> tuple[Priority, str]:
    """The priority that an entry of the passage deserves, and the reason in words; none for a normal one."""
    if not is_core(passage.note.path):
        return Priority.NORMAL, ""
    titles = " / ".join((*(passage.section.parents if passage.section else ()), passage.title))
    if passage.kind is NoteKind.CONFIG and passage.section and RULE_TITLE.search(titles):
        return Priority.AMYGDALA, "it is a rule or a warning"
    if holds_placeholder(passage.body):
        return Priority.AMYGDALA, "it says where a credential is"
    return Priority.HIGH, "it is a core file"
