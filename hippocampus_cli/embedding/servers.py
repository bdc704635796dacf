"""An embedder behind a URL: texts in batches, vectors checked before they count. How each kind of server is asked and
answers is its dialect: data and two pure functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hippocampus_cli.embedding.embedder import batches
from hippocampus_cli.embedding.http_client import Client, Failed, Key, Malformed, Timing, host_of
from hippocampus_cli.errors import EmbeddingFailed

if TYPE_CHECKING:
    from hippocampus_cli.embedding.embedder import Vectors


GEMINI_DIMENSIONS = 768  # as ANCHOR §1 has it; the model gives 3,072 unless it is asked for fewer


class EmbeddingServer(NamedTuple):
    """``url``, ``model`` and ``key_variable`` hold where nothing is configured; no variable: no key."""

    name: str
    url: str
    model: str
    key_variable: str
    path: Callable[[str, str], str]
    headers: Callable[[str], Mapping[str, str]]
    body: Callable[[str, Sequence[str]], object]
    rows: Callable[[object], Sequence[object]]
    dimensions: Mapping[str, int]


def _gemini_body(model: str, texts: Sequence[str]) -> object:
    return {
        "requests": [
            {
                "model": f"models/{model}",
                "content": {"parts": [{"text": text}]},
                "taskType": "SEMANTIC_SIMILARITY",
                "outputDimensionality": GEMINI_DIMENSIONS,
            }
            for text in texts
        ]
    }


def _gemini_rows(answer: object) -> Sequence[object]:
    return [_field(row, "values") for row in _list(answer, "embeddings")]


def _openai_rows(answer: object) -> Sequence[object]:
    """The vectors by their ``index``: their order is not promised."""
    placed: dict[int, object] = {}
    for row in _list(answer, "data"):
        index = _field(row, "index")
        if not isinstance(index, int) or index in placed:
            raise Malformed("the answer does not say which vector is whose")
        placed[index] = _field(row, "embedding")
    if sorted(placed) != list(range(len(placed))):
        raise Malformed("the answer does not say which vector is whose")
    return [placed[at] for at in range(len(placed))]


def _openai_path(url: str, model: str) -> str:
    """``/v1`` is part of most base URLs that servers name, but not of a bare host."""
    bare = url.count("/") == 2
    return f"{url}/v1/embeddings" if bare else f"{url}/embeddings"


def _field(value: object, name: str) -> object:
    if not isinstance(value, dict) or name not in value:
        raise Malformed(f"the answer holds no {name!r}")
    return value[name]


def _list(value: object, name: str) -> list[object]:
    items = _field(value, name)
    if not isinstance(items, list):
        raise Malformed(f"{name!r} is no list in the answer")
    return items


GEMINI = EmbeddingServer(
    name="gemini",
    url="https://generativelanguage.googleapis.com",
    model="gemini-embedding-001",
    key_variable="GEMINI_API_KEY",
    path=lambda url, model: f"{url}/v1beta/models/{model}:batchEmbedContents",
    headers=lambda key: {"x-goog-api-key": key},
    body=_gemini_body,
    rows=_gemini_rows,
    dimensions={"gemini-embedding-001": GEMINI_DIMENSIONS},
)
OPENAI = EmbeddingServer(
    name="openai",
    url="https://api.openai.com/v1",
    model="text-embedding-3-small",
    key_variable="OPENAI_API_KEY",
    path=_openai_path,
    headers=lambda key: {"Authorization": f"Bearer {key}"},
    body=lambda model, texts: {"model": model, "input": list(texts), "encoding_format": "float"},
    rows=_openai_rows,
    dimensions={"text-embedding-3-small": 1_536, "text-embedding-3-large": 3_072},
)
OLLAMA = EmbeddingServer(
    name="ollama",
    url="http://localhost:11434",
    model="nomic-embed-text",
    key_variable="",
    path=lambda url, model: f"{url}/api/embed",
    headers=lambda key: {"Authorization": f"Bearer {key}"},
    body=lambda model, texts: {"model": model, "input": list(texts)},
    rows=lambda answer: _list(answer, "embeddings"),
    dimensions={"nomic-embed-text": 768},
)
DIALECTS = {dialect.name: dialect for dialect in (GEMINI, OPENAI, OLLAMA)}


_BATCH_CHARACTERS = 60_000
_TEXT_CHARACTERS = 8_000  # more than any of these models reads is refused by some of them
_NOTHING = "-"  # in the place of a blank text, which some of them refuse


class Remote:
    """An embedder (:class:`~hippocampus_cli.embedding.embedder.Embedder`) that is asked over HTTP."""

    def __init__(
        self,
        dialect: EmbeddingServer,
        url: str,
        model: str,
        key: Key | None,
        batch: int,
        timing: Timing,
    ) -> None:
        self._dialect = dialect
        self._url = url
        self._model = model
        self._key = key
        self._batch = batch
        self._clock = timing.clock
        self._until: float | None = None
        headers = dialect.headers(key.reveal()) if key else {}
        self._client = Client(dialect.path(url, model), headers, timing)

    @property
    def name(self) -> str:
        """The kind of server, the model, and the host where that is not the usual one."""
        where = "" if self._url == self._dialect.url else f"@{host_of(self._url)}"
        return f"{self._dialect.name}:{self._model}{where}"

    @cached_property
    def dimensions(self) -> int:
        """The length of a vector; a model that is not known is asked for one. Raises as :meth:`embed`."""
        known = self._dialect.dimensions.get(self._model)
        return known or self._ask([_NOTHING], None).shape[1]

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of length 1 a text; of a text only its first 8,000 characters count.

        Raises :class:`EmbeddingFailed` where no answer came, or one that cannot be right.
        """
        dimensions = self.dimensions
        parts = batches(map(_sendable, texts), len, _BATCH_CHARACTERS, self._batch)
        made = [self._ask(part, dimensions) for part in parts]
        return np.concatenate([np.empty((0, dimensions), np.float32), *made])

    @contextmanager
    def hurried(self, seconds: float) -> Iterator[None]:
        """Within, all that is asked takes ``seconds`` at most altogether, and nothing is tried twice."""
        self._until = self._clock() + seconds
        try:
            yield
        finally:
            self._until = None

    def _ask(self, texts: Sequence[str], dimensions: int | None) -> Vectors:
        try:
            answer = self._client.ask(self._dialect.body(self._model, texts), self._until)
            return _checked(self._dialect.rows(answer), len(texts), dimensions)
        except Failed as failed:
            raise self._failed(str(failed), self._advice(failed.status)) from None
        except Malformed as malformed:
            advice = "see that the model embeds, and that the URL is that of such a server"
            raise self._failed(str(malformed), advice) from None

    def _failed(self, reason: str, advice: str) -> EmbeddingFailed:
        shown = self._key.hidden_in(reason) if self._key else reason
        return EmbeddingFailed(model=self.name, reason=shown, advice=advice)

    def _advice(self, status: int) -> str:
        if status in (401, 403):
            variable = self._key.variable if self._key else "embedding.key_variable"
            return f"see to the key in {variable}"
        if status == 429:
            return "wait a while, then try again; what was embedded is kept"
        if status == 404:
            return f"see that {host_of(self._url)} has the model {self._model}"
        return f"see that {host_of(self._url)} can be reached, and try again; what was embedded is kept"


