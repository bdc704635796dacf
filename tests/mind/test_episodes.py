"""The laws of the episodic store: appended once, whole or not at all, and no byte changes unseen."""

from __future__ import annotations

import ast
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.api.mind import Mind
from hippocampus_cli.api.workspace import open_workspace
from hippocampus_cli.mind import append as writer
from hippocampus_cli.mind import episodes
from hippocampus_cli.mind.append import EpisodeDraft, append, write_file
from hippocampus_cli.mind.episodes import EPISODES, HEAD, EpisodeStore, Statement, months
from hippocampus_cli.mind.erase import list_redaction
from hippocampus_cli.mind.errors import EpisodesDamaged

NOW = datetime(2026, 8, 5, 14, 30, tzinfo=UTC)
LATER = datetime(2026, 9, 1, 8, 0, tzinfo=UTC)
TEXTS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\n"), max_size=60)


def draft(number: int, *texts: str) -> EpisodeDraft:
    said = tuple(Statement("user", NOW.isoformat(), f"m{number}", text) for text in texts)
    return EpisodeDraft("s1", "s1.jsonl", f"{number:064}", "extractive/1", said)


def filled(root: Path) -> EpisodeStore:
    append(root, lambda _: [draft(1, "I prefer trains."), draft(2, "Deploy with make.")], NOW, 5)
    append(root, lambda _: [draft(3, "I prefer planes now.")], LATER, 5)
    return EpisodeStore(root)


def test_what_was_appended_is_read_again_in_its_order_and_verifies(tmp_path: Path) -> None:
    store = filled(tmp_path)
    found = store.all()
    assert [one.range for one in found] == ["m1..m1", "m2..m2", "m3..m3"]
    assert [one.prev for one in found[1:]] == [one.sha256 for one in found[:-1]]
    assert store.statements(found[2])[0].text == "I prefer planes now."
    assert store.resolve(f"{found[2].id}.1") == (found[2], store.statements(found[2])[0])
    assert months(tmp_path) == [f"{EPISODES}/2026-08.md", f"{EPISODES}/2026-09.md"]
    append(tmp_path, lambda _: [draft(4, "x")], NOW, 5)  # a clock that goes back keeps the order
    assert [one.range for one in store.all()] == ["m1..m1", "m2..m2", "m3..m3", "m4..m4"]
    assert not [*store.verify()]


@given(st.data())
def test_one_flipped_bit_is_found_in_its_file(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    root = tmp_path_factory.mktemp("w")
    store = filled(root)
    path = data.draw(st.sampled_from(sorted((root / EPISODES).rglob("*.md"))))
    held = bytearray(path.read_bytes())
    at = data.draw(st.integers(0, len(held) - 1))
    held[at] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(held)
    wrong = [*store.verify()]
    assert path.relative_to(root).as_posix() in {one.path for one in wrong}


def test_nothing_is_built_on_a_damaged_record(tmp_path: Path) -> None:
    filled(tmp_path)
    path = tmp_path / EPISODES / "2026-09.md"
    path.write_bytes(path.read_bytes().replace(b"who=user", b"who=mara"))
    before = path.read_bytes()
    with pytest.raises(EpisodesDamaged):
        append(tmp_path, lambda _: [draft(9, "x")], LATER, 5)
    assert path.read_bytes() == before


@pytest.mark.parametrize("kill", range(6))
def test_a_kill_leaves_whole_episodes_or_none(
    tmp_path: Path, kill: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(tmp_path)
    calls = iter(range(100))
    real = writer.replace_bytes

    def killed(*args: object, **named: object) -> None:
        if next(calls) == kill:
            raise KeyboardInterrupt
        real(*args, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(writer, "replace_bytes", killed)
    more = [draft(n, f"number {n}") for n in (4, 5, 6)]
    if kill < 5:
        with pytest.raises(KeyboardInterrupt):
            append(tmp_path, lambda _: more, LATER, 5)
    else:
        append(tmp_path, lambda _: more, LATER, 5)
    monkeypatch.undo()
    store = EpisodeStore(tmp_path)
    assert len(store.all()) in (3, 6)
    assert not [*store.verify()]
    append(tmp_path, lambda _: more, LATER, 5)
    assert len(store.all()) == 6
    assert not [*store.verify()]


def test_redaction_keeps_the_chain_and_is_listed(tmp_path: Path) -> None:
    store = filled(tmp_path)
    first = store.all()[0]
    list_redaction(tmp_path, first, b"", LATER)
    write_file(tmp_path, first.text_path, b"")
    assert store.text(first) == ""
    assert not [*store.verify()]
    assert set(EpisodeStore(tmp_path).redacted) == {first.id}
    assert store.resolve(f"{first.id}.1") == (first, None)
    assert "trains" not in "".join(
        path.read_text(encoding="utf-8") for path in (tmp_path / EPISODES).rglob("*.*")
    )
    append(tmp_path, lambda _: [draft(1, "I prefer trains.")], LATER, 5)  # does not come back
    assert store.text(first) == ""


@given(texts=st.lists(TEXTS, min_size=1, max_size=4))
def test_any_text_is_read_back(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    root = tmp_path_factory.mktemp("w")
    made = append(root, lambda _: [draft(1, *texts)], NOW, 5)
    store = EpisodeStore(root)
    assert [one.text for one in store.statements(made[0])] == texts
    assert not [*store.verify()]


def test_no_code_of_the_store_updates_or_deletes() -> None:
    """Only what is appended to is replaced, by itself with more at its end; and nothing is removed."""
    forbidden = {"unlink", "remove", "rmdir", "rmtree", "truncate", "rename", "replace_text", "open",
                 "write_bytes", "write_text", "overwrite_bytes"}  # fmt: skip
    for module in (episodes, writer):
        tree = ast.parse(Path(module.__file__ or "").read_bytes())
        called = {
            node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
        }
        assert not called & forbidden, module
        places = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "replace_bytes"
        ]
        assert len(places) == (1 if module is writer else 0)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6))
def test_what_is_there_stays_byte_for_byte(
    tmp_path_factory: pytest.TempPathFactory, numbers: list[int]
) -> None:
    root = tmp_path_factory.mktemp("w")
    path = root / EPISODES / "2026-08.md"
    for number in numbers:
        before = path.read_bytes() if path.exists() else b""
        append(root, lambda _, number=number: [draft(number, f"say {number}")], NOW, 5)  # type: ignore[misc]
        assert path.read_bytes().startswith(before)


@pytest.fixture
def mind(tmp_path: Path) -> Mind:
    (tmp_path / "memory").mkdir()
    found = open_workspace(tmp_path).at(NOW).mind
    for text in ("The siren sounds at noon.", "I like tea."):
        found.believe(text)
    return found


def test_a_missing_head_and_a_dropped_last_record_are_found(tmp_path: Path, mind: Mind) -> None:
    [month] = (tmp_path / EPISODES).glob("2*.md")
    whole = month.read_bytes()
    month.write_bytes(whole[: whole.rindex(b"## ")])
    assert mind.diagnostics()
    month.write_bytes(whole)
    (tmp_path / HEAD).unlink()
    assert [problem.path for problem in mind.diagnostics()] == [HEAD]
