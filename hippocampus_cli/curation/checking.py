"""Everything that is wrong with an index: the file itself, and where its pointers lead."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date

from hippocampus_cli.curation.following import remark_on
from hippocampus_cli.errors import IndexShrunk
from hippocampus_cli.index import checks
from hippocampus_cli.index.checks import LEFT_BEHIND, Diagnostic, Severity
from hippocampus_cli.index.conflicts import conflict_lines
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.pointers import Pointer, parse_pointers
from hippocampus_cli.markdown.lines import split_lines
from hippocampus_cli.workspace.guard import Loss
from hippocampus_cli.workspace.note import Section
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
    order = {path: at for at, path in enumerate(index.files)}
    found.sort(key=lambda one: (order[one.path], one.line, one.code, one.message))
    pointers = sum(len(located.entry.pointers) for located in index.entries)
    return Checked(tuple(found), len(index.entries), pointers)


def with_losses(checked: Checked, index: Hierarchy, loss: Loss | None) -> Checked:
    """The same with what a merge left in the archive, and first of all what was lost since the last write."""
    found = [*checked.diagnostics]
    for path, document in index.archive.items():
        for line in conflict_lines(document.text):
            found.append(Diagnostic(line, "merge-conflict", Severity.ERROR, LEFT_BEHIND, path=path))
    if loss:
        shrunk = IndexShrunk(lost=len(loss.ids), total=loss.total)
        message = f"{shrunk.message}; {shrunk.advice}"
        found.insert(0, Diagnostic(1, shrunk.code, Severity.ERROR, message))
    return replace(checked, diagnostics=tuple(found))


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
