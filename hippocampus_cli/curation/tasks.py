"""Which judgements are needed: a function of the state, nothing is written. The same state asks the same tasks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import date
from itertools import chain, islice
from operator import itemgetter
from typing import Any

from hippocampus_cli.curation.material import Material
from hippocampus_cli.curation.task import EvidencePlace, Task
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.markdown.lines import whole_number
from hippocampus_cli.markdown.safe import safe_line
from hippocampus_cli.mind.beliefs import Belief
from hippocampus_cli.mind.own_words import asks_to_be_kept, may_matter, own_lines
from hippocampus_cli.query.series import lines_of
from hippocampus_cli.text.passages import units_of
from hippocampus_cli.text.terms import telling_terms
from hippocampus_cli.workspace.journal import Answered
from hippocampus_cli.workspace.kinds import NoteKind, date_of, is_core, kind_of
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.origin import of_lines
from hippocampus_cli.workspace.scan import scan
from hippocampus_cli.workspace.sections import pointer_name

MEMORY = "MEMORY.md"
_LEAST = 40  # characters of a section that is described
_LONGEST = 1_500  # characters of an evidence
_SHORT = 500  # characters of what was shown of a place, all of which is evidence then
_LINES = 12  # of a session, entries of a cluster
_QUESTIONS, _PLACES, _UNITS = 5, 5, 2  # that are looked at, of a question, of a place
_OFTEN = 3  # days on which a line was asked for

Evidence = Iterable[EvidencePlace]


def tasks(material: Material, kinds: Collection[str] = ()) -> Iterator[tuple[Task, str]]:
    """The tasks that nobody answered, or those of some kinds, most needed first, each with why its last answer was
    refused."""
    for kind, (targets, *_) in _KINDS.items():
        for target in targets(material) if not kinds or kind in kinds else ():
            if task := _task(material, kind, target):
                yield task, material.log.reasons.get(task.id, "")


def task_of(material: Material, id: str) -> Task | None:
    """The task with this id, where it is still asked."""
    kind, _, rest = id.partition(":")
    task = _task(material, kind, rest.rpartition(":")[0]) if kind in _KINDS else None
    return task if task and task.id == id else None


def _task(material: Material, kind: str, target: str) -> Task | None:
    """The task of a kind about a target, where there is evidence for one that nobody answered."""
    _, evidence_of, question, answer = _KINDS[kind]
    evidence = tuple(evidence_of(material, target)) if target == safe_line(target) else ()
    task = Task(kind, target, evidence, question, answer)
    return task if evidence and task.id not in material.log.closed else None


def _described(material: Material) -> Iterator[str]:
    """Sections: first of notes that answer, then of new ones, then of core notes, which an agent's client reads."""
    asked = Counter(place.path for event in material.events for place in event.results)
    files = (stat.path for stat in scan(material.root, material.config.scan).files)
    paths = sorted(files, key=lambda path: date_of(path) or date.min, reverse=True)
    for path in sorted(paths, key=lambda path: (-asked[path], is_core(path))):
        if kind_of(path) is not NoteKind.STATE and (note := material.notes.note(path)):
            for section in note.sections:
                text = note.text_of(section.start + section.heading_lines, section.end)
                if len(text.strip()) >= _LEAST:
                    yield str(Pointer(path, pointer_name(note.sections, section)))


def _describe(material: Material, target: str) -> Evidence:
    """A section that is to be described."""
    if place := material.place(target):
        note, section = place
        yield _quote(note, section.start, note.text_of(section.start, section.end))


def _quote(note: Note, line: int, text: str) -> EvidencePlace:
    """A text of a note as evidence: where, of which day, in whose words, as far as there is room."""
    return EvidencePlace(
        f"{note.path}:{line}",
        str(date_of(note.path) or ""),
        of_lines(note.path, text.splitlines()),
        text[:_LONGEST],
    )


