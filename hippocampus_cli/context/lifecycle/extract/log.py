"""Logs, test runs and stack traces: the first error, the last lines, the exit code."""

from __future__ import annotations

import re

from hippocampus_cli.context.lifecycle.extract import Extract, Value, extracted, short

_STAMP = re.compile(
    r"^\W{0,3}(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d)"
)
_LEVEL = re.compile(r"\b(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b")
_WARNING = re.compile(r"\bwarn(?:ing)?\b", re.IGNORECASE)
_ERROR = re.compile(
    r"\b(?:error|fatal|critical|panic(?:ked)?|exception|failed|failure|traceback"
    r"|cannot|could not|not found|denied|refused|segmentation fault)\b"
    r"|\b[A-Z]\w*(?:Error|Exception)\b|^E {3}",
    re.IGNORECASE,
)
_NO_ERROR = re.compile(r"\b(?:0|no) (?:errors?|failures?|failed|fatal)\b", re.IGNORECASE)
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
    r"File \"(?P<py>[^\"\n]{1,300})\", line (?P<line>\d+)"
    r"|(?<![\w./~@-])(?P<at>[\w./~@-]{1,200}\.[a-z]{1,5}:\d+)(?::\d+)?"
)
_TEST = re.compile(
    r"^(?:FAILED|FAIL|ERROR|✗|×|--- FAIL:)[ :]+(?=\S{0,200}(?:::|/|\.\w))(\S{1,200})", re.MULTILINE
)
_SHARE = 0.3
_LEAST = 3
_LAST = 3
_MOST = 20
_FIRST_ERRORS, _LAST_ERRORS = 3, 3
_LONGEST = 2_000  # characters of a line that are looked at


def extract_log(text: str, hint: str) -> Extract | None:
    """The extract of a log or a trace, ``None`` for other text. A trace's kind is ``error``."""
    lines = [line[:_LONGEST].rstrip() for line in text.split("\n") if line.strip()]
    trace = _TRACE.search(text) is not None
    stamped = sum(bool(_STAMP.match(line) or _LEVEL.search(line[:80])) for line in lines)
    log_like = len(lines) >= _LEAST and stamped >= len(lines) * _SHARE
    named = hint.lower().endswith((".log", ".err")) or hint.lower() in ("error", "log", "test")
    code = _exit_code(lines)
    tests = list(dict.fromkeys(_TEST.findall(text)))
    if not (trace or log_like or named or code is not None or tests):
        return None
    kind = "error" if trace or code not in (None, "0") else "log"
    return _described(kind, lines, code, tests)


def outcome(text: str) -> dict[str, Value]:
    """How a command ended, whatever its output is: the lines that speak of errors, the last line, the exit code."""
    lines = [line[:_LONGEST].strip() for line in text.split("\n") if line.strip()]
    errors = list(
        dict.fromkeys(line for line in lines if _ERROR.search(line) and not _NO_ERROR.search(line))
    )
    told = [*errors[:_FIRST_ERRORS], *errors[_FIRST_ERRORS:][-_LAST_ERRORS:]]
    found: dict[str, Value | None] = {
        "exit_code": _exit_code(lines),
        "errors": [short(line, 200) for line in told],
        "last_line": short(lines[-1], 200) if lines else None,
    }
    return {name: value for name, value in found.items() if value}


def _described(kind: str, lines: list[str], code: str | None, tests: list[str]) -> Extract:
    errors = [line for line in lines if _ERROR.search(line) and not _NO_ERROR.search(line)]
    warnings = sum(bool(_WARNING.search(line)) for line in lines)
    raised = _raised(lines)
    first = raised or (errors[0].strip() if errors else "")  # a trace ends in what was raised
    counts = f"{len(lines):,} lines"
    counts += f", {len(errors)} with errors" if errors else ""
    counts += f", {warnings} with warnings" if warnings else ""
    summary = [f"{'error output' if kind == 'error' else 'log'}: {counts}"]
    if code is not None:
        summary[0] += f", exit code {code}"
    if first:
        summary.append(f"first error: {short(first, 300)}")
    last = [line for line in lines[-_LAST:] if line != first]
    summary += [f"… {short(line, 200)}" for line in last]
    return extracted(
        kind,
        summary,
        exit_code=code,
        raised=raised,
        failed=[short(test) for test in tests[:_MOST]],
        places=_places(errors if kind == "log" else lines),
    )


def _raised(lines: list[str]) -> str:
    for line in lines:
        if _RAISED.match(line):
            return short(line, 300)
    return ""


def _exit_code(lines: list[str]) -> str | None:
    for line in reversed(lines[-20:]):
        if found := _EXIT.search(line[-200:]):
            return found[1] or found[2]
    return None


def _places(lines: list[str]) -> list[str]:
    """``file:line`` of the lines, each once, the innermost last."""
    found: dict[str, None] = {}
    for line in lines:
        for place in _PLACE.finditer(line[:400]):
            named = f"{place['py']}:{place['line']}" if place["py"] else place["at"]
            found[short(named, 320)] = None
    return list(found)[-_MOST:]
