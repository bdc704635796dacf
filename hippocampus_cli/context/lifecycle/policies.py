"""Lifecycle policies (CONTEXT §10): what is done with an entry, by its type, source and words; and their file."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Any, NamedTuple, NoReturn

from hippocampus_cli.context.lifecycle.session import (
    COMPRESSIONS,
    ENTRY_TYPES,
    PRIORITIES,
    Compression,
    EntryType,
    Priority,
)
from hippocampus_cli.context.phrases import contains
from hippocampus_cli.errors import PolicyInvalid
from hippocampus_cli.workspace.own_files import POLICIES

Node = Any  # of YAML, which is loaded only where a workspace has policies


class Match(NamedTuple):
    """What a policy is for; every matcher that is given must fit, any one of its values.

    ``source_type`` may hold ``*`` and ``?``; ``contains`` are words or phrases, in any case.
    """

    type: tuple[str, ...] = ()
    priority: tuple[str, ...] = ()
    source_type: tuple[str, ...] = ()
    contains: tuple[str, ...] = ()


class Action(NamedTuple):
    """What a policy does; ``None`` leaves a value as it is. ``decay_rate`` is per turn."""

    decay_rate: float | None = None
    priority: Priority | None = None
    persist: bool | None = None
    expires_after_turns: int | None = None
    indexed: bool | None = None
    compression: Compression | None = None

    def then(self, later: Action) -> Action:
        """Both actions, the ``later`` one having the last word."""
        given = {name: value for name, value in later._asdict().items() if value is not None}
        return self._replace(**given)


class Policy(NamedTuple):
    """One policy; ``line`` is where it stands in the policies' file, ``None`` for one that is built in."""

    match: Match
    action: Action
    line: int | None = None


class Candidate(NamedTuple):
    """What a policy may look at."""

    type: EntryType
    source_type: str
    priority: Priority
    text: str


class PolicyResult(NamedTuple):
    """What all fitting policies want together, and which they are."""

    action: Action
    policies: tuple[Policy, ...] = ()


def apply_policies(
    candidate: Candidate, policies: Sequence[Policy], given: Priority | None
) -> PolicyResult:
    """The policies that fit, one after another: a later one sees the priority that an earlier one set.

    A priority that was ``given`` by hand is not up to policies.
    """
    action, fitting = Action(), []
    for policy in policies:
        priority = given or action.priority or candidate.priority
        if fits(candidate._replace(priority=priority), policy.match):
            action = action.then(policy.action)
            fitting.append(policy)
    return PolicyResult(action, tuple(fitting))


def fits(candidate: Candidate, match: Match) -> bool:
    """Whether the candidate meets every matcher that is given."""
    if match.type and candidate.type not in match.type:
        return False
    if match.priority and candidate.priority not in match.priority:
        return False
    kinds = match.source_type
    if kinds and not any(fnmatchcase(candidate.source_type, kind) for kind in kinds):
        return False
    return not match.contains or contains(candidate.text, match.contains)


def built_in(instruction_words: tuple[str, ...]) -> tuple[Policy, ...]:
    """The policies of CONTEXT §10, which hold where a workspace has none of its own.

    The first of them, for tool results, says what the settings say anyway.
    """
    return (
        Policy(
            Match(type=("message",), source_type=("user",), contains=instruction_words),
            Action(priority="high", persist=True),
        ),
        Policy(
            Match(type=("tool_result",), source_type=("error",)), Action(expires_after_turns=50)
        ),
        Policy(
            Match(source_type=("browser.snapshot",)),
            Action(0.2, indexed=True, compression="aggressive"),
        ),
        Policy(Match(source_type=("config.schema", "config.get")), Action(0.3, persist=False)),
    )


_TOP = "lifecycle_policies"
_LONGEST = 256_000  # characters
_SHAPE = f"the file must be `{_TOP}:` and a list of policies, each with match and action"
_EVERYTHING = "this policy matches everything: say what it is for"


def read_policies(text: str) -> tuple[Policy, ...]:
    """The policies that the file's text states, in order. Raises :class:`PolicyInvalid`."""
    if len(text) > _LONGEST:
        raise PolicyInvalid(path=POLICIES, reason=f"more than {_LONGEST:,} characters of policies")
    top = _compose(text)
    if top is None:
        return ()
    if top.id != "mapping" or not top.value:
        _refuse(top, _SHAPE)
    listed = dict(_pairs(top, (_TOP,)))[_TOP]
    if listed.id != "sequence":
        _refuse(listed, f"{_TOP} must be a list of policies")
    return tuple(_policy(node) for node in listed.value)


