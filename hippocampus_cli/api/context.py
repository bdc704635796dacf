"""A session of an agent: what it has seen, and what of that stands in its window now (CONTEXT)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from hippocampus_cli.api.turns import in_turn
from hippocampus_cli.context.extract import shown
from hippocampus_cli.context.lifecycle.context_session import Completed, ContextSessions
from hippocampus_cli.context.lifecycle.ingest import IngestRequest
from hippocampus_cli.context.lifecycle.session import link, pin, touch
from hippocampus_cli.context.lifecycle.window import HEAD, Window, origin_of, pieces_of
from hippocampus_cli.errors import UsageError
from hippocampus_cli.workspace.fence import Piece

if TYPE_CHECKING:
    from hippocampus_cli.api import types
    from hippocampus_cli.api.workspace import Workspace


@in_turn
class Context:
    """What ``workspace.context(session)`` can do; without an id it speaks of the only session that is open.

    Every call raises :class:`SessionNotFound` where there is no such session.
    """

    def __init__(self, workspace: Workspace, session: str | None) -> None:
        self._workspace = workspace
        self._named = session
        self._sessions = ContextSessions(workspace.root, workspace.config, workspace.clock())

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

    def session(self) -> types.ContextSession:
        """The session as it is now."""
        return self._sessions.chosen(self._named)

    def add(
        self,
        content: bytes,
        *,
        type: types.EntryType = "tool_result",
        source: str | None = None,
        ref: str = "",
        summary: str | None = None,
        priority: types.ContextPriority | None = None,
        manual: bool = False,
        persist: bool | None = None,
        expires_after: int | None = None,
        links: Iterable[str] = (),
    ) -> tuple[types.ContextSession, types.Ingested]:
        """Keep content as a new entry, linked with the entries ``links``; the session and the entry with the reason.

        ``source`` says what kind of thing it came from and ``ref`` its name there (of a file in the workspace its
        path); ``manual`` entries fade half as fast; ``expires_after`` so many turns it leaves. Raises
        :class:`UsageError` for content that is empty or too large, :class:`PolicyInvalid`.
        """
        request = IngestRequest(
            type=type,
            source=source,
            ref=ref,
            summary=summary,
            priority=priority,
            encoding="manual" if manual else "auto",
            persist=persist,
            expires_after=expires_after,
        )
        return self._sessions.add(self._key(), content, request, tuple(links))

    def turn(self, by: int = 1) -> types.TurnResult:
        """Count turns: strengths fall, and what is below the threshold leaves the window."""
        return self._sessions.turn(self._key(), by)

    def entries(self) -> tuple[types.ContextEntryState, ...]:
        """Every entry with its strength now and whether it stands in the window."""
        return self._sessions.standings(self.session())

    def window(self, tokens: int | None = None) -> Window:
        """What goes into the agent's window now, within so many tokens, by default the setting."""
        return self._sessions.window(self.session(), tokens)

    def get(self, entry: str, *, as_added: bool = False) -> Completed:
        """An entry's whole content: from its source again, else from the store, else its summary.

        In an open session this is an access. ``as_added`` gives it as it came, whatever its source holds now.
        """
        return self._sessions.get(self.session(), entry, as_added=as_added)

    def touch(self, *entries: str) -> types.ContextSession:
        """Entries were used: they are at full strength again. Raises :class:`ContextEntryNotFound`."""
        return self._sessions.change(self._key(), lambda now: touch(now, entries))

    def link(self, *entries: str) -> types.ContextSession:
        """Link entries with each other: beside a strong one an entry fades slower."""
        if len(set(entries)) < 2:
            advice = "name the entries to link with each other"
            raise UsageError(reason="a link takes two entries", advice=advice)
        return self._sessions.change(self._key(), lambda now: link(now, entries))

    def pin(
        self,
        *entries: str,
        priority: types.ContextPriority = "critical",
        persist: bool | None = None,
    ) -> types.ContextSession:
        """Give entries a priority (``critical`` does not fade), and say whether they persist beyond the end."""
        return self._sessions.change(self._key(), lambda now: pin(now, entries, priority, persist))

    def end(self, *, dry_run: bool = False) -> types.Ended:
        """End the session: what is to persist and is still strong goes to MEMORY.md and the index.

        A session whose end was cut short can be ended again. Raises what writing a note raises; then the session is
        still open.
        """
        from hippocampus_cli.maintenance.end_session import end_session

        return end_session(
            self._sessions, self._key(), dry_run=dry_run, opener=self._workspace.opener
        )

    def _key(self) -> str:
        return self._named or self._sessions.chosen().id
