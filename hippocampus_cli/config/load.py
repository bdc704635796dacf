"""Reading settings from a file's text and the environment, each mistake with its key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from hippocampus_cli.config.rules import Refused, Value, accept, read
from hippocampus_cli.config.settings import Bands, Config, Setting, settings, tables
from hippocampus_cli.errors import ConfigInvalid, HippoError
from hippocampus_cli.fast_types import NamedTuple

CONFIG_PATH = ".hippocampus/config.toml"
LARGEST = 256_000
"""Bytes of a settings file that is read."""
FILE = "config.toml"
"""The origin of a value that the file says."""
_PREFIX = "HIPPO_"
_NOT_SETTINGS = ("HIPPO_MIND_MODEL", "HIPPO_MIND_URL", "HIPPO_MIND_TOKENS_A_DAY")
"""What the environment alone says of a language model: no file of a workspace may."""
_GONE = """
anchors.chunk_tokens anchors.in_queries anchors.k_max anchors.min_tokens anchors.project anchors.sem_theta
anchors.theta anchors.use_in_query bootstrap.recent_days decay.learn embedding.nearest
embedding.requests_per_minute query.confident
"""
"""Settings of the version before this one that have no number here any more."""


class _Given(NamedTuple):
    value: Value
    origin: str


def load(
    text: str | None,
    environ: Mapping[str, str],
) -> Config:
    """The settings from defaults, the file's ``text`` and ``environ``; the later wins.

    Raises ConfigInvalid with the key or the variable at fault.
    """
    if text is None and not any(name.startswith(_PREFIX) for name in environ):
        return Config()  # what nearly every run has
    known = settings()
    unread: dict[str, str] = {}
    given: dict[str, _Given] = {}
    if text is not None:
        given |= _from_file(text, known, unread)
    given |= _from_environment(environ, known, unread)
    config = _build(given, unread)
    _check_descending(config, given)
    return config


def _build(given: Mapping[str, _Given], unread: Mapping[str, str]) -> Config:
    values: dict[str, dict[str, Value]] = {}
    for key, setting in given.items():
        table, _, name = key.partition(".")
        values.setdefault(table, {})[name] = setting.value
    made = {table: tables()[table](**named) for table, named in values.items()}
    origins = {key: setting.origin for key, setting in given.items()}
    return Config(**made, origins=origins, unread=unread)


def _is_unread(key: str) -> bool:
    """Whether an older version had this setting: a file that has it still must not stop every command."""
    table, _, name = key.partition(".")
    return key in _GONE.split() or name in getattr(tables().get(table), "_fields", ())


def _from_file(
    text: str, known: Mapping[str, Setting], unread: dict[str, str]
) -> dict[str, _Given]:
    text = text.removeprefix("\ufeff")
    data = _parse(text)
    given: dict[str, _Given] = {}
    for table, named in data.items():
        if table not in tables():
            raise _invalid(f"unknown table [{table}]" + _meant(table, tables()))
        if not isinstance(named, dict):
            raise _invalid(f"{table} must be a table: write [{table}] on a line of its own")
        for name, value in named.items():
            key = f"{table}.{name}"
            if key not in known:
                if not _is_unread(key):
                    raise _invalid(f"unknown key {key}" + _meant(key, known))
                unread[key] = FILE
                continue
            given[key] = _Given(_accept(key, value, known[key], CONFIG_PATH), FILE)
    return given


def _parse(text: str) -> dict[str, object]:
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, deep nesting
        place = re.search(r" \(at line (\d+), column \d+\)$", str(error))
        reason = str(error)[: place.start()] if place else str(error)
        raise _invalid(f"not valid TOML: {reason}", int(place[1]) if place else None) from None


def _accept(name: str, given: Any, setting: Setting, path: str | None = None) -> Value:
    """A value of the file at ``path``, or the text of a variable."""
    default = setting.default
    try:
        return accept(given if path else read(given, default), default, setting.rule)
    except Refused as refused:
        reason = f"{name} must {refused}, not {_shown(given)}"
        raise ConfigInvalid(path=path, reason=reason) from None


def _from_environment(
    environ: Mapping[str, str], known: Mapping[str, Setting], unread: dict[str, str]
) -> dict[str, _Given]:
    """``HIPPO_DECAY_RATE=0.2``. A name that starts like one of our tables must be one of our keys."""
    names = {_PREFIX + key.replace(".", "_").upper(): key for key in known}
    prefixes = tuple(f"{_PREFIX}{table.upper()}_" for table in tables())
    given: dict[str, _Given] = {}
    for name, text in environ.items():
        if not name.startswith(prefixes) or name in _NOT_SETTINGS:
            continue
        if name not in names:
            key = ".".join(name.removeprefix(_PREFIX).lower().split("_", 1))
            if not _is_unread(key):
                raise ConfigInvalid(reason=f"unknown variable {name}" + _meant(name, names))
            unread[key] = name
            continue
        given[names[name]] = _Given(_accept(name, text, known[names[name]]), name)
    return given


def _check_descending(config: Config, given: Mapping[str, _Given]) -> None:
    """Raises where values do not descend, naming a value that was set."""
    for upper, lower in pairwise(Bands._fields[:5]):
        high, low = getattr(config.bands, upper), getattr(config.bands, lower)
        if low <= high:
            continue
        fault = given.get(f"bands.{lower}") or given[f"bands.{upper}"]
        reason = f"bands must descend: {lower} ({low:g}) is above {upper} ({high:g})"
        if fault.origin == FILE:
            raise _invalid(reason)
        raise ConfigInvalid(reason=f"{reason}, set by {fault.origin}")


def _invalid(reason: str, line: int | None = None) -> HippoError:
    return ConfigInvalid(path=CONFIG_PATH, line=line, reason=reason)


def _shown(value: object) -> str:
    text = repr(value)
    return text[:40] + "…" * (len(text) > 40)


def _meant(word: str, among: Mapping[str, object]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(word[:100], among, 1)
    return f" (did you mean {near[0]}?)" if near else ""
