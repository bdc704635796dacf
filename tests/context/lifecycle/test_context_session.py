from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from hippocampus_cli.config import Config
from hippocampus_cli.config.context import Context
from hippocampus_cli.context.lifecycle import store as store_module
from hippocampus_cli.context.lifecycle.context_session import ContextSessions
from hippocampus_cli.context.lifecycle.session import ContextEntry, ContextSession, link, pin, touch
from hippocampus_cli.context.lifecycle.store import SessionStore
from hippocampus_cli.errors import (
    FileUnreadable,
    FileUnwritable,
    UsageError,
)

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
FILE = {"source": "file", "ref": "notes.md"}


@pytest.fixture
def keeper(tmp_path: Path) -> ContextSessions:
    made = ContextSessions(tmp_path, Config(), NOW)
    made.begin("one")
    return made


def session(keeper: ContextSessions) -> ContextSession:
    return keeper.chosen("one")


def taken_in(keeper: ContextSessions, content: bytes, **wish: Any) -> ContextEntry:
    return keeper.add("one", content, **wish)[1].entry


def add(keeper: ContextSessions, content: bytes, **wish: Any) -> str:
    return taken_in(keeper, content, **wish).id


def test_a_session_is_named_for_its_time_and_taken_up_by_its_id(tmp_path: Path) -> None:
    keeper = ContextSessions(tmp_path, Config(), NOW)
    first, new = keeper.begin()
    assert (first.id, new) == ("2026-03-01-090000", True)
    assert keeper.begin()[0].id == "2026-03-01-090000-2"
    keeper.turn(first.id)
    again, new = keeper.begin(first.id)
    assert (again.turn, new) == (1, False)


