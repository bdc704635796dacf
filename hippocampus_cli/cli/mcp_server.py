"""The Model Context Protocol over standard input and output: a JSON-RPC message a line. Pure, but for the tools.

Both eras are served: clients that begin with ``initialize`` (2024-11-05 to 2025-11-25), and those that name their
version in each request (2026-07-28), for which ``server/discover`` says what there is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any

from hippocampus_cli.errors import HippoError
from hippocampus_cli.fast_types import NamedTuple

STATELESS = "2026-07-28"
WITH_HANDSHAKE = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
_META = "io.modelcontextprotocol/"
_PARSE, _INVALID, _NO_METHOD, _PARAMS, _INTERNAL, _VERSION = (
    -32700,
    -32600,
    -32601,
    -32602,
    -32603,
    -32022,
)
_NOT_FOUND = -32002
_CACHED_MS = 300_000
_ID = "{id}"
_HALF = "an argument has half of a character (a lone surrogate); send whole characters"

Answer = dict[str, Any]


class Tool(NamedTuple):
    """A tool: what it says of itself, the schema of its arguments, and what it answers, in text.

    ``reads``: it changes nothing that anybody would see. ``destroys``: what it takes away does not come back.
    """

    name: str
    about: str
    arguments: Mapping[str, Mapping[str, Any]]
    required: tuple[str, ...]
    reads: bool
    act: Callable[..., str]
    destroys: bool = False


class Resource(NamedTuple):
    """Something to read, by its address; ``read`` gets what stands in it for ``{id}``, where it has that."""

    uri: str
    name: str
    type: str
    read: Callable[..., str]

    @property
    def is_template(self) -> bool:
        """Whether the address stands for many."""
        return self.uri.endswith(_ID)

    def given(self, uri: str) -> tuple[str, ...] | None:
        """What ``read`` gets for an address; ``None`` where it is another one's."""
        start = self.uri.removesuffix(_ID)
        if self.is_template and uri.startswith(start) and len(uri) > len(start):
            return (uri[len(start) :],)
        return () if uri == self.uri else None


class Refused(Exception):
    """A request that is answered by an error: its code and its message."""

    def __init__(self, code: int, message: str, **data: object) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


class Server(NamedTuple):
    """What is offered: under a name, with a version, and what an agent is told of it all."""

    name: str
    version: str
    instructions: str
    tools: tuple[Tool, ...]
    resources: tuple[Resource, ...] = ()

    def answer(self, line: str) -> str | None:
        """The answer to a line, a line itself; ``None`` for a notification."""
        try:
            message = json.loads(line, parse_constant=_refused)
        except (ValueError, RecursionError):
            return _said(None, error={"code": _PARSE, "message": "not valid JSON"})
        id = message.get("id") if isinstance(message, dict) else None
        if not _is_id(id):
            error = {"code": _INVALID, "message": "the id must be a string or a number"}
            return _said(None, error=error)
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            if isinstance(message, dict) and ("result" in message or "error" in message):
                return None  # nothing was asked of the client
            return _said(id, error={"code": _INVALID, "message": "not a request"})
        if "id" not in message:
            return None
        try:
            return _said(id, result=self._result(message))
        except Refused as refused:
            error = {"code": refused.code, "message": refused.message}
            return _said(id, error=error | ({"data": refused.data} if refused.data else {}))

    def _result(self, message: Answer) -> Answer:
        given = message.get("params", {})
        if not isinstance(given, dict):
            raise Refused(_PARAMS, "params must be an object")
        version = _version(given)
        method = message["method"]
        act = getattr(self, f"_on_{method.replace('/', '_')}", None)
        if act is None:
            raise Refused(_NO_METHOD, f"unknown method {method[:60]!r}")
        result: Answer = act(given)
        return result | {"resultType": "complete"} if version == STATELESS else result

    def _on_initialize(self, given: Answer) -> Answer:
        asked = given.get("protocolVersion")
        version = asked if asked in WITH_HANDSHAKE else WITH_HANDSHAKE[0]
        own = {"serverInfo": {"name": self.name, "version": self.version}}
        return {"protocolVersion": version, **self._offered(), **own}

    def _on_server_discover(self, _: Answer) -> Answer:
        info = {"name": self.name, "version": self.version}
        versions = [STATELESS, *WITH_HANDSHAKE]
        return {
            "supportedVersions": versions,
            **self._offered(),
            "_meta": {f"{_META}serverInfo": info},
            **_cached("public"),
        }

    def _offered(self) -> Answer:
        capabilities: Answer = {"tools": {}, **({"resources": {}} if self.resources else {})}
        return {"capabilities": capabilities, "instructions": self.instructions}

    def _on_ping(self, _: Answer) -> Answer:
        return {}

    def _on_tools_list(self, _: Answer) -> Answer:
        return {"tools": [_definition(one) for one in self.tools], **_cached("public")}

    def _on_tools_call(self, given: Answer) -> Answer:
        tool = next((one for one in self.tools if one.name == given.get("name")), None)
        if tool is None:
            names = ", ".join(one.name for one in self.tools)
            raise Refused(_PARAMS, f"unknown tool; the tools are {names}")
        arguments = given.get("arguments") or {}
        if problem := _problem(tool, arguments):
            return _told(problem, failed=True)
        try:
            return _told(tool.act(**arguments))
        except HippoError as error:
            place = f" ({error.where})" if error.where else ""
            return _told(f"{error.message}{place}\nnext: {error.advice}", failed=True)
        except UnicodeEncodeError:
            return _told(_HALF, failed=True)
        except Exception as error:  # one bad call must not end the others
            return _told(f"a bug in hippo: {type(error).__name__}", failed=True)

    def _on_resources_list(self, _: Answer) -> Answer:
        rows = [_listed(one, "uri") for one in self.resources if not one.is_template]
        return {"resources": rows, **_cached("public")}

    def _on_resources_templates_list(self, _: Answer) -> Answer:
        rows = [_listed(one, "uriTemplate") for one in self.resources if one.is_template]
        return {"resourceTemplates": rows, **_cached("public")}

    def _on_resources_read(self, given: Answer) -> Answer:
        uri = str(given.get("uri"))
        named = ((one, one.given(uri)) for one in self.resources)
        one, words = next((found for found in named if found[1] is not None), (None, None))
        if one is None or words is None:
            uris = ", ".join(one.uri for one in self.resources)
            raise Refused(_NOT_FOUND, f"unknown resource; there are {uris}")
        try:
            text = one.read(*words)
        except HippoError as error:
            raise Refused(_INTERNAL, f"{error.message} (next: {error.advice})") from error
        except Exception as error:  # one bad call must not end the others
            raise Refused(_INTERNAL, f"a bug in hippo: {type(error).__name__}") from error
        return {"contents": [{"uri": uri, "mimeType": one.type, "text": text}]}


