"""What a query writes back (INDEX §4.3, decisions D10, D15, D16): hits, tags, and entries for misses.

First a list of :class:`Use` and drafts from what was answered, then its application to the index as it is at the
moment of writing, which may no longer be the one that was asked.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.config.settings import Decay
from hippocampus_cli.errors import HippoError, IndexRefused
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index import metadata
from hippocampus_cli.index.decay import DecayClock, clock_for
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.pointers import Pointer, can_be_named
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.query.ask import Answer
from hippocampus_cli.query.entry_match import MATCHED, entry_terms
from hippocampus_cli.query.places import Place, Snapshot
from hippocampus_cli.query.results import Written
from hippocampus_cli.search.confidence import SURE, word_for
from hippocampus_cli.text.terms import terms
from hippocampus_cli.workspace.journal import record
from hippocampus_cli.workspace.own_files import FORGOTTEN
from hippocampus_cli.workspace.redaction import redactor_for
from hippocampus_cli.workspace.version_control import checked_out

if TYPE_CHECKING:
    from hippocampus_cli.index.edit import Draft

NEARLY_BEST = 0.9  # of the best score: so close to the answer that it counts as used too
LEARNED = ("By Topic", "Learned from Questions")
_NEW_TAGS = 3  # at most learned from one query
_MOST_TAGS = 12
_SHORT = 30  # lines of a note that one entry speaks for


class Use(NamedTuple):
    """An entry that was retrieved, by its key (``id``), with words to learn as tags."""

    id: str
    tags: tuple[str, ...] = ()


def event_of(answer: Answer, snapshot: Snapshot) -> dict[str, object]:
    """The question as the journal of the workspace has it."""
    return {
        "query": redactor_for(snapshot.library.root).redact(answer.query.text)[:500],
        "route": answer.route,
        "sure": word_for(answer.confidence),
        "results": [
            [place.path, place.section, place.entry, f"{place.start_line}-{place.end_line}"]
            for place in answer.results
        ],
        "further": [
            [place.path, snapshot.name_of(place), None, f"{place.start}-{place.end}"]
            for place in answer.further
        ],
        "tokens": sum(place.tokens for place in answer.results),
    }


def note(
    root: Path, event: dict[str, object], now: datetime, index: Hierarchy, written: list[Written]
) -> None:
    """Write the question into the journal: where the index was written, before anybody else may write it, so that
    the journal has the accesses of an entry in their order. It has how many hits each entry has now that was used:
    upkeep sees by that if somebody overwrites them."""
    used = [change.entry for change in written if change.change != "tagged"]
    there = ((key, index.find(key)) for key in sorted({*used}))
    event = {**event, "used": used}
    if hits := {key: located.entry.hits for key, located in there if located}:
        as_of = index.header.reindexed if index.header else None
        event |= {"hits": hits, "as_of": as_of, "checkout": checked_out(root)}
    record(root, now, event)


def _draft(snapshot: Snapshot, place: Place, words: Sequence[str]) -> Draft | None:
    """An entry for a section that search found and the index did not (decision D15), with these words as tags."""
    from hippocampus_cli.entries.draft import draft
    from hippocampus_cli.entries.passages import WHOLE, Passage

    clock, sizes = snapshot.clock, snapshot.library.config.index
    library, section, today = snapshot.library, place.section, clock.now.date()
    full = tokens(snapshot.index.master.text) + 2 * sizes.entry_tokens > sizes.max_tokens
    note, sections = None if full else snapshot.note(place.path), snapshot.sections_of(place.path)
    if note is None or not sections:
        return None
    pointer, part = Pointer(note.path), None
    # the first entry of a short note leads to all of it: upkeep makes no further one
    if section.title and (len(note.text) > WHOLE or note.path in snapshot.index.pointers):
        pointer = Pointer(note.path, snapshot.name_of(place))
        if os.path.lexists(library.root / FORGOTTEN):  # it may reach across sections
            note = library.without_secrets(note)
        # front matter, title and this section: the rest of a long note need not be read for secrets
        before = sections[min(section.ordinal, 1 + (not sections[0].level))].start - 1
        lines = note.lines[:before] + note.lines[section.start - 1 : section.tree_end]
        note = note.replaced(text="".join(lines))
        part = section._replace(start=before + 1, tree_end=len(lines))
    if not can_be_named(pointer):
        return None
    passage = Passage(library.without_secrets(note), today, part)
    made = draft(passage, clock, ids=snapshot.index.ids, src=metadata.Source.RETRIEVAL)
    tags = tuple(dict.fromkeys((*made.tags, *words)))[:_MOST_TAGS]
    return made.replaced(created=today, hits=1, pointers=(pointer,), tags=tags)


def refusal(error: HippoError) -> str:
    """Why what was used is not written back, where, and what to do."""
    where = f"{error.where}: " if error.path and error.path not in error.message else ""
    return f"not written back: {where}{error.message} ({error.advice})"


def uses(answer: Answer, snapshot: Snapshot) -> list[Use | Draft]:
    """What the answer used. Nothing where it is not sure: a poor guess must not grow stronger."""
    found: dict[str, Use | Draft] = {}
    for place in _used(answer, snapshot.library.config.query.min_coverage_to_index):
        levels, near = snapshot.nearest(place)
        # decision D15; one endless line has nearly any words
        guessed = answer.found.corrections or answer.results[0].text.endswith("…")
        learns = place == answer.places[0] and not guessed and len(answer.query.telling) > 1
        if place.lead and place.match >= MATCHED:
            use: Use | Draft = Use(place.lead.entry.key)
        elif near and (not levels or _is_short(place, snapshot)):  # it speaks for this very section
            use = Use(near.key, _new_words(answer, near) if learns else ())
        elif (
            learns
            and (near is None or near.entry.hits)  # used once, it is a hit there
            and (made := _draft(snapshot, place, _new_words(answer, None)))
        ):
            use = made
        elif near:  # a coarse entry that leads there too; the words are those of a part of it
            use = Use(near.key)
        else:
            continue
        found.setdefault(use.id, use)
    return list(found.values())


def _used(answer: Answer, least: float) -> Iterator[Place]:
    """The places that answer for sure and nearly as well as the first; what is superseded never grows stronger
    (decision D24)."""
    query = answer.query
    said = [word for word in query.telling if word not in answer.found.corrections]
    if not (said or query.days) or word_for(answer.confidence) != SURE:
        return  # nothing that was typed says anything, or nothing answers it for sure
    current = [place for place in answer.places if not place.superseded]
    best = max((place.score for place in current), default=0.0)
    for place in current:  # one word is covered wherever it occurs
        share = max(place.coverage, place.match * place.trust)
        near = share >= least and place.score >= NEARLY_BEST * best
        if near and (place.match >= MATCHED or len(said) != 1):
            yield place


def _is_short(place: Place, snapshot: Snapshot) -> bool:
    """Whether an entry of the note speaks for all of it, this place too."""
    sections = snapshot.sections_of(place.path) or ()
    return place.section.level == 0 or (len(sections) > 0 and sections[-1].tree_end <= _SHORT)


def _new_words(answer: Answer, located: Located | None) -> tuple[str, ...]:
    """Words of the query that its entry does not have yet; misspellings, numbers and dates aside."""
    known = entry_terms(located.entry) if located else frozenset()
    if located and len(located.entry.tags) >= _MOST_TAGS:
        return ()
    words = [word.lower() for word in answer.query.telling if word.isalpha()]
    new = (word for word in words if 3 <= len(word) <= 30 and known.isdisjoint(terms(word)))
    return tuple(dict.fromkeys(new))[:_NEW_TAGS]


def write(
    used: Sequence[Use | Draft], now: datetime, decay: Decay, index: Hierarchy
) -> tuple[Hierarchy, list[Written]]:
    """The index as it is when it is written with every use recorded, and what was changed. What has vanished
    meanwhile is skipped."""
    clock, written = clock_for(index, now, decay), list[Written]()
    for use in used:
        changed = _hit(index, use, clock) if isinstance(use, Use) else _create(index, use, clock)
        index, changes = changed
        written += changes
    return index, written


def _hit(index: Hierarchy, use: Use, clock: DecayClock) -> tuple[Hierarchy, list[Written]]:
    located = index.find(use.id)
    if located is None or not located.entry.is_editable:
        return index, []
    entry = located.entry
    values = clock.retrieved(entry)
    before, after = f"{clock.strength(entry):.2f}", values["str"] or "1.00"
    change = after if after == before else f"{before} → {after}"
    detail = f"{values['hits']} {'hit' if values['hits'] == '1' else 'hits'}, strength {change}"
    written = [Written(located.key, "hit", detail)]
    tags = [tag for tag in use.tags if tag not in entry.tags]
    if tags:
        values["tags"] = metadata.write_list((*entry.tags, *tags))
        values["ver"] = str(entry.ver + 1)
        written.append(Written(located.key, "tagged", ", ".join(tags)))
    if "id" not in entry.values:
        values = {"id": metadata.write_text(entry.id), **values}
    return index.set_values({located.key: values}), written


def _create(index: Hierarchy, draft: Draft, clock: DecayClock) -> tuple[Hierarchy, list[Written]]:
    """The index with an entry more; what leads there and sleeps is brought back instead, and hit."""
    from hippocampus_cli.entries.sections import place_of
    from hippocampus_cli.index.archive import bring_back
    from hippocampus_cli.index.edit import block

    lead = draft.pointers[0]
    if any(lead in located.entry.pointers for located in index.entries):
        return index, []  # somebody else may have asked the same meanwhile
    sleeping = [
        located
        for located, pointer in index.archived_pointers.get(lead.path, ())
        if pointer.section in (None, lead.section) and located.entry.id not in index.ids
    ]
    try:
        for located in sleeping[:1]:
            key, home = located.entry.id, place_of(index.master, located.entry)
            index = bring_back(index, {located.key: home}).counted()
            index, written = _hit(index, Use(key), clock)
            return index, [Written(key, "revived", "back from the archive"), *written]
        key = metadata.free_id(draft.id, index.taken)
        index = index.add(LEARNED, [block(draft.replaced(id=key))]).counted()
    except IndexRefused:
        return index, []
    return index, [Written(key, "created", str(lead))]
