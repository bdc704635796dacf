"""The Model Context Protocol over standard input and output: a JSON-RPC message a line. Pure, but for the tools.

Both eras are served: clients that begin with ``initialize`` (2024-11-05 to 2025-11-25), and those that name their
version in each request (2026-07-28), for which ``server/discover`` says what there is.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from inspect import getdoc, signature
from math import isfinite
from typing import Any

from hippocampus_cli.errors import HippoError
from hippocampus_cli.fast_types import NamedTuple

STATELESS = "2026-07-28"
WITH_HANDSHAKE = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
_VERSIONS = (STATELESS, *WITH_HANDSHAKE)
_META = "io.modelcontextprotocol/"
_PARSE, _INVALID, _NO_METHOD = -32700, -32600, -32601
_PARAMS, _VERSION = -32602, -32022
_CACHED = {"ttlMs": 300_000, "cacheScope": "public"}
_HALF = "an argument has half of a character (a lone surrogate); send whole characters"
_TYPES = {"str": "string", "int": "integer"}
_VALUES: dict[str, Any] = {
    "string": str,
    "integer": int,
    "array": list,
    "object": dict,
}

Answer = dict[str, Any]


class Tool(NamedTuple):
    """A tool as clients know it (``inputSchema`` is what its arguments are like), and what it answers, in text."""

    definition: Answer
    act: Callable[..., str]


def tool_of(act: Callable[..., str], *, reads: bool = True) -> Tool:
    """A tool of a function: it is called like it, its docstring says what it does, its signature what it takes.

    ``reads``: it changes nothing that anybody would see.
    """
    parameters = signature(act).parameters.values()
    arguments = {parameter.name: _schema(parameter.annotation) for parameter in parameters}
    schema: Answer = {"type": "object", "properties": arguments}
    needed = [each.name for each in parameters if each.default is each.empty]
    if needed:
        schema["required"] = needed
    about = " ".join((getdoc(act) or "").split())
    notes = {"readOnlyHint": True} if reads else {"destructiveHint": False}
    known = {"name": act.__name__, "description": about, "inputSchema": schema}
    return Tool(known | {"annotations": notes}, act)


def _schema(annotation: str) -> Answer:
    if annotation in _TYPES:
        return {"type": _TYPES[annotation]}
    return {"type": "array", "items": {"type": "object" if "Mapping" in annotation else "string"}}


class RequestRefused(Exception):
    """A request that is answered by an error: its code and its message."""

    def __init__(self, code: int, message: str, **data: object) -> None:
        super().__init__(message)
        self.error = {"code": code, "message": message, **({"data": data} if data else {})}


class Server(NamedTuple):
    """What is offered: under a name, with a version, and what an agent is told of it all."""

    name: str
    version: str
    instructions: str
    tools: tuple[Tool, ...]

    def answer(self, line: str) -> str | None:
        """The answer to a line, a line itself; ``None`` for a notification."""
        id = None
        try:
            message = _read(line)
            id = _id_of(message)
            if not isinstance(message.get("method"), str):
                if "result" in message or "error" in message:
                    return None  # nothing was asked of the client
                raise RequestRefused(_INVALID, "not a request")
            return _line(id, result=self._result(message)) if "id" in message else None
        except RequestRefused as refused:
            return _line(id, error=refused.error)

    def _result(self, message: Answer) -> Answer:
        params = message.get("params", {})
        if not isinstance(params, dict):
            raise RequestRefused(_PARAMS, "params must be an object")
        version = _version(params)
        method = message["method"]
        act = getattr(self, f"_on_{method.replace('/', '_')}", None)
        if act is None:
            raise RequestRefused(_NO_METHOD, f"unknown method {method[:60]!r}")
        result: Answer = act(params)
        return result | {"resultType": "complete"} if version == STATELESS else result

    def _on_initialize(self, params: Answer) -> Answer:
        asked = params.get("protocolVersion")
        version = asked if asked in WITH_HANDSHAKE else WITH_HANDSHAKE[0]
        return {"protocolVersion": version, "serverInfo": self._info(), **self._offered()}

    def _on_server_discover(self, _: Answer) -> Answer:
        own = {"supportedVersions": _VERSIONS, "_meta": {f"{_META}serverInfo": self._info()}}
        return {**own, **self._offered(), **_CACHED}

    def _info(self) -> Answer:
        return {"name": self.name, "version": self.version}

    def _offered(self) -> Answer:
        return {"capabilities": {"tools": {}}, "instructions": self.instructions}

    def _on_ping(self, _: Answer) -> Answer:
        return {}

    def _on_tools_list(self, _: Answer) -> Answer:
        return {"tools": [tool.definition for tool in self.tools], **_CACHED}

    def _on_tools_call(self, params: Answer) -> Answer:
        tools = {tool.definition["name"]: tool for tool in self.tools}
        tool = tools.get(str(params.get("name")))
        if tool is None:
            raise RequestRefused(_PARAMS, f"unknown tool; the tools are {', '.join(tools)}")
        arguments = params.get("arguments") or {}
        problem = _problem(tool, arguments)
        text, failed = (problem, True) if problem else _attempt(tool.act, **arguments)
        return {"content": [{"type": "text", "text": text}], "isError": failed}


def _attempt(act: Callable[..., str], **arguments: object) -> tuple[str, bool]:
    """What ``act`` says, or what went wrong, and whether that is so: one bad call must not end the others."""
    try:
        return act(**arguments), False
    except HippoError as error:
        place = f" ({error.where})" if error.where else ""
        return f"{error.message}{place}\nnext: {error.advice}", True
    except UnicodeEncodeError:
        return _HALF, True
    except Exception as error:
        return f"a bug in hippo: {type(error).__name__}", True


def _read(line: str) -> Answer:
    """A message. Raises :class:`RequestRefused`; so do ``NaN`` and the like, which are no number of JSON."""
    try:
        message = json.loads(line, parse_constant=int)
    except (ValueError, RecursionError):
        raise RequestRefused(_PARSE, "not valid JSON") from None
    if not isinstance(message, dict):
        raise RequestRefused(_INVALID, "not a request")
    return message


def _id_of(message: Answer) -> object:
    """What an answer is named after. A number too large for JSON is read as an infinite one."""
    id = message.get("id")
    is_number = isinstance(id, (int, float)) and not isinstance(id, bool) and isfinite(id)
    if id is None or is_number or (isinstance(id, str) and id == _whole(id)):
        return id
    raise RequestRefused(_INVALID, "the id must be a string or a number")


def _line(id: object, **fields: object) -> str:
    """A line of JSON that every parser reads: without halves of characters, which a note may hold."""
    document = {"jsonrpc": "2.0", "id": id, **fields}
    text = _whole(json.dumps(document, ensure_ascii=False, allow_nan=False))
    return json.dumps(json.loads(text), separators=(",", ":"))  # in ASCII: nothing else ends a line


def _whole(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _version(params: Answer) -> str | None:
    """The version that a request names for itself."""
    meta = params.get("_meta")
    version = meta.get(f"{_META}protocolVersion") if isinstance(meta, dict) else None
    if version is not None and version not in _VERSIONS:
        known = {"supported": _VERSIONS, "requested": version}
        raise RequestRefused(_VERSION, "unsupported protocol version", **known)
    return version


def _problem(tool: Tool, arguments: object) -> str:
    """What is wrong with the arguments of a call, and what to pass instead."""
    name, schema = tool.definition["name"], tool.definition["inputSchema"]
    forms = schema["properties"]
    known = ", ".join(forms)
    if not isinstance(arguments, dict):
        return f"arguments must be an object with {known}"
    if unknown := sorted(set(arguments) - set(forms)):
        return f"unknown argument {unknown[0][:40]!r}; the arguments of {name} are {known}"
    if missing := [each for each in schema.get("required", ()) if each not in arguments]:
        return f"{name} needs {', '.join(missing)}"
    for argument, value in arguments.items():
        kind = forms[argument]["type"]
        if not isinstance(value, _VALUES[kind]) or isinstance(value, bool):
            return f"{argument} must be of type {kind}"
        items = forms[argument]["items"]["type"] if kind == "array" else ""
        if items and not all(isinstance(item, _VALUES[items]) for item in value):
            return f"{argument} must hold {items}s"
    return ""