def _compose(text: str) -> Node | None:
    import yaml

    try:
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else None
        reason = f"not YAML: {error.problem or error.context}"
        raise PolicyInvalid(path=POLICIES, line=line, reason=reason) from None
    except (yaml.YAMLError, RecursionError) as error:
        reason = f"not YAML: {str(error).splitlines()[0] if str(error) else 'nested too deeply'}"
        raise PolicyInvalid(path=POLICIES, reason=reason) from None


def _policy(node: Node) -> Policy:
    parts = dict(_pairs(node, ("match", "action")))
    for name in ("match", "action"):
        if name not in parts:
            _refuse(node, f"this policy has no {name}")
    return Policy(_match(parts["match"]), _action(parts["action"]), node.start_mark.line + 1)


def _match(node: Node) -> Match:
    readers: dict[str, tuple[str, Callable[[Node], str]]] = {
        "type": ("type", lambda one: _choice(one, ENTRY_TYPES)),
        "priority": ("priority", lambda one: _choice(one, PRIORITIES)),
        "contains": ("contains", _text),
        "source.type": ("source_type", _text),
    }
    if not node.value:
        _refuse(node, _EVERYTHING)
    values: dict[str, tuple[str, ...]] = {}
    for key, value in _pairs(node, tuple(readers)):
        items = value.value if value.id == "sequence" else [value]
        if not items:
            _refuse(value, f"{key} is empty")
        name, read = readers[key]
        values[name] = tuple(read(item) for item in items)
    match = Match(**values)
    if _is_of_everything(match):
        _refuse(node, _EVERYTHING)
    return match


def _is_of_everything(match: Match) -> bool:
    """Whether no matcher rules anything out."""
    return not (
        (match.type and set(match.type) != set(ENTRY_TYPES))
        or (match.priority and set(match.priority) != set(PRIORITIES))
        or (match.source_type and not any(map(_is_any_text, match.source_type)))
        or match.contains
    )


def _is_any_text(pattern: str) -> bool:
    """Whether every text of a character or more fits."""
    return set(pattern) <= {"*", "?"} and "*" in pattern and pattern.count("?") < 2


def _action(node: Node) -> Action:
    readers: dict[str, tuple[str, Callable[[Node], object]]] = {
        "decay_rate": ("decay_rate", lambda one: _number(one, float)),
        "priority": ("priority", lambda one: _choice(one, PRIORITIES)),
        "persist": ("persist", _truth),
        "expires_after_turns": ("expires_after_turns", lambda one: _number(one, int)),
        "index": ("indexed", _truth),
        "compression": ("compression", lambda one: _choice(one, COMPRESSIONS)),
    }
    values: dict[str, Any] = {}
    for key, value in _pairs(node, tuple(readers)):
        name, read = readers[key]
        values[name] = read(value)
    return Action(**values)


def _pairs(node: Node, allowed: tuple[str, ...]) -> Iterator[tuple[str, Node]]:
    """The keys and values of a mapping that may hold ``allowed`` keys, each once."""
    if node.id != "mapping" or not node.value:
        _refuse(node, f"expected {', '.join(allowed)} here")
    seen: set[str] = set()
    for key, value in node.value:
        name = key.value if key.id == "scalar" else "this key"
        if name not in allowed:
            near = get_close_matches(name[:60], allowed, 1)
            meant = f"did you mean {near[0]}?" if near else f"use {', '.join(allowed)}"
            _refuse(key, f"there is no {name[:60]!r} here; {meant}")
        if name in seen:
            _refuse(key, f"{name} is given twice")
        seen.add(name)
        yield name, value


def _choice(node: Node, allowed: tuple[str, ...]) -> Any:
    if node.id != "scalar" or node.value not in allowed:
        _refuse(node, f"must be one of {', '.join(allowed)}")
    return node.value


def _text(node: Node) -> str:
    if node.id != "scalar" or not node.value.strip():
        _refuse(node, "must be text, and not empty")
    return str(node.value)


def _truth(node: Node) -> bool:
    if node.tag != "tag:yaml.org,2002:bool":
        _refuse(node, "must be true or false")
    return str(node.value).lower() in ("true", "yes", "on")


def _number(node: Node, kind: type[int] | type[float]) -> float:
    try:
        value = kind(node.value) if node.id == "scalar" else math.nan
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and 0 <= value <= 1_000_000):
        _refuse(node, f"must be a {'whole ' if kind is int else ''}number from 0 to 1,000,000")
    return value


def _refuse(node: Node, reason: str) -> NoReturn:
    raise PolicyInvalid(path=POLICIES, line=node.start_mark.line + 1, reason=reason)
