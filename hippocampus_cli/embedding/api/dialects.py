"""How each kind of server is asked and answers. A dialect is data and two pure functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from hippocampus_cli.embedding.api.transport import Malformed

GEMINI_DIMENSIONS = 768  # as ANCHOR §1 has it; the model gives 3,072 unless it is asked for fewer


class Dialect(NamedTuple):
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
    return [_field(one, "values") for one in _list(answer, "embeddings")]


def _openai_rows(answer: object) -> Sequence[object]:
    """The vectors by their ``index``: their order is not promised."""
    placed: dict[int, object] = {}
    for one in _list(answer, "data"):
        index = _field(one, "index")
        if not isinstance(index, int) or index in placed:
            raise Malformed("the answer does not say which vector is whose")
        placed[index] = _field(one, "embedding")
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
    found = _field(value, name)
    if not isinstance(found, list):
        raise Malformed(f"{name!r} is no list in the answer")
    return found


GEMINI = Dialect(
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
OPENAI = Dialect(
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
OLLAMA = Dialect(
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
