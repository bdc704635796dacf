"""Source files: their symbols, each with its line."""

from __future__ import annotations

import re

from hippocampus_cli.context.extract import Extract, filled, short

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
_CODE = re.compile(
    r"^(?:def \w{1,80}\([^\n]{0,300}:|from [\w.]{1,80} import |(?:export )?(?:async )?function |#include [<\"]"
    r"|(?:[a-z]{1,9} ){0,3}(?:class|interface|type|struct|impl|trait) \w{1,80}[^\n]{0,200}[{:=]$|package \w{1,80}$"
    r"|(?:pub )?fn \w|func [\w(])",
    re.MULTILINE,
)
_NAME = re.compile(
    r"\.(?:pyi?|m?jsx?|tsx?|go|rs|java|kt|swift|[ch](?:pp)?|cs|rb|php|(?:ba)?sh|lua|scala|ex|sql|css|vue|zig)$",
    re.IGNORECASE,
)
_LEAST_SYMBOLS, _MOST = 2, 80


def extract_source(text: str, hint: str) -> Extract | None:
    """The extract of a source file, ``None`` for other text."""
    symbols = _symbols(text)
    is_code = len(symbols) >= _LEAST_SYMBOLS and _CODE.search(text)
    if not (is_code or _NAME.search(hint)):
        return None
    summary = f"source, {text.count(chr(10)) + 1:,} lines"
    if symbols:
        summary += f": {', '.join(list(symbols)[:12])}"
    named = {name: str(line) for name, line in list(symbols.items())[:_MOST]}
    return Extract("source", short(summary, 400), filled({"symbols": named}))


def _symbols(text: str) -> dict[str, int]:
    """The names that the text defines, each with the line of its first definition."""
    symbols: dict[str, int] = {}
    line, counted = 1, 0
    for symbol in _SYMBOL.finditer(text):
        start = symbol.start(symbol.lastgroup or 0)
        line += text.count("\n", counted, start)
        counted = start
        symbols.setdefault(symbol["name"] or symbol["arrow"] or symbol["shell"], line)
    return symbols
