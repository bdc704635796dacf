"""Everything that is wrong with an index: the file itself, and where its pointers lead."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date

from hippocampus_cli.curation.following import remark_on
from hippocampus_cli.index import checks
from hippocampus_cli.index.checks import Diagnostic, Severity
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.pointers import Pointer, parse_pointers
from hippocampus_cli.markdown.lines import split_lines
from hippocampus_cli.workspace.note import Section
from hippocampus_cli.workspace.redaction import secrets_in
from hippocampus_cli.workspace.resolve import Resolved, Status
from hippocampus_cli.workspace.sections import How

Follow = Callable[[Pointer], Resolved[Section]]
_CODES = {
    Status.MISSING_FILE: ("missing-file", Severity.ERROR),
    Status.OUTSIDE: ("outside", Severity.ERROR),
    Status.MISSING_SECTION: ("missing-section", Severity.WARNING),
    Status.UNREADABLE: ("unreadable", Severity.WARNING),
    Status.ABSOLUTE: ("absolute-path", Severity.WARNING),
}


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found, sorted by file and line, and how much it looked at."""

    diagnostics: tuple[Diagnostic, ...]
    entries: int
    pointers: int

    @property
    def errors(self) -> int:
        return sum(one.severity is Severity.ERROR for one in self.diagnostics)

    @property
    def warnings(self) -> int:
        return len(self.diagnostics) - self.errors


def check(index: Hierarchy, today: date, follow: Follow) -> Checked:
    """Every diagnostic of the index, file by file. Nothing is changed."""
    found = []
    for path, document in index.files.items():
        found += [replace(one, path=path) for one in checks.check(document, today)]
    for located in index.entries:
        found += _pointers(located, follow)
        found += _secrets(located)
    order = {path: at for at, path in enumerate(index.files)}
    found.sort(key=lambda one: (order[one.path], one.line, one.code, one.message))
    pointers = sum(len(located.entry.pointers) for located in index.entries)
    return Checked(tuple(found), len(index.entries), pointers)


def _secrets(located: Located) -> Iterator[Diagnostic]:
    """What an entry must not hold. Upkeep takes it out of what was drafted; the rest is its writer's."""
    entry = located.entry
    kinds = [
        one.kind for text in (entry.topic, entry.summary, *entry.tags) for one in secrets_in(text)
    ]
    if kinds:
        message = f"it holds a secret ({kinds[0]}): say where it lies, not what it is"
        yield Diagnostic(
            located.line, "secret", Severity.WARNING, message, located.key, located.file
        )


def _pointers(located: Located, follow: Follow) -> Iterator[Diagnostic]:
    raw = located.entry.raw
    for start, end in located.entry.pointer_spans:
        line = located.line + len(split_lines(raw[:start] + "x")) - 1
        for pointer in parse_pointers(raw[start:end]):
            found = follow(pointer)
            if found.how is How.FUZZY:
                code, severity = "fuzzy-section", Severity.WARNING
            elif found.status in _CODES:
                code, severity = _CODES[found.status]
            else:
                continue
            message = f"{pointer}: {remark_on(found)}"
            yield Diagnostic(line, code, severity, message, located.key, located.file)
