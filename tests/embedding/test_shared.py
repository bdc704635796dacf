"""One embedder for a session: opened once, asked for a question once, and after a failure not at once again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

np = pytest.importorskip("numpy", reason="the extra `semantic` is not installed")

from hippocampus_cli.api import Workspace  # noqa: E402
from hippocampus_cli.config import load  # noqa: E402
from hippocampus_cli.config.settings import Embedding  # noqa: E402
from hippocampus_cli.embedding.embedder import hurried  # noqa: E402
from hippocampus_cli.embedding.shared import OpenedOnce  # noqa: E402
from hippocampus_cli.errors import EmbeddingFailed, ModelMissing  # noqa: E402
from tests.support.anchor_notes import NOW, write  # noqa: E402
from tests.support.concepts import DIMENSIONS, Concepts  # noqa: E402

SETTINGS = load('[embedding]\nembedder = "ollama"\n', {})
QUESTION = "what made the oxygen probe drift"


class Server(Concepts):
    """As the others, but it may be down, and has to be asked how long its vectors are."""

    def __init__(self) -> None:
        self.down = False
        self.tried = 0
        self.waited: list[float] = []
        super().__init__()

    @property
    def dimensions(self) -> int:  # type: ignore[override]
        self._try()
        return DIMENSIONS

    @dimensions.setter
    def dimensions(self, _: int) -> None: ...

    def embed(self, texts: Sequence[str]) -> Any:
        self._try()
        return super().embed(texts)

    @contextmanager
    def hurried(self, seconds: float) -> Iterator[None]:
        self.waited.append(seconds)
        yield

    def _try(self) -> None:
        self.tried += 1
        if self.down:
            raise EmbeddingFailed(model=self.name, reason="no answer within 4 s", advice="wait")


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def shared(server: Server) -> Any:
    return OpenedOnce(lambda _: server)(Embedding())


def test_a_session_opens_its_embedder_once_and_asks_for_a_question_once(tmp_path: Path) -> None:
    opened: list[Concepts] = []

    def opener(_: Embedding) -> Concepts:
        opened.append(Concepts())
        return opened[-1]

    write(tmp_path)
    with Workspace(tmp_path, SETTINGS, opener=opener) as workspace:
        workspace.bootstrap(now=NOW)
        workspace.upkeep.embed()
        answer = workspace.query(QUESTION, write=False, now=NOW)
        assert workspace.query(QUESTION, write=False, now=NOW).results == answer.results
    assert answer.notices == ()
    assert [one.asked.count(QUESTION) for one in opened] == [1]


def test_other_settings_are_another_embedder() -> None:
    opened: list[Embedding] = []

    def opener(settings: Embedding) -> Concepts | None:
        opened.append(settings)
        return None if settings.embedder == "none" else Concepts(settings.model)

    once = OpenedOnce(opener)
    one, other = Embedding("ollama", "one"), Embedding("ollama", "other")
    assert [getattr(once(which), "name", None) for which in (one, other, one)] == [
        "one",
        "other",
        "one",
    ]
    assert opened == [one, other]
    assert once(Embedding()) is None


def test_what_could_not_be_opened_is_tried_again() -> None:
    answers: list[Callable[[], Concepts]] = [_missing, Concepts]
    once = OpenedOnce(lambda _: answers.pop(0)())
    with pytest.raises(ModelMissing):
        once(Embedding())
    assert once(Embedding()) is not None


def _missing() -> Concepts:
    raise ModelMissing(path="models", model="use-multilingual", reason="it is not installed")


def test_a_server_that_failed_a_question_is_not_waited_for_by_the_next_one(
    server: Server, shared: Any
) -> None:
    server.down = True
    for ask in (lambda: shared.embed(["one"]), lambda: shared.dimensions):
        with pytest.raises(EmbeddingFailed, match="no answer"), hurried(shared, 4.0):
            ask()
    assert (server.tried, server.waited) == (1, [4.0, 4.0])


def test_a_minute_later_it_is_tried_again(server: Server) -> None:
    now = 0.0
    shared: Any = OpenedOnce(lambda _: server, lambda: now)(Embedding())

    def ask() -> Any:
        with hurried(shared, 4.0):
            return shared.embed(["one"])

    server.down = True
    for now, tried in ((0.0, 1), (59.0, 1), (60.0, 2), (119.0, 2)):  # noqa: B007
        with pytest.raises(EmbeddingFailed):
            ask()
        assert server.tried == tried
    server.down, now = False, 120.0
    assert ask().shape == (1, DIMENSIONS)


def test_it_is_asked_again_where_nobody_waits(server: Server, shared: Any) -> None:
    server.down = True
    with pytest.raises(EmbeddingFailed), hurried(shared, 4.0):
        shared.embed(["one"])
    server.down = False
    assert shared.embed(["two"]).shape == (1, DIMENSIONS)
    with hurried(shared, 4.0):
        assert shared.embed(["one"]).shape == (1, DIMENSIONS)


def test_a_question_is_the_vector_of_its_own_text(server: Server, shared: Any) -> None:
    texts = [f"question {number}" for number in range(80)]
    with hurried(shared, 4.0):
        several = shared.embed(texts)
        for text, row in zip(texts, several, strict=True):
            for _ in range(2):
                assert (shared.embed([text])[0] == row).all()
    assert server.asked.count(texts[0]) == 2
