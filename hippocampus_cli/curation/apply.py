"""How each kind of answer is verified and carried out. Changes are gathered in a :class:`Work`.

A function a kind: it raises :class:`AnswerRefused` with the reason before it changes anything, or says what it did.
Whatever it writes is of the evidence: a summary and phrases for an entry, a quote as a belief, a mark on a line that
was shown. What a person wrote, an entry or a line, keeps its words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from hippocampus_cli.curation.guard import require_about, require_same, require_verbatim
from hippocampus_cli.curation.material import Material
from hippocampus_cli.curation.task import (
    AnswerOutcome,
    AnswerRefused,
    NothingThere,
    PlaceIsPrivate,
    PlaceIsTable,
    Task,
)
from hippocampus_cli.curation.tasks import MEMORY
from hippocampus_cli.entries.draft import draft
from hippocampus_cli.entries.passages import Passage
from hippocampus_cli.entries.sections import place_of
from hippocampus_cli.entries.tag import retag
from hippocampus_cli.index import metadata
from hippocampus_cli.index.decay import clock_for
from hippocampus_cli.index.document import Document, Located
from hippocampus_cli.index.edit import block, change_entries
from hippocampus_cli.index.hierarchy import topic_file
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.maintenance.actions import DRAFTED, Action, Kind
from hippocampus_cli.maintenance.steps.merging import Merge, merged
from hippocampus_cli.markdown.lines import encode, whole_number
from hippocampus_cli.markdown.safe import safe_line
from hippocampus_cli.mind.beliefs import VERSIONS, Belief, trust, updated
from hippocampus_cli.mind.derive import Address, Quotation, derive
from hippocampus_cli.mind.gate import open_gate
from hippocampus_cli.mind.own_words import own_lines
from hippocampus_cli.query.outdated import (
    Mark,
    asked_of,
    digests,
    read_marks,
    said_again,
    unit_at,
    written,
)
from hippocampus_cli.query.series import lines_of
from hippocampus_cli.text.terms import telling_terms
from hippocampus_cli.workspace.atomic import Replacement, Replacements
from hippocampus_cli.workspace.commit import is_own, read_or_none
from hippocampus_cli.workspace.descriptions import load, said_by
from hippocampus_cli.workspace.kinds import date_of
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.own_files import BELIEFS, CURATION, OUTDATED, PRIVATE

_THERE = ("current", "outdated", "heading")  # parts of answers that name what is there
_MOST = {"summary": 110, "aliases": 60}  # characters; of others 400
_WORDS = {"aliases": 5, "subject": 4, "attribute": 4, "title": 4}
_FORMS = {"string": str, "boolean": bool, "array": list, "object": dict}


class Work(Material):
    """What answers come to: the index, the beliefs and the file of marks with their changes, and what is said. An
    action on MEMORY.md is a line for it, ``before`` its heading. Beliefs are read anew once their file changes."""

    def __init__(self, who: str, *material: Any) -> None:
        super().__init__(*material)
        self.who = who
        self.clock = clock_for(self.index, self.now, self.config.decay)
        self.gate = open_gate(self.root)
        self.marks = read_or_none(self.root, OUTDATED) or b""
        self.versions: dict[str, bytes] = {}
        self.actions: list[Action] = []
        self.answered: list[AnswerOutcome] = []

    def replacements(self) -> Replacements:
        """The files beside the index that are to be others."""
        files = {
            **self.versions,
            BELIEFS: encode(self.held.text) or None,
            OUTDATED: self.marks or None,
            CURATION: self.log.with_lines(self.answered) or None,
        }
        changes = ((path, read_or_none(self.root, path), data) for path, data in files.items())
        return {path: Replacement(old, new) for path, old, new in changes if old != new}

    def act(self, kind: Kind, key: str, before: str = "", after: str = "") -> None:
        """Say what was done."""
        self.actions.append(Action(kind, key, f"by {self.who}", before, after))

    def believe(self, held: Document, changed: Iterable[Belief] = ()) -> None:
        """Take what is held from another document, and say what ``changed``."""
        self.held = held
        for belief in changed:
            self.act(Kind.BELIEVE, belief.id, "", belief.status)
        for read in ("beliefs", "addresses"):
            vars(self).pop(read, None)

    def read(self, given: Any, schema: Mapping[str, Any], name: str = "the answer") -> Any:
        """An answer as its schema has it: each text on one line, without what would steer a terminal or be read as
        markdown. Raises :class:`AnswerRefused` for another form, a text too long, and what the gate refuses."""
        if not isinstance(given, _FORMS[schema["type"]]):
            raise AnswerRefused(f"{name} must be {schema['type']}")
        if isinstance(given, list):
            return [self.read(item, schema["items"], name) for item in given]
        if isinstance(given, dict):
            parts = schema["properties"]
            if given.keys() != parts.keys():
                raise AnswerRefused(f"{name} must have {', '.join(parts)}, and nothing else")
            return {part: self.read(value, parts[part], part) for part, value in given.items()}
        if name in _THERE or not isinstance(given, str):
            return given
        line, most = safe_line(metadata.plain_line(given)), _MOST.get(name, 400)
        words = _WORDS.get(name, most)
        if not 0 < len(line) <= most or len(line.split()) > words:
            raise AnswerRefused(f"{name} has 1 to {most} characters and at most {words} words")
        if category := self.gate.category(line):
            raise AnswerRefused(f"this is not kept: {category}")
        return line

    def mark_at(self, place: str) -> tuple[Mark, str]:
        """A mark of the bullet, paragraph or row at ``path:line``, at a heading of the first below, and its text. The
        hashes are of what is written: two passwords are not the same. Raises :class:`NothingThere`."""
        path, _, number = place.rpartition(":")
        path = self.notes.follow(Pointer(path)).path
        if path.startswith(f"{PRIVATE}/"):  # its text must not come into a history that is shared
            raise PlaceIsPrivate(place=place)
        note, line = self.notes.note(path), whole_number(number)
        if note and line and not is_own(path) and (unit := unit_at(note, line)):
            text = note.text_of(*unit)
            if line < unit[0] and text.startswith("|"):
                raise PlaceIsTable(place=place)
            source = self.notes.as_written(path).text_of(*unit)
            return Mark(path, digests(source), "", ""), text
        raise NothingThere(place=place)

    def held_at(self, place: str) -> list[Belief]:
        """The belief of this id, where it is held; or those that are held and stand at a place, word for word. Raises
        :class:`NothingThere`."""
        held = [belief for belief in self.beliefs.values() if belief.status == "held"]
        if place in self.beliefs:
            return [belief for belief in held if belief.id == place]
        _, unit = self.mark_at(place)  # behind a bullet, a time, a name
        said = [" ".join(text.split()) for text in (unit, *lines_of(unit))]
        return [belief for belief in held if any(t.endswith(belief.statement) for t in said)]

    def last(self, id: str) -> str:
        """The id of what came at last in the place of a belief."""
        known = {**self.beliefs}
        while (belief := known.pop(id, None)) and belief.by in known:
            id = belief.by
        return id

    def outdate(self, place: str, new: str = "", asked: str = "") -> str:
        """What is held of a place ends, and what stands there is marked as outdated, in favour of a ``new`` place or
        belief; what was done."""
        held = self.held_at(place)
        is_belief = place in [belief.id for belief in held]
        now = self.mark_at(new)[0].sha if new and not is_belief else ""
        ended = [belief.ended(self.now.date(), new) for belief in held]
        self.believe(updated(self.held, ended), ended)  # from here on nothing is refused
        return f"outdated: {place}" if is_belief else self.mark(place, now, asked)

    def mark(self, place: str, now: str = "", asked: str = "") -> str:
        """Mark what stands at ``path:line`` as outdated, unless it is ``now`` what holds (hashes), or as what answers
        the question ``asked`` where nothing does; what was done."""
        said = "answers" if asked and not now else "outdated"
        mark, text = self.mark_at(place)
        if {*mark.sha.split()} <= {*now.split()}:
            return f"{place} says so, too"
        mark, words = mark._replace(now=now, asked=asked), " ".join(text.split())[:80]
        if mark in [known._replace(by="", day="") for known in read_marks(self.marks)]:
            return f"{place} is marked so already"
        self.marks += written([mark._replace(by=self.who, day=self.day)])
        self.act(Kind.OUTDATE, mark.path, words, said)
        return f"{said}: {place} (“{words}”)"

    def hold_again(self, text: str) -> None:
        """End the marks of a text that is said again."""
        marks, self.marks = self.marks, said_again(self.marks, text)
        if marks != self.marks:
            self.act(Kind.OUTDATE, OUTDATED, text[:80], "holds again")
            did = "it was marked as outdated, and holds again"
            self.answered += [AnswerOutcome("said again", self.day, "applied", self.who, "", did)]


def _describe(work: Work, task: Task, answer: Mapping[str, Any]) -> str:
    """The summary and the phrases of a section: into its entry, or into a new one."""
    found = work.place(task.target)
    assert found
    note, section = found
    text = note.text_of(section.start, section.end)
    summary, aliases = answer["summary"], [*_usable(answer["aliases"], text)]
    require_verbatim(summary, f"{note.path}\n{' '.join(section.parents)}\n{text}")
    require_about(summary, text)
    if not aliases:
        raise AnswerRefused("no phrase adds a word that the section lacks")
    located = _entry_of(work, note, section) or _added(work, note, section)
    return _describe_entry(work, located, summary, aliases)


def _entry_of(work: Work, note: Note, section: Section) -> Located | None:
    """The entry that points at this section, and at nothing else."""
    for located, pointer in work.index.pointers.get(note.path, ()):
        alone = located.alone and located.entry.closed and len(located.entry.pointers) == 1
        if alone and work.notes.follow(pointer).section == section:
            return located
    return None


def _usable(aliases: list[str], text: str) -> Iterator[str]:
    """The phrases that add a stem to the section; none with a number or path of its own. What has the sign that
    divides them is several."""
    for alias in ";".join(aliases).split(";")[:8]:
        require_verbatim(" ".join(w for w in alias.split() if any(map(str.isdigit, w))), text)
        if {*telling_terms(alias)}.difference(telling_terms(text)):
            yield alias


def _describe_entry(work: Work, located: Located, summary: str, aliases: list[str]) -> str:
    """Describe an entry; what a person wrote there stays, and gets the phrases alone. What it says then."""
    entry = located.entry
    known = load(work.root).get(entry.id)
    after = entry.with_values({"also": metadata.write_text(";".join(aliases))})
    if entry.src in DRAFTED and (known is None or known.said == said_by(entry)):
        values = {"src": metadata.Source.DEFRAG.value, "ver": str(entry.ver + 1)}
        after = after.with_summary(summary).with_values(values)
    work.index = work.index.change(located.key, lambda _: after)
    work.act(Kind.DESCRIBE, located.key, entry.summary, after.summary)
    return after.summary


def _added(work: Work, note: Note, section: Section) -> Located:
    """A new entry for a section that had none, in a topic file."""
    passage = Passage(note, date_of(note.path) or work.now.date(), section)
    made = draft(passage, work.clock, ids=work.index.taken)
    home = place_of(work.index.master, made)
    work.index = work.index.add(home, [block(made)], topic_file(home)).counted()
    return work.index.by_key[made.id]


def _state(work: Work, task: Task, answer: Mapping[str, Any]) -> str:
    """Beliefs with their addresses, verbatim, as trusted as whoever said them."""
    said = [_verified(work, task, statement) for statement in answer["keep"]]  # all, or none
    paths = {episode.id: episode.text_path for episode in work.sessions[task.target]}
    done = derive([*work.beliefs.values()], said, work.held.by_key)
    changed = [*done.added, *done.changed]
    work.believe(done.written(work.held, paths), changed)
    return f"held: {', '.join(belief.id for belief in changed) or 'nothing'}"


def _verified(work: Work, task: Task, statement: Mapping[str, str]) -> Quotation:
    """One statement of an answer: a quote of what was said, with its labels and value."""
    quote, subject, attribute, value, _ = statement.values()
    evidence = next((part for part in task.evidence if quote in part.text), None)
    if not evidence or own_lines(quote) != [quote]:
        raise AnswerRefused("each quote must stand in the evidence, word for word")
    if value not in quote:
        raise AnswerRefused("the value must be a part of its quote")
    require_verbatim(f"{subject} {attribute}", "\n".join(part.text for part in task.evidence))
    _, said = work.episodes.resolve(evidence.place)
    assert said, "its task is of this line"
    address = Address(subject, attribute, value)
    return Quotation(evidence.place, said._replace(text=quote), address)


def _judge_sides(work: Work, task: Task, answer: Mapping[str, Any]) -> str:
    """What is outdated comes after what holds now; only places of the evidence, only at equal or higher trust."""
    sides = {p.place: trust(p.origin) for p in task.evidence if p.place != "question"}
    current, outdated = {*answer["current"]}, {*answer["outdated"]}
    if (current | outdated) - sides.keys():
        raise AnswerRefused(f"name places of the evidence: {', '.join(sides)}")
    if current & outdated:
        raise AnswerRefused("name no place as both")
    trusted = min(sides[place] for place in current or sides)
    if any(sides[place] > trusted for place in outdated):
        raise AnswerRefused("what is trusted more cannot be outdated by what is trusted less")
    asked = asked_of(task.evidence[0].text) if task.kind == "compare" and current else ""
    for place in sorted(outdated):
        work.outdate(place, min(current, default=""), asked)
    if asked and trusted == max(sides.values()):
        for place in sorted(current):
            work.mark(place, asked=asked)
    return f"outdated: {', '.join(sorted(outdated)) or 'nothing'}"


def _restate(work: Work, task: Task, answer: Mapping[str, Any]) -> str:
    """A new version of a belief; the old one stays readable."""
    id = task.target
    belief = work.beliefs[id]
    restated = answer["statement"]
    first = task.evidence[:2][-1]  # its source, where there still is one
    require_same(belief.statement, restated, first.text)
    made = belief.replaced(restated=work.now.date())
    if restated != belief.statement:
        made = made.replaced(version=belief.version + 1)
        path = f"{VERSIONS}/{id.replace('/', '-')}.md"
        before = read_or_none(work.root, path) or f"# {id}\n".encode()
        text = f"\n## Version {belief.version}, until {made.restated}\n\n{belief.statement}\n"
        work.versions[path] = before + encode(text)
    held = change_entries(work.held, {id: lambda entry: entry.with_summary(restated)})
    work.believe(updated(held, [made]))
    work.act(Kind.BELIEVE, id, belief.statement, restated)
    return f"restated: {id}"


def _merge(work: Work, task: Task, answer: Mapping[str, Any]) -> str:
    """Two entries as one; the other goes to the archive, its id leads to the one that is kept."""
    kept, other = (work.index.by_key[part.place] for part in task.evidence)
    if not answer["same"]:
        return "two things"
    work.index = merged(work.index, [Merge(kept, [other])], work.clock, work.now.date()).counted()
    work.act(Kind.MERGE, other.key, other.key, kept.key)
    return f"merged: {other.key} into {kept.key}"


def _promote(work: Work, task: Task, answer: Mapping[str, Any]) -> str:
    """A line for MEMORY.md, below one of its headings: written once the index is."""
    line, heading = answer["line"], answer["heading"].strip()
    sections = work.notes.as_written(MEMORY).sections
    if heading not in [section.title for section in sections]:
        raise AnswerRefused("name a heading of MEMORY.md")
    shown = task.evidence[0].text
    require_verbatim(line, shown)
    require_about(line, shown)
    work.act(Kind.NOTE, MEMORY, heading, f"- {line}")
    return f"MEMORY.md: {line}"


def _topic(work: Work, task: Task, answer: Mapping[str, Any]) -> str:
    """A tag that all entries of a cluster get."""
    title = answer["title"]
    require_verbatim(title, "\n".join(part.text for part in task.evidence))
    for part in task.evidence:
        work.index, tagged = retag(work.index, part.place, [title], [])
        work.act(Kind.DESCRIBE, tagged.id, "", title)
    return f"tagged: {title}"


APPLY = {
    "describe": _describe,
    "state": _state,
    "conflict": _judge_sides,
    "compare": _judge_sides,
    "restate": _restate,
    "merge": _merge,
    "promote": _promote,
    "topic": _topic,
}