def _sendable(text: str) -> str:
    """``text`` as every server takes it: not too long, not blank, and of whole characters."""
    cut = text[:_TEXT_CHARACTERS].encode("utf-8", "replace").decode()
    return cut if cut.strip() else _NOTHING


def _checked(rows: Sequence[object], count: int, dimensions: int | None) -> Vectors:
    """``rows`` as vectors of length 1; raises :class:`Malformed`."""
    if len(rows) != count:
        raise Malformed(f"{len(rows)} vectors came for {count} texts")
    try:
        made = np.array([_numbers(row) for row in rows], dtype=np.float64)
    except (ValueError, TypeError, OverflowError):
        raise Malformed("the vectors are no lists of numbers of one length") from None
    if made.ndim != 2 or made.shape[1] == 0:
        raise Malformed("the vectors are no lists of numbers of one length")
    if dimensions is not None and made.shape[1] != dimensions:
        raise Malformed(f"the vectors have {made.shape[1]} dimensions, not {dimensions}")
    if not (np.abs(made) <= np.finfo(np.float32).max).all():  # nor is it for what is not a number
        raise Malformed("a vector is not finite")
    lengths = np.linalg.norm(made.astype(np.float32).astype(np.float64), axis=1, keepdims=True)
    if not lengths.all():
        raise Malformed("a vector has no direction")
    vectors: Vectors = (made / lengths).astype(np.float32)
    return vectors


def _numbers(row: object) -> list[int | float]:
    """``row``, if it is what it should be: numpy would take words and truths for numbers, too."""
    if not isinstance(row, list) or not {int, float}.issuperset(map(type, row)):
        raise TypeError
    return row
