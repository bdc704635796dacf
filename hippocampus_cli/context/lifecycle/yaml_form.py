"""Entries as YAML, as CONTEXT §5 writes them."""

from __future__ import annotations

from collections.abc import Mapping

import yaml

_BREAKS = frozenset("\x85\u2028\u2029")  # line breaks in YAML, to be escaped or they become others


class _Dumper(yaml.SafeDumper):
    """Writes a text of several lines as a block, which a person can read."""


def _text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    if not _BREAKS.isdisjoint(text):
        style = '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def to_yaml(document: Mapping[str, object]) -> str:
    """A document as YAML, its keys in their order."""
    return yaml.dump(dict(document), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