def test_a_name_that_another_process_takes_meanwhile_is_not_joined(
    keeper: ContextSessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = SessionStore.create

    def late(store: SessionStore, session: ContextSession) -> bool:
        monkeypatch.setattr(SessionStore, "create", create)
        create(store, session)  # the other one
        return create(store, session)

    monkeypatch.setattr(SessionStore, "create", late)
    assert keeper.begin()[1] and len(keeper.store.ids()) == 3


def test_equal_contents_are_two_entries(keeper: ContextSessions) -> None:
    """Pattern separation (CONTEXT §2.5)."""
    assert [add(keeper, b"same"), add(keeper, b"same")] == ["ctx_001", "ctx_002"]
    assert len(list((keeper.root / ".hippocampus/sessions/one/content").iterdir())) == 1


def test_a_new_entry_counts_from_its_own_turn(keeper: ContextSessions) -> None:
    keeper.turn("one", 12)
    key = add(keeper, b"x", expires_after=50)
    entry = session(keeper).entry(key)
    assert (entry.source.turn, entry.decay.last_access, entry.lifecycle.created) == (12, 12, 12)
    assert entry.lifecycle.expires == 62


def test_too_much_is_refused(keeper: ContextSessions) -> None:
    small = keeper.config.replaced(context=Context(max_content_bytes=1_000))
    with pytest.raises(UsageError, match="max_content_bytes"):
        add(ContextSessions(keeper.root, small, NOW), b"x" * 1_001)
    assert session(keeper).entries == {}


def test_binary_content_is_kept_byte_for_byte(keeper: ContextSessions) -> None:
    data = b"\x89PNG\r\n\0\xff\xfe"
    key = add(keeper, data)
    entry = session(keeper).entry(key)
    assert (entry.content.kind, entry.indexed) == ("binary", True)
    assert keeper.get("one", key).data == data


def test_what_one_turn_uses_is_associated_and_what_comes_in_is_not(keeper: ContextSessions) -> None:
    first, second, other = (add(keeper, text) for text in (b"a", b"b", b"c"))
    keeper.get("one", first)
    keeper.turn("one", 3)
    fresh = add(keeper, b"d")
    for key in (first, second, fresh):
        keeper.get("one", key)
    entries = session(keeper).entries
    links = [entries[key].modifiers.associations for key in (first, second, other, fresh)]
    assert links == [(second,), (first,), (), ()]


def policies(keeper: ContextSessions, text: str) -> None:
    (keeper.root / ".hippocampus/policies.yaml").write_text(text, encoding="utf-8")


def test_a_policy_sets_what_nobody_gave(keeper: ContextSessions) -> None:
    policies(
        keeper,
        "lifecycle_policies:\n- match: {source.type: 'db.*'}\n  action: {decay_rate: 0.5, priority: low,"
        " persist: true, expires_after_turns: 9, index: true, compression: aggressive}\n",
    )
    entry = taken_in(keeper, b"words " * 900, source="db.query")
    assert entry.decay.rate == 0.5
    assert entry.modifiers.priority == "low"
    assert (entry.lifecycle.persist, entry.lifecycle.expires) == (True, 9)
    assert entry.indexed and entry.summary_tokens <= 80
    given = taken_in(
        keeper, b"x", source="db.query", priority="high", persist=False, expires_after=3
    )
    assert given.decay.rate == 0.5
    assert given.modifiers.priority == "high"
    assert (given.lifecycle.persist, given.lifecycle.expires) == (False, 3)


def test_own_policies_take_the_place_of_the_built_in_ones(keeper: ContextSessions) -> None:
    assert taken_in(keeper, b"Never do that", type="message").lifecycle.persist
    policies(keeper, "lifecycle_policies: []\n")
    assert not taken_in(keeper, b"Never do that", type="message").lifecycle.persist


def test_policies_behind_a_link_that_leads_nowhere_are_not_passed_over(
    keeper: ContextSessions,
) -> None:
    (keeper.root / ".hippocampus/policies.yaml").symlink_to("nowhere.yaml")
    with pytest.raises(FileUnreadable):
        add(keeper, b"Always run the tests.", type="message")
    assert not session(keeper).entries


def test_a_file_is_read_again_and_the_entry_follows_it(keeper: ContextSessions) -> None:
    note = keeper.root / "notes.md"
    note.write_bytes(b"first")
    key = add(keeper, b"first", **FILE)
    done = keeper.get("one", key)
    assert (done.origin, done.changed, done.data) == ("source", False, b"first")
    note.write_bytes(b"second")
    keeper.turn("one", 3)
    done = keeper.get("one", key)
    assert (done.origin, done.changed, done.data) == ("source", True, b"second")
    entry = session(keeper).entry(key)
    assert (entry.summary, entry.source.turn, entry.stale) == ("second", 3, False)
    assert keeper.get("one", key, as_added=True).data == b"first"
    note.unlink()
    done = keeper.get("one", key)
    assert (done.origin, done.data, done.entry.stale) == ("cache", b"second", True)
    assert "stale" in keeper.window("one").text
    note.write_bytes(b"third")
    assert keeper.get("one", key).entry.stale is False


def test_a_source_that_never_held_the_content_is_not_asked(keeper: ContextSessions) -> None:
    (keeper.root / "notes.md").write_bytes(b"all of it, and more")
    key = add(keeper, b"a part", **FILE)
    done = keeper.get("one", key)
    assert (done.origin, done.data, done.entry.stale) == ("cache", b"a part", False)


def test_content_that_is_lost_leaves_the_summary_and_a_staletaken_in(
    keeper: ContextSessions,
) -> None:
    key = add(keeper, b"Only this is left.")
    for path in (keeper.root / ".hippocampus/sessions/one/content").iterdir():
        path.unlink()
    done = keeper.get("one", key)
    assert (done.origin, done.data) == ("summary", b"Only this is left.")
    entry = session(keeper).entry(key)
    assert entry.stale and not entry.source.retrievable


@pytest.mark.parametrize("ref", ["../secret", "/etc/passwd", "link", "~/x", "a\0b", "", "."])
def test_a_source_outside_the_workspace_is_never_read(tmp_path: Path, ref: str) -> None:
    root = tmp_path / "inside"
    root.mkdir()
    (tmp_path / "secret").write_bytes(b"secret")
    (root / "link").symlink_to(tmp_path / "secret")
    keeper = ContextSessions(root, Config(), NOW)
    keeper.begin("one")
    key = add(keeper, b"secret", source="file", ref=ref)
    assert session(keeper).entry(key).content.exact is False
    assert keeper.get("one", key).origin == "cache"


def test_content_that_its_source_still_holds_is_stored_again(keeper: ContextSessions) -> None:
    (keeper.root / "notes.md").write_bytes(b"first")
    key = add(keeper, b"first", **FILE)
    for path in (keeper.root / ".hippocampus/sessions/one/content").iterdir():
        path.unlink()
    assert keeper.get("one", key).origin == "source"
    (keeper.root / "notes.md").unlink()
    assert keeper.get("one", key).data == b"first"


def test_a_workspace_that_cannot_be_written_is_served(
    keeper: ContextSessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = add(keeper, b"x")

    def refuse(*args: object, **kwargs: object) -> None:
        raise FileUnwritable(path="session.json", reason="Read-only file system")

    monkeypatch.setattr(store_module, "replace_bytes", refuse)
    keeper = replace(keeper, now=NOW + timedelta(minutes=1))
    done = keeper.get("one", key)
    assert done.data == b"x"
    assert "Read-only file system" in done.notice


def test_getting_is_an_access_but_not_of_a_session_that_has_ended(keeper: ContextSessions) -> None:
    key = add(keeper, b"x")
    keeper.turn("one", 20)
    keeper.get("one", key)
    assert session(keeper).entry(key).decay.last_access == 20
    over = session(keeper)._replace(turn=30, ended="2026-03-02")
    before, _ = keeper.store.change("one", lambda _: (store_module.SessionChange(over), None))
    assert keeper.get("one", key).data == b"x"
    assert session(keeper) == before


class Lifecycle(RuleBasedStateMachine):
    """Whatever happens, each content that was added can be got, and the window keeps to its budget."""

    keys = Bundle("keys")

    @initialize()
    def begin(self) -> None:
        self.folder = TemporaryDirectory()
        self.keeper = ContextSessions(Path(self.folder.name), Config(), NOW)
        self.keeper.begin("one")
        self.added: dict[str, bytes] = {}

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()

    @rule(
        target=keys,
        content=st.binary(min_size=1, max_size=40).filter(bytes.strip) | st.just(b"word " * 2_000),
        kind=st.sampled_from(["tool_result", "message", "state", "memory"]),
        source=st.sampled_from([None, "file", "error", "user"]),
        expires=st.none() | st.integers(0, 5),
    )
    def add(self, content: bytes, kind: Any, source: str | None, expires: int | None) -> str:
        wish = {"type": kind, "source": source, "ref": "notes.md", "expires_after": expires}
        key = self.keeper.add("one", content, **wish)[1].entry.id
        assert key not in self.added
        self.added[key] = content
        return key

    @rule(content=st.none() | st.binary(max_size=20))
    def write_the_source(self, content: bytes | None) -> None:
        note = self.keeper.root / "notes.md"
        if content is None:
            note.unlink(missing_ok=True)
        else:
            note.write_bytes(content)

    @rule(turns=st.integers(1, 200))
    def turn(self, turns: int) -> None:
        self.keeper.turn("one", turns)

    @rule(key=keys)
    def touch(self, key: str) -> None:
        self.keeper.change("one", lambda now: touch(now, [key]))

    @rule(key=keys, priority=st.sampled_from(["critical", "high", "normal", "low"]))
    def pin(self, key: str, priority: Any) -> None:
        self.keeper.change("one", lambda now: pin(now, [key], priority))

    @rule(key=keys, other=keys)
    def link(self, key: str, other: str) -> None:
        self.keeper.change("one", lambda now: link(now, [key, other]))

    @rule(key=keys)
    def get(self, key: str) -> None:
        done = self.keeper.get("one", key)
        assert done.origin in ("source", "cache")
        note = self.keeper.root / "notes.md"
        if done.origin == "source":
            assert done.data == note.read_bytes()

    @invariant()
    def nothing_is_lost(self) -> None:
        if not hasattr(self, "added"):
            return
        now = self.keeper.chosen("one")
        assert list(now.entries) == list(self.added)
        for key, content in self.added.items():
            entry = now.entries[key]
            assert self.keeper.store.content("one", entry.as_added) == content

    @invariant()
    def the_window_keeps_to_its_budget(self) -> None:
        if hasattr(self, "added"):
            assert self.keeper.window("one", 300).tokens <= 300


TestLifecycle = Lifecycle.TestCase
TestLifecycle.settings = settings(max_examples=15, stateful_step_count=20, deadline=None)
