"""Which key data of decayed entries go into a summary, the most telling first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hippocampus_cli.context.compaction.classify import excerpt
from hippocampus_cli.context.compaction.entries import Entry
from hippocampus_cli.context.compaction.lines import code
from hippocampus_cli.context.compaction.prior import PLURALS
from hippocampus_cli.context.compaction.sections import Purse, Section
from hippocampus_cli.context.compaction.texts import Texts
from hippocampus_cli.context.compaction.uses import Uses
from hippocampus_cli.context.keydata import KINDS, LONGEST, KeyDatum, Kind, key_data
from hippocampus_cli.context.transcripts.content import COMMAND, PATH

_OF_OUTPUT: tuple[Kind, ...] = ("path", "url", "error", "identifier")
_EACH = 5  # of one kind from one output
_READ = 4_000  # characters of an entry that are looked through
_PLENTY = 2  # times what fits is enough to choose from
_TIERS = {"decision": 0, "user_intent": 0, "context": 1, "unknown": 1, "tool_result": 2}


def candidates(
    entries: Sequence[Entry], texts: Texts, earlier: Sequence[KeyDatum], uses: Uses, room: int
) -> list[KeyDatum]:
    """Key data worth a place: what was named again and again first, then by what it stands in, newest first.

    ``room`` is the size in characters that they compete for; a long session is not read to its beginning.
    """
    ranked = sorted(entries, key=lambda one: (_TIERS.get(one.type, 3), -one.at))
    found: dict[KeyDatum, None] = {}
    size = 0
    for entry in ranked:
        if size > room * _PLENTY:
            break
        for datum in _data_of(entry, texts):
            if datum not in found:
                found[datum] = None
                size += len(datum.text)
    found.update(dict.fromkeys(earlier))
    return sorted(found, key=lambda one: (-min(uses.times(one.text), 3), one.kind == "number"))


def fill(section: Section, data: Sequence[KeyDatum], purse: Purse, shown: str) -> list[KeyDatum]:
    """Put what fits into the section, a line a kind; what is ``shown`` elsewhere is not said again."""
    chosen: dict[Kind, list[str]] = {}
    kept: list[KeyDatum] = []
    heading = len(section.heading) + 4
    for datum in data:
        if datum.text in shown:
            continue
        cost = len(code(datum.text)) + 1 + (0 if kept else heading)
        cost += 0 if datum.kind in chosen else len(PLURALS[datum.kind]) + 5
        if purse.spend(cost):
            chosen.setdefault(datum.kind, []).append(datum.text)
            kept.append(datum)
    for at, kind in enumerate(KINDS):
        if kind in chosen:
            section.blocks[at] = f"- {PLURALS[kind]}: {' '.join(map(code, chosen[kind]))}"
    return kept


def _data_of(entry: Entry, texts: Texts) -> Iterator[KeyDatum]:
    message = texts.message(entry)
    if message is None:
        yield from key_data(texts.short(entry))
        return
    for part in message.calls:
        kind, value = part.argument[0], part.argument[1].strip()
        if kind in (COMMAND, PATH) and 0 < len(value) <= LONGEST:
            yield KeyDatum("command" if kind == COMMAND else "path", value)
    if entry.type != "tool_result":
        yield from key_data(excerpt(message.text or message.thinking, _READ))
        return
    counts: dict[Kind, int] = {}
    for datum in key_data(excerpt(message.text, _READ), _OF_OUTPUT):
        counts[datum.kind] = counts.get(datum.kind, 0) + 1
        if counts[datum.kind] <= _EACH:
            yield datum
