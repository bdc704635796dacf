"""``hippo bootstrap``."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import DRY_RUN, SHARED, takes
from hippocampus_cli.cli.render import Styled, safe_line

if TYPE_CHECKING:
    from hippocampus_cli.api import Addition, BootstrapPlan, BootstrapReport

_LISTED = 12
"""Passages left out for one reason, and notes not read, that are named one by one; more of them are counted."""
_REASONS = {"kind": "not notes", "folder": "folders", "too-large": "too large", "link": "links"}


_CHOSEN = {
    "here": "the folder you stand in; from here down hippo finds it by its HIPPOCAMPUS.md",
    "above": "found from here upwards",
}


@takes(DRY_RUN, *SHARED)
def command(session: CommandContext, dry_run: bool) -> None:
    """Create HIPPOCAMPUS.md from your notes, or add to it what is new.

    Where no workspace is named and none is found, the folder you stand in becomes one if it has markdown notes.
    Core files, projects and recent dailies are indexed by section, older dailies by file. What stands
    in an index already stays as it is, and a second run changes nothing.

    Examples:
      hippo bootstrap --dry-run
      hippo bootstrap
    """
    chosen = _chosen(session)
    with session.open_as_is() as opened, session.output.progress("reading notes") as advance:
        report = opened.bootstrap(dry_run=dry_run, now=session.now, progress=advance)
    if session.output.as_json:
        session.output.json(
            {"workspace": str(session.root()), "chosen": chosen, **_document(report, dry_run)}
        )
    else:
        if chosen in _CHOSEN:
            session.output.line(f"workspace: {safe_line(str(session.root()))}  ({_CHOSEN[chosen]})")
        _print(session, report, dry_run)


def _chosen(session: CommandContext) -> str:
    """How the workspace was chosen: ``named``, ``found`` where one stands, ``above``, or ``here`` for a new one."""
    if session.names_workspace:
        return "named"
    known = session.root_or_none()
    here = session.root_to_be() == Path.cwd()
    return "here" if known is None else "found" if here else "above"


def _print(session: CommandContext, report: BootstrapReport, dry_run: bool) -> None:
    session.output.line(
        f"read {_count(report.plan.notes, 'note')} in {_duration(report.seconds)}",
        Styled(_skipped(report), "dim"),
    )
    for one in report.unread[:_LISTED]:
        reason = f"  not read: {safe_line(one.path)}: {safe_line(one.reason)}"
        session.output.line(Styled(reason, "yellow"))
    if len(report.unread) > _LISTED:
        session.output.line(f"  not read: {len(report.unread) - _LISTED:,} more (--json)")
    if report.other_endings:
        _print_other_endings(session, report)
    if report.plan.additions:
        _print_additions(session, report.plan, dry_run)
    _print_left_out(session, report.plan)
    _print_result(session, report, dry_run)


def _print_other_endings(session: CommandContext, report: BootstrapReport) -> None:
    """Which text files are not read, those first that core notes name, and the setting that adds them."""
    others = report.other_endings
    counts = ", ".join(f"{one.files:,} .{one.ending}" for one in others[:_LISTED])
    named = [path for one in others for path in one.named]
    names = f"; your core notes name {', '.join(map(safe_line, named[:3]))}" if named else ""
    wanted = [one.ending for one in others if one.named or not named][:_LISTED]
    setting = json.dumps([*session.config().scan.extensions, *wanted])
    session.output.line(Styled(f"  text, but not read as notes: {counts}{names}", "yellow"))
    advice = f"  to read them, under [scan] in .hippocampus/config.toml: extensions = {setting}"
    session.output.line(Styled(advice, "dim"))


def _print_additions(session: CommandContext, plan: BootstrapPlan, dry_run: bool) -> None:
    shelves: dict[str, list[Addition]] = {}
    for addition in plan.additions:
        shelves.setdefault(addition.shelf, []).append(addition)
    session.output.line()
    for shelf, found in shelves.items():
        session.output.line(f"  {shelf:<20}", Styled(f"{len(found):>5}", "bold"))
        for addition in found if dry_run else ():
            pointer = ", ".join(map(str, addition.draft.pointers))
            session.output.line(
                f"    {safe_line(addition.draft.topic)}", Styled(f"  → {safe_line(pointer)}", "dim")
            )
    session.output.line()


def _print_left_out(session: CommandContext, plan: BootstrapPlan) -> None:
    for why, kinds in plan.left_out_by_kind.items():
        counts = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
        session.output.line(f"left out, {why}: {counts}")
        named = [one for one in plan.left_out if one.why is why]
        for one in named if len(named) <= _LISTED else ():
            title = f"  {safe_line(one.title)}" if one.title else ""
            session.output.line(Styled(f"  {safe_line(one.path)}:{one.line}{title}", "dim"))


def _print_result(session: CommandContext, report: BootstrapReport, dry_run: bool) -> None:
    there = f"{report.entries - report.in_topics:,} entries"
    beyond = f" and {report.in_topics:,} in .hippocampus/topics" if report.in_topics else ""
    size = f"{there}{beyond}, {report.tokens:,} of {report.budget:,} tokens"
    line = session.output.line
    if not report.changed:
        line(f"{report.path} is up to date: {size}")
    elif dry_run:
        verb = "would be created" if report.created else "would grow"
        line(f"{report.path} {verb}: {size}", Styled("  (nothing was written)", "dim"))
    else:
        verb = "created" if report.created else "extended"
        line(f"{verb} {report.path}: ", Styled(size, "bold"))
        if words := example(one.draft.topic for one in report.plan.additions):
            line(Styled(f"ask it something: hippo query {words}", "dim"))


def _document(report: BootstrapReport, dry_run: bool) -> dict[str, object]:
    return {
        "path": report.path,
        "created": report.created,
        "changed": report.changed,
        "dry_run": dry_run,
        "notes": report.plan.notes,
        "entries": report.entries,
        "in_topics": report.in_topics,
        "tokens": report.tokens,
        "max_tokens": report.budget,
        "added": [_added(addition) for addition in report.plan.additions],
        "left_out": [
            {
                "path": one.path,
                "line": one.line,
                "title": one.title,
                "type": one.kind,
                "reason": one.why,
            }
            for one in report.plan.left_out
        ],
        "skipped": dict(report.skipped),
        "unread": [one._asdict() for one in report.unread],
        "other_endings": [one._asdict() for one in report.other_endings],
        "elapsed_ms": round(report.seconds * 1000, 1),
    }


def _added(addition: Addition) -> dict[str, object]:
    return {
        "id": addition.draft.id,
        "topic": addition.draft.topic,
        "section": addition.shelf,
        "pointers": [str(pointer) for pointer in addition.draft.pointers],
        "line": addition.line,
        "type": addition.kind,
    }


def _skipped(report: BootstrapReport) -> str:
    parts = ", ".join(
        f"{count} {_REASONS.get(reason, reason)}" for reason, count in report.skipped.items()
    )
    return f"  (skipped: {parts})" if parts else ""


def _duration(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun if number == 1 else noun + 's'}"


_LONGEST = 40  # characters that somebody likes to type
_WORDS = re.compile(r"\w[\w'-]* \w[\w' ,()-]*")
_PLAIN = re.compile(r"\w[\w .,'()-]*")  # nothing to any shell between double quotes


def example(topics: Iterable[str]) -> str:
    """The first of ``topics`` that is a few plain words, else a plain one, else any, quoted; empty without one."""
    found = [one for one in map(safe_line, topics) if one.strip() and not one.startswith("-")]
    short = [one for one in found if len(one) <= _LONGEST]
    plain = [one for one in short if _PLAIN.fullmatch(one)]
    words = [one for one in plain if _WORDS.fullmatch(one)]
    chosen = next(iter([*words, *plain, *short, *found]), "")
    if not chosen:
        return ""
    return f'"{chosen}"' if _PLAIN.fullmatch(chosen) else shlex.quote(chosen)
