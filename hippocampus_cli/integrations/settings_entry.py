"""One entry of hippo's in another program's JSON settings, by the keys that lead to it. Pure.

Everything else in the text stays byte for byte, and taking the entry out gives the earlier text back.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from hippocampus_cli.errors import InstallRefused
from hippocampus_cli.integrations.json_text import Node, parse, removal, with_item, with_member

Keys = Sequence[str]


def with_entry(text: str, path: str, keys: Keys, value: Any) -> str:
    """The settings with ``value`` behind the ``keys``; empty text is no file. An entry that is there stays.

    ``path`` names the file in errors. Raises :class:`InstallRefused`.
    """
    if not text:
        return json.dumps(_below(keys, value), indent=2, ensure_ascii=False) + "\n"
    nodes = _nodes(text, path, keys)
    missing = keys[len(nodes) - 1 :]
    if not missing:
        return text
    return with_member(text, nodes[-1], missing[0], _below(missing[1:], value), len(nodes) - 1)


def without_entry(text: str, path: str, keys: Keys, is_ours: Callable[[Any], bool]) -> str:
    """The settings without the entry, empty where it was made for it; one that is not ours stays."""
    nodes = _nodes(text, path, keys) if text else ()
    if len(nodes) <= len(keys) or not is_ours(nodes[-1].value):
        return text
    return removal(text, nodes)


def with_listed(text: str, path: str, key: str, value: str) -> str:
    """The settings with ``value`` in the list behind ``key``. Raises :class:`InstallRefused`."""
    if not text:
        return json.dumps({key: [value]}, indent=2) + "\n"
    root, *listed = _nodes(text, path, [key], last=list)
    if not listed:
        return with_member(text, root, key, [value], 0)
    return with_item(text, listed[0], value, 1)


def without_listed(text: str, path: str, key: str, value: str) -> str:
    """The settings without ``value`` in the list behind ``key``."""
    nodes = _nodes(text, path, [key], last=list) if text else ()
    items = nodes[1].children if len(nodes) > 1 else ()
    found = next((item for item in items if item.value == value), None)
    return text if found is None else removal(text, (*nodes, found))


def _below(keys: Keys, value: Any) -> Any:
    for key in reversed(keys):
        value = {key: value}
    return value


def _nodes(text: str, path: str, keys: Keys, last: type = object) -> tuple[Node, ...]:
    """The settings, and as much of the way to the entry as is there."""
    try:
        nodes = [parse(text)]
    except (ValueError, RecursionError):
        reason = "it is not plain JSON, and hippo changes no other"
        advice = "write it without comments, then try again"
        raise InstallRefused(path=path, reason=reason, advice=advice) from None
    for key in keys:
        _check(nodes[-1], dict, path)
        found = nodes[-1].member(key)
        if found is None:
            return tuple(nodes)
        nodes.append(found)
    _check(nodes[-1], last, path)
    return tuple(nodes)


def _check(node: Node, kind: type, path: str) -> None:
    if not isinstance(node.value, kind):
        what = "an object" if kind is dict else "a list"
        reason = f"{node.key or 'the file'} is not {what}"
        raise InstallRefused(path=path, reason=reason, advice="correct it, then try again")
