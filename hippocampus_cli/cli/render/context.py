"""Context entries and the results of ``hippo context``: for a terminal, for a pipe, or as JSON and YAML."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from hippocampus_cli.cli.render.layout import (
    columns_of,
    count,
    fit,
    label,
    padded,
    print_tabs,
    strength_bar,
)
from hippocampus_cli.cli.render.output import Output, Styled, picked
from hippocampus_cli.context.extract import shown
from hippocampus_cli.context.lifecycle.codec import entry_document
from hippocampus_cli.context.lifecycle.window import HEAD, origin_of
from hippocampus_cli.markdown.safe import safe_line
from hippocampus_cli.text.plain_text import shorten
from hippocampus_cli.workspace.fence import Piece

if TYPE_CHECKING:
    from hippocampus_cli.context.lifecycle.consolidate import EntryState, TurnResult
    from hippocampus_cli.context.lifecycle.context_session import Completed
    from hippocampus_cli.context.lifecycle.ingest import Ingested
    from hippocampus_cli.context.lifecycle.session import ContextEntry, ContextSession
    from hippocampus_cli.context.lifecycle.window import Window
    from hippocampus_cli.maintenance.end_session import Ended, KeptEntry


_GUTTER, _FENCED, _FENCE = 1, 10, 28  # tokens a line, an entry, and a window


def print_begun(output: Output, session: ContextSession, new: bool) -> None:
    """The session's id alone, for use in a shell."""
    if output.as_json:
        output.json({**_session(session), "created": new})
        return
    output.line(session.id)
    if not new:
        entries = count(len(session.entries), "entry", "entries")
        output.note(f"hippo: resumed at turn {session.turn}, {entries}")


def print_added(output: Output, session: ContextSession, taken: Ingested) -> None:
    """The new entry, and why it is indexed or not."""
    entry, verdict = taken.entry, taken.verdict
    if output.as_json:
        lines = [policy.line for policy in taken.policies]
        found = {"entry": entry_document(entry), "reason": verdict.reason, "policies": lines}
        output.json({"session": session.id, **found})
        return
    size = f"{entry.content.tokens:,} tokens"
    if entry.indexed and entry.content.tokens > entry.summary_tokens:
        share = entry.content.tokens / max(1, entry.summary_tokens)
        size += f" → {entry.summary_tokens:,} ({share:.0f}×)"
    how = "indexed" if entry.indexed else "whole"
    output.line(Styled(entry.id, "cyan"), f"  {how}, {size}", Styled(f"  {verdict.reason}", "dim"))
    for line in said_lines(entry) if entry.indexed else ():
        output.quote(fit(line, output.quote_width) if output.terminal else line, "dim")


def print_turned(output: Output, turned: TurnResult, budget: int) -> None:
    """The turn, and what left the window."""
    session = turned.session
    if output.as_json:
        counts = picked(turned, "active", "dormant", "expired", "compressed", "tokens")
        output.json({**_session(session), **counts, "window_tokens": budget})
        return
    active = f"{turned.active} active, {turned.tokens:,} of {budget:,} tokens"
    output.line(Styled(f"turn {session.turn}", "bold"), f"  {active}")
    for what, keys in (
        ("dormant now", turned.dormant),
        ("expired now", turned.expired),
        ("compressed", turned.compressed),
    ):
        if keys:
            output.line(Styled(f"  {what}: {', '.join(keys)}", "dim"))


def print_window(
    output: Output, session: ContextSession, states: Sequence[EntryState], window: Window
) -> None:
    """The window alone in a pipe; on a terminal also how full it is."""
    away = [one.entry.id for one in states if one.state != "active"]
    if output.as_json:
        shown = [one._asdict() | {"strength": rounded(one.strength)} for one in window.shown]
        used = picked(window, "text", "tokens", "budget")
        rest = {"entries": shown, "left_out": window.left_out, "dormant": away}
        output.json({**_session(session), **used, **rest})
        return
    if window.blocks:
        output.line(HEAD)
    for head, text in window.blocks:
        output.line()
        output.line(Styled(head, "cyan"))
        output.quote(text)
    if output.terminal:
        left = f", {len(window.left_out)} left out" if window.left_out else ""
        dormant = f", {len(away)} dormant" if away else ""
        size = f"{window.tokens:,} of {window.budget:,} tokens, {len(window.shown)} shown"
        if window.blocks:
            output.line()
        output.line(Styled(f"{size}{left}{dormant}, turn {session.turn} of {session.id}", "dim"))


