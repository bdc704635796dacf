"""Context entries, for a person on a terminal, for a program in a pipe, or as JSON and YAML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from hippocampus_cli.cli.render.columns import columns_of, fit, padded
from hippocampus_cli.cli.render.output import Output, Styled
from hippocampus_cli.cli.render.safe import safe_line
from hippocampus_cli.cli.render.strength import strength_bar
from hippocampus_cli.context.lifecycle.codec import entry_document
from hippocampus_cli.context.lifecycle.window import said
from hippocampus_cli.drafting.plain import shorten

if TYPE_CHECKING:
    from hippocampus_cli.context.lifecycle.consolidate import Standing
    from hippocampus_cli.context.lifecycle.entry import ContextEntry
    from hippocampus_cli.context.lifecycle.session import Session

_STATE_STYLES = {"active": "green", "dormant": "magenta", "expired": "dim"}
_LABEL = 10
_SUMMARY = 120  # characters of a summary on a line
_ID, _SIZE = 8, 8  # columns of a line about an entry
_MEASURES = 12 + _ID + _SIZE + 4


def print_standings(output: Output, session: Session, standings: Sequence[Standing]) -> None:
    """A line an entry; tab-separated in a pipe."""
    if output.as_json:
        entries = [_standing(one) for one in standings]
        output.json({"session": session.id, "turn": session.turn, "entries": entries})
        return
    if not output.terminal:
        for one in standings:
            output.line("\t".join(_values(one)))
        return
    longest = max((columns_of(_source(one.entry)) for one in standings), default=0)
    for one in standings:
        _print_standing(output, one, min(longest, max(8, output.width // 3)))


def print_entry(output: Output, session: Session, one: Standing) -> None:
    """One entry with every field."""
    if output.as_json:
        output.json({"session": session.id, "turn": session.turn, **_standing(one)})
        return
    entry = one.entry
    output.line(Styled(entry.id, "bold"), f"  {safe_line(entry.source.type)}")
    for line in said_lines(entry):
        output.quote(line)
    output.line()
    for label, value in _fields(one).items():
        output.line(Styled(f"  {label:<{_LABEL}}", "dim"), safe_line(value))


def print_yaml(output: Output, standings: Sequence[Standing], *, single: bool) -> None:
    """The entries as YAML, one under the key of CONTEXT §5."""
    from hippocampus_cli.context.lifecycle.yaml_form import to_yaml

    documents = [entry_document(one.entry) for one in standings]
    whole: Mapping[str, object] = {"hippocampus_entries": documents}
    if single:
        whole = {"hippocampus_entry": documents[0]}
    output.line(to_yaml(whole).rstrip("\n"))


def said_lines(entry: ContextEntry) -> list[str]:
    """Summary and key data as they stand in the window."""
    return said(entry.summary, entry.key_data).split("\n")


def rounded(strength: float) -> float:
    """A strength for a document."""
    return round(strength, 4)


def _print_standing(output: Output, one: Standing, source: int) -> None:
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


def _values(one: Standing) -> list[str]:
    entry = one.entry
    size = f"{entry.content.tokens}"
    texts = (one.state, entry.id, entry.type, _source(entry), size, _summary(entry))
    return [f"{one.strength:.2f}", *map(safe_line, texts)]


def _source(entry: ContextEntry) -> str:
    return f"{entry.source.type} {entry.source.ref}".rstrip()


def _summary(entry: ContextEntry) -> str:
    return shorten(" ".join(entry.summary.split()), _SUMMARY)


def _standing(one: Standing) -> dict[str, object]:
    now = {"strength_now": rounded(one.strength), "state": one.state}
    return {**now, "entry": entry_document(one.entry)}


def _fields(one: Standing) -> dict[str, str]:
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
