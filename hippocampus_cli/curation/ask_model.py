"""A language model answers tasks, one after the other; what it says is verified like any answer.

The model gets one task at a time: what is asked, the form of the answer, the evidence. A refused answer goes back
once, with the reason. A restatement is confirmed by a second question before it is verified.

The evidence is quoted data behind a fence that each call makes anew. What was answered stays where it is stopped: by
the end of the time, of the budget of a day, or by a server that is gone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from hippocampus_cli.curation.answers import Curator
from hippocampus_cli.curation.task import AnswerOutcome, EvidencePlace, Task
from hippocampus_cli.curation.tasks import SAME
from hippocampus_cli.errors import HippoError
from hippocampus_cli.workspace.fence import Piece, quoted

if TYPE_CHECKING:
    from hippocampus_cli.connector.model import Model

SECONDS = 300.0
"""How long a model may take for all tasks together."""
_SAME = (
    "Do the first statement and the new one say exactly the same, given the sources? Answer same=true only if each"
    " follows from the other and from the sources."
)


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
    tasks = [*islice(curator.waiting(kinds), limit)]
    answered: list[AnswerOutcome] = []
    for number, (task, why) in enumerate(tasks, 1):
        if clock() > until:
            break
        try:
            answered.append(_answer(curator, model, task, why))
        except HippoError:
            if not answered:
                raise
            break
        progress(number, len(tasks))
    return answered


def _answer(curator: Curator, model: Model, task: Task, why: str) -> AnswerOutcome:
    """One answer; where it is refused, the reason goes back once."""
    done = AnswerOutcome(task.id, "", "refused", why=why)
    for _ in range(1 if why else 2):
        reason = f" Your last answer was refused: {done.why}." if done.why else ""
        given = model.ask(task.question + reason, [*map(_piece, task.evidence)], task.answer)
        if task.kind == "restate" and not _agrees(model, task, given):
            given = {"statement": task.evidence[0].text}
        [done] = curator.answer([(task.id, given)], model.name)
        if done.outcome != "refused":
            break
    return done


def _agrees(model: Model, task: Task, given: Mapping[str, Any]) -> bool:
    """The third check of a restatement: a verdict against the sources, never against the last version alone."""
    pieces = [*map(_piece, task.evidence), Piece("new", str(given.get("statement")))]
    return model.ask(_SAME, pieces, SAME).get("same") is True


def _piece(part: EvidencePlace) -> Piece:
    """A quoted place."""
    return quoted(part.origin, part.date, part.place, part.text)  # type: ignore[arg-type]
