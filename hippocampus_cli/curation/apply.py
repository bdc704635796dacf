"""How each kind of answer is verified and carried out. Changes are gathered in a :class:`Work`.

A function a kind: it raises :class:`AnswerRefused` with the reason before it changes anything, or says what it did.
Whatever it writes is of the evidence: a summary and phrases for an entry, a quote as a belief, a mark on a line that
was shown. What a person wrote, an entry or a line, keeps its words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import chain, groupby
from typing import Any

from hippocampus_cli.curation.guard import require_not_inverted, require_same, require_verbatim
from hippocampus_cli.curation.log import AnswerOutcome
from hippocampus_cli.curation.material import Material
from hippocampus_cli.curation.task import AnswerRefused, EvidencePlace, Task
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
from hippocampus_cli.index.metadata import Source
from hippocampus_cli.maintenance.actions import DRAFTED, Action, Kind
from hippocampus_cli.maintenance.steps.merging import Merge, merged
from hippocampus_cli.markdown.blocks import Kind as LineKind
from hippocampus_cli.markdown.lines import encode
from hippocampus_cli.markdown.safe import safe_line
from hippocampus_cli.mind.beliefs import (
    VERSIONS,
    beliefs_of,
    trust,
    updated,
)
from hippocampus_cli.mind.derive import Address, Quotation, derive
from hippocampus_cli.mind.own_words import own_lines
from hippocampus_cli.query.outdated import Mark, asked_of, digest, read_marks, written
from hippocampus_cli.query.series import lines_of
from hippocampus_cli.text.passages import units_of
from hippocampus_cli.text.terms import telling_terms
from hippocampus_cli.workspace.commit import read_or_none
from hippocampus_cli.workspace.descriptions import load, said_by
from hippocampus_cli.workspace.kinds import date_of
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.own_files import BELIEFS, OUTDATED

_SUMMARY = 110  # characters
_ALIASES, _ALIAS = 8, 60  # how many, how long
_ALIAS_WORDS, _LABEL_WORDS = 5, 4
_QUOTE = 400


class Work(Material):
    """What answers come to: the index, the file of beliefs and marks with their changes, and what is said of them.
    An action on MEMORY.md is a line for it, ``before`` its heading."""

    def __init__(self, who: str, *material: Any) -> None:
        super().__init__(*material)
        self.who = who
        self.marks: list[Mark] = []
        self.versions: dict[str, bytes] = {}
        self.actions: list[Action] = []
        self.answered: list[AnswerOutcome] = []

    @cached_property
    def held(self) -> Document:
        """The file of beliefs as it is by now."""
        return self.beliefs_file.document()

    def files(self) -> Mapping[str, bytes | None]:
        """The files beside the index as they are by now."""
        before = read_or_none(self.root, OUTDATED) or b""
        known = {(mark.sha, mark.asked) for mark in read_marks(before)}
        new = (mark for mark in self.marks if (mark.sha, mark.asked) not in known)
        marks = before + written(new)
        return {**self.versions, BELIEFS: encode(self.held.text) or None, OUTDATED: marks or None}

    def act(self, kind: Kind, key: str, before: str = "", after: str = "") -> None:
        """Say what was done."""
        self.actions.append(Action(kind, key, f"by {self.who}", before, after))

    def require_kept(self, *texts: str) -> None:
        """Raise :class:`AnswerRefused` for what the gate refuses."""
        if category := self.gate.category("\n".join(texts)):
            raise AnswerRefused(f"this is not kept: {category}")

    def mark(self, place: str) -> str:
        """Mark the unit at ``path:line`` as outdated, those of a section at its heading; what was marked."""
        path, _, number = place.rpartition(":")
        note = self.notes.note(path)
        if note is None or not number.isdecimal() or not 0 < int(number) <= len(note.lines):
            raise AnswerRefused("there is no such line")
        line = int(number)
        below = (s.end for s in note.sections if s.start <= line < s.start + s.heading_lines)
        end = next(below, line)
        for first, last in _units(note):
            if first <= end and line <= last:
                self.mark_unit(place, note.text_of(first, last))
        return f"outdated: {place}"

    def mark_unit(self, place: str, text: str, now: str = "", asked: str = "") -> None:
        """Mark the unit at ``path:line``: as outdated, or as what answers the question ``asked``."""
        path = place.rpartition(":")[0]
        said = "answers" if asked and not now else "outdated"
        if sha := " ".join(map(digest, lines_of(text))):
            self.marks.append(Mark(path, sha, self.who, str(self.now.date()), now, asked))
            self.act(Kind.OUTDATE, path, " ".join(text.split())[:80], said)


def _units(note: Note) -> Iterator[tuple[int, int]]:
    """First and last line of each bullet and paragraph of a note; of a fenced block or a table as one."""

    def block(unit: tuple[int, int]) -> object:
        line = unit[0] - 1
        together = note.blocks.kinds[line] == LineKind.CODE or note.lines[line].startswith("|")
        return together or unit

    for _, units in groupby(units_of(note.lines, 1, len(note.lines)), block):
        lines = [*chain.from_iterable(units)]
        yield lines[0], lines[-1]


def _describe(work: Work, task: Task, answer: Mapping[str, Any]) -> str:
    """The summary and the phrases of a section: into its entry, or into a new one."""
    found = work.place(task.target)
    assert found
    note, section = found
    text = note.text_of(section.start, section.end)
    summary, aliases = _line_of(answer["summary"]), [*map(_line_of, answer["aliases"])]
    if not summary or len(summary) > _SUMMARY:
        raise AnswerRefused(f"the summary must have 1 to {_SUMMARY} characters")
    require_verbatim(summary, f"{note.path}\n{' '.join(section.parents)}\n{text}")
    require_not_inverted(summary, text)
    aliases = [*_usable(aliases, text)]
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
    for alias in dict.fromkeys(aliases[:_ALIASES]):
        short = len(alias) <= _ALIAS and 0 < len(alias.split()) <= _ALIAS_WORDS
        if not short or {*";|"} & {*alias}:
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
    if drafted or any(line.did == entry.summary for line in work.log.lines):
        values |= {"src": Source.DEFRAG.value, "ver": str(entry.ver + 1)}
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


def _line_of(text: str) -> str:
    """A text on one line, without what would steer a terminal or be read as markdown."""
    return safe_line(metadata.plain_line(text))


def _state(work: Work, task: Task, answer: Mapping[str, Any]) -> str:
    """Beliefs with their addresses, verbatim, as trusted as whoever said them."""
    found = [_verified(work, task, statement) for statement in answer["keep"]]
    kept = [_hold(work, *statement) for statement in found]  # all of them, or none
    return f"held: {', '.join(kept) or 'nothing'}"


def _verified(
    work: Work, task: Task, statement: Mapping[str, str]
) -> tuple[EvidencePlace, str, Address]:
    """One statement of an answer: where it was said, a quote of that, its labels and value."""
    quote = " ".join(statement["quote"].split())
    evidence = next((part for part in task.evidence if quote and quote in part.text), None)
    if evidence is None or len(quote) > _QUOTE or own_lines(quote) != [quote]:
        raise AnswerRefused("each quote must stand in the evidence, word for word")
    subject, attribute, value = (_line_of(statement[k]) for k in ("subject", "attribute", "value"))
    if not value or value not in quote:
        raise AnswerRefused("the value must be a part of its quote")
    labels = f"{subject} {attribute}"
    if any(not 0 < len(label.split()) <= _LABEL_WORDS for label in (subject, attribute)):
        raise AnswerRefused(f"subject and attribute have 1 to {_LABEL_WORDS} words each")
    require_verbatim(labels, "\n".join(part.text for part in task.evidence))
    work.require_kept(quote, labels, value)
    return evidence, quote, Address(subject, attribute, value)


def _hold(work: Work, evidence: EvidencePlace, quote: str, address: Address) -> str:
    """A belief of what was said, as trusted as whoever said it."""
    episode, said = work.episodes.resolve(evidence.place)
    assert episode and said
    source = Quotation(evidence.place, said._replace(text=quote), address)
    document = work.held
    done = derive(beliefs_of(document), [source], document.by_key)
    work.held = done.written(document, {episode.id: episode.text_path})
    for belief in (*done.added, *done.changed):
        work.act(Kind.BELIEVE, belief.id, "", belief.status)
        return belief.id
    return quote


def _conflict(work: Work, task: Task, answer: Mapping[str, Any]) -> str:
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
    asked = asked_of(task.evidence[0].text) if len(sides) < len(task.evidence) else ""
    for place in sorted(outdated):
        _outdate(work, sides[place], sides[min(current)], asked)
    if asked and trusted == max(trust(s.origin) for s in sides.values()):
        for place in sorted(current):
            work.mark_unit(place, sides[place].text, "", asked)
    return f"outdated: {', '.join(sorted(outdated)) or 'nothing'}"


def _outdate(work: Work, old: EvidencePlace, new: EvidencePlace, asked: str) -> None:
    """A belief is superseded, the lines of a place are marked."""
    beliefs = {belief.id: belief for belief in beliefs_of(work.held)}
    if old.place in beliefs:
        ended = beliefs[old.place].ended(work.now.date(), new.place)
        work.held = updated(work.held, [ended])
        work.act(Kind.BELIEVE, old.place, beliefs[old.place].status, "superseded")
    else:
        now = max(lines_of(new.text), key=len, default="")
        work.mark_unit(old.place, old.text, digest(now), asked)


def _restate(work: Work, task: Task, answer: Mapping[str, Any]) -> str:
    """A new version of a belief; the old one stays readable."""
    document, id = work.held, task.target
    belief = next(belief for belief in beliefs_of(document) if belief.id == id)
    restated = _line_of(answer["statement"])
    first = task.evidence[1].text if task.evidence[1:] else ""
    require_same(belief.statement, restated, first)
    work.require_kept(restated)
    made = belief.replaced(restated=work.now.date())
    if restated != belief.statement:
        made = made.replaced(version=belief.version + 1)
        path = f"{VERSIONS}/{id.replace('/', '-')}.md"
        before = work.versions.get(path) or read_or_none(work.root, path) or f"# {id}\n".encode()
        text = f"\n## Version {belief.version}, until {made.restated}\n\n{belief.statement}\n"
        work.versions[path] = before + text.encode("utf-8", "surrogateescape")
    document = updated(document, [made])
    work.held = change_entries(document, {id: lambda entry: entry.with_summary(restated)})
    work.act(Kind.BELIEVE, id, belief.statement, restated)
    return f"restated: {id}"


def _merge(work: Work, task: Task, answer: Mapping[str, Any]) -> str:
    """Two entries as one; the other goes to the archive, its id leads to the one that is kept."""
    kept, other = (work.index.by_key[part.place] for part in task.evidence)
    if not answer["same"]:
        return "two things"
    clock = clock_for(work.index, work.now, work.config.decay)
    work.index = merged(work.index, [Merge(kept, [other])], clock, work.now.date()).counted()
    work.act(Kind.MERGE, other.key, other.key, kept.key)
    return f"merged: {other.key} into {kept.key}"


def _promote(work: Work, task: Task, answer: Mapping[str, Any]) -> str:
    """A line for MEMORY.md, below one of its headings: written once the index is."""
    line, heading = _line_of(answer["line"]), answer["heading"].strip()
    if not line or len(line) > _QUOTE:
        raise AnswerRefused(f"the line must have 1 to {_QUOTE} characters")
    if heading not in (section.title for section in work.notes.as_written(MEMORY).sections):
        raise AnswerRefused("name a heading of MEMORY.md")
    require_verbatim(line, task.evidence[0].text)
    require_not_inverted(line, task.evidence[0].text)
    work.require_kept(line)
    work.act(Kind.NOTE, MEMORY, heading, f"- {line}")
    return f"MEMORY.md: {line}"


def _topic(work: Work, task: Task, answer: Mapping[str, Any]) -> str:
    """A tag that all entries of a cluster get."""
    title = _line_of(answer["title"])
    if not 0 < len(title.split()) <= _LABEL_WORDS:
        raise AnswerRefused(f"a title has 1 to {_LABEL_WORDS} words")
    require_verbatim(title, "\n".join(part.text for part in task.evidence))
    work.require_kept(title)
    for part in task.evidence:
        work.index, tagged = retag(work.index, part.place, [title], [])
        work.act(Kind.DESCRIBE, tagged.id, "", title)
    return f"tagged: {title}"


APPLY: Mapping[str, Callable[[Work, Task, Mapping[str, Any]], str]] = {
    "describe": _describe,
    "state": _state,
    "conflict": _conflict,
    "compare": _conflict,
    "restate": _restate,
    "merge": _merge,
    "promote": _promote,
    "topic": _topic,
}