def _refused(constant: str) -> None:
    """``NaN`` and the like, which Python reads and JSON has not."""
    raise ValueError(constant)


def _is_id(id: object) -> bool:
    """Whether an answer can name it. A number too large for JSON is read as an infinite one."""
    if isinstance(id, str):
        return id == _whole(id)
    return id is None or (
        isinstance(id, (int, float)) and not isinstance(id, bool) and isfinite(id)
    )


def _said(id: object, **fields: object) -> str:
    """A line of JSON that every parser reads: without halves of characters, which a note may hold."""
    document = {"jsonrpc": "2.0", "id": id, **fields}
    text = _whole(json.dumps(document, ensure_ascii=False, allow_nan=False))
    return json.dumps(json.loads(text), separators=(",", ":"))  # in ASCII: nothing else ends a line


def _whole(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _version(given: Answer) -> str | None:
    """The version that a request names for itself."""
    meta = given.get("_meta")
    version = meta.get(f"{_META}protocolVersion") if isinstance(meta, dict) else None
    if version is not None and version not in (STATELESS, *WITH_HANDSHAKE):
        supported = [STATELESS, *WITH_HANDSHAKE]
        raise Refused(
            _VERSION, "unsupported protocol version", supported=supported, requested=version
        )
    return version


def _listed(one: Resource, key: str) -> Answer:
    return {key: one.uri, "name": one.name, "mimeType": one.type}


def _cached(scope: str) -> Answer:
    return {"ttlMs": _CACHED_MS, "cacheScope": scope}


def _definition(tool: Tool) -> Answer:
    needed = {"required": list(tool.required)} if tool.required else {}
    schema = {"type": "object", "properties": tool.arguments, **needed}
    notes = {"readOnlyHint": True} if tool.reads else {"destructiveHint": tool.destroys}
    return {
        "name": tool.name,
        "description": tool.about,
        "inputSchema": schema,
        "annotations": notes,
    }


_TYPES = {"string": str, "integer": int, "array": list, "boolean": bool}


def _problem(tool: Tool, given: object) -> str:
    """What is wrong with the arguments of a call, and what to pass instead."""
    known = ", ".join(tool.arguments)
    if not isinstance(given, dict):
        return f"arguments must be an object with {known}"
    if unknown := sorted(set(given) - set(tool.arguments)):
        return f"unknown argument {unknown[0][:40]!r}; the arguments of {tool.name} are {known}"
    if missing := [name for name in tool.required if name not in given]:
        return f"{tool.name} needs {', '.join(missing)}"
    for name, value in given.items():
        wanted = tool.arguments[name]["type"]
        if not isinstance(value, _TYPES[wanted]) or isinstance(value, bool) != (
            wanted == "boolean"
        ):
            return f"{name} must be of type {wanted}"
        if isinstance(value, list) and not all(isinstance(one, str) for one in value):
            return f"{name} must hold strings"
    return ""


def _told(text: str, *, failed: bool = False) -> Answer:
    return {"content": [{"type": "text", "text": text}], "isError": failed}