def print_completed(output: Output, session: ContextSession, done: Completed) -> None:
    """The content byte for byte, with notices about it on standard error."""
    entry = done.entry
    if done.notice:
        output.note(f"hippo: {safe_line(done.notice)}")
    if output.as_json:
        output.json({"session": session.id, "id": entry.id, **_completed(done)})
        return
    if done.reason:
        what = "the summary" if done.origin == "summary" else "the stored copy"
        output.note(f"hippo: {entry.id}: {safe_line(done.reason)}; this is {what}")
    if done.changed:
        output.note(
            f"hippo: {entry.id}: its source has changed; --as-added prints it as it was added"
        )
    if output.terminal:
        output.quote(done.data.decode("utf-8", "replace").rstrip("\n"))
    else:
        output.raw(done.data)


def fitting(window_of: Callable[[int | None], Window], budget: int | None, fence: bool) -> Window:
    """The window that fits ``budget`` tokens together with the fence or gutters around it."""
    window = window_of(budget)
    most = window.budget
    while window.blocks and (over := window.tokens + _marks(window, fence) - most) > 0:
        window = window_of(window.budget - over)
    return window._replace(budget=most)


def _marks(window: Window, fence: bool) -> int:
    lines = sum(text.count("\n") + 1 for _, text in window.blocks)
    return _FENCE + _FENCED * len(window.blocks) if fence else _GUTTER * lines


def completed_pieces(done: Completed) -> list[Piece]:
    """The content for an agent: as text, whatever it is."""
    entry = done.entry
    said = [f"{entry.id}: {done.reason}"] if done.reason else []
    head = f"{origin_of(entry)} {entry.id} {entry.source.type} {entry.source.ref}".rstrip()
    return [*map(Piece, said), Piece(head, done.data.decode("utf-8", "replace").rstrip("\n"))]


def print_ended(output: Output, ended: Ended) -> None:
    """What was kept and where, and what goes to the archive."""
    if output.as_json:
        from hippocampus_cli.cli.render.output import document_of

        output.json(document_of(ended))
        return
    for one in ended.kept:
        _print_kept(output, one, ended.dry_run)
    if ended.faded:
        faded = ", ".join(ended.faded)
        output.line(Styled(f"too weak to keep: {faded} (touch or pin them)", "yellow"))
    verb = "would end" if ended.dry_run else "ended"
    rest = count(ended.rest, "entry", "entries")
    output.line(f"session {ended.session} {verb} at turn {ended.turn}; {rest} for the archive")


def _print_kept(output: Output, one: KeptEntry, dry_run: bool) -> None:
    for notice in one.notices:
        output.note(f"hippo: {one.id}: {safe_line(notice)}")
    verb = "would be kept in" if dry_run else "kept in"
    place = Styled(f"{safe_line(one.path)}:{one.start_line}", "cyan")
    output.line(
        f"{one.id} {verb if one.new else 'is already in'} ", place, f"  § {safe_line(one.section)}"
    )
    if one.entry is not None:
        output.line(Styled(f"  entry {safe_line(one.entry)}", "dim"))


def _completed(done: Completed) -> dict[str, object]:
    try:
        text, encoding = done.data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        text, encoding = base64.b64encode(done.data).decode("ascii"), "base64"
    return {
        "origin": done.origin,
        "changed": done.changed,
        "stale": done.entry.stale,
        "reason": done.reason,
        "encoding": encoding,
        "content": text,
    }


