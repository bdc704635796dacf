"""The output of ``hippo forget``: no content but what its user typed and the changed lines of notes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hippocampus_cli.cli.render.layout import count, print_beside
from hippocampus_cli.cli.render.output import Output, Styled, picked
from hippocampus_cli.markdown.safe import safe_line

if TYPE_CHECKING:
    from hippocampus_cli.maintenance.forget import Forgot, Found, Unforgotten
    from hippocampus_cli.maintenance.holders import NoteHolder
    from hippocampus_cli.workspace.tombstones import Tombstone

_SHOWN = 50


def print_found(output: Output, found: Found) -> None:
    """The files that contain it."""
    if found.holders:
        output.line(Styled("found in", "bold"))
    width = max((len(one.name) for one in found.holders), default=0)
    for one in found.holders:
        output.line(
            f"  {safe_line(one.name):<{width}}  ",
            Styled(count(one.places, "place"), "cyan"),
            Styled(f" in {count(one.files, 'file')}", "dim"),
        )
    if not found.holders:
        output.line("no file of hippo contains it")
    if found.target.notes:
        output.line(Styled("removed from the notes", "bold"))
        for note in found.notes[:_SHOWN]:
            _print_note(output, note)
        if len(found.notes) > _SHOWN:
            output.line(Styled(f"  … and {len(found.notes) - _SHOWN:,} more notes", "dim"))


def _print_note(output: Output, note: NoteHolder) -> None:
    if not note.lines:
        output.line("  ", Styled(safe_line(note.path), "cyan"), "  the whole file is removed")
    for line, after in zip(note.lines, note.after, strict=True):
        place = Styled(f"{safe_line(note.path)}:{line}", "cyan")
        output.line(
            "  ", place, "  the line is removed" if after is None else f"  {safe_line(after)}"
        )


def print_beyond(output: Output, found: Found) -> None:
    """The copies that hippo cannot remove, with a command for each."""
    output.line(Styled("copies that hippo cannot remove", "bold"))
    for one in found.beyond:
        files = f"  {count(len(one.files), 'file')}" if one.files else ""
        output.line(f"  {one.what}", Styled(files, "dim"))
        for name in one.files[:_SHOWN]:
            output.line(Styled(f"    {safe_line(name)}", "dim"))
        for command in one.commands:
            output.line(f"    $ {safe_line(command)}")


def print_forgot(output: Output, done: Forgot) -> None:
    """What was done, and what could not be."""
    if done.number is not None:
        output.line(Styled("forgotten", "bold"), Styled(f"  tombstone {done.number}", "dim"))
    if done.anchors:
        output.line("the anchors were removed: hippo anchors build rebuilds them")
    for name in done.damaged:
        output.line(f"damaged, so not searched: rm -- {safe_line(name)}")
    print_beyond(output, done.found)


def print_tombstones(output: Output, stones: Sequence[Tombstone], *, finished: bool) -> None:
    """Every tombstone, a line each; whether the last run came to its end."""
    if output.as_json:
        rows = [_tombstone(one) for one in stones]
        output.json({"tombstones": rows, "finished": finished})
        return
    if not finished:
        output.line(Styled("the last run was interrupted: hippo daily completes it", "yellow"))
    if not stones:
        output.line("nothing was forgotten here")
    for one in stones:
        print_beside(
            output,
            Styled(f"{one.number:>5}", "cyan"),
            Styled(f"  {one.at:%Y-%m-%d %H:%M}  ", "dim"),
            f"{one.sort:<8}",
            f"{count(one.places, 'place')}{_of(one)}",
            Styled("  the notes may still contain it: forget it again", "yellow")
            if one.unfinished
            else "",
        )


def print_unforgotten(output: Output, done: Unforgotten) -> None:
    """The removed tombstone, and others that exclude the same."""
    stone, others = done
    if output.as_json:
        output.json({"undone": _tombstone(stone), "kept_out_by": list(others)})
        return
    if not others:
        output.line(
            f"tombstone {stone.number} is removed; what notes contain of it may be used again"
        )
        return
    named = ", ".join(map(str, others))
    output.line(
        f"tombstone {stone.number} is removed; {named} still excludes the same, or some of it:"
    )
    for number in others:
        output.line(f"  $ hippo forget --undo {number}")


def document(done: Forgot) -> dict[str, object]:
    """The same as one JSON document."""
    found = done.found
    return {
        "sort": found.target.sort,
        "tombstone": done.number,
        "places": found.places,
        "held": [one._asdict() for one in found.holders],
        "notes": [{"path": one.path, "lines": list(one.lines)} for one in found.notes],
        "beyond": [one._asdict() for one in found.beyond],
        "anchors_gone": done.anchors,
        "damaged": list(done.damaged),
    }


def _tombstone(one: Tombstone) -> dict[str, object]:
    known = picked(one, "at", "sort", "places")
    rest = picked(one, "since", "until", "unfinished")
    return {"id": one.number, **known, "session": one.session or None, **rest}


def _of(one: Tombstone) -> str:
    if one.since and one.until:
        return f"  {one.since} to {one.until}"
    return f"  {safe_line(one.session)}" if one.session else ""
