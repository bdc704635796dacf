"""Lifecycle policies (CONTEXT §10): what is done with an entry, by its type, source and words; and their file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from hippocampus_cli.context.lifecycle.session import (
    COMPRESSIONS,
    ENTRY_TYPES,
    PRIORITIES,
    Compression,
    ContextPriority,
    EntryType,
)
from hippocampus_cli.context.phrases import contains
from hippocampus_cli.errors import PolicyInvalid
from hippocampus_cli.workspace.own_files import POLICIES


class Match(NamedTuple):
    """What a policy is for; every matcher that is given must fit, any one of its values.

    ``source_type`` may hold ``*`` and ``?``; ``contains`` are words or phrases, in any case.
    """

    type: tuple[str, ...] = ()
    priority: tuple[str, ...] = ()
    source_type: tuple[str, ...] = ()
    contains: tuple[str, ...] = ()


class PolicyAction(NamedTuple):
    """What a policy does; ``None`` leaves a value as it is. ``decay_rate`` is per turn."""

    decay_rate: float | None = None
    priority: ContextPriority | None = None
    persist: bool | None = None
    expires_after_turns: int | None = None
    indexed: bool | None = None
    compression: Compression | None = None

    def then(self, later: PolicyAction) -> PolicyAction:
        """Both actions, the ``later`` one having the last word."""
        given = {name: value for name, value in later._asdict().items() if value is not None}
        return self._replace(**given)


class Policy(NamedTuple):
    """One policy; ``line`` is where it stands in the policies' file, ``None`` for one that is built in."""

    match: Match
    action: PolicyAction
    line: int | None = None


class Candidate(NamedTuple):
    """What a policy may look at; ``priority`` is one that was given by hand."""

    type: EntryType
    source_type: str
    priority: ContextPriority | None
    text: str


def apply_policies(
    candidate: Candidate, policies: Sequence[Policy]
) -> tuple[PolicyAction, tuple[Policy, ...]]:
    """What all fitting policies want together, and which they are: a later one sees the priority that an earlier one
    set.

    A priority that was given by hand is not up to policies.
    """
    action, fitting = PolicyAction(), []
    for policy in policies:
        priority = candidate.priority or action.priority or "normal"
        if fits(candidate._replace(priority=priority), policy.match):
            action = action.then(policy.action)
            fitting.append(policy)
    return action, tuple(fitting)


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
            PolicyAction(priority="high", persist=True),
        ),
        Policy(
            Match(type=("tool_result",), source_type=("error",)),
            PolicyAction(expires_after_turns=50),
        ),
        Policy(
            Match(source_type=("browser.snapshot",)),
            PolicyAction(0.2, indexed=True, compression="aggressive"),
        ),
        Policy(
            Match(source_type=("config.schema", "config.get")), PolicyAction(0.3, persist=False)
        ),
    )


_MOST = 1_000_000
_TOP = "lifecycle_policies"


_NUMBERS = f"from 0 to {_MOST:,}"
_WORDS: Mapping[object, str] = {
    str: "text, and not empty",
    bool: "true or false",
    int: f"a whole number {_NUMBERS}",
    float: f"a number {_NUMBERS}",
}
_Keys = Mapping[str, type | tuple[str, ...]]
_FIELDS = {"source.type": "source_type", "index": "indexed"}
_MATCH: _Keys = {
    "type": ENTRY_TYPES,
    "priority": PRIORITIES,
    "contains": str,
    "source.type": str,
}
_ACTION: _Keys = {
    "decay_rate": float,
    "priority": PRIORITIES,
    "persist": bool,
    "expires_after_turns": int,
    "index": bool,
    "compression": COMPRESSIONS,
}
"""The keys of a policy's parts, and of which type or words their values are."""


def read_policies(text: str) -> tuple[Policy, ...]:
    """The policies that the file's text states, in order; a mistake is told with the line of its policy.

    Raises :class:`PolicyInvalid`.
    """
    import yaml  # only where a workspace has policies

    try:
        document, node = yaml.safe_load(text), yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError, ValueError, TypeError) as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error).split("\n")[0]
        raise _mistake(f"not YAML: {problem}", mark.line + 1 if mark else None) from None
    if document is None:
        return ()
    if not isinstance(document, dict) or list(document) != [_TOP]:
        raise _mistake(f"the file must be `{_TOP}:` and a list")
    if not isinstance(document[_TOP], list):
        raise _mistake(f"{_TOP} must be a list of policies")
    lines = [item.start_mark.line + 1 for item in (node.value[0][1].value if node else ())]
    return tuple(map(_read_policy, document[_TOP], lines))


def _read_policy(policy: object, line: int) -> Policy:
    parts = policy if isinstance(policy, dict) else {}
    for name in ("match", "action"):
        if name not in parts:
            raise _mistake(f"this policy has no {name}", line)
    match = _read_part(parts["match"] or {}, _MATCH, line)
    if not match:
        raise _mistake("this policy matches everything: say what it is for", line)
    action = _read_part(parts["action"], _ACTION, line)
    return Policy(
        Match(**{name: tuple(values) for name, values in match.items()}),
        PolicyAction(**{name: value for name, (value,) in action.items()}),
        line,
    )


def _read_part(part: object, keys: _Keys, line: int) -> dict[str, list[Any]]:
    """The values of a match or an action; where one may stand, a list of one or more is read."""
    if not isinstance(part, dict) or not part.keys() <= keys.keys():
        raise _mistake(f"use {', '.join(keys)} here", line)
    read: dict[str, list[Any]] = {}
    for key, value in part.items():
        kind, name = keys[key], _FIELDS.get(key, str(key))
        read[name] = value if isinstance(value, list) and keys is _MATCH else [value]
        if not read[name] or not all(_is_of(kind, item) for item in read[name]):
            words = _WORDS.get(kind) or f"one of {', '.join(kind)}"  # type: ignore[arg-type]
            raise _mistake(f"{key} must be {words}", line)
    return read


def _is_of(kind: type | tuple[str, ...], value: Any) -> bool:
    """Whether a value is one of some words, or of a type and not empty or too large."""
    if isinstance(kind, tuple):
        return value in kind
    if kind is str:
        return isinstance(value, str) and bool(value.strip())
    return type(value) in (kind, int if kind is float else kind) and 0 <= value <= _MOST


def _mistake(reason: str, line: int | None = 1) -> PolicyInvalid:
    return PolicyInvalid(path=POLICIES, line=line, reason=reason)
