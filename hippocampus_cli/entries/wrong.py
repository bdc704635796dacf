"""A retrieval taken back: what was answered was wrong, and nothing is to be learned from it (decision D10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta

from hippocampus_cli.entries.index_writer import IndexWriter
from hippocampus_cli.entries.select import find
from hippocampus_cli.errors import UsageError
from hippocampus_cli.fast_types import Frozen
from hippocampus_cli.index import metadata
from hippocampus_cli.index.archive import Why, retired
from hippocampus_cli.index.decay import DecayClock, written
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.text.terms import telling_terms
from hippocampus_cli.workspace import journal
from hippocampus_cli.workspace.journal import Event


class TakenBack(Frozen):
    """An entry of which a hit was taken back, and the question. ``forgot`` are the tags and the phrase that it had
    taught; ``archived``: the entry was made for that question alone, and is in the archive now."""

    id: str
    query: str
    hits: int
    forgot: tuple[str, ...]
    archived: bool


def take_back(writer: IndexWriter, what: str) -> list[TakenBack]:
    """Take back the last hit of an entry (its id), of those behind a place (``path:line``), or of the last question.

    Raises :class:`UsageError` where there is none in the last 30 days, :class:`IndexNotFound`.
    """
    events = [*journal.read(writer.root, writer.now - timedelta(days=30))]
    event, used = _asked(_open(events), writer.store.read(), what)

    def change(index: Hierarchy) -> tuple[Hierarchy, list[TakenBack]]:
        done = []
        for key in used:
            index, back = _taken_back(index, key, event, writer.clock(index))
            done.append(back)
        return index.counted(), done

    index, done = writer.change(change)
    row = {"route": "none", "wrong": [back.id for back in done]}
    as_of = index.header and index.header.reindexed  # as the hit has it: both count, or neither
    journal.record(writer.root, writer.now, {**row, "as_of": as_of})
    return done


def _open(events: Sequence[Event]) -> list[tuple[Event, list[str]]]:
    """The questions with the entries whose hits stand, the latest first; what took a hit back is no question."""
    taken: Counter[str] = Counter()
    found = []
    for event in reversed(events):
        taken.update(event.wrong)
        used = [key for key in event.used if not taken[key]]
        taken.subtract(key for key in event.used if taken[key])
        if not event.wrong:
            found.append((event, used))
    return found


def _asked(
    questions: Sequence[tuple[Event, list[str]]], index: Hierarchy, what: str
) -> tuple[Event, list[str]]:
    path, colon, line = what.rpartition(":")
    path = path if colon and line.isdigit() else what
    there = {located.key for located, _ in index.pointers.get(path, ())} | {what}
    for event, used in questions if what else questions[:1]:
        meant = [key for key in used if key in index.by_key and (not what or key in there)]
        if meant:
            return event, meant
    advice = "give the id of an entry that a question has used: hippo list --sort hits"
    reason = "the last question used nothing that counts as a hit"
    if what:
        reason = f"nothing of {what!r} was counted as a hit in the last 30 days"
    raise UsageError(reason=reason, advice=advice)


def _taken_back(
    index: Hierarchy, key: str, event: Event, clock: DecayClock
) -> tuple[Hierarchy, TakenBack]:
    entry = find(index, key).entry
    hits = max(0, entry.hits - 1)
    asked = set(telling_terms(event.query))
    taught = asked - set(telling_terms(f"{entry.topic} {entry.summary}"))
    tags = [tag for tag in entry.tags if not taught & set(telling_terms(tag))]
    also = [phrase for phrase in entry.also if set(telling_terms(phrase)) != asked]
    base = max(0.0, clock.base(entry) - clock.rates.retrieval_boost)
    values = {
        "hits": str(hits),  # when it was accessed before is not known
        **written(min(base, clock.strength(entry)), base, entry),
        "tags": metadata.write_list(tags),
        "also": metadata.write_text(";".join(also)),
    }
    index = index.set_values({key: values})
    archived = entry.src is metadata.Source.RETRIEVAL and not hits
    if archived:
        index = retired(index, {key: {}}, Why.UNDONE, clock.now.date())
    kept = {*tags, *also}
    forgot = tuple(word for word in (*entry.tags, *entry.also) if word not in kept)
    return index, TakenBack(key, event.query, hits, forgot, archived)
