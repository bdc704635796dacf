"""What hippo asks of whoever can read, and their answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from time import monotonic
from typing import Any

from hippocampus_cli.api.turns import WorkspacePart, in_turn
from hippocampus_cli.curation.answers import Curator, ask_model
from hippocampus_cli.curation.task import AnswerOutcome, Task
from hippocampus_cli.errors import HippoError


@in_turn
class Curation(WorkspacePart):
    """What ``workspace.curation`` can do. Raises :class:`IndexNotFound` where there is no index."""

    def tasks(
        self,
        *,
        kinds: Iterable[str] = (),
        limit: int = 20,
        write: bool = True,
    ) -> list[tuple[Task, str]]:
        """The tasks that wait, most needed first, each with why its last answer was refused. With ``write`` it is
        noted that they were asked: what nobody answers for 30 days is dropped."""
        found = list(islice(self._curator.waiting(tuple(kinds)), limit))
        if write:
            self._curator.note_asked([task for task, _ in found])
        return found

    def answer(
        self,
        answers: Sequence[tuple[str, Mapping[str, Any] | None]],
        *,
        who: str = "agent",
    ) -> list[AnswerOutcome]:
        """Verify and apply answers by the ids of their tasks; ``None`` skips a task for good.

        ``who`` is ``agent``, ``user`` or the name of a model. Raises :class:`UsageError`.
        """
        return self._curator.answer(answers, who)

    def outdate(
        self, places: Iterable[str], *, who: str = "agent", now: str = "", text: str = ""
    ) -> list[AnswerOutcome]:
        """Say of places that were shown, as ``path:line``, that they are outdated, and of a place what holds ``now``
        instead; what is held and stands there is held no more. Marks of a ``text`` that is said again end."""
        return self._curator.answer([(f"outdated:{place}", now) for place in places], who, text)

    def held_at(self, places: Iterable[str]) -> list[str]:
        """The ids of the beliefs that are held and stand at places, or came in the place of beliefs. Raises
        :class:`NothingThere`."""
        return self._curator.held_at(places)

    def ask_model(
        self,
        model: str = "",
        *,
        kinds: Iterable[str] = (),
        limit: int = 20,
    ) -> list[AnswerOutcome]:
        """Have a language model answer: ``ollama:NAME``, ``openai:NAME``, ``anthropic:NAME``, by default the one that
        the environment names; of some ``kinds`` only where they are named. What was answered stays where it stops.

        Raises :class:`ModelFailed`, :class:`EmbedderUnavailable`.
        """
        from hippocampus_cli.connector.model import MODEL_VARIABLE, model_in

        workspace = self._workspace
        told = workspace.progress or (lambda done, total: None)
        named = {MODEL_VARIABLE: model} if model else {}
        asked = model_in({**workspace.environ, **named}, workspace.root, self._now.date())
        if asked is None:
            return []
        return ask_model(self._curator, asked, tuple(kinds), limit, monotonic, told)

    def keep_up(self) -> tuple[str, ...]:
        """What upkeep does: the model that the environment names answers tasks. Upkeep never fails for it."""
        if not self._workspace.environ.get("HIPPO_MIND_MODEL"):  # nothing is loaded for it
            return ()
        try:
            done = self.ask_model()
        except HippoError as error:
            return (f"curation: {error.message}",)
        applied = sum(outcome.outcome == "applied" for outcome in done)
        return (f"curation: {applied} of {len(done)} answers of the model applied",)

    @property
    def _curator(self) -> Curator:
        return Curator(self._root, self._config, self._workspace.store, self._now)
