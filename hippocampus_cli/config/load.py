"""Reading settings from a file's text, the environment and flags, each mistake with its key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise

from hippocampus_cli.config.rules import Refused, Value, accept, read
from hippocampus_cli.config.settings import Config, Setting, is_fixed, settings, tables
from hippocampus_cli.errors import ConfigInvalid, HippoError, UsageError
from hippocampus_cli.fast_types import NamedTuple

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
_BANDS = ("strong", "moderate", "weak", "silent", "prune")
_GONE = """
anchors.chunk_tokens anchors.in_queries anchors.k_max anchors.min_tokens anchors.project anchors.sem_theta
anchors.theta anchors.use_in_query decay.learn embedding.nearest embedding.requests_per_minute query.confident
"""
"""Settings of the version before this one that have no number here any more."""


class _Given(NamedTuple):
    value: Value
    origin: str


def load(
    text: str | None,
    environ: Mapping[str, str],
    flags: Mapping[str, tuple[str, object]] | None = None,
) -> Config:
    """The settings from defaults, the file's ``text``, ``environ`` and ``flags``; the later wins.

    ``flags`` maps a key to the flag's spelling and value, ``{"query.tokens": ("--tokens", 500)}``; a value
    of ``None`` is a flag that was not given. Raises ConfigInvalid with the key or the variable at fault,
    UsageError for a flag.
    """
    if text is None and not flags and not any(name.startswith(_PREFIX) for name in environ):
        return Config()  # what nearly every run has
    known = settings()
    unread: dict[str, str] = {}
    given: dict[str, _Given] = {}
    if text is not None:
        given |= _from_file(text, known, unread)
    given |= _from_environment(environ, known, unread)
    given |= _from_flags(flags or {}, known)
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
    return key in _GONE.split() or is_fixed(key)


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
            if _is_unread(key):
                unread[key] = FILE
                continue
            if key not in known:
                raise _invalid(f"unknown key {key}" + _meant(key, known))
            if table == _ENVIRONMENT:
                raise _invalid(f"{key} cannot be set here: set the variable {_variable(key)}")
            given[key] = _Given(_accept(key, value, known[key]), FILE)
    return given


def _parse(text: str) -> dict[str, object]:
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, deep nesting
        place = re.search(r" \(at line (\d+), column \d+\)$", str(error))
        reason = str(error)[: place.start()] if place else str(error)
        raise _invalid(f"not valid TOML: {reason}", int(place[1]) if place else None) from None


def _accept(key: str, value: object, setting: Setting) -> Value:
    try:
        return accept(value, setting.default, setting.rule)
    except Refused as refused:
        raise _invalid(f"{key} must {refused}, not {_shown(value)}") from None


def _from_environment(
    environ: Mapping[str, str], known: Mapping[str, Setting], unread: dict[str, str]
) -> dict[str, _Given]:
    """``HIPPO_DECAY_RATE=0.2``. A name that starts like one of our tables must be one of our keys."""
    names = {_variable(key): key for key in known}
    prefixes = tuple(f"{_PREFIX}{table.upper()}_" for table in tables())
    given: dict[str, _Given] = {}
    for name, text in environ.items():
        if not name.startswith(prefixes) or name in _NOT_SETTINGS:
            continue
        if old := _unread_key(name):
            unread[old] = name
            continue
        if name not in names:
            raise ConfigInvalid(reason=f"unknown variable {name}" + _meant(name, names))
        setting = known[names[name]]
        try:
            value = accept(read(text, setting.default), setting.default, setting.rule)
        except Refused as refused:
            raise ConfigInvalid(reason=f"{name} must {refused}, not {_shown(text)}") from None
        given[names[name]] = _Given(value, name)
    return given


def _unread_key(variable: str) -> str:
    """The setting of an older version that a variable names, or nothing."""
    table, _, name = variable.removeprefix(_PREFIX).lower().partition("_")
    key = f"{table}.{name}"
    return key if _is_unread(key) else ""


def _variable(key: str) -> str:
    return _PREFIX + key.replace(".", "_").upper()


def _from_flags(
    flags: Mapping[str, tuple[str, object]], known: Mapping[str, Setting]
) -> dict[str, _Given]:
    given: dict[str, _Given] = {}
    for key, (flag, value) in flags.items():
        if value is None:
            continue
        try:
            accepted = accept(value, known[key].default, known[key].rule)
        except Refused as refused:
            reason = f"{flag} must {refused}, not {_shown(value)}"
            raise UsageError(reason=reason, advice="see --help") from None
        given[key] = _Given(accepted, flag)
    return given


def _check_descending(config: Config, given: Mapping[str, _Given]) -> None:
    """Raises where values do not descend, naming a value that was set."""
    for upper, lower in pairwise(_BANDS):
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
    text = re.sub(r"(://[^/@:]*:)[^/@]+@|(password=)[^&'\"]+", r"\1\2***", repr(value))
    return text if len(text) <= 40 else f"{text[:39]}…"


def _meant(word: str, among: Mapping[str, object]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(word[:100], among, 1)
    return f" (did you mean {near[0]}?)" if near else ""
