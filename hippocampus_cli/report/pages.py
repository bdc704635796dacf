"""The report as a markdown page and as one HTML page, and writing a page to a file that a person named.

Upkeep files the markdown page month by month. The HTML page needs no network and no script, and to make it the extra
``report``. Only a file that hippo wrote is ever written over.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Sequence
from functools import partial
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from hippocampus_cli.errors import ExtraMissing, FileUnwritable, UsageError
from hippocampus_cli.markdown.safe import safe_line
from hippocampus_cli.report.health import Health
from hippocampus_cli.report.tables import (
    Table,
    facts,
    left_out,
    lists,
    long_day,
    tables,
)
from hippocampus_cli.workspace.atomic import replace_bytes

_SIGNS = re.compile(r"([\\`*_\[\]<>|#~&$])")


def markdown(health: Health) -> str:
    """The page, its lines ended by a newline. Text of the workspace shows as itself, signs escaped."""
    return "".join(f"{line}\n" for line in _lines(health))


def escaped(text: str) -> str:
    """``text`` on one line, harmless, and without anything that markdown would read as more than text."""
    return _SIGNS.sub(r"\\\1", safe_line(text))


def _lines(health: Health) -> Iterator[str]:
    yield f"# Memory health of {escaped(health.workspace)}, {long_day(health.at.date())}"
    yield ""
    yield "| | |"
    yield "|---|---|"
    for fact in facts(health):
        rest = f" ({fact.rest})" if fact.rest else ""
        yield f"| {fact.name} | **{fact.short}**{rest} |"
    for table in tables(health):
        if table.rows:
            yield from _table(table)


def _table(table: Table) -> Iterator[str]:
    yield from ("", f"## {table.title}", "")
    yield f"| {' | '.join(table.heads)} |"
    figures = len(table.heads) - table.texts
    yield f"|{'---|' * table.texts}{'---:|' * figures}"
    for row in table.rows:
        yield f"| {' | '.join(map(escaped, row))} |"
    if table.more:
        yield from ("", left_out(table))


PAGE_MARK = '<meta name="generator" content="hippo">'
"""In the head of every HTML page, by which it is known as a report of hippo."""


def require_charts() -> None:
    """Raises :class:`ExtraMissing` where charts cannot be drawn."""
    if not all(map(find_spec, ("jinja2", "vl_convert"))):
        raise ExtraMissing(feature="the page with charts", extra="report")


def html_page(health: Health, version: str) -> str:
    """The page; ``version`` is hippo's. Text of the workspace is escaped. Raises :class:`ExtraMissing`."""
    require_charts()
    from jinja2 import Environment, StrictUndefined
    from vl_convert import vegalite_to_svg

    from hippocampus_cli.report.charts import charts, draw

    svg_of = partial(vegalite_to_svg, allowed_base_urls=[])
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["plain"] = safe_line
    template = environment.from_string(_data("page.html.jinja"))
    return template.render(
        mark=PAGE_MARK,
        version=version,
        style=_data("page.css"),
        health=health,
        day=long_day(health.at.date()),
        facts=list(facts(health)),
        charts=[(chart, draw(chart, svg_of)) for chart in charts(health)],
        lists=[(table, left_out(table)) for table in lists(health) if table.rows],
    )


def _data(name: str) -> str:
    return files(__package__).joinpath("data", name).read_text(encoding="utf-8")


_HEAD = 4096  # bytes in which a page has its mark


def write_page(health: Health, version: str, path: Path) -> None:
    """Write a report as a page. Raises as :func:`write_over_own`."""
    write_over_own(path, html_page(health, version), (PAGE_MARK.encode(),), "report")


def write_over_own(path: Path, text: str, marks: Sequence[bytes], kind: str) -> None:
    """Write a file of this ``kind``; an older one, known by any of the ``marks`` near its beginning, is replaced
    whole, and a link stays a link.

    Raises :class:`UsageError` where something else is there, :class:`FileUnwritable`.
    """
    data = text.encode("utf-8", "replace")
    try:
        mode = path.stat().st_mode if path.exists() else None
        if mode is not None and not stat.S_ISREG(mode):
            path.write_bytes(data)  # a pipe or a terminal must not be replaced by a file
            return
        if mode is not None and not _is_own(path, marks):
            raise UsageError(
                reason=f"{path} already exists and is not a {kind} written by hippo",
                advice="choose another file, or move that one",
            )
    except OSError as error:
        raise FileUnwritable(path=str(path), reason=error.strerror or str(error)) from error
    replace_bytes(Path(os.path.realpath(path)), data, str(path))


def _is_own(path: Path, marks: Sequence[bytes]) -> bool:
    with path.open("rb") as file:
        head = file.read(_HEAD)
    return not head or any(mark in head for mark in marks)
