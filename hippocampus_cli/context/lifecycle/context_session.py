"""The sessions of a workspace at work: each method reads, decides by pure code, and writes under the lock."""

from __future__ import annotations

from collections.abc import Callable, Iterable
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
    ContextPriority,
    ContextSession,
    EntryType,
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
_LARGEST_POLICIES = 256_000  # bytes


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
        name = key or free_id(f"{self.now:%Y-%m-%d-%H%M%S}", set(store.ids()))
        session = ContextSession(name, stamp, stamp)
        if store.create(session):
            return session, True
        # another process may have taken a free name meanwhile: what it began is not joined
        return (store.read_open(key), False) if key else self.begin()

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
        self,
        key: str | None,
        content: bytes,
        *,
        type: EntryType = "tool_result",
        source: str | None = None,
        ref: str = "",
        summary: str | None = None,
        priority: ContextPriority | None = None,
        manual: bool = False,
        persist: bool | None = None,
        expires_after: int | None = None,
        links: Iterable[str] = (),
    ) -> tuple[ContextSession, Ingested]:
        """Keep content as a new entry, linked with ``links``; the session and the entry with the reason.

        ``source`` says what it came from, ``ref`` its name there; ``manual`` entries fade half as fast. Raises
        :class:`UsageError` for content that is empty or too large, :class:`PolicyInvalid`; nothing is changed then.
        """
        ops.check_choice(type, ops.ENTRY_TYPES)
        ops.check_choice(priority or "normal", ops.PRIORITIES)
        self._require_fit(content)
        is_file = is_file_source(source or "")
        redact = redactor_for(self.root).redact
        request = IngestRequest(
            type=type,
            source=source,
            ref=ref if is_file else redact(ref),  # the name of a file is the way back to it
            summary=summary and redact(summary),
            priority=priority,
            encoding="manual" if manual else "auto",
            persist=persist,
            expires_after=expires_after,
        )
        exact = is_file and self._fetch(ref)[0] == content
        content = self._redacted(content)
        taken = ingest(content, request, self.policies(), self.config.context, exact=exact)
        others = tuple(links)

        def change(session: ContextSession) -> tuple[SessionChange, ContextEntry]:
            made = placed(taken.entry, session.next_id, session.turn, others)
            later = ops.link(session.with_entries([made]), (made.id, *others))
            return SessionChange(self._stamped(later), [content]), later.entry(made.id)

        session, entry = self.store.change(self._id(key), change)
        return session, taken._replace(entry=entry)

    def _require_fit(self, content: bytes) -> None:
        most = self.config.context.max_content_bytes
        if not content.strip():
            raise UsageError(reason="there is nothing to add", advice="name a file, or pipe it in")
        if len(content) > most:
            reason = f"the content is larger than context.max_content_bytes ({most:,} bytes)"
            raise UsageError(reason=reason, advice="raise it, or add a part")

    def turn(self, key: str | None, by: int = 1) -> TurnResult:
        """Count turns: strengths fall, and what is below the threshold leaves the window."""

        def change(session: ContextSession) -> tuple[SessionChange, TurnResult]:
            turned = consolidate(self._stamped(session), self.config.context, by)
            return SessionChange(turned.session), turned

        return self.store.change(self._id(key), change)[1]

    def entries(self, key: str | None) -> tuple[ContextEntryState, ...]:
        """Every entry with its strength now and whether it stands in the window."""
        return entry_states(self.chosen(key), self.config.context)

    def window(self, key: str | None, tokens: int | None = None) -> Window:
        """What goes into the agent's window now, within so many tokens, by default the setting."""
        session = self.chosen(key)
        standings = entry_states(session, self.config.context)
        active = [standing for standing in standings if standing.state == "active"]
        most = self.config.context.window_tokens if tokens is None else tokens
        return compose(active, most, lambda entry: self.text(session.id, entry))

    def change(
        self, key: str | None, change: Callable[[ContextSession], ContextSession]
    ) -> ContextSession:
        """Make a change to the session. Raises :class:`ContextEntryNotFound`."""
        return self.store.change(
            self._id(key), lambda session: (SessionChange(self._stamped(change(session))), None)
        )[0]

    def get(self, key: str | None, entry: str, *, as_added: bool = False) -> Completed:
        """An entry's whole content: from its source again, else from the store, else its summary (CONTEXT §7.3).

        In an open session this is an access; a workspace that cannot be written is served all the same.
        ``as_added`` gives the content as it came, whatever its source holds now. Raises
        :class:`ContextEntryNotFound`.
        """
        session = self.chosen(key)
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
        if as_added or not entry.content.exact:
            return self._from_cache(session.id, entry, entry.as_added)
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

    def _id(self, key: str | None) -> str:
        return key or self.chosen().id

    def _stamped(self, session: ContextSession) -> ContextSession:
        return session._replace(updated=self.stamp())

    def stamp(self) -> str:
        """The present in UTC, as sessions keep it."""
        return self.now.astimezone(UTC).isoformat("T", "seconds")
