"""What is hippo's in another program's JSON settings, by the keys that lead to it. Pure.

Everything else in the text stays byte for byte, and taking it out gives the earlier text back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hippocampus_cli.errors import InstallRefused
from hippocampus_cli.integrations.json_text import Node, parse, removal, with_item, with_member

Keys = Sequence[str]
IsOurs = Callable[[Any], bool]
_STRING_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\])*+"?|(//|/\*)')


def with_entry(text: str, path: str, keys: Keys, value: Any) -> str:
    """The settings with ``value`` behind the ``keys``, or with its item first in a list that is there; empty text is
    no file. Another entry that is there stays.

    ``path`` names the file in errors. Raises :class:`InstallRefused`.
    """
    if not text:
        return json.dumps(_below(keys, value), indent=2, ensure_ascii=False) + "\n"
    nodes = _nodes(text, path, keys)
    missing = keys[len(nodes) - 1 :]
    if missing:
        return with_member(text, nodes[-1], missing[0], _below(missing[1:], value), len(nodes) - 1)
    if isinstance(value, list):
        _check(path, nodes[-1], list, keys)
        return with_item(text, nodes[-1], value[0], len(keys))
    return text


def without_entry(text: str, path: str, keys: Keys, is_ours: IsOurs) -> str:
    """The settings without what is ours at the keys or below, empty where they were made for it.

    Raises :class:`InstallRefused`.
    """
    while found := next(entries(text, path, keys, is_ours), None):
        text = removal(text, found)
    return text


def edit_entry(
    path: str, keys: Keys, value: Any, is_ours: IsOurs, text: str, installs: bool
) -> str:
    """The settings without an earlier entry, and with ``value`` where it is to be there."""
    text = without_entry(text, path, keys, is_ours)
    return with_entry(text, path, keys, value) if installs else text


def entries(text: str, path: str, keys: Keys, is_ours: IsOurs) -> Iterator[tuple[Node, ...]]:
    """The ways from the settings to each value that is ours, at the keys or below."""
    nodes = _nodes(text, path, keys) if text else ()
    if len(nodes) > len(keys):
        yield from _ways(nodes, is_ours)


def _ways(nodes: tuple[Node, ...], is_ours: IsOurs) -> Iterator[tuple[Node, ...]]:
    if is_ours(nodes[-1].value):
        yield nodes
    else:
        for child in nodes[-1].children:
            yield from _ways((*nodes, child), is_ours)


def _below(keys: Keys, value: Any) -> Any:
    for key in reversed(keys):
        value = {key: value}
    return value


def _nodes(text: str, path: str, keys: Keys) -> tuple[Node, ...]:
    """The settings, and as much of the way to the entry as is there."""
    nodes = [_parsed(text, path)]
    for depth, key in enumerate(keys):
        _check(path, nodes[-1], dict, keys[:depth])
        found = nodes[-1].member(key)
        if found is None:
            break
        nodes.append(found)
    return tuple(nodes)


def _check(path: str, node: Node, kind: type, keys: Keys) -> None:
    if not isinstance(node.value, kind):
        what = "an object" if kind is dict else "a list"
        raise _refused(path, f"{'.'.join(keys) or 'the file'} is not {what}")


def _parsed(text: str, path: str) -> Node:
    try:
        return parse(text)
    except RecursionError:
        raise _refused(path, "not valid JSON: nested too deeply") from None
    except ValueError as error:
        for found in filter(lambda found: found[1], _STRING_OR_COMMENT.finditer(text)):
            reason = "it contains a comment, and hippo changes no such file"
            raise _refused(path, reason, text.count("\n", 0, found.start()) + 1) from None
        reason = f"not valid JSON: {getattr(error, 'msg', error)}"
        raise _refused(path, reason, getattr(error, "lineno", None)) from None


def _refused(path: str, reason: str, line: int | None = None) -> InstallRefused:
    return InstallRefused(path=path, line=line, reason=reason, advice="correct it, then try again")