def _state(material: Material, session: str) -> Evidence:
    """The lines of the user in a session that a reader may find something in, and that nothing is held of yet."""
    used = {ref for belief in material.beliefs.values() for ref in belief.derived_from}
    evidence: list[EvidencePlace] = []
    for episode in material.sessions.get(session, ()):
        for number, said in enumerate(material.episodes.statements(episode), 1):
            reference = f"{episode.id}.{number}"
            if (
                said.origin == "user"
                and reference not in used
                and own_lines(said.text)
                and not asks_to_be_kept(said.text)
                and may_matter(said.text)
            ):
                evidence.append(EvidencePlace(reference, said.moment[:10], said.origin, said.text))
    return evidence[-_LINES:]


def _conflict(material: Material, address: str) -> Evidence:
    """The beliefs of an address, where they say several things."""
    held = material.addresses.get(address, ())
    return map(_belief, held) if len({belief.said for belief in held}) > 1 else ()


def _belief(belief: Belief) -> EvidencePlace:
    """A belief as evidence."""
    return EvidencePlace(belief.id, str(belief.since), belief.origin, belief.statement)


def _compare(material: Material, target: str) -> Evidence:
    """A question and the lines that speak most of it, of the places that were shown and of those that came next, as
    they are now, where those are of several places and the best has a quarter of its words."""
    event = material.questions.get(target)
    if event is None:
        return
    asked = {*telling_terms(event.query)}
    shown, further = (
        [_speaking(material, place, asked, room) for place in places[:_PLACES]]
        for places, room in ((event.results, _SHORT), (event.further, 0))
    )
    most = max((words for words, _ in (*shown, *further)), default=0)
    near = (place for place in further if 2 * place[0] >= most)
    places = [lines for _, lines in (*shown, *near) if lines]
    if 4 * most >= len(asked) and len(places) > 1:
        yield EvidencePlace("question", str(event.at.date()), "user", event.query)
        yield from dict.fromkeys(chain.from_iterable(places))


def _speaking(
    material: Material, shown: Answered, asked: set[str], room: int
) -> tuple[int, list[EvidencePlace]]:
    """How many of the words ``asked`` the lines that were shown have, with their heading; each bullet, row or
    paragraph of them, or the best of more than ``room`` characters."""
    place = material.place(str(Pointer(shown.path, shown.section)))
    if place is None:
        return 0, []
    note, section = place
    heading = f"# {section.title}\n" if section.title else ""
    first, last = map(whole_number, shown.lines.partition("-")[::2])
    units = [
        (-len(asked.intersection(telling_terms(heading + text))), start, text)
        for start, end in units_of(note.lines, section.start + section.heading_lines, section.end)
        if (first or 1) <= end and start <= (last or end)
        if any(lines_of(text := note.text_of(start, end)))
    ]
    shown_text = heading + "".join(text for *_, text in units)
    if len(shown_text) > room:
        units = sorted(sorted(units)[:_UNITS], key=itemgetter(1))
    # a heading may say whose words these are
    quotes = [_quote(note, start, heading + text) for _, start, text in units]
    rest = (quote._replace(text=quote.text.removeprefix(heading)) for quote in quotes[1:])
    return len(asked.intersection(telling_terms(shown_text))), [*quotes[:1], *rest]


def _alike(material: Material) -> Iterator[str]:
    """Pairs of entries with the same words as their topics."""
    by_words: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for located in material.index.entries:
        words = tuple(sorted(telling_terms(located.entry.topic)))
        if len(words) > 1 and located.alone:
            by_words[words].append(located.key)
    for first, *others in by_words.values():
        for other in others:
            yield f"{first} + {other}"


def _merge(material: Material, target: str) -> Evidence:
    """Two entries side by side."""
    found = [*filter(None, map(material.index.by_key.get, target.split(" + ")))]
    return map(_entry, found) if found[1:] else ()


def _entry(located: Located) -> EvidencePlace:
    """An entry as evidence."""
    said = ": ".join(filter(None, (located.entry.topic, located.entry.summary)))
    return EvidencePlace(located.key, "", "file", said)


