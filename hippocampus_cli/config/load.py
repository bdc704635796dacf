"""Reading settings from a file's text and the environment, each mistake with its key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from hippocampus_cli.config.rules import Refused, Value, accept, read
from hippocampus_cli.config.settings import Bands, Config, Setting, settings, tables
from hippocampus_cli.errors import ConfigInvalid, HippoError

CONFIG_PATH = ".hippocampus/config.toml"
LARGEST = 256_000
"""Bytes of a settings file that is read."""
FILE = "config.toml"
"""The origin of a value that the file says."""
_PREFIX = "HIPPO_"
_NOT_SETTINGS = ("HIPPO_MIND_MODEL", "HIPPO_MIND_URL", "HIPPO_MIND_TOKENS_A_DAY")
"""What the environment alone says of a language model: no file of a workspace may."""
_ENVIRONMENT = "store"
"""The table that the environment alone says: a file that one was handed may not send notes elsewhere."""
_GONE = """
anchors.chunk_tokens anchors.in_queries anchors.k_max anchors.min_tokens anchors.project anchors.sem_theta
anchors.theta anchors.use_in_query bootstrap.recent_days bootstrap.relations bootstrap.tags decay.learn
embedding.nearest embedding.requests_per_minute query.confident
"""
"""Settings of the version before this one that have no number here any more."""


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
    filed = {} if text is None else _from_file(text, known, unread)
    varied = _from_environment(environ, known, unread)
    values: dict[str, dict[str, Value]] = {}
    for key, value in (filed | varied).items():
        table, _, name = key.partition(".")
        values.setdefault(table, {})[name] = value
    made = {table: tables()[table](**named) for table, named in values.items()}
    origins = dict.fromkeys(filed, FILE) | {key: _variable(key) for key in varied}
    config = Config(**made, origins=origins, unread=unread)
    _check_descending(config)
    return config


def _variable(key: str) -> str:
    """The environment variable of a setting: ``HIPPO_DECAY_RATE`` of ``decay.rate``."""
    return _PREFIX + key.replace(".", "_").upper()


def _is_unread(key: str) -> bool:
    """Whether an older version had this setting: a file that has it still must not stop every command."""
    table, _, name = key.partition(".")
    return key in _GONE.split() or name in getattr(tables().get(table), "_fields", ())


def _from_file(text: str, known: Mapping[str, Setting], unread: dict[str, str]) -> dict[str, Value]:
    given: dict[str, Value] = {}
    for table, named in _parse(text.removeprefix("\ufeff")).items():
        if table not in tables():
            raise _invalid(f"unknown table [{table}]" + _meant(table, tables()))
        if not isinstance(named, dict):
            raise _invalid(f"{table} must be a table: write [{table}] on a line of its own")
        for name, value in named.items():
            key = f"{table}.{name}"
            if key not in known and not _is_unread(key):
                raise _invalid(f"unknown key {key}" + _meant(key, known))
            if key not in known:
                unread[key] = FILE
            elif table == _ENVIRONMENT:
                raise _invalid(f"{key} cannot be set here: set the variable {_variable(key)}")
            else:
                given[key] = _accept(key, value, known[key], CONFIG_PATH)
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
) -> dict[str, Value]:
    """``HIPPO_DECAY_RATE=0.2``. A name that starts like one of our tables must be one of our keys."""
    names = {_variable(key): key for key in known}
    prefixes = tuple(_variable(f"{table}.") for table in (*tables(), "bootstrap"))
    given: dict[str, Value] = {}
    for name, text in environ.items():
        if not name.startswith(prefixes) or name in _NOT_SETTINGS:
            continue
        key = names.get(name)
        if key:
            given[key] = _accept(name, text, known[key])
            continue
        key = name.removeprefix(_PREFIX).lower().replace("_", ".", 1)
        if not _is_unread(key):
            raise ConfigInvalid(reason=f"unknown variable {name}" + _meant(name, names))
        unread[key] = name
    return given


def _check_descending(config: Config) -> None:
    """Raises where values do not descend, naming a value that was set."""
    for upper, lower in pairwise(Bands._fields[:5]):
        high, low = getattr(config.bands, upper), getattr(config.bands, lower)
        if low <= high:
            continue
        origin = config.origins.get(f"bands.{lower}") or config.origins[f"bands.{upper}"]
        reason = f"bands must descend: {lower} ({low:g}) is above {upper} ({high:g})"
        if origin == FILE:
            raise _invalid(reason)
        raise ConfigInvalid(reason=f"{reason}, set by {origin}")


def _invalid(reason: str, line: int | None = None) -> HippoError:
    return ConfigInvalid(path=CONFIG_PATH, line=line, reason=reason)


def _shown(value: object) -> str:
    text = re.sub(r"(://[^/@:]*:)[^/@]+@|(password=)[^&'\"]+", r"\1\2***", repr(value))
    return text[:40] + "…" * (len(text) > 40)


def _meant(word: str, among: Mapping[str, object]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(word[:100], among, 1)
    return f" (did you mean {near[0]}?)" if near else ""
