"""Source files: the language and its symbols, each with its line."""

from __future__ import annotations

import re

from hippocampus_cli.context.lifecycle.extract import Extract, extracted, short

_LANGUAGES = {
    "py": "Python", "pyi": "Python", "js": "JavaScript", "mjs": "JavaScript", "jsx": "JavaScript",
    "ts": "TypeScript", "tsx": "TypeScript", "go": "Go", "rs": "Rust", "java": "Java",
    "kt": "Kotlin", "swift": "Swift", "c": "C", "h": "C", "cpp": "C++", "hpp": "C++", "cs": "C#",
    "rb": "Ruby", "php": "PHP", "sh": "shell", "bash": "shell", "lua": "Lua", "scala": "Scala",
    "ex": "Elixir", "sql": "SQL", "css": "CSS", "vue": "Vue", "zig": "Zig",
}  # fmt: skip
_SYMBOL = re.compile(
    r"^[ \t]{0,40}(?:(?:export|default|pub(?:\(\w+\))?|public|private|protected|static|final|abstract|async"
    r"|override|internal|open|data|sealed|unsafe|extern|declare)[ \t]{1,9}){0,5}"
    r"(?P<word>def|class|function\*?|fn|func|fun|interface|type|struct|enum|trait|impl|module|namespace"
    r"|protocol|CREATE TABLE|create table)[ \t]{1,9}"
    r"(?:\([^()\n]{0,80}\)[ \t]{0,9})?(?P<name>[A-Za-z_$][\w$]{0,80})"
    r"|^(?:export[ \t]{1,9})?(?:const|let|var)\s+(?P<arrow>[A-Za-z_$][\w$]{0,80})[ \t]{0,9}="
    r"[ \t]{0,9}(?:async[ \t]{0,9})?(?:\(|function)"
    r"|^(?P<shell>[A-Za-z_][\w-]{0,60})[ \t]{0,9}\(\)[ \t]{0,9}\{",
    re.MULTILINE,
)
_IMPORT = re.compile(
    r"^(?:import|from|use|require|#include|using|package)\b[ (]*[\"'<]?([\w./@:-]{1,80})",
    re.MULTILINE,
)
_GUESSES = (
    (
        "Python",
        re.compile(
            r"^(?:def \w{1,80}\([^\n]{0,300}:|class \w{1,80}[^\n]{0,200}:|from [\w.]{1,80} import )",
            re.MULTILINE,
        ),
    ),
    (
        "TypeScript",
        re.compile(r"^(?:export )?(?:interface|type) \w{1,80}[^\n]{0,200}[{=]", re.MULTILINE),
    ),
    (
        "JavaScript",
        re.compile(
            r"^(?:export )?(?:async )?(?:function |const \w{1,80} = (?:async )?\()", re.MULTILINE
        ),
    ),
    ("Go", re.compile(r"^package \w{1,80}[ \t]{0,9}$", re.MULTILINE)),
    ("Rust", re.compile(r"^(?:pub )?(?:fn \w|impl |use \w{1,80}::)", re.MULTILINE)),
    ("C", re.compile(r"^#include [<\"]", re.MULTILINE)),
    (
        "Java",
        re.compile(
            r"^(?:public )?(?:final )?(?:class|interface) \w{1,80}[^\n]{0,200}\{", re.MULTILINE
        ),
    ),
    ("shell", re.compile(r"\A#![^\n]{0,80}\b(?:ba|z|da)?sh\b")),
)
_LEAST_SYMBOLS = 2
_MOST = 80


def extract_source(text: str, hint: str) -> Extract | None:
    """The extract of a source file, ``None`` for other text."""
    language = _LANGUAGES.get(hint.rpartition(".")[2].lower()) if "." in hint else None
    symbols = _symbols(text)
    if language is None:
        language = next((name for name, sign in _GUESSES if sign.search(text)), None)
        if language is None or len(symbols) < _LEAST_SYMBOLS:
            return None
    lines = text.count("\n") + 1
    summary = f"{language} source, {lines:,} lines"
    if symbols:
        summary += f": {', '.join(list(symbols)[:12])}"
    return extracted(
        "source",
        (short(summary, 400), _first_words(text)),
        symbols={name: str(line) for name, line in list(symbols.items())[:_MOST]},
        imports=list(dict.fromkeys(_IMPORT.findall(text)))[:_MOST],
    )


def _symbols(text: str) -> dict[str, int]:
    """The names that the text defines, each with the line of its first definition."""
    found: dict[str, int] = {}
    line, at = 1, 0
    for symbol in _SYMBOL.finditer(text):
        start = symbol.start(symbol.lastgroup or 0)
        line += text.count("\n", at, start)
        at = start
        name = symbol["name"] or symbol["arrow"] or symbol["shell"]
        found.setdefault(name, line)
    return found


def _first_words(text: str) -> str:
    """What a file says of itself in its first comment or docstring."""
    for line in text.split("\n")[:12]:
        bare = line.strip().strip("#/*-\"'; ").strip()
        if bare and line.strip()[0] in "#/*\"'-;" and not line.startswith("#!") and " " in bare:
            return "" if bare.startswith(("include", "define", "coding")) else short(bare, 200)
    return ""
