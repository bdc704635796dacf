"""What ``hippo export`` and ``hippo import`` print."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from hippocampus_cli.cli.render.layout import count
from hippocampus_cli.cli.render.output import Output, Styled
from hippocampus_cli.markdown.safe import safe_line

if TYPE_CHECKING:
    from hippocampus_cli.api import Exported, Imported, Received, Shared


def print_exported(output: Output, done: Exported) -> None:
    """What the package holds."""
    if output.as_json:
        output.json(done._asdict())
        return
    signed = f", signed by {done.signed}" if done.signed else ""
    output.line(f"wrote {count(done.files, 'file')}, {done.bytes:,} bytes{signed}")


def print_imported(output: Output, done: Imported) -> None:
    """What was added, and what was not."""
    if output.as_json:
        output.json({**done._asdict(), "parts": [one._asdict() for one in done.parts]})
        return
    new = sum(one.what == "new" for one in done.parts)
    same = sum(one.what == "same" for one in done.parts)
    output.line(
        f"{'would add' if done.dry_run else 'added'} {count(new, 'file')}; {same:,} here already"
    )
    for one in done.parts:
        if one.why:
            output.line(Styled(f"  left out: {safe_line(one.path)} ({one.why})", "yellow"))
    if done.signed:
        output.line(f"signed by {done.signed}")


def print_shared(output: Output, done: Shared) -> None:
    """What other agents can read now."""
    if output.as_json:
        output.json(asdict(done))
        return
    if not (done.entries or done.same):
        output.line("nothing was shared: no entry has such a path or tag")
        return
    verb = "would share" if done.dry_run else "shared"
    there = f"{len(done.same):,} there already"
    output.line(f"{verb} {count(len(done.entries), 'entry', 'entries')} as {done.agent}; {there}")
    for id_ in done.entries:
        output.line(Styled(f"  {safe_line(id_)}", "cyan"))


def print_received(output: Output, done: Received) -> None:
    """What came in, and what did not."""
    if output.as_json:
        output.json(asdict(done))
        return
    verb = "would take in" if done.dry_run else "took in"
    new, notes = count(len(done.new), "entry", "entries"), count(len(done.notes), "text")
    output.line(f"{verb} {new} and {notes}; {len(done.changed):,} changed")
    for id_ in (*done.new, *done.changed):
        output.line(Styled(f"  {safe_line(id_)}", "cyan"))
    for one in done.left_out:
        output.line(Styled(f"  left out: {safe_line(one.path)} ({safe_line(one.why)})", "yellow"))
