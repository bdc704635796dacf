"""A session of an agent: what it has seen, and what of that stands in its window now (CONTEXT)."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import TYPE_CHECKING, Any, Concatenate

from hippocampus_cli.api.turns import Given, Result, WorkspacePart, in_turn
from hippocampus_cli.context.extract import shown
from hippocampus_cli.context.lifecycle.context_session import ContextSessions
from hippocampus_cli.context.lifecycle.session import link, pin, touch
from hippocampus_cli.context.lifecycle.window import HEAD, origin_of, pieces_of
from hippocampus_cli.errors import UsageError
from hippocampus_cli.workspace.fence import Piece

if TYPE_CHECKING:
    from hippocampus_cli.api import types
    from hippocampus_cli.api.workspace import Workspace


def _of_session(
    act: Callable[Concatenate[ContextSessions, str | None, Given], Result],
) -> Callable[Concatenate[Any, Given], Result]:
    """A method that is ``act`` on the session that is meant, at this moment."""

    def call(context: Any, /, *args: Any, **named: Any) -> Result:
        return act(context._sessions, context._named, *args, **named)

    update_wrapper(call, act)
    return call


@in_turn
class Context(WorkspacePart):
    """What ``workspace.context(session)`` can do; without an id it speaks of the only session that is open.

    Every call raises :class:`SessionNotFound` where there is no such session.
    """

    def __init__(self, workspace: Workspace, session: str | None) -> None:
        super().__init__(workspace)
        self._named = session

    @property
    def _sessions(self) -> ContextSessions:
        return ContextSessions(self._root, self._config, self._now)

    def begin(self) -> tuple[types.ContextSession, bool]:
        """Begin the session, by default one named after the moment, or take up the open one; whether it is new."""
        session, new = self._sessions.begin(self._named)
        self._named = session.id
        return session, new

    def take_up(self) -> tuple[types.ContextSession, bool]:
        """The session, or a new one where there is none; whether it is new."""
        if self._named is None and self._sessions.store.open_sessions():
            return self.session(), False
        return self.begin()

    session = _of_session(ContextSessions.chosen)
    add = _of_session(ContextSessions.add)
    entries = _of_session(ContextSessions.entries)
    window = _of_session(ContextSessions.window)
    get = _of_session(ContextSessions.get)

    def turn(self, by: int = 1) -> types.TurnResult:
        """Count turns: strengths fall, and what is below the threshold leaves the window. Raises
        :class:`UsageError` for a number below 0."""
        if by < 0:
            raise UsageError(reason=f"{by} turns cannot be counted", advice="count from 0 up")
        return self._sessions.turn(self._named, by)

    def touch(self, *entries: str) -> types.ContextSession:
        """Entries were used: they are at full strength again. Raises :class:`ContextEntryNotFound`."""
        return self._sessions.change(self._named, lambda now: touch(now, entries))

    def link(self, *entries: str) -> types.ContextSession:
        """Link entries with each other: beside a strong one an entry fades slower. Raises :class:`UsageError`."""
        if len({*entries}) < 2:
            advice = "name the entries to link with each other"
            raise UsageError(reason="a link takes two entries", advice=advice)
        return self._sessions.change(self._named, lambda now: link(now, entries))

    def pin(
        self,
        *entries: str,
        priority: types.ContextPriority = "critical",
        persist: bool | None = None,
    ) -> types.ContextSession:
        """Give entries a priority (``critical`` does not fade), and say whether they persist beyond the end."""
        return self._sessions.change(self._named, lambda now: pin(now, entries, priority, persist))

    def end(self, *, dry_run: bool = False) -> types.Ended:
        """End the session: what is to persist and is still strong goes to MEMORY.md and the index.

        A session whose end was cut short can be ended again. Raises what writing a note raises; then the session is
        still open.
        """
        from hippocampus_cli.maintenance.end_session import end_session

        key = self._named or self.session().id
        return end_session(self._sessions, key, dry_run=dry_run, opener=self._workspace.opener)
