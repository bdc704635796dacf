"""Content that is added becomes an entry: extracted, judged by the policies, indexed or not (CONTEXT §6). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hippocampus_cli.config.context import Context
from hippocampus_cli.context.extract import Extract, fit, shown
from hippocampus_cli.context.lifecycle.policies import (
    Candidate,
    Policy,
    PolicyAction,
    apply_policies,
)
from hippocampus_cli.context.lifecycle.session import (
    Content,
    ContextEntry,
    ContextPriority,
    Encoding,
    EntryDecay,
    EntrySource,
    EntryType,
    Lifecycle,
    Modifiers,
    digest_of,
)
from hippocampus_cli.context.phrases import contains
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.workspace.read import is_binary

_SHELLS = frozenset(("bash", "shell", "shell_command", "exec_command", "run_shell_command"))
"""The tools of agents that run a command."""
_SOURCES = {"tool_result": "tool", "message": "user"}
_FILE = "file"


def decide(candidate: Candidate, content: Content, settings: Context) -> tuple[bool, str]:
    """The rule of CONTEXT §6.1: whether an entry is indexed, and why."""
    if candidate.type == "message":
        if candidate.source_type != "user":
            return False, "not a user's message"
        instructs = contains(candidate.text, settings.instruction_words)
        return instructs, "an instruction" if instructs else "no instruction"
    result = candidate.type == "tool_result"
    if result and "error" in (candidate.source_type, content.kind):
        return True, "an error"
    if content.tokens > settings.index_tokens:
        return True, f"over {settings.index_tokens:,} tokens"
    return False, "a small result" if result else f"a short {candidate.type}"


class IngestRequest(NamedTuple):
    """What is said of content that is added; ``None`` leaves a value to the policies and the settings.

    ``source`` is its type (``browser.snapshot``, ``file``), ``ref`` its name there. ``expires_after`` is in turns.
    """

    type: EntryType = "tool_result"
    source: str | None = None
    ref: str = ""
    summary: str | None = None
    priority: ContextPriority | None = None
    encoding: Encoding = "auto"
    persist: bool | None = None
    expires_after: int | None = None


class Ingested(NamedTuple):
    """A new entry (without id, turn and associations), and why it is as it is."""

    entry: ContextEntry
    reason: str
    policies: tuple[Policy, ...]


def ingest(
    content: bytes,
    request: IngestRequest,
    policies: Sequence[Policy],
    settings: Context,
    *,
    exact: bool,
) -> Ingested:
    """The entry of some content. ``exact``: its source holds the same bytes."""
    kind = request.source or _SOURCES.get(request.type, request.type)
    candidate = Candidate(request.type, kind, request.priority, text_of(content) or "")
    action, fitting = apply_policies(candidate, policies)
    action = action.then(
        PolicyAction(None, request.priority, request.persist, request.expires_after)
    )
    rate: float = getattr(settings, f"{request.type}_rate")  # CONTEXT §5.1
    bare = ContextEntry(
        "",
        request.type,
        EntrySource(kind, request.ref, 0),
        "",
        {},
        1.0,
        EntryDecay(rate if action.decay_rate is None else action.decay_rate),
        Modifiers(action.priority or "normal", request.encoding),
        Lifecycle(0, action.expires_after_turns, bool(action.persist)),
    )
    entry = _holding(bare, content, settings, action, request.summary, exact=exact)
    indexed, reason = decide(candidate, entry.content, settings)
    if action.indexed is not None:
        indexed, reason = action.indexed, "a policy says so"
    indexed = indexed or is_binary(content)
    return Ingested(entry._replace(indexed=indexed), reason, fitting)


def placed(entry: ContextEntry, key: str, turn: int, associations: tuple[str, ...]) -> ContextEntry:
    """The entry in its session: its id, and its turns counted from ``turn``."""
    expires = entry.lifecycle.expires
    made = entry._replace(
        id=key,
        source=entry.source._replace(turn=turn),
        decay=entry.decay._replace(last_access=turn),
        lifecycle=entry.lifecycle._replace(
            created=turn, expires=None if expires is None else turn + expires
        ),
    )
    return made.associated(associations)


def recaptured(entry: ContextEntry, content: bytes, turn: int, settings: Context) -> ContextEntry:
    """The entry with what its source holds now (CONTEXT §7.2); the content before it is kept too."""
    fresh = _holding(entry, content, settings, PolicyAction(), exact=True)
    large = fresh.content.tokens > settings.index_tokens
    return fresh._replace(
        source=entry.source._replace(turn=turn, retrievable=True),
        earlier=tuple(dict.fromkeys((*entry.earlier, entry.content.sha256))),
        indexed=entry.indexed or is_binary(content) or large,
    )


def _holding(
    entry: ContextEntry,
    content: bytes,
    settings: Context,
    action: PolicyAction,
    summary: str | None = None,
    *,
    exact: bool,
) -> ContextEntry:
    """The entry with this content, and what stands for it; ``summary`` is one that was given."""
    text = text_of(content)
    size = -(-len(content) // 4) if text is None else tokens(text)
    made = _extract(entry, content, size, settings, action)
    summary = summary or made.summary
    return entry._replace(
        summary=summary,
        key_data=made.key_data,
        content=Content(digest_of(content), len(content), size, made.kind, exact),
        summary_tokens=tokens(shown(summary, made.key_data)),
    )


def _extract(
    entry: ContextEntry, content: bytes, size: int, settings: Context, action: PolicyAction
) -> Extract:
    """Summary and key data of an entry's content within the settings' tokens; a short text is its own summary.

    What a command put out also says how it ended.
    """
    from hippocampus_cli.context.extract.choose import extract, extract_binary
    from hippocampus_cli.context.extract.text import outcome

    is_command = entry.source.type.lower() in _SHELLS  # it may name a file, and its output is none
    hint, text = "" if is_command else entry.source.ref, text_of(content)
    if text is None:
        return extract_binary(content, hint)
    aggressive = action.compression == "aggressive"
    budget = settings.aggressive_tokens if aggressive else settings.summary_tokens
    made = extract(text, hint, settings.instruction_words if entry.type == "message" else ())
    if size <= budget:
        visible = "".join(char if char.isprintable() or char in "\n\t" else " " for char in text)
        return Extract(made.kind, visible.strip())
    if is_command:
        made = made._replace(key_data={**outcome(text), **made.key_data})
    return fit(made, budget)


def text_of(content: bytes) -> str | None:
    """Content as text, ``None`` where it is binary. A byte that is no UTF-8 becomes U+FFFD."""
    return None if is_binary(content) else content.decode("utf-8", "replace").removeprefix("\ufeff")


def is_file_source(kind: str) -> bool:
    """Whether a source of this type is a file of the workspace."""
    return kind == _FILE or kind.startswith(f"{_FILE}.")