def _session(session: ContextSession) -> dict[str, object]:
    return {"session": session.id, "turn": session.turn}


_STATE_STYLES = {"active": "green", "dormant": "magenta", "expired": "dim"}
_LABEL = 10
_SUMMARY = 120  # characters of a summary on a line
_ID, _SIZE = 8, 8  # columns of a line about an entry
_MEASURES = 12 + _ID + _SIZE + 4


def print_states(output: Output, session: ContextSession, states: Sequence[EntryState]) -> None:
    """A line an entry; tab-separated in a pipe."""
    if output.as_json:
        entries = [_state_document(one) for one in states]
        output.json({**_session(session), "entries": entries})
        return
    if not output.terminal:
        print_tabs(output, map(_values, states))
        return
    longest = max((columns_of(_source(one.entry)) for one in states), default=0)
    for one in states:
        _print_state(output, one, min(longest, max(8, output.width // 3)))


def print_entry(output: Output, session: ContextSession, one: EntryState) -> None:
    """One entry with every field."""
    if output.as_json:
        output.json({**_session(session), **_state_document(one)})
        return
    entry = one.entry
    output.line(Styled(entry.id, "bold"), f"  {safe_line(entry.source.type)}")
    for line in said_lines(entry):
        output.quote(line)
    output.line()
    for name, value in _fields(one).items():
        output.line(label(name, _LABEL, 2), safe_line(value))


def said_lines(entry: ContextEntry) -> list[str]:
    """Summary and key data as the window shows them."""
    return shown(entry.summary, entry.key_data).split("\n")


def rounded(strength: float) -> float:
    """A strength for a document."""
    return round(strength, 4)


def _print_state(output: Output, one: EntryState, source: int) -> None:
    entry = one.entry
    style = _STATE_STYLES[one.state]
    marks = "pinned " * (entry.modifiers.priority == "critical") + "stale " * entry.stale
    room = output.width - _MEASURES - source - len(marks)
    output.line(
        Styled(f"{strength_bar(one.strength)} {one.strength:.2f}  ", style),
        Styled(padded(entry.id, _ID), "cyan"),
        Styled(f"{entry.content.tokens:>{_SIZE},}  ", "dim"),
        padded(_source(entry), source),
        Styled(f"  {marks}", "yellow"),
        Styled(fit(_summary(entry), room), "dim"),
    )


def _values(one: EntryState) -> list[str]:
    entry = one.entry
    size = f"{entry.content.tokens}"
    texts = (one.state, entry.id, entry.type, _source(entry), size, _summary(entry))
    return [f"{one.strength:.2f}", *map(safe_line, texts)]


def _source(entry: ContextEntry) -> str:
    return f"{entry.source.type} {entry.source.ref}".rstrip()


def _summary(entry: ContextEntry) -> str:
    return shorten(" ".join(entry.summary.split()), _SUMMARY)


def _state_document(one: EntryState) -> dict[str, object]:
    now = {"strength_now": rounded(one.strength), "state": one.state}
    return {**now, "entry": entry_document(one.entry)}


def _fields(one: EntryState) -> dict[str, str]:
    entry = one.entry
    decay, life = entry.decay, entry.lifecycle
    how = "indexed" if entry.indexed else "whole"
    stale = ", stale" if entry.stale else ""
    found = {
        "strength": f"{one.strength:.2f} {one.state}, {entry.strength:.2f} at turn {decay.last_access}",
        "source": f"{entry.type}, {_source(entry)}, turn {entry.source.turn}{stale}",
        "content": f"{entry.content.tokens:,} tokens of {entry.content.kind}, in the window {how}",
        "decay": f"{decay.rate:g} a turn, floor {decay.floor:g}, {entry.modifiers.encoding}",
        "priority": entry.modifiers.priority + (", persists" if life.persist else ""),
    }
    if entry.modifiers.associations:
        found["linked"] = ", ".join(entry.modifiers.associations)
    if life.expires is not None:
        found["expires"] = f"turn {life.expires}"
    return found
