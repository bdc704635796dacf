"""What a query writes back (INDEX §4.3, decisions D10, D15, D16): hits, tags, and entries for misses.

First a list of :class:`Use` from what was answered, then its application to the index as it is at the
moment of writing, which may no longer be the one that was asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.config import Config
from hippocampus_cli.config.settings import Decay
from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index import metadata
from hippocampus_cli.index.decay import DecayClock, clock_for
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.query.ask import Answer
from hippocampus_cli.query.confidence import SURE, word_for
from hippocampus_cli.query.entry_match import entry_stems
from hippocampus_cli.query.fusion import MATCHED, Candidate, Covering, Places, nearest
from hippocampus_cli.query.results import Result, Written
from hippocampus_cli.text.tokenizer import forms, is_stop, words_of
from hippocampus_cli.workspace.journal import record
from hippocampus_cli.workspace.sections import pointer_name
from hippocampus_cli.workspace.version_control import checked_out

if TYPE_CHECKING:
    from hippocampus_cli.index.edit import Draft
    from hippocampus_cli.workspace.note import Section

NEARLY_BEST = 0.9  # of the best score: so close to the answer that it counts as used too
LEARNED = ("By Topic", "Learned from Questions")
_NEW_TAGS = 3  # at most learned from one query
_MOST_TAGS = 12

Drafting = Callable[[Candidate], "Draft | None"]


class Use(NamedTuple):
    """One thing retrieved: the ``key`` of its entry with words to learn as tags, or a new entry's ``draft``.

    ``place`` and ``sections`` are what the draft is of: the section, and all of its note.
    """

    key: str | None
    tags: tuple[str, ...] = ()
    draft: Draft | None = None
    section: tuple[str, ...] = LEARNED
    place: Candidate | None = None
    sections: Sequence[Section] = ()


def uses(answer: Answer, places: Places, config: Config, draft: Drafting) -> list[Use]:
    """What the answer used. Nothing where it is not sure: a poor guess must not grow stronger."""
    found: dict[str | None, Use] = {}
    for rank, one in _used(answer, config):
        covering = places.covering(one.path, one.section)
        learns = _may_teach(answer, rank)
        if one.entry is not None and one.match >= MATCHED:
            use = Use(one.entry.key)
        elif near := _own(covering, one):
            use = Use(near.key, _new_words(answer, near) if learns else ())
        elif learns and _room(places.index, config) and (made := draft(one)):
            sections = places.sections_of(one.path) or ()
            use = Use(None, _new_words(answer, None), made, place=one, sections=sections)
        elif covering:  # a coarse entry that leads there too; the words are those of a part of it
            use = Use(covering[0].located.key)
        else:
            continue
        found.setdefault(use.key, use)
    return list(found.values())


def change_of(
    used: list[Use], now: datetime, decay: Decay
) -> Callable[[Hierarchy], tuple[Hierarchy, list[Written]]]:
    """:func:`apply` for the index as it is when it is written."""
    return lambda index: apply(index, used, clock_for(index, now, decay))


def apply(index: Hierarchy, used: list[Use], clock: DecayClock) -> tuple[Hierarchy, list[Written]]:
    """The index with every use recorded, and what was changed. What has vanished meanwhile is skipped."""
    written: list[Written] = []
    for use in used:
        if use.key is None:
            index, change = _create(index, use, clock)
        else:
            index, change = _hit(index, use, clock)
        written += change
    return index, written


def noting(
    root: Path, answer: Answer, places: Places
) -> Callable[..., Callable[[Hierarchy, list[Written]], None]]:
    """What writes the question into the journal, for a moment: where the index was written, before anybody else may
    write it, so that the journal has the accesses of an entry in their order."""

    def at(now: datetime, missed: Sequence[str] = ()) -> Callable[[Hierarchy, list[Written]], None]:
        def note(index: Hierarchy, written: list[Written]) -> None:
            event = _event(answer, written, missed, places)
            if hits := _hits(index, written):
                as_of = index.header.reindexed if index.header else None
                event |= {"hits": hits, "as_of": as_of, "checkout": checked_out(root)}
            record(root, now, event)

        return note

    return at


def _event(
    answer: Answer, written: list[Written], missed: Sequence[str], places: Places
) -> dict[str, object]:
    event: dict[str, object] = {
        "query": answer.query.text[:500],
        "route": answer.route,
        "results": [
            [one.path, _answering(place, one, places), one.entry]
            for place, one in zip(answer.candidates, answer.results, strict=True)
        ],
        "used": [one.entry for one in written if one.change != "tagged"],
    }
    return {**event, "missed": list(missed)} if missed else event


def _hits(index: Hierarchy, written: list[Written]) -> dict[str, int]:
    """How many hits each entry has now that was used: upkeep sees by that if somebody overwrites them."""
    found = {
        one.entry: index.find(one.entry) for one in written if one.change in ("hit", "created")
    }
    return {key: one.entry.hits for key, one in found.items() if one}


def _answering(place: Candidate, shown: Result, places: Places) -> str | None:
    """The name of the section that answers: what is shown may begin in another one before it."""
    if place.section.start <= shown.start_line <= place.section.end:
        return shown.section
    return pointer_name(places.sections_of(place.path) or (), place.section)


def _used(answer: Answer, config: Config) -> list[tuple[int, Candidate]]:
    """The candidates that answer for sure and nearly as well as the first, each with its place from 0."""
    query, corrected = answer.query, answer.found.corrections
    told = [stem for stem in query.stems if not is_stop(stem) and stem not in corrected]
    if not answer.candidates or not (told or query.phrases or query.days):
        return []  # nothing that was typed says anything
    current = [one.superseded_by is None for one in answer.results]
    best = max(
        (one.score for one, holds in zip(answer.candidates, current, strict=False) if holds),
        default=0.0,
    )
    coverage = config.query.min_coverage_to_index
    sure = word_for(answer.confidence) == SURE  # else only what the index knows was used
    alone = len(told) == 1 and not query.phrases  # one word is covered wherever it occurs
    return [
        (rank, one)
        for rank, one in enumerate(answer.candidates[: len(answer.results)])
        if current[rank]  # what is superseded never grows stronger (decision D24)
        if one.confidence >= coverage and one.score >= NEARLY_BEST * best
        if one.match >= MATCHED or (sure and not alone)
    ]


def _may_teach(answer: Answer, rank: int) -> bool:
    """Whether the words of the query may become tags or a new entry (decision D15).

    Not where words were read as others, not a single word, and not for one endless line, which has nearly
    any words. Only the first place learns.
    """
    several = sum(not is_stop(stem) for stem in answer.query.stems) > 1 or answer.query.phrases
    if rank or not several:
        return False
    result = answer.results[rank]
    endless = result.cut and result.text.endswith("…")
    return not answer.found.corrections and not endless


def _own(covering: list[Covering], candidate: Candidate) -> Located | None:
    """The entry that points at this very section (or at a file that has only this one)."""
    for one in covering:
        if one.exact or candidate.section.level == 0:
            return one.located
    return None


def _new_words(answer: Answer, located: Located | None) -> tuple[str, ...]:
    """Words of the query that its entry does not have yet; misspellings, numbers and dates aside."""
    known = entry_stems(located.entry) if located else {}
    if located and len(located.entry.tags) >= _MOST_TAGS:
        return ()
    asked = answer.query.stems
    words: list[str] = []
    for word in words_of(answer.query.text[:2000]):
        stem = next(iter(forms(word)), "")
        fit = word.isalpha() and 3 <= len(word) <= 30 and stem in asked and not is_stop(stem)
        if fit and stem not in known and stem not in answer.found.corrections:
            words.append(word.lower())
    return tuple(dict.fromkeys(words))[:_NEW_TAGS]


def _room(index: Hierarchy, config: Config) -> bool:
    return tokens(index.master.text) + 2 * config.index.entry_tokens <= config.index.max_tokens


def _hit(index: Hierarchy, use: Use, clock: DecayClock) -> tuple[Hierarchy, list[Written]]:
    located = index.find(use.key or "")
    if located is None or located.entry.hx_span is None or not located.entry.closed:
        return index, []
    entry = located.entry
    values = clock.retrieved(entry)
    before, after = f"{clock.strength(entry):.2f}", values["str"]
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


def _create(index: Hierarchy, use: Use, clock: DecayClock) -> tuple[Hierarchy, list[Written]]:
    from hippocampus_cli.index.edit import block, free_id

    draft = use.draft
    assert draft is not None
    for located in index.entries:  # somebody else may have asked the same meanwhile
        if draft.pointers[0] in located.entry.pointers:
            return index, []
    if known := _known_once(index, use):  # search has revived it
        return _revive(index, known, clock)
    key = free_id(draft.id, index.taken)
    text = block(_with(draft, key, use.tags))
    try:
        index = index.add(use.section, [text]).counted()
    except IndexRefused:
        return index, []
    return index, [Written(key, "created", str(draft.pointers[0]))]


def _known_once(index: Hierarchy, use: Use) -> Located | None:
    """The archived entry that leads to what is new: to the section itself, else to what holds it.

    What stands for more than the section comes back only if it faded; what was merged lives on elsewhere.
    """
    from hippocampus_cli.index.archive import Why

    place = use.place
    if place is None:
        return None
    pointers = index.archived_pointers.get(place.path, ())
    for one in nearest(pointers, use.sections, place.section):
        entry = one.located.entry
        faded = entry.values.get("why") in (Why.SILENT, Why.PRUNED)
        if entry.id not in index.ids and not one.loose and (one.exact or faded):
            return one.located
    return None


def _revive(
    index: Hierarchy, located: Located, clock: DecayClock
) -> tuple[Hierarchy, list[Written]]:
    from hippocampus_cli.entries.sections import place_of
    from hippocampus_cli.index.archive import bring_back

    key = located.entry.id
    try:
        index = bring_back(index, {located.key: place_of(index.master, located.entry)}).counted()
    except IndexRefused:
        return index, []
    index, written = _hit(index, Use(key), clock)
    return index, [Written(key, "revived", "back from the archive"), *written]


def _with(draft: Draft, key: str, tags: tuple[str, ...]) -> Draft:
    merged = tuple(dict.fromkeys((*draft.tags, *tags)))[:_MOST_TAGS]
    return draft.replaced(id=key, tags=merged)
