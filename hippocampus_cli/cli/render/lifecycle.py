"""What the commands of ``hippo context`` did."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from hippocampus_cli.cli.render.columns import count, fit
from hippocampus_cli.cli.render.context_entry import print_standings, rounded, said_lines
from hippocampus_cli.cli.render.output import Output, Styled
from hippocampus_cli.cli.render.safe import safe_line
from hippocampus_cli.context.lifecycle.codec import entry_document
from hippocampus_cli.context.lifecycle.window import HEAD, origin_of
from hippocampus_cli.workspace.fence import Piece

if TYPE_CHECKING:
    from hippocampus_cli.api.context import Ended, Kept
    from hippocampus_cli.context.lifecycle.consolidate import Standing, Turned
    from hippocampus_cli.context.lifecycle.intake import Intake
    from hippocampus_cli.context.lifecycle.keeper import Completed, Keeper
    from hippocampus_cli.context.lifecycle.session import Session
    from hippocampus_cli.context.lifecycle.window import Window


_GUTTER, _FENCED, _FENCE = 2, 20, 60  # characters a line, an entry, and a window


def print_begun(output: Output, session: Session, new: bool) -> None:
    """The session's id alone, so that a shell can take it."""
    if output.as_json:
        output.json({"session": session.id, "turn": session.turn, "created": new})
        return
    output.line(session.id)
    if not new:
        output.note(f"hippo: taken up again at turn {session.turn}, {_entries(session)}")


def print_added(output: Output, session: Session, taken: Intake) -> None:
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


def print_turned(output: Output, turned: Turned, budget: int) -> None:
    """The turn, and what left the window."""
    session = turned.session
    if output.as_json:
        output.json(
            {
                "session": session.id,
                "turn": session.turn,
                "active": turned.active,
                "dormant": turned.dormant,
                "expired": turned.expired,
                "compressed": turned.compressed,
                "tokens": turned.tokens,
                "window_tokens": budget,
            }
        )
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
    output: Output, session: Session, standings: Sequence[Standing], window: Window
) -> None:
    """The window alone in a pipe; on a terminal also how full it is."""
    away = [one.entry.id for one in standings if one.state != "active"]
    if output.as_json:
        output.json(
            {
                "session": session.id,
                "turn": session.turn,
                "text": window.text,
                "tokens": window.tokens,
                "budget": window.budget,
                "entries": [
                    one._asdict() | {"strength": rounded(one.strength)} for one in window.shown
                ],
                "left_out": window.left_out,
                "dormant": away,
            }
        )
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
        shown = f"{len(window.shown)} shown{left}{dormant}"
        used = f"{window.tokens:,} of {window.budget:,} tokens"
        if window.blocks:
            output.line()
        output.line(Styled(f"{used}, {shown}, turn {session.turn} of {session.id}", "dim"))


def print_completed(output: Output, session: Session, done: Completed) -> None:
    """The content byte for byte; beside it what there is to know about it."""
    entry = done.entry
    if done.notice:
        output.note(f"hippo: {safe_line(done.notice)}")
    if output.as_json:
        output.json({"session": session.id, "id": entry.id, **_completed(done)})
        return
    if done.reason:
        what = "the summary" if done.origin == "summary" else "the copy that was kept"
        output.note(f"hippo: {entry.id}: {safe_line(done.reason)}; this is {what}")
    if done.changed:
        output.note(f"hippo: {entry.id}: its source has changed; --as-added gives what it held")
    if output.terminal:
        output.quote(done.data.decode("utf-8", "replace").rstrip("\n"))
    else:
        output.raw(done.data)


def fitting(window_of: Callable[[int | None], Window], budget: int | None, fence: bool) -> Window:
    """The window that fits ``budget`` tokens together with what stands before its lines."""
    window = window_of(budget)
    most = window.budget
    while window.blocks and (over := window.tokens + _marks(window, fence) - most) > 0:
        window = window_of(window.budget - over)
    return window._replace(budget=most)


def _marks(window: Window, fence: bool) -> int:
    lines = sum(text.count("\n") + 1 for _, text in window.blocks)
    characters = _FENCE + _FENCED * len(window.blocks) if fence else _GUTTER * lines
    return -(-characters // 4)


def completed_pieces(done: Completed) -> list[Piece]:
    """The content for an agent: as text, whatever it is."""
    entry = done.entry
    said = [f"{entry.id}: {done.reason}"] if done.reason else []
    head = f"{origin_of(entry)} {entry.id} {entry.source.type} {entry.source.ref}".rstrip()
    return [*map(Piece, said), Piece(head, done.data.decode("utf-8", "replace").rstrip("\n"))]


def print_changed(output: Output, keeper: Keeper, session: Session, keys: Sequence[str]) -> None:
    """The entries ``keys`` as they stand after a change."""
    wanted = set(keys)
    print_standings(
        output, session, [one for one in keeper.standings(session) if one.entry.id in wanted]
    )


def print_ended(output: Output, ended: Ended) -> None:
    """What was kept and where, and what stays behind."""
    if output.as_json:
        from hippocampus_cli.cli.render.documents import document_of

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


def _print_kept(output: Output, one: Kept, dry_run: bool) -> None:
    for notice in one.notices:
        output.note(f"hippo: {one.id}: {safe_line(notice)}")
    verb = "would go to" if dry_run else "kept in"
    place = Styled(f"{safe_line(one.path)}:{one.start_line}", "cyan")
    output.line(
        f"{one.id} {verb if one.new else 'stands in'} ", place, f"  § {safe_line(one.section)}"
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


def _entries(session: Session) -> str:
    return count(len(session.entries), "entry", "entries")
