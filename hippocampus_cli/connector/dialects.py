"""How three kinds of servers are asked for one JSON object, at temperature 0. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from hippocampus_cli.embedding.http_client import Malformed

Schema = Mapping[str, Any]
_MOST_TOKENS = 1_024  # of an answer


class Dialect(NamedTuple):
    """A server: where it is, how its key is sent, what a question is, where the answer is in its reply."""

    name: str
    url: str
    key_variable: str
    path: str
    headers: Callable[[str], dict[str, str]]
    body: Callable[[str, str, str, Schema], object]
    answer: Callable[[object], object]


def _openai_body(model: str, system: str, prompt: str, schema: Schema) -> object:
    form = {"name": "answer", "strict": True, "schema": schema}
    return {
        "model": model,
        "temperature": 0,
        "max_tokens": _MOST_TOKENS,
        "messages": _messages(system, prompt),
        "response_format": {"type": "json_schema", "json_schema": form},
    }


def _openai_answer(reply: object) -> object:
    return _json(_at(reply, "choices", 0, "message", "content"))


def _anthropic_body(model: str, system: str, prompt: str, schema: Schema) -> object:
    tool = {"name": "answer", "description": "Give the answer.", "input_schema": schema}
    return {
        "model": model,
        "temperature": 0,
        "max_tokens": _MOST_TOKENS,
        "system": system,
        "messages": [{"role": "user", "content": prompt}],
        "tools": [tool],
        "tool_choice": {"type": "tool", "name": "answer"},
    }


def _anthropic_answer(reply: object) -> object:
    blocks = _at(reply, "content")
    for one in blocks if isinstance(blocks, list) else ():
        if isinstance(one, dict) and one.get("type") == "tool_use":
            return one.get("input")
    raise Malformed("the answer does not use the tool")


def _ollama_body(model: str, system: str, prompt: str, schema: Schema) -> object:
    return {
        "model": model,
        "stream": False,
        "format": schema,
        "options": {"temperature": 0, "num_predict": _MOST_TOKENS},
        "messages": _messages(system, prompt),
    }


def _messages(system: str, prompt: str) -> list[dict[str, str]]:
    return [{"role": "system", "content": system}, {"role": "user", "content": prompt}]


def _at(value: object, *path: str | int) -> object:
    for key in path:
        try:
            value = value[key]  # type: ignore[index]
        except (KeyError, IndexError, TypeError):
            raise Malformed(f"the answer holds no {key!r}") from None
    return value


def _json(text: object) -> object:
    try:
        return json.loads(text if isinstance(text, str) else "")
    except (ValueError, RecursionError):
        raise Malformed("the answer is not JSON") from None


def _bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


DIALECTS = {
    one.name: one
    for one in (
        Dialect(
            *("openai", "https://api.openai.com/v1", "OPENAI_API_KEY", "/chat/completions"),
            *(_bearer, _openai_body, _openai_answer),
        ),
        Dialect(
            *("anthropic", "https://api.anthropic.com", "ANTHROPIC_API_KEY", "/v1/messages"),
            lambda key: {"x-api-key": key, "anthropic-version": "2023-06-01"},
            *(_anthropic_body, _anthropic_answer),
        ),
        Dialect(
            *("ollama", "http://localhost:11434", "", "/api/chat"),
            *(_bearer, _ollama_body, lambda reply: _json(_at(reply, "message", "content"))),
        ),
    )
}
