"""How three kinds of servers are asked for one JSON object, at temperature 0. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from hippocampus_cli.embedding.http_client import Malformed

Schema = Mapping[str, Any]
_MOST_TOKENS = 1_024  # of an answer


def _bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


class ModelServer(NamedTuple):
    """A server: where it is, how its key is sent, what a question is, which keys lead to the answer in its reply."""

    name: str
    url: str
    path: str
    body: Callable[[str, str, str, Schema], object]
    answer: tuple[str | int, ...]
    key_variable: str = ""
    headers: Callable[[str], dict[str, str]] = _bearer


def _openai_body(model: str, system: str, prompt: str, schema: Schema) -> object:
    form = {"name": "answer", "strict": True, "schema": schema}
    return {
        "model": model,
        "temperature": 0,
        "max_tokens": _MOST_TOKENS,
        "messages": _messages(system, prompt),
        "response_format": {"type": "json_schema", "json_schema": form},
    }


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


def answer_in(reply: Any, path: Sequence[str | int]) -> object:
    """What a reply holds where ``path`` leads; a text is read as JSON. Raises :class:`Malformed`."""
    try:
        for key in path:
            reply = reply[key]
        return json.loads(reply) if isinstance(reply, str) else reply
    except (LookupError, TypeError):
        raise Malformed("the reply holds no answer") from None
    except (ValueError, RecursionError):
        raise Malformed("the answer is not JSON") from None


_SERVERS = (
    ModelServer(
        "openai",
        "https://api.openai.com/v1",
        "/chat/completions",
        _openai_body,
        ("choices", 0, "message", "content"),
        key_variable="OPENAI_API_KEY",
    ),
    ModelServer(
        "anthropic",
        "https://api.anthropic.com",
        "/v1/messages",
        _anthropic_body,
        ("content", -1, "input"),  # of the tool, which it must use last
        key_variable="ANTHROPIC_API_KEY",
        headers=lambda key: {"x-api-key": key, "anthropic-version": "2023-06-01"},
    ),
    ModelServer(
        "ollama",
        "http://localhost:11434",
        "/api/chat",
        _ollama_body,
        ("message", "content"),
    ),
)
DIALECTS = {server.name: server for server in _SERVERS}
