"""Logs, traces and what commands put out: the first error, the last lines, the exit code."""

from __future__ import annotations

import re

from hippocampus_cli.context.extract import Extract, Value, extracted, short
from hippocampus_cli.context.key_data import error_lines

_STAMP = re.compile(
    r"^\W{0,3}(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d)"
)
_LEVEL = re.compile(r"\b(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b")
_TRACE = re.compile(
    r"^Traceback \(most recent call last\)|^ +at [\w$.<>/\[\] ]+\(|^ +File \"[^\"]+\", line \d+"
    r"|^panic: |^goroutine \d+|^thread '.*' panicked|^Caused by: |^Exception in thread ",
    re.MULTILINE,
)
_RAISED = re.compile(r"^(?:Uncaught )?(?:[\w$.]*(?:Error|Exception|Warning|Interrupt|Exit))\b.*$")
_EXIT = re.compile(
    r"\bexit(?:ed)?(?: with)?(?: (?:code|status))?\s{0,3}[:=]?\s{0,3}\(?(-?\d{1,3})\b"
    r"|\b(?:exit |return)code\s{0,3}[:=]?\s{0,3}(-?\d{1,3})\b",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"File \"(?P<python>[^\"\n]{1,300})\", line (?P<line>\d+)"
    r"|(?<![\w./~@-])(?P<place>[\w./~@-]{1,200}\.[a-z]{1,5}:\d+)(?::\d+)?"
)
_TEST = re.compile(
    r"^(?:FAILED|FAIL|ERROR|✗|×|--- FAIL:)[ :]+(?=\S{0,200}(?:::|/|\.\w))(\S{1,200})", re.MULTILINE
)
_NAMES = ("error", "log", "test")
_SHARE, _LEAST = 0.3, 3
_LAST, _MOST = 3, 20
_FIRST_ERRORS, _LAST_ERRORS = 3, 3
_LONGEST = 2_000  # characters of a line that are looked at


def extract_log(text: str, hint: str) -> Extract | None:
    """The extract of a log or a trace, ``None`` for other text. A trace's kind is ``error``."""
    lines = _lines(text)
    trace = _TRACE.search(text) is not None
    stamped = sum(bool(_STAMP.match(line) or _LEVEL.search(line[:80])) for line in lines)
    log_like = len(lines) >= _LEAST and stamped >= len(lines) * _SHARE
    named = hint.lower().endswith((".log", ".err")) or hint.lower() in _NAMES
    code = _exit_code(lines)
    tests = [short(test) for test in dict.fromkeys(_TEST.findall(text))]
    if not (trace or log_like or named or code is not None or tests):
        return None
    errors = error_lines(lines)
    raised = next((short(line, 300) for line in lines if _RAISED.match(line)), "")
    first = raised or (errors[0].strip() if errors else "")  # a trace ends in what was raised
    failed = trace or code not in (None, "0")
    counts = [f"{'error output' if failed else 'log'}: {len(lines):,} lines"]
    counts += [f"{len(errors)} with errors"] if errors else []
    counts += [f"exit code {code}"] if code is not None else []
    return extracted(
        "error" if failed else "log",
        (
            ", ".join(counts),
            first and f"first error: {short(first, 300)}",
            *(f"… {short(line, 200)}" for line in lines[-_LAST:] if line != first),
        ),
        exit_code=code,
        raised=raised,
        failed=tests[:_MOST],
        places=_places(lines if failed else errors),
    )


def outcome(text: str) -> dict[str, Value]:
    """How a command ended, whatever its output is: the lines that speak of errors, the last line, the exit code."""
    lines = _lines(text)
    errors = list(dict.fromkeys(map(str.strip, error_lines(lines))))
    told = [*errors[:_FIRST_ERRORS], *errors[_FIRST_ERRORS:][-_LAST_ERRORS:]]
    found: dict[str, Value | None] = {
        "exit_code": _exit_code(lines),
        "errors": [short(line, 200) for line in told],
        "last_line": short(lines[-1], 200) if lines else None,
    }
    return {name: value for name, value in found.items() if value}


def _lines(text: str) -> list[str]:
    return [line[:_LONGEST].rstrip() for line in text.split("\n") if line.strip()]


def _exit_code(lines: list[str]) -> str | None:
    codes = (_EXIT.search(line[-200:]) for line in reversed(lines[-20:]))
    return next((code[1] or code[2] for code in codes if code), None)


def _places(lines: list[str]) -> list[str]:
    """``file:line`` of the lines, each once, the innermost last."""
    places = (place for line in lines for place in _PLACE.finditer(line[:400]))
    named = (
        f"{place['python']}:{place['line']}" if place["python"] else place["place"]
        for place in places
    )
    return list(dict.fromkeys(short(name, 320) for name in named))[-_MOST:]
