"""``hippo embed`` from end to end, and what follows the notes once they have vectors."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

np = pytest.importorskip("numpy", reason="the extra `semantic` is not installed")

from hippocampus_cli.cli.main import main  # noqa: E402
from hippocampus_cli.embedding import open  # noqa: E402
from hippocampus_cli.errors import EmbeddingFailed  # noqa: E402
from hippocampus_cli.workspace.database import transaction  # noqa: E402
from tests.support.command_line import Hippo  # noqa: E402
from tests.support.concepts import Concepts  # noqa: E402

PRACTICE = "# Memory\n\n## Practice\n\n- surgery upstairs\n\n## Garden\n\n- roses and thyme\n"


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> Concepts:
    made = Concepts()
    monkeypatch.setattr(open, "open_embedder", lambda *_, **__: made)
    monkeypatch.setenv("HIPPO_EMBEDDING_EMBEDDER", "use-multilingual")
    return made


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "MEMORY.md").write_text(PRACTICE)
    (tmp_path / "TOOLS.md").write_text(
        "# Tools\n\n- heron is a server\n"
        + "".join(f"- bittern {n} is another\n" for n in range(60))
    )
    monkeypatch.chdir(tmp_path)
    assert main(["bootstrap", "--workspace", "."]) == 0
    return tmp_path


def assert_it_is_found(hippo: Hippo) -> None:
    """A question in other words is answered, and nothing is wrong."""
    document = hippo("query physician --json --no-write --mode search").json
    assert document["notices"] == []
    assert document["results"][0]["section"] == "Practice"


def test_a_question_in_other_words_is_answered(embedder: Concepts, hippo: Hippo) -> None:
    document = hippo("embed --json").json
    assert (document["embedded"], document["forgotten"], document["former"]) == (7, 0, "")
    assert_it_is_found(hippo)
    assert "embedded: 0\nforgotten: 0\n" in hippo("embed").out


def test_a_changed_model_is_named(
    embedder: Concepts, hippo: Hippo, monkeypatch: pytest.MonkeyPatch
) -> None:
    hippo("embed")
    monkeypatch.setattr(open, "open_embedder", lambda *_, **__: Concepts("concepts-2"))
    out = hippo("embed").out
    assert "embedded: 7\nforgotten: 7\n" in out and "former: concepts-1\n" in out


def test_before_there_are_vectors_a_question_says_what_to_do(
    embedder: Concepts, hippo: Hippo
) -> None:
    out, err = hippo("query surgery --no-write")
    assert "surgery" in out and "run hippo embed" in err
    assert embedder.asked == []


def test_without_an_embedder_there_is_nothing_to_embed_with(hippo: Hippo) -> None:
    error = hippo("embed", code=9).err
    assert "embedding.embedder is none" in error and 'embedder = "use-multilingual"' in error


def test_without_numpy_words_answer_and_a_notice_says_so(
    hippo: Hippo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HIPPO_EMBEDDING_EMBEDDER", "use-multilingual")
    monkeypatch.setitem(sys.modules, "numpy", None)
    out, err = hippo("query surgery --no-write")
    assert "surgery" in out and "numpy threadpoolctl" in err
    assert "numpy threadpoolctl" in hippo("embed", code=16).err
    hippo("daily")


def test_the_daily_cycle_embeds_what_is_new_once_there_are_vectors(
    root: Path, embedder: Concepts
) -> None:
    assert main(["daily"]) == 0
    assert embedder.asked == []
    assert main(["embed"]) == 0
    (root / "TOOLS.md").write_text("# Tools\n\n- avocet is a server\n")
    assert main(["daily", "--dry-run"]) == 0
    assert not any("avocet" in text for text in embedder.asked)
    assert main(["daily"]) == 0
    assert any("avocet" in text for text in embedder.asked)


def test_a_server_that_is_down_stops_no_cycle(
    root: Path, embedder: Concepts, hippo: Hippo, monkeypatch: pytest.MonkeyPatch
) -> None:
    hippo("embed")

    def fail(_: object) -> None:
        raise EmbeddingFailed(model="concepts-1", reason="it is down", advice="start it")

    monkeypatch.setattr(embedder, "embed", fail)
    (root / "TOOLS.md").write_text("# Tools\n\n- avocet is a server\n")
    assert (
        "the vectors are behind: concepts-1 returned no vectors: it is down" in hippo("daily").err
    )
    hippo("embed", code=20)


def test_anchors_that_were_to_compare_by_meaning_are_not_built_without(
    root: Path, hippo: Hippo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HIPPO_EMBEDDING_EMBEDDER", "use-multilingual")
    monkeypatch.setenv("HIPPO_MODELS", str(root / "models"))
    assert "hippo embed --install use-multilingual" in hippo("anchors build", code=19).err
    assert not (root / ".hippocampus/anchors").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="folders are read-only otherwise there")
@pytest.mark.parametrize("again", [False, True])
def test_vectors_that_cannot_be_kept_are_an_error(
    root: Path, embedder: Concepts, hippo: Hippo, monkeypatch: pytest.MonkeyPatch, again: bool
) -> None:
    """Both where there was no cache yet and where there is one that can only be read."""
    if again:
        hippo("embed")
        (root / "TOOLS.md").write_text("# Tools\n\n- avocet is a server\n")
        embedder.asked.clear()
        monkeypatch.setattr("hippocampus_cli.workspace.database.os.access", lambda *_: False)
    else:
        (root / ".hippocampus/cache/vectors.db").mkdir()  # permissions do not hold for root
    error = hippo("embed", code=6).err
    assert "cannot write" in error and ".hippocampus/cache/vectors.db" in error
    assert embedder.asked == []  # a server would be paid for nothing
    hippo("query physician --no-write", code=0 if again else 1)


def test_a_disk_that_is_full_in_the_middle_is_told_of(
    root: Path, embedder: Concepts, hippo: Hippo, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hippocampus_cli.embedding import vectors

    def full_after(writes: int) -> None:
        left = iter(range(writes))

        @contextmanager
        def begun(db: sqlite3.Connection) -> Iterator[None]:
            if next(left, None) is None:
                raise sqlite3.OperationalError("database or disk is full")
            with transaction(db):
                yield

        monkeypatch.setattr(vectors, "transaction", begun)

    full_after(1)
    assert "database or disk is full" in hippo("embed", code=6).err
    monkeypatch.setattr("hippocampus_cli.search.embed._BATCH", 1)
    full_after(0)
    (root / "TOOLS.md").write_text("# Tools\n\n- avocet is a server\n- godwit too\n")
    embedder.asked.clear()
    hippo("embed", code=6)
    assert len(embedder.asked) == 1


def test_an_interrupted_run_goes_on_where_it_stopped(
    root: Path, embedder: Concepts, hippo: Hippo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hippocampus_cli.search.embed._BATCH", 1)
    embed = embedder.embed

    def interrupted(texts: Sequence[str]) -> Any:
        if embedder.asked:
            raise KeyboardInterrupt
        return embed(texts)

    with monkeypatch.context() as patched:
        patched.setattr(embedder, "embed", interrupted)
        hippo("embed", code=130)
    done = list(embedder.asked)
    hippo("embed")
    assert len(done) == 1 and len(embedder.asked) == len(set(embedder.asked)) > 1
    hippo("embed")


def test_a_question_asks_a_server_that_is_down_once(
    root: Path, embedder: Concepts, hippo: Hippo, monkeypatch: pytest.MonkeyPatch
) -> None:
    hippo("embed")
    asked: list[bool] = []
    waited: list[float] = []

    def fail(_: object) -> None:
        asked.append(bool(waited))
        raise EmbeddingFailed(model="concepts-1", reason="no answer within 4 s", advice="wait")

    @contextmanager
    def hurried(seconds: float) -> Iterator[None]:
        waited.append(seconds)
        yield

    monkeypatch.setattr(embedder, "embed", fail)
    monkeypatch.setattr(embedder, "hurried", hurried, raising=False)
    out, err = hippo("query", "roses and thyme", "--no-write")
    assert "roses" in out and err.count("no answer within 4 s") == 1
    assert asked == [True] and set(waited) == {4.0}
