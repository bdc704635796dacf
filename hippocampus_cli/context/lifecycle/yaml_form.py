"""Entries as YAML, as CONTEXT §5 writes them."""

from __future__ import annotations

from collections.abc import Mapping

import yaml

_BREAKS = "\x85\u2028\u2029"  # YAML reads them back as line breaks, unless they are escaped


class _Dumper(yaml.SafeDumper):
    """Writes a text of several lines as a block, which a person can read."""


def _text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    if any(char in text for char in _BREAKS):
        style = '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def to_yaml(document: Mapping[str, object]) -> str:
    """A document as YAML, its keys in their order."""
    return yaml.dump(dict(document), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