def _asked_often(material: Material) -> list[str]:
    """Sections of daily logs that answered on several days."""
    asked = dict.fromkeys(
        (str(Pointer(path, section)), event.at.date())
        for event in material.events
        for path, section, *_ in event.results[:1]
        if kind_of(path) is NoteKind.DAILY
    )
    days = Counter(target for target, _ in asked)
    return [target for target, count in days.items() if count >= _OFTEN]


def _promote(material: Material, target: str) -> Evidence:
    """What was asked for often, and the headings that there are for it."""
    memory = material.notes.note(MEMORY)
    if memory and material.place(target):
        yield from _describe(material, target)
        headings = "\n".join(section.title for section in memory.sections if section.title)
        yield EvidencePlace(MEMORY, "", "file", headings)


def _restate(material: Material, id: str) -> Evidence:
    """A belief with the statements that it rests on."""
    belief = material.beliefs.get(id)
    asked = material.recalled.get(id, date.min)
    if belief and belief.status == "held" and asked > (belief.restated or date.min):
        yield _belief(belief)
        for _, said in map(material.episodes.resolve, belief.derived_from):
            if said:
                yield EvidencePlace(said.source, said.moment[:10], said.origin, said.text)


_TEXTS = {"type": "array", "items": {"type": "string"}}
_TEXT = {"type": "string"}


def _object(**properties: Any) -> dict[str, Any]:
    """The schema of an object with just these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


_SIDES = _object(current=_TEXTS, outdated=_TEXTS)
_STATEMENT = _object(quote=_TEXT, subject=_TEXT, attribute=_TEXT, value=_TEXT, kind=_TEXT)
SAME = _object(same={"type": "boolean"})
_KINDS: Mapping[
    str,
    tuple[
        Callable[[Material], Iterable[str]],
        Callable[[Material, str], Evidence],
        str,
        Mapping[str, Any],
    ],
] = {
    "state": (
        lambda material: material.sessions,
        _state,
        "Which of these lines of the user hold beyond today? For each: the quote, word for"
        " word, of what it speaks (subject, attribute, value, in words of the quote; the value"
        " is a part of it) and its kind: preference, rule, fact, decision, open. Leave out the"
        " others, and what cannot be understood alone.",
        _object(keep={"type": "array", "items": _STATEMENT}),
    ),
    "conflict": (
        lambda material: material.addresses,
        _conflict,
        "Do these say different things of the same? Name the places that hold now and those"
        " that are outdated; nothing where both hold.",
        _SIDES,
    ),
    "restate": (
        lambda material: material.recalled,
        _restate,
        "Make the statement shorter and clearer by leaving words out, without changing what it says.",
        _object(statement=_TEXT),
    ),
    "promote": (
        _asked_often,
        _promote,
        "This was asked for on several days. Which line should MEMORY.md have, below which of"
        " its headings?",
        _object(line=_TEXT, heading=_TEXT),
    ),
    "topic": (
        lambda material: material.emerging,
        lambda material, word: map(_entry, material.emerging.get(word, ())[:_LINES]),
        "What do these entries have in common? Give it a title of 1 to 4 words.",
        _object(title=_TEXT),
    ),
    "describe": (
        _described,
        _describe,
        "Summarise the text in one line (at most 110 characters), and give 4 to 8 phrases of"
        " 1 to 5 words by which somebody would ask for it in other words than its own.",
        _object(summary=_TEXT, aliases=_TEXTS),
    ),
    "merge": (
        _alike,
        _merge,
        "Do these entries speak of the same thing?",
        SAME,
    ),
    "compare": (
        lambda material: islice(material.questions, _QUESTIONS),
        _compare,
        "Which of these places answer the question as it is now, and which say of the same what"
        " does not hold any more? Leave out those that speak of something else.",
        _SIDES,
    ),
}
"""What each kind may be about, the evidence for one of these, what is asked, and the schema of the answer."""
