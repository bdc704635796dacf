"""Answers verified and applied, as one change of index, beliefs and marks, which ``undo`` takes back.

The way of an answer, whoever gives it:

1. lock, and read the index as it is now;
2. ask for the task again by its id: what is not asked any more is *gone*, and changes nothing;
3. compare the form of the answer with the schema of its task;
4. verify it against the evidence (:mod:`guard`) and gather what it changes (:mod:`apply`);
5. write the index, the beliefs, the marks, the file of tasks and a record of the history as one change.

A kill at any point leaves all of it or nothing, and no answer counts twice.

A language model gets one task at a time: what is asked, the form of the answer, the evidence, as quoted data behind a
fence that each call makes anew. After a refused answer the task is asked once more, in the next round, with the
reason; a restatement is confirmed by a second question before it is verified. What was answered stays where it is
stopped: by the end of the time, of the budget of a day, or by a server that is gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hippocampus_cli.config import Config
from hippocampus_cli.curation.apply import APPLY, Work
from hippocampus_cli.curation.material import Material
from hippocampus_cli.curation.task import (
    AnswerOutcome,
    AnswerRefused,
    Task,
    TaskLog,
)
from hippocampus_cli.curation.tasks import MEMORY, SAME, task_of, tasks
from hippocampus_cli.errors import HippoError
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance import history
from hippocampus_cli.maintenance.note_lines import write_line
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.fence import Piece, quoted
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import CURATION, ensure_folder
from hippocampus_cli.workspace.store import IndexStore

if TYPE_CHECKING:
    from hippocampus_cli.connector.model import Model

_OUTDATED = "outdated:"
"""Before a place: the id of an answer to what nobody asked, the place that holds instead."""
SECONDS = 300.0
"""How long a model may take for all tasks together."""
_SAME = (
    "Do the first statement and the new one say exactly the same, given the sources? Answer same=true only if each"
    " follows from the other and from the sources."
)


class Curator(NamedTuple):
    """Asks and applies, in one workspace at one moment."""

    root: Path
    config: Config
    store: IndexStore
    now: datetime

    def waiting(self, kinds: Sequence[str] = ()) -> Iterator[tuple[Task, str]]:
        """The tasks that nobody answered, most needed first, each with why its last answer was refused. Raises
        :class:`IndexNotFound`."""
        return tasks(Material(self.root, self.config, self.store.read(), self.now), kinds)

    def note_asked(self, asked: Sequence[Task]) -> None:
        """Write down that these tasks were asked: so long later they are dropped."""
        with locked(self.root, self.config.lock.timeout_seconds):
            log = TaskLog(self.root, self.now)
            new = [
                AnswerOutcome(task.id, str(self.now.date()), "asked")
                for task in asked
                if task.id not in log.asked
            ]
            if new:
                file = ensure_folder(self.root, CURATION)
                replace_bytes(file, log.with_lines(new), CURATION, log.data)

    def answer(
        self, answers: Sequence[tuple[str, Any]], who: str, said: str = ""
    ) -> list[AnswerOutcome]:
        """Verify and apply answers by the ids of their tasks; ``None`` skips one. ``who`` is ``agent``, ``user`` or
        the name of a model. An answer that was applied changes nothing the second time. Marks of what is ``said``
        again end first."""

        def change(index: Hierarchy) -> tuple[Hierarchy, Work]:
            work = Work(who, self.root, self.config, index, self.now)
            work.hold_again(said)
            work.answered += [_answered(work, id, given) for id, given in answers]
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
        return self.store.change(change, beside=record)[1].answered

    def held_at(self, places: Iterable[str]) -> list[str]:
        """The ids of the beliefs that are held and stand at places, or came in the place of beliefs. Raises
        :class:`NothingThere`."""
        work = Work("user", self.root, self.config, Hierarchy({}), self.now)  # it is not asked
        return [belief.id for place in places for belief in work.held_at(work.last(place))]


def _answered(work: Work, id: str, given: Any) -> AnswerOutcome:
    """One answer applied to ``work``, or the reason why not."""
    done = AnswerOutcome(id, work.day, "applied", work.who)
    try:
        if id.startswith(_OUTDATED):
            return done._replace(did=work.outdate(id.removeprefix(_OUTDATED), str(given or "")))
        task = task_of(work, id)
        if task is None:
            return done._replace(outcome="gone", why="this task is not asked any more")
        work.log.closed.add(id)
        if given is None:
            return done._replace(outcome="skipped", why="it is not asked again")
        answer = work.read(given, task.answer)
        return done._replace(did=APPLY[task.kind](work, task, answer))
    except AnswerRefused as refused:
        return done._replace(outcome="refused", why=str(refused))


def ask_model(
    curator: Curator,
    model: Model,
    kinds: Sequence[str],
    limit: int,
    clock: Callable[[], float],
    progress: Callable[[int, int], object],
) -> list[AnswerOutcome]:
    """The answers of a model to at most ``limit`` tasks. Raises :class:`ModelFailed` where it gave none at all."""
    until = clock() + SECONDS
    waiting = [*islice(curator.waiting(kinds), limit)]
    answered: list[AnswerOutcome] = []
    for task, why in waiting:
        if clock() > until:
            break
        try:
            answered += _asked(curator, model, task, why)
        except HippoError:
            if not answered:
                raise
            break
        progress(len(answered), len(waiting))
    return answered


def _asked(curator: Curator, model: Model, task: Task, why: str) -> list[AnswerOutcome]:
    """One answer, which knows ``why`` the one before it was refused. The third check of a restatement: a verdict
    against the sources, never against the last version alone."""
    reason = f" Your last answer was refused: {why}." if why else ""
    pieces = [
        quoted(part.origin, part.date, part.place, part.text)  # type: ignore[arg-type]
        for part in task.evidence
    ]
    given = model.ask(task.question + reason, pieces, task.answer)
    if task.kind == "restate":
        pieces.append(Piece("new", str(given.get("statement"))))
        if model.ask(_SAME, pieces, SAME).get("same") is not True:
            given = {"statement": task.evidence[0].text}
    return curator.answer([(task.id, given)], model.name)
