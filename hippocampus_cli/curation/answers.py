"""Answers verified and applied, as one change of index, beliefs and marks, which ``undo`` takes back.

The way of an answer, whoever gives it:

1. lock, and read the index as it is now;
2. ask for the task again by its id: what is not asked any more is *gone*, and changes nothing;
3. compare the form of the answer with the schema of its task;
4. verify it against the evidence (:mod:`guard`) and gather what it changes (:mod:`apply`);
5. write the index, the beliefs, the marks, the file of tasks and a record of the history as one change.

A kill at any point leaves all of it or nothing, and no answer counts twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from hippocampus_cli.config import Config
from hippocampus_cli.curation.apply import APPLY, Work
from hippocampus_cli.curation.material import Material
from hippocampus_cli.curation.task import AnswerOutcome, AnswerRefused, NothingThere, Task, TaskLog
from hippocampus_cli.curation.tasks import MEMORY, task_of, tasks
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance import history
from hippocampus_cli.maintenance.note_lines import write_line
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import CURATION, ensure_folder
from hippocampus_cli.workspace.store import IndexStore

_OUTDATED = "outdated:"
"""Before a place: the id of an answer to what nobody asked, the place that holds instead."""
_KINDS = {"string": str, "boolean": bool, "array": list, "object": dict}


class Curator(NamedTuple):
    """Asks and applies, in one workspace at one moment."""

    root: Path
    config: Config
    store: IndexStore
    now: datetime

    def waiting(self, kinds: Sequence[str] = ()) -> Iterator[tuple[Task, str]]:
        """The tasks that nobody answered, most needed first, each with why its last answer was refused. Raises
        :class:`IndexNotFound`."""
        material = Material(self.root, self.config, self.store.read(), self.now)
        for task in tasks(material, kinds):
            if task.id not in material.log.closed:
                yield task, material.log.reasons.get(task.id, "")

    def note_asked(self, asked: Sequence[Task]) -> None:
        """Write down that these tasks were asked: so long later they are dropped."""
        with locked(self.root, self.config.lock.timeout_seconds):
            log, day = TaskLog(self.root, self.now), str(self.now.date())
            if new := [AnswerOutcome(t.id, day, "asked") for t in asked if t.id not in log.asked]:
                path, before = ensure_folder(self.root, CURATION), log.data or None
                replace_bytes(path, log.with_lines(new), CURATION, before)

    def answer(
        self, answers: Sequence[tuple[str, Any]], who: str, said: str = ""
    ) -> list[AnswerOutcome]:
        """Verify and apply answers by the ids of their tasks; ``None`` skips one. ``who`` is ``agent``, ``user`` or
        the name of a model. An answer that was applied changes nothing the second time. Marks of what is ``said``
        again end first."""

        def change(index: Hierarchy) -> tuple[Hierarchy, Work]:
            work = Work(who, self.root, self.config, index, self.now)
            if did := work.hold_again(said):
                day = str(self.now.date())
                work.answered.append(AnswerOutcome("said again", day, "applied", who, did=did))
            for id, given in answers:
                work.answered.append(_answered(work, id, given))
            return work.index, work

        if any(id.startswith("promote:") for id, _ in answers):  # a kill must not lose the line
            for _, path, _, heading, line in change(self.store.read())[1].actions:
                if path == MEMORY:
                    write_line(self.root, path, heading, line, self.config.lock.timeout_seconds)
        record = history.recording(
            self.root,
            history.CURATE,
            self.now,
            lambda work: work.actions,
            more=Work.replacements,
        )
        return self.store.change(change, archive=True, beside=record)[1].answered

    def held_at(self, places: Iterable[str]) -> list[str]:
        """The ids of the beliefs that are held and stand at places, or came in the place of beliefs. Raises
        :class:`NothingThere`."""
        work = Work("user", self.root, self.config, Hierarchy({}), self.now)  # it is not asked
        try:
            return [belief.id for place in places for belief in work.held_at(work.last(place))]
        except AnswerRefused as refused:
            raise NothingThere(reason=refused) from refused


def _answered(work: Work, id: str, given: Any) -> AnswerOutcome:
    """One answer applied to ``work``, or the reason why not."""
    done = AnswerOutcome(id, str(work.now.date()), "applied", work.who)
    try:
        if id.startswith(_OUTDATED):
            now = given if isinstance(given, str) else ""
            return done._replace(did=work.outdate(id.removeprefix(_OUTDATED), now))
        task = task_of(work, id)
        if task is None or id in work.log.closed:
            return done._replace(outcome="gone", why="this task is not asked any more")
        work.log.closed.add(id)
        if given is None:
            return done._replace(outcome="skipped")
        _require_form(given, task.answer)
        return done._replace(did=APPLY[task.kind](work, task, given))
    except AnswerRefused as refused:
        return done._replace(outcome="refused", why=str(refused))


def _require_form(given: Any, schema: Mapping[str, Any]) -> None:
    """Raise :class:`AnswerRefused` where an answer has another form than its schema."""
    if not isinstance(given, _KINDS[schema["type"]]):
        raise AnswerRefused(f"the answer must be {schema['type']}")
    if isinstance(given, list):
        for item in given:
            _require_form(item, schema["items"])
    if isinstance(given, dict):
        properties = schema["properties"]
        if given.keys() != properties.keys():
            raise AnswerRefused(f"the answer must have {', '.join(properties)}, and nothing else")
        for name, value in given.items():
            _require_form(value, properties[name])
