"""The sessions of a workspace at work: each method reads, decides by pure code, and writes under the lock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from os.path import lexists
from pathlib import Path
from typing import Literal, NamedTuple

from hippocampus_cli.config import Config
from hippocampus_cli.context.lifecycle import session as ops
from hippocampus_cli.context.lifecycle.consolidate import (
    ContextEntryState,
    TurnResult,
    consolidate,
    entry_states,
)
from hippocampus_cli.context.lifecycle.ingest import (
    Ingested,
    IngestRequest,
    ingest,
    is_file_source,
    placed,
    recaptured,
    text_of,
)
from hippocampus_cli.context.lifecycle.policies import Policy, built_in, read_policies
from hippocampus_cli.context.lifecycle.session import (
    ContextEntry,
    ContextSession,
    digest_of,
)
from hippocampus_cli.context.lifecycle.store import SessionChange, SessionStore
from hippocampus_cli.context.lifecycle.window import Window, compose
from hippocampus_cli.errors import (
    Busy,
    FileUnwritable,
    HippoError,
    SessionNotFound,
    UsageError,
)
from hippocampus_cli.markdown.lines import decode, encode
from hippocampus_cli.workspace.own_files import POLICIES
from hippocampus_cli.workspace.read import is_binary, read_file
from hippocampus_cli.workspace.redaction import redactor_for

Origin = Literal["source", "cache", "summary"]
_LARGEST_POLICIES = 1_000_000  # bytes


class Completed(NamedTuple):
    """A pattern completion (CONTEXT §7): the entry after it, and its content, or its summary where that is lost.

    ``changed``: the source holds something else than when it was captured. ``reason`` says what went wrong,
    ``notice`` why the access could not be noted down.
    """

    entry: ContextEntry
    data: bytes
    origin: Origin
    changed: bool = False
    reason: str = ""
    notice: str = ""


@dataclass(frozen=True, slots=True)
class ContextSessions:
    """The sessions of one workspace in the hands of an agent. ``now`` is when the work is done."""

    root: Path
    config: Config
    now: datetime

    @property
    def store(self) -> SessionStore:
        """The sessions on disk."""
        return SessionStore(self.root, self.config.lock.timeout_seconds)

    def begin(self, key: str | None = None) -> tuple[ContextSession, bool]:
        """A new session, or the open one of this id; and whether it is new. Raises :class:`SessionNotFound`."""
        from hippocampus_cli.index.metadata import free_id

        store, stamp = self.store, self.stamp()
        while True:  # another process may take the same name meanwhile
            name = key or free_id(f"{self.now:%Y-%m-%d-%H%M%S}", set(store.ids()))
            session = ContextSession(name, stamp, stamp)
            if store.create(session):
                return session, True
            if key is not None:
                break
        return store.read_open(name), False

    def chosen(self, key: str | None = None) -> ContextSession:
        """The session of this id, else the only one that is open. Raises :class:`SessionNotFound`."""
        if key is not None:
            return self.store.read(key)
        sessions = self.store.open_sessions()
        if not sessions:
            advice = "begin one: hippo context add, or name one that has ended with --session"
            raise SessionNotFound(reason="no session is open", advice=advice)
        if len(sessions) > 1:
            names = ", ".join(session.id for session in sessions[-5:])
            advice = "name one with --session, or in HIPPO_SESSION"
            raise SessionNotFound(reason=f"several sessions are open: {names}", advice=advice)
        return sessions[0]

    def policies(self) -> tuple[Policy, ...]:
        """The workspace's policies, else the built-in ones. Raises :class:`PolicyInvalid`."""
        if not lexists(self.root / POLICIES):  # a link that is broken is a mistake to be told
            return built_in(self.config.context.instruction_words)
        data = read_file(self.root, POLICIES, _LARGEST_POLICIES)
        return read_policies(data.decode("utf-8", "replace").removeprefix("\ufeff"))

    def add(
        self, key: str, content: bytes, request: IngestRequest, links: Sequence[str] = ()
    ) -> tuple[ContextSession, Ingested]:
        """Keep content as a new entry of the session, linked with the entries ``links``.

        Raises :class:`UsageError` for content that is empty or too large, :class:`PolicyInvalid`; then, as always,
        nothing was changed.
        """
        ops.check_choice(request.type, ops.ENTRY_TYPES)
        ops.check_choice(request.priority or "normal", ops.PRIORITIES)
        most = self.config.context.max_content_bytes
        if not content.strip():
            raise UsageError(reason="there is nothing to add", advice="name a file, or pipe it in")
        if len(content) > most:
            reason = f"the content is larger than context.max_content_bytes ({most:,} bytes)"
            raise UsageError(reason=reason, advice="raise it, or add a part")
        exact = is_file_source(request.source or "") and self._fetch(request.ref)[0] == content
        content, request = self._redacted(content), self._redacted_request(request)
        taken = ingest(content, request, self.policies(), self.config.context, exact=exact)

        def change(session: ContextSession) -> tuple[SessionChange, ContextEntry]:
            made = placed(taken.entry, session.next_id, session.turn, tuple(links))
            later = ops.link(session.with_entries([made]), (made.id, *links))
            return SessionChange(self._stamped(later), [content]), later.entry(made.id)

        session, entry = self.store.change(key, change)
        return session, taken._replace(entry=entry)

    def turn(self, key: str, turns: int = 1) -> TurnResult:
        """Light consolidation, ``turns`` later."""

        def change(session: ContextSession) -> tuple[SessionChange, TurnResult]:
            turned = consolidate(self._stamped(session), self.config.context, turns)
            return SessionChange(turned.session), turned

        return self.store.change(key, change)[1]

    def standings(self, session: ContextSession) -> tuple[ContextEntryState, ...]:
        """How the session's entries stand."""
        return entry_states(session, self.config.context)

    def window(self, session: ContextSession, budget: int | None = None) -> Window:
        """What goes into the agent's window now, within ``budget`` tokens."""
        active = [standing for standing in self.standings(session) if standing.state == "active"]
        most = self.config.context.window_tokens if budget is None else budget
        return compose(active, most, lambda entry: self.text(session.id, entry))

    def change(
        self, key: str, change: Callable[[ContextSession], ContextSession]
    ) -> ContextSession:
        """Make a change to the session. Raises :class:`ContextEntryNotFound`."""
        return self.store.change(
            key, lambda session: (SessionChange(self._stamped(change(session))), None)
        )[0]

    def get(self, session: ContextSession, entry: str, *, as_added: bool = False) -> Completed:
        """Pattern completion: the source again, else the cache, else the summary (CONTEXT §7.3).

        In an open session this is an access; a workspace that cannot be written is served all the same.
        ``as_added`` gives the content as it came, whatever its source holds now. Raises
        :class:`ContextEntryNotFound`.
        """
        if session.ended is not None:
            return self._complete(session, entry, as_added)

        def change(now: ContextSession) -> tuple[SessionChange, Completed]:
            done = self._complete(now, entry, as_added)
            later = self._stamped(now.with_entries([done.entry]).used_together(entry))
            return SessionChange(
                later, [self._redacted(done.data)] if done.origin == "source" else []
            ), done

        try:
            return self.store.change(session.id, change)[1]
        except (FileUnwritable, Busy) as error:
            done = self._complete(session, entry, as_added)
            return done._replace(notice=f"the access was not recorded: {error.message}")

    def _complete(self, session: ContextSession, key: str, as_added: bool) -> Completed:
        entry = session.entry(key).accessed(session.turn)
        if as_added:
            return self._from_cache(session.id, entry, entry.as_added)
        if not entry.content.exact:
            return self._from_cache(session.id, entry, entry.content.sha256)
        data, reason = self._fetch(entry.source.ref)
        if data is None:
            kept = self._from_cache(session.id, entry, entry.content.sha256)
            return kept._replace(entry=kept.entry._replace(stale=True), reason=reason)
        fresh = entry._replace(stale=False)
        known = self._redacted(data)
        if digest_of(known) == entry.content.sha256:
            return Completed(fresh, data, "source")
        again = recaptured(fresh, known, session.turn, self.config.context)
        return Completed(again, data, "source", changed=True)

    def _redacted(self, content: bytes) -> bytes:
        """Content as a session may keep it: without secrets. What is no text is kept as it is."""
        if is_binary(content):
            return content
        text = decode(content)
        redacted = redactor_for(self.root).redact(text)
        return content if redacted == text else encode(redacted)

    def _redacted_request(self, request: IngestRequest) -> IngestRequest:
        """What is said of content, without secrets; the name of a file is the way back to it."""
        redact = redactor_for(self.root).redact
        ref = request.ref if is_file_source(request.source or "") else redact(request.ref)
        return request._replace(ref=ref, summary=request.summary and redact(request.summary))

    def _from_cache(self, key: str, entry: ContextEntry, digest: str) -> Completed:
        data = self.store.content(key, digest)
        if data is not None:
            return Completed(entry, data, "cache")
        if digest == entry.content.sha256:
            entry = entry._replace(stale=True, source=entry.source._replace(retrievable=False))
        summary = entry.summary.encode("utf-8", "replace")
        return Completed(entry, summary, "summary", reason="its content is no longer in the store")

    def _fetch(self, ref: str) -> tuple[bytes | None, str]:
        """What a file of the workspace holds now, or why it cannot be had (decision D5)."""
        try:
            return read_file(self.root, ref, self.config.context.max_content_bytes), ""
        except HippoError as error:
            return None, error.message

    def text(self, key: str, entry: ContextEntry) -> str | None:
        """An entry's content as text; ``None`` where it is lost, or is none."""
        data = self.store.content(key, entry.content.sha256)
        return None if data is None else text_of(data)

    def _stamped(self, session: ContextSession) -> ContextSession:
        return session._replace(updated=self.stamp())

    def stamp(self) -> str:
        """The present in UTC, as sessions keep it."""
        return self.now.astimezone(UTC).isoformat("T", "seconds")
