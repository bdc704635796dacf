"""Key data: what a summary must keep to the letter, because nobody can guess it (CONTEXT §5, ``key_data``).

Commands, paths, URLs, error texts, identifiers and numbers with their unit or name, found by their form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NamedTuple, get_args

Kind = Literal["command", "path", "url", "error", "identifier", "number"]
KINDS: tuple[Kind, ...] = get_args(Kind)

LONGEST = 300
"""Characters of a datum at most; what is longer is no datum."""
_ERRORS = 4  # of one text

_URL = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s<>\"'`\])}]+", re.IGNORECASE)
_PATH = re.compile(
    r"(?<![\w/.@:$+-])(?:~|\.{1,2}|[A-Za-z]:)?(?:[/\\][\w.@+-]+){2,}[/\\]?"
    r"|(?<![\w/.@:$+-])(?:~/|\.{1,2}/|/)[\w.@+-]+"
    r"|(?<![\w/.@:$+-])(?:[\w.@+-]+/)+[\w.@+-]*\.\w{1,8}\b"
    r"|(?<![\w/.@:$+-])(?:[\w.@+-]+/){2,}[\w.@+-]*"
    r"|(?<![\w/.@:$+-])[\w+-]+(?:\.[\w+-]+)*\.(?:"
    r"c|cc|cfg|conf|cpp|cs|css|csv|db|env|go|gz|h|html?|ini|ipynb|java|jpe?g|jsx?|jsonl?|kt|lock|log"
    r"|mdx?|mjs|pdf|php|png|py|rb|rs|sh|sql|sqlite|svg|swift|tar|tf|toml|tsx?|txt|xml|ya?ml|zip)\b"
)
_DIFF_SIDE = re.compile(r"^[ab]/(?=.*[/.])")  # of `git diff`
_SPAN = re.compile(r"(?<!`)(`{1,2})(?!`)([^\n]+?)\1(?!`)")
_PROMPT = re.compile(r"^[ \t]*(?:\$|>|%|❯)[ ](\S[^\n]*)", re.MULTILINE)
_PROGRAM = re.compile(r"[a-z.~/][\w.+/-]*[ \t]+\S")
_ERROR = re.compile(
    r"\b(?:(?-i:[A-Z]\w*(?:Error|Exception)|E[A-Z]{4,})|errors?|exception|fatal|critical|failed"
    r"|panic(?:ked)?"
    r"|failure|denied|refused|cannot|not found|no such|undefined|timed out)\b",
    re.IGNORECASE,
)
_NO_ERROR = re.compile(r"\b(?:0|no) (?:errors?|failures?|failed|fatal)\b", re.IGNORECASE)
_NAMED_ERROR = re.compile(r"[\w.]*(?:Error|Exception)\b:")
_IDENTIFIER = re.compile(
    r"(?<![\w/.@+-])(?:"
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"  # a UUID
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"  # a mail address
    r"|@[\w-]+/[\w.-]+"  # a scoped package
    r"|(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}"  # a hash
    r"|\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}[\d:.]*(?:Z|[+-]\d{2}:\d{2})?)?"  # a date
    r"|v?\d+(?:\.\d+){2,}(?:-[\w.]+)?"  # a version, an address
    r"|[A-Z]{2,10}-\d+"  # a ticket
    r"|[A-Za-z]+(?:_[A-Za-z0-9]+)+"  # snake_case, CONSTANTS
    r"|[a-z]+(?:[A-Z][a-z0-9]+)+"  # camelCase
    r"|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+"  # PascalCase
    r"|(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)+"  # acme-2, dep_8f3k
    r")(?![\w@])"
)
_UNITS = (
    "ms|s|secs?|seconds?|min|mins|minutes?|h|hours?|days?|weeks?|months?|years?|k|kB|KB|MB|GB|TB|KiB|MiB|GiB"
    "|bytes?|bits?|tokens?|rows?|lines?|files?|px|k?Hz|MHz|GHz|°C|°F|km|kg|EUR|USD|x|times|percent"
)
_NUMBER = re.compile(
    r"(?<![\w.,/:#-])(?:(?!(?:the|a|an|and|or|of|in|at|on|to|by|for|is|are|was|than|with|about|from)\b)"
    r"[A-Za-z]{2,20}(?:[ ]?[=:][ ]?|[ ]))?"
    r"[$€£]?\d+(?:,\d{3})*(?:[.:]\d+)*"
    rf"(?:[ ]?%|[ ]?(?:{_UNITS})\b|)(?![\w/])(?!-\d)"
)


PLURALS: dict[Kind, str] = {
    "command": "commands",
    "path": "paths",
    "url": "URLs",
    "error": "errors",
    "identifier": "identifiers",
    "number": "numbers",
}
"""How a summary names each kind of key data."""


class KeyDatum(NamedTuple):
    """One datum, word for word as it stands in the text."""

    kind: Kind
    text: str


def key_data(text: str, kinds: tuple[Kind, ...] = KINDS) -> tuple[KeyDatum, ...]:
    """The key data of ``kinds`` in ``text``, each once, kind by kind in the order of the text.

    What is part of a longer datum (a path of a URL, a version in a path) is not named again.
    """
    data: dict[str, KeyDatum] = {}
    taken = ""
    for kind in KINDS:
        if kind not in kinds:
            continue
        fresh = [datum for datum in _FINDERS[kind](text) if datum and len(datum) <= LONGEST]
        for datum in fresh:
            if datum not in data and (kind == "command" or datum not in taken):
                data[datum] = KeyDatum(kind, datum)
        taken = "\n".join(data)
    return tuple(data.values())


def _commands(text: str) -> Iterator[str]:
    yield from map(str.rstrip, _PROMPT.findall(text))
    for _, span in _SPAN.findall(text):
        code = span.strip()
        if _PROGRAM.match(code):
            yield code


def _paths(text: str) -> Iterator[str]:
    for path in _PATH.findall(_URL.sub(" ", text)):
        named = _DIFF_SIDE.sub("", path.rstrip(".,;:"))
        if not named.startswith("/dev/"):
            yield named


def _errors(text: str) -> Iterator[str]:
    """The lines that speak of an error, those that name its class first; not those that say there is none."""
    lines = [line.strip() for line in text.split("\n") if len(line) <= LONGEST]
    errors = (line for line in lines if _ERROR.search(line) and not _NO_ERROR.search(line))
    yield from sorted(dict.fromkeys(errors), key=lambda line: not _NAMED_ERROR.match(line))[
        :_ERRORS
    ]


_FINDERS: dict[Kind, Callable[[str], Iterable[str]]] = {
    "command": _commands,
    "path": _paths,
    "url": lambda text: [url.rstrip(".,;:!?…") for url in _URL.findall(text)],
    "error": _errors,
    "identifier": lambda text: _IDENTIFIER.findall(_URL.sub(" ", text)),
    "number": lambda text: [number.strip() for number in _NUMBER.findall(text) if len(number) > 1],
}
