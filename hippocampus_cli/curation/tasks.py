"""Which judgements are needed: a function of the state, nothing is written. The same state asks the same tasks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator

from hippocampus_cli.curation.guard import content
from hippocampus_cli.curation.material import Material, target_of
from hippocampus_cli.curation.task import (
    CONFLICT,
    DESCRIBE,
    MERGE,
    PROMOTE,
    RESTATE,
    STATE,
    TOPIC,
    EvidencePlace,
    Task,
)
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index.document import Located
from hippocampus_cli.markdown.safe import safe_line
from hippocampus_cli.mind.answers import standing
from hippocampus_cli.mind.episodes import digest
from hippocampus_cli.mind.own_words import asks_to_be_kept, may_matter
from hippocampus_cli.workspace.journal import Answered, Event
from hippocampus_cli.workspace.kinds import NoteKind, date_of, is_core, kind_of
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.origin import of_lines
from hippocampus_cli.workspace.sections import pointer_name

MEMORY = "MEMORY.md"
_LEAST = 40  # characters of a section that is described
_LONGEST = 1_500  # characters of an evidence
_LINES = 12  # of a session
_PLACES = 5  # of a question
_OFTEN = 3  # days on which a line was asked for
_QUESTION = "question-"


def tasks(material: Material, kinds: Collection[str] = ()) -> Iterator[Task]:
    """Every task, or those of some kinds, most needed first."""
    for targets, build in (_KINDS[kind] for kind in _KINDS if not kinds or kind in kinds):
        for target in targets(material):
            if target == safe_line(target) and (task := build(material, target)):
                yield task


def task_of(material: Material, id: str) -> Task | None:
    """The task with this id, where the state still asks it."""
    kind, _, rest = id.partition(":")
    target = rest.rpartition(":")[0]
    task = _KINDS[kind].build(material, target) if kind in _KINDS else None
    return task if task and task.id == id else None


def _described(material: Material) -> Iterator[str]:
    """Sections: first of notes that answer, then of core notes, then of new ones."""

    def order(path: str) -> tuple[object, ...]:
        day = date_of(path)
        return -material.asked.get(path, 0), not is_core(path), -day.toordinal() if day else 0, path

    for path in sorted(material.paths, key=order):
        note = material.notes.note(path) if kind_of(path) is not NoteKind.STATE else None
        for section in note.sections if note else ():
            if len(_body(note, section).strip()) >= _LEAST:  # type: ignore[arg-type]
                yield target_of(path, pointer_name(note.sections, section))  # type: ignore[union-attr]


def _describe(material: Material, target: str) -> Task | None:
    """A section that is to be described."""
    if (place := material.place(target)) is None:
        return None
    note, section = place
    text = note.text_of(section.start, section.end)
    return Task(DESCRIBE, target, (_evidence(note, section, text),))


def _evidence(note: Note, section: Section, text: str) -> EvidencePlace:
    """A section as evidence: where, of which day, in whose words, as far as there is room."""
    origin = of_lines(note.path, note.lines[section.start - 1 : section.end])
    place = f"{note.path}:{section.start}"
    return EvidencePlace(place, str(date_of(note.path) or ""), origin, text[:_LONGEST])


def _body(note: Note, section: Section) -> str:
    """A section without its heading."""
    return note.text_of(section.start + section.heading_lines, section.end)


def _state(material: Material, session: str) -> Task | None:
    """The lines of the user in a session that a reader may find something in, and that nothing is held of yet."""
    used = {reference for belief in material.beliefs for reference in belief.derived_from}
    evidence: list[EvidencePlace] = []
    for episode in material.sessions.get(session, ()):
        for number, said in enumerate(material.episodes.statements(episode), 1):
            reference = f"{episode.id}.{number}"
            new = reference not in used and not asks_to_be_kept(said.text)
            if said.origin == "user" and new and may_matter(said.text):
                day = (said.moment or episode.at)[:10]
                evidence.append(EvidencePlace(reference, day, said.origin, said.text))
    return Task(STATE, session, tuple(evidence[-_LINES:])) if evidence else None


def _conflicts(material: Material) -> Iterator[str]:
    """Addresses with several values, then questions whose places are of several days."""
    for clash in standing(material.beliefs):
        yield clash.belief.id
    for event in reversed(material.events):
        yield f"{_QUESTION}{digest(event.query)[:12]}"


def _conflict(material: Material, target: str) -> Task | None:
    """The beliefs of an address, or the places of a question."""
    if target.startswith(_QUESTION):
        events = (
            e for e in reversed(material.events) if _QUESTION + digest(e.query)[:12] == target
        )
        return _conflict_of(material, target, next(events, None))
    clashes = [clash for clash in standing(material.beliefs) if clash.belief.id == target]
    ids = {target, *(clash.id for clash in clashes)} if clashes else set()
    sides = (
        EvidencePlace(belief.id, str(belief.since), belief.origin, belief.statement)
        for belief in material.beliefs
        if belief.id in ids
    )
    return Task(CONFLICT, target, tuple(sides)) if clashes else None


def _conflict_of(material: Material, target: str, event: Event | None) -> Task | None:
    """The places of a question, where they are of several days."""
    places = [_place(material, answered) for answered in (event.results[:_PLACES] if event else ())]
    found = [place for place in places if place]
    if event is None or len({place.date for place in found}) < 2:
        return None
    asked = EvidencePlace("question", str(event.at.date()), "user", event.query)
    return Task(CONFLICT, target, (asked, *dict.fromkeys(found)))


def _place(material: Material, answered: Answered) -> EvidencePlace | None:
    """A place that answered, as it is now."""
    place = material.place(target_of(answered.path, answered.section))
    if place is None:
        return None
    note, section = place
    return _evidence(note, section, _body(note, section))


def _alike(material: Material) -> Iterator[str]:
    """Pairs of entries with the same words as their topics."""
    by_words: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for located in material.index.entries:
        words = tuple(sorted(content(located.entry.topic)))
        if len(words) > 1 and located.alone:
            by_words[words].append(located.key)
    for first, *others in by_words.values():
        yield from (f"{first} + {other}" for other in others)


def _merge(material: Material, target: str) -> Task | None:
    """Two entries side by side."""
    found = [material.index.by_key.get(key) for key in target.split(" + ")]
    sides = [_entry(one) for one in found if one]
    return Task(MERGE, target, tuple(sides)) if len(sides) == 2 else None


def _entry(located: Located) -> EvidencePlace:
    """An entry as evidence."""
    entry = located.entry
    return EvidencePlace(located.key, "", "file", f"{entry.topic}: {entry.summary}")


def _topic(material: Material, word: str) -> Task | None:
    """The entries that share a word."""
    cluster = material.emerging.get(word, ())
    return Task(TOPIC, word, tuple(map(_entry, cluster[:_LINES]))) if cluster else None


def _asked_often(material: Material) -> Iterator[str]:
    """Sections of daily logs that answered on several days."""
    days: defaultdict[str, set[object]] = defaultdict(set)
    for event in material.events:
        for path, section, _ in event.results[:1]:
            if kind_of(path) is NoteKind.DAILY:
                days[target_of(path, section)].add(event.at.date())
    yield from (target for target, asked in days.items() if len(asked) >= _OFTEN)


def _promote(material: Material, target: str) -> Task | None:
    """What was asked for often, and the headings that there are for it."""
    memory, place = material.notes.note(MEMORY), material.place(target)
    if memory is None or place is None:
        return None
    headings = "\n".join(section.title for section in memory.sections if section.title)
    asked = _evidence(*place, _body(*place))
    return Task(PROMOTE, target, (asked, EvidencePlace(MEMORY, "", "file", headings)))


def _restate(material: Material, id: str) -> Task | None:
    """A belief with the statements that it rests on."""
    belief = next((belief for belief in material.beliefs if belief.id == id), None)
    if belief is None or belief.status != "held" or belief.due is None:
        return None
    resolved = map(material.episodes.resolve, belief.derived_from)
    sources = [found[1] for found in resolved if found and found[1]]
    said = EvidencePlace(belief.id, str(belief.since), belief.origin, belief.statement)
    heard = (EvidencePlace(one.source, one.moment[:10], one.origin, one.text) for one in sources)
    return Task(RESTATE, id, (said, *heard))


def _due(material: Material) -> Iterator[str]:
    """The beliefs that were retrieved."""
    yield from (belief.id for belief in material.beliefs if belief.due is not None)


class _Kind(NamedTuple):
    targets: Callable[[Material], Iterator[str]]
    build: Callable[[Material, str], Task | None]


_KINDS = {
    STATE: _Kind(lambda material: iter(material.sessions), _state),
    CONFLICT: _Kind(_conflicts, _conflict),
    RESTATE: _Kind(_due, _restate),
    MERGE: _Kind(_alike, _merge),
    PROMOTE: _Kind(_asked_often, _promote),
    TOPIC: _Kind(lambda material: iter(material.emerging), _topic),
    DESCRIBE: _Kind(_described, _describe),
}
