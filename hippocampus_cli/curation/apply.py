"""How each kind of answer is verified and carried out. Changes are gathered in a :class:`Work`.

A function a kind: it raises :class:`AnswerRefused` with the reason before it changes anything, or says what it did.
Whatever it writes is of the evidence: a summary and phrases for an entry, a quote as a belief, a mark on a line that
was shown. What a person wrote, an entry or a line, keeps its words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import Any

from hippocampus_cli.curation.guard import require_about, require_same, require_verbatim
from hippocampus_cli.curation.material import Material
from hippocampus_cli.curation.task import AnswerOutcome, AnswerRefused, Task
from hippocampus_cli.curation.tasks import MEMORY
from hippocampus_cli.entries.draft import draft
from hippocampus_cli.entries.passages import Passage
from hippocampus_cli.entries.sections import place_of
from hippocampus_cli.entries.tag import retag
from hippocampus_cli.index import metadata
from hippocampus_cli.index.decay import clock_for
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.edit import block, change_entries
from hippocampus_cli.index.hierarchy import topic_file
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.maintenance.actions import DRAFTED, Action, Kind
from hippocampus_cli.maintenance.steps.merging import Merge, merged
from hippocampus_cli.markdown.blocks import Kind as LineKind
from hippocampus_cli.markdown.lines import encode, whole_number
from hippocampus_cli.markdown.safe import safe_line
from hippocampus_cli.mind.beliefs import (
    VERSIONS,
    Belief,
    trust,
    updated,
)
from hippocampus_cli.mind.derive import Address, Quotation, derive
from hippocampus_cli.mind.own_words import own_lines
from hippocampus_cli.query.outdated import Mark, asked_of, digest, read_marks, said_again, written
from hippocampus_cli.query.series import lines_of
from hippocampus_cli.text.passages import units_of
from hippocampus_cli.text.plain_text import shorten
from hippocampus_cli.text.terms import telling_terms
from hippocampus_cli.workspace.commit import is_own, read_or_none
from hippocampus_cli.workspace.descriptions import load, said_by
from hippocampus_cli.workspace.kinds import date_of
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.own_files import BELIEFS, CURATION, OUTDATED, PRIVATE
from hippocampus_cli.workspace.transaction import Replacement, Replacements

_SUMMARY = 110  # characters
_ALIASES, _ALIAS = 8, 60  # how many, how long
_ALIAS_WORDS, _LABEL_WORDS = 5, 4
_LINE = 400  # characters of a quote, or of a line


class Work(Material):
    """What answers come to: the index, the beliefs and the file of marks with their changes, and what is said. An
    action on MEMORY.md is a line for it, ``before`` its heading. Beliefs are read anew once their file changes."""

    def __init__(self, who: str, *material: Any) -> None:
        super().__init__(*material)
        self.who = who
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
            CURATION: self.log.with_lines(self.answered) or self.log.data,
        }
        changes = ((path, read_or_none(self.root, path), data) for path, data in files.items())
        return {path: Replacement(old, new) for path, old, new in changes if old != new}

    def act(self, kind: Kind, key: str, before: str = "", after: str = "") -> None:
        """Say what was done."""
        self.actions.append(Action(kind, key, f"by {self.who}", before, after))

    def require_kept(self, *texts: str) -> None:
        """Raise :class:`AnswerRefused` for what the gate refuses."""
        if category := self.gate.category("\n".join(texts)):
            raise AnswerRefused(f"this is not kept: {category}")

    def units_at(self, place: str) -> tuple[str, dict[str, str]]:
        """The path of ``path:line``, and the bullet, paragraph, fenced block or row there by the hashes of its lines;
        at the head of a table all of it, at a heading what stands below it before the next. Raises
        :class:`AnswerRefused` where there is no such line."""
        path, _, number = place.rpartition(":")
        path = self.notes.follow(Pointer(path)).path
        if path.startswith(f"{PRIVATE}/"):  # its text must not come into a history that is shared
            raise AnswerRefused(f"{place} is in the private tier: add --workspace {PRIVATE}")
        note = None if is_own(path) else self.notes.note(path)
        line = whole_number(number) or 0
        if note is None or not 0 < line <= len(note.lines):
            raise AnswerRefused(f"there is no line {place}")
        end = next((s.end for s in note.sections if 0 <= line - s.start < s.heading_lines), line)
        row = line if note.lines[line - 1].startswith("|") else 0
        units = {
            " ".join(map(digest, lines_of(text))): text
            for first, last in _units(note)
            if first <= end and line <= last
            for text in [note.text_of(*(row, row) if first + 1 < row else (first, last))]
            if any(lines_of(text))
        }
        if not units:
            raise AnswerRefused(f"there is nothing at {place}")
        return path, units

    def held_at(self, place: str) -> list[Belief]:
        """The belief of this id, where it is held; or those that are held and stand at a place, word for word. Raises
        :class:`AnswerRefused`."""
        held = [belief for belief in self.beliefs.values() if belief.status == "held"]
        if place in self.beliefs:
            return [belief for belief in held if belief.id == place]
        said = [
            " ".join(text.split())
            for unit in self.units_at(place)[1].values()
            for text in (unit, *lines_of(unit))  # behind a bullet, a time, a name
        ]
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
        holds = [*self.units_at(new)[1]] if new and not is_belief else []
        ended = [belief.ended(self.now.date(), new) for belief in held]
        self.held = updated(self.held, ended)  # from here on nothing is refused
        del self.beliefs
        for belief in held:
            self.act(Kind.BELIEVE, belief.id, belief.status, "superseded")
        return f"outdated: {place}" if is_belief else self.mark(place, holds, asked)

    def mark(self, place: str, holds: Sequence[str] = (), asked: str = "") -> str:
        """Mark what stands at ``path:line`` as outdated, but what ``holds`` (the hashes of its lines, the first
        instead), or as what answers the question ``asked`` where nothing does; what was done."""
        said = "answers" if asked and not holds else "outdated"
        lines = {*" ".join(holds).split()}
        path, found = self.units_at(place)
        units = {sha: text for sha, text in found.items() if not {*sha.split()} <= lines}
        words = [" ".join(text.split())[:80] for text in units.values()]
        known = {mark._replace(by="", day="") for mark in read_marks(self.marks)}
        for sha, text in zip(units, words, strict=True):
            mark = Mark(path, sha, "", "", "".join(holds[:1]), asked)
            if mark not in known:
                self.marks += written([mark._replace(by=self.who, day=str(self.now.date()))])
            self.act(Kind.OUTDATE, path, text, said)
        return f"{said}: {place} (“{words[0]}”)" if words else f"{place} says so, too"

    def hold_again(self, text: str) -> str:
        """End the marks of a text that is said again; what was done."""
        marks, self.marks = self.marks, said_again(self.marks, text)
        if marks == self.marks:
            return ""
        self.act(Kind.OUTDATE, OUTDATED, shorten(text, 80), "holds again")
        return "it was marked as outdated, and holds again"


def _units(note: Note) -> Iterator[tuple[int, int]]:
    """First and last line of each bullet and paragraph of a note; of a fenced block or a table as one."""

    def block(unit: tuple[int, int]) -> object:
        line = unit[0] - 1
        return note.blocks.kinds[line] == LineKind.CODE or note.lines[line].startswith("|") or unit

    for _, units in groupby(units_of(note.lines, 1, len(note.lines)), block):
        first, *_, last = chain.from_iterable(units)
        yield first, last


def _describe(work: Work, task: Task, answer: Mapping[str, Any]) -> str:
    """The summary and the phrases of a section: into its entry, or into a new one."""
    found = work.place(task.target)
    assert found
    note, section = found
    text = note.text_of(section.start, section.end)
    summary, aliases = _line_of(answer["summary"], _SUMMARY), [*_usable(answer["aliases"], text)]
    require_verbatim(summary, f"{note.path}\n{' '.join(section.parents)}\n{text}")
    require_about(summary, text)
    if not aliases:
        raise AnswerRefused("no phrase adds a word that the section lacks")
    work.require_kept(summary, *aliases)
    located = _entry_of(work, note, section) or _added(work, note, section)
    return _describe_entry(work, located, summary, aliases)


def _entry_of(work: Work, note: Note, section: Section) -> Located | None:
    """The entry that points at this section, and at nothing else."""
    for located, pointer in work.index.pointers.get(note.path, ()):
        target = work.notes.follow(pointer).section
        alone = located.alone and located.entry.closed and len(located.entry.pointers) == 1
        if alone and target and target.start == section.start:
            return located
    return None


def _usable(aliases: list[str], text: str) -> Iterator[str]:
    """The phrases that add a stem to the section; none with a number or path of its own, or too long."""
    known = {*telling_terms(text)}
    for alias in dict.fromkeys(_line_of(alias, _ALIAS) for alias in aliases[:_ALIASES]):
        if len(alias.split()) > _ALIAS_WORDS or {*";|"} & {*alias}:
            raise AnswerRefused(f"a phrase has 1 to {_ALIAS_WORDS} words, and neither ; nor |")
        require_verbatim(" ".join(w for w in alias.split() if any(map(str.isdigit, w))), text)
        if {*telling_terms(alias)} - known:
            yield alias


def _describe_entry(work: Work, located: Located, summary: str, aliases: list[str]) -> str:
    """Describe an entry; what a person wrote there stays, and gets the phrases alone. What it says then."""
    entry = located.entry
    known = load(work.root).get(entry.id)
    drafted = entry.src in DRAFTED and (known is None or known.said == said_by(entry))
    values = {"also": metadata.write_text(";".join(aliases))}
    after = entry
    if drafted:
        values |= {"src": metadata.Source.DEFRAG.value, "ver": str(entry.ver + 1)}
        after = entry.with_summary(summary)
    after = after.with_values(values)
    work.index = work.index.change(located.key, lambda _: after)
    work.act(Kind.DESCRIBE, located.key, entry.summary, after.summary)
    return after.summary


def _added(work: Work, note: Note, section: Section) -> Located:
    """A new entry for a section that had none, in a topic file."""
    passage = Passage(note, date_of(note.path) or work.now.date(), section)
    clock = clock_for(work.index, work.now, work.config.decay)
    made = draft(passage, clock, ids=work.index.taken)
    home = place_of(work.index.master, made)
    work.index = work.index.add(home, [block(made)], topic_file(home)).counted()
    return work.index.by_key[made.id]


def _line_of(text: str, most: int = _LINE) -> str:
    """A text on one line, without what would steer a terminal or be read as markdown. Raises :class:`AnswerRefused`
    for an empty one, and one of more than so many characters."""
    line = safe_line(metadata.plain_line(text))
    if not 0 < len(line) <= most:
        raise AnswerRefused(f"a text has 1 to {most} characters")
    return line


def _state(work: Work, task: Task, answer: Mapping[str, Any]) -> str:
    """Beliefs with their addresses, verbatim, as trusted as whoever said them."""
    said = [_verified(work, task, statement) for statement in answer["keep"]]  # all, or none
    paths = {episode.id: episode.text_path for episode in work.sessions[task.target]}
    done = derive([*work.beliefs.values()], said, work.held.by_key)
    work.held = done.written(work.held, paths)
    del work.beliefs
    held = {belief.id: belief.status for belief in (*done.added, *done.changed)}
    for id, status in held.items():
        work.act(Kind.BELIEVE, id, "", status)
    return f"held: {', '.join(held) or 'nothing'}"


def _verified(work: Work, task: Task, statement: Mapping[str, str]) -> Quotation:
    """One statement of an answer: a quote of what was said, with its labels and value."""
    quote = " ".join(statement["quote"].split())
    evidence = next((part for part in task.evidence if quote in part.text), None)
    if evidence is None or len(quote) > _LINE or own_lines(quote) != [quote]:
        raise AnswerRefused("each quote must stand in the evidence, word for word")
    subject, attribute, value = (_line_of(statement[k]) for k in ("subject", "attribute", "value"))
    if value not in quote:
        raise AnswerRefused("the value must be a part of its quote")
    labels = f"{subject} {attribute}"
    if any(len(label.split()) > _LABEL_WORDS for label in (subject, attribute)):
        raise AnswerRefused(f"subject and attribute have 1 to {_LABEL_WORDS} words each")
    require_verbatim(labels, "\n".join(part.text for part in task.evidence))
    work.require_kept(quote, labels, value)
    _, said = work.episodes.resolve(evidence.place)
    assert said, "its task is of this line"
    said = said._replace(text=quote)
    return Quotation(evidence.place, said, Address(subject, attribute, value))


def _judge_sides(work: Work, task: Task, answer: Mapping[str, Any]) -> str:
    """What is outdated comes after what holds now; only places of the evidence, only at equal or higher trust."""
    sides = {part.place: part for part in task.evidence if part.place != "question"}
    current, outdated = {*answer["current"]}, {*answer["outdated"]}
    if (current | outdated) - sides.keys():
        raise AnswerRefused(f"name places of the evidence: {', '.join(sides)}")
    if current & outdated:
        raise AnswerRefused("a place cannot be both")
    if outdated and not current:
        raise AnswerRefused("name what holds now, too")
    trusted = min((trust(sides[place].origin) for place in current), default=0)
    if any(trust(sides[place].origin) > trusted for place in outdated):
        raise AnswerRefused("what is trusted more cannot be outdated by what is trusted less")
    asked = asked_of(task.evidence[0].text) if task.kind == "compare" else ""
    for place in sorted(outdated):
        work.outdate(place, min(current), asked)
    if asked and trusted == max(trust(s.origin) for s in sides.values()):
        for place in sorted(current):
            work.mark(place, asked=asked)
    return f"outdated: {', '.join(sorted(outdated)) or 'nothing'}"


def _restate(work: Work, task: Task, answer: Mapping[str, Any]) -> str:
    """A new version of a belief; the old one stays readable."""
    id = task.target
    belief = work.beliefs[id]
    restated = _line_of(answer["statement"])
    first = task.evidence[1].text if task.evidence[1:] else ""
    require_same(belief.statement, restated, first)
    work.require_kept(restated)
    made = belief.replaced(restated=work.now.date())
    if restated != belief.statement:
        made = made.replaced(version=belief.version + 1)
        path = f"{VERSIONS}/{id.replace('/', '-')}.md"
        before = read_or_none(work.root, path) or f"# {id}\n".encode()
        text = f"\n## Version {belief.version}, until {made.restated}\n\n{belief.statement}\n"
        work.versions[path] = before + text.encode("utf-8", "surrogateescape")
    document = updated(work.held, [made])
    work.held = change_entries(document, {id: lambda entry: entry.with_summary(restated)})
    del work.beliefs
    work.act(Kind.BELIEVE, id, belief.statement, restated)
    return f"restated: {id}"


def _merge(work: Work, task: Task, answer: Mapping[str, Any]) -> str:
    """Two entries as one; the other goes to the archive, its id leads to the one that is kept."""
    kept, other = (work.index.by_key[part.place] for part in task.evidence)
    if not answer["same"]:
        return "two things"
    clock, merge = clock_for(work.index, work.now, work.config.decay), Merge(kept, [other])
    work.index = merged(work.index, [merge], clock, work.now.date()).counted()
    work.act(Kind.MERGE, other.key, other.key, kept.key)
    return f"merged: {other.key} into {kept.key}"


def _promote(work: Work, task: Task, answer: Mapping[str, Any]) -> str:
    """A line for MEMORY.md, below one of its headings: written once the index is."""
    line, heading = _line_of(answer["line"]), answer["heading"].strip()
    sections = work.notes.as_written(MEMORY).sections
    if heading not in [section.title for section in sections]:
        raise AnswerRefused("name a heading of MEMORY.md")
    require_verbatim(line, task.evidence[0].text)
    require_about(line, task.evidence[0].text)
    work.require_kept(line)
    work.act(Kind.NOTE, MEMORY, heading, f"- {line}")
    return f"MEMORY.md: {line}"


def _topic(work: Work, task: Task, answer: Mapping[str, Any]) -> str:
    """A tag that all entries of a cluster get."""
    title = _line_of(answer["title"])
    if len(title.split()) > _LABEL_WORDS:
        raise AnswerRefused(f"a title has 1 to {_LABEL_WORDS} words")
    require_verbatim(title, "\n".join(part.text for part in task.evidence))
    work.require_kept(title)
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
