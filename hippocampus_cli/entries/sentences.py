"""What a passage says, sentence by sentence, as plain text: paragraphs, bullets, tables by row, the first command."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hippocampus_cli.entries.passages import Passage, is_fence
from hippocampus_cli.markdown.blocks import Kind
from hippocampus_cli.text.plain_text import plain_text

_BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX~-]\]\s+)?")
_CLOCK = re.compile(r"\s*\d{1,2}:\d\d\b")
_QUOTE = re.compile(r"^(?:\s*+>)+\s?")
_RULE = re.compile(r"\s*+(?:[-*_=]\s*+){3,}+$|[\s:|]*+-[\s:-]*+\|[\s:|-]*+$")
_SENTENCE = re.compile(r"(?<=[.!?。！？])(?:\s+(?=[^\Wa-z_])|(?<=[。！？])(?=\S))")
_NO_END = re.compile(
    r"(?:^|[\s(])(?:\d{1,2}|[^\W\d_]|Dr|Drs|Ir|Ing|Mr|Mrs|Ms|Hr|Fr|Dhr|Mevr|Mw|Mme|Mlle|Sra|Fam|Fa|Prof|St|Nr|No|Tel|Str|Sr|Jr|vs|ca|bzw|ggf|evtl|[Ii]ncl|[Ii]nkl|[Aa]pprox|[Mm]ax|[Mm]in"
    r"|[Jj]an|[Ff]eb|[Mm]ar|[Aa]pr|[Jj]un|[Jj]ul|[Aa]ug|[Ss]ept?|[Oo]c?kt?|[Nn]ov|[Dd]e[cz])\.$"
)
_REMARK = re.compile(r"\s*(?:#|//|--|;|<!--|/\*)")
_SAYS = re.compile(r"[^\W_]{2}")  # a drawing or a bare bracket does not
_STRUCK = re.compile(r"~~(?=\S)[^~\n]+~~")
_PROMPT = re.compile(r"^\s*(?:[$%>]\s+)")
_MOST_LINES = 400
_PARAGRAPH = 600
_WRAPPED = 60  # characters: a shorter line was not ended by an editor that wraps, but by its author
_HEADS = 36  # characters of the heads of a table's columns
_ROWS = 40
_LETTER = re.compile(r"[^\W\d_]")
_NAMES = 0.3  # of the cells of a column that names the rows are different
_YEAR_OR_DAY = re.compile(r"(?:19|20)\d\d|\d{1,2}[./]\d|\d{1,2}\.? [^\W\d_]{3}")


def sentences(passage: Passage) -> Iterator[str]:
    """Plain sentences in order, but for what is struck through: that holds no longer.

    A code block gives its first command, a table two cells of its rows.
    """
    for markdown, code in _pieces(passage):
        if code:
            yield " ".join(markdown.split())[:_PARAGRAPH]
        elif text := plain_text(markdown):
            yield from sentences_of(text)


def sentences_of(text: str) -> Iterator[str]:
    """``text`` cut where a sentence ends; the dot of an abbreviation or an ordinal number is no end."""
    waiting = ""
    for part in _SENTENCE.split(text):
        waiting = f"{waiting} {part}" if waiting else part
        if not is_abbreviated(waiting):
            if waiting.strip():
                yield waiting
            waiting = ""
    if waiting.strip():
        yield waiting


def is_abbreviated(text: str) -> bool:
    """Whether the dot at the end of ``text`` is one of an abbreviation or an ordinal number."""
    return _NO_END.search(text) is not None


def _pieces(passage: Passage) -> Iterator[tuple[str, bool]]:
    """``(markdown, is it code)`` of each paragraph, bullet, table and code block near the start."""
    paragraph: list[str] = []
    rows: list[str] = []
    in_code = False
    for at, (line, kind) in enumerate(passage.lines()):
        if at > _MOST_LINES:
            break
        if kind == Kind.CODE:
            yield from _flush(paragraph, rows)
            if is_fence(line):
                in_code = True
            elif in_code and _SAYS.search(line) and not _REMARK.match(line):
                yield _PROMPT.sub("", line), True
                in_code = False
            continue
        in_code = False
        bare = _QUOTE.sub("", line, count=1) if line.lstrip().startswith(">") else line
        if kind == Kind.HEADING or not bare.strip() or _RULE.match(bare):
            if kind == Kind.HEADING or not bare.strip():
                yield from _flush(paragraph, rows)
        elif bare.lstrip().startswith("|"):
            rows.append(bare)
        elif found := _BULLET.match(bare):
            yield from _flush(paragraph, rows)
            paragraph.append(bare[found.end() :])
        else:
            if paragraph and _is_own(paragraph[-1], bare):
                yield from _flush(paragraph, rows)
            paragraph.append(bare)
    yield from _flush(paragraph, rows)


def _is_own(before: str, line: str) -> bool:
    """Whether a line begins something new, and is not the rest of a wrapped line."""
    if _CLOCK.match(line):
        return True
    before, first = before.rstrip(), line.lstrip()[:1]
    starts = first.isupper() or (first.isalpha() and not first.isascii())
    return len(before) < _WRAPPED and starts and before[-1:] not in ",:;(–—-"


def _flush(paragraph: list[str], rows: list[str]) -> Iterator[tuple[str, bool]]:
    if paragraph:
        yield (
            _STRUCK.sub("", "".join(line[:_PARAGRAPH] for line in paragraph)),
            False,
        )
        paragraph.clear()
    if rows:
        yield _table(rows), False
        rows.clear()


def _table(rows: list[str]) -> str:
    """The heads of the columns and two cells of each row: ``Name, Where: bittern Helsinki; avocet Bremen``."""
    split = [[cell.strip() for cell in row.strip().strip("|").split("|")] for row in rows[:_ROWS]]
    body = [row for row in split[1:] if any(row) and not any(map(_STRUCK.fullmatch, row))]
    columns = _columns(body, len(split[0])) or list(range(len(split[0])))
    heads = _heads([split[0][at] for at in columns])
    names = (at for at in columns if _names_rows(body, at))
    name = next(names, columns[0])
    others = [at for at in columns if at > name] or [name]
    value = max(others, key=lambda at: _tells(body, at))
    told = [" ".join(dict.fromkeys((_cell(row, name), _cell(row, value)))).strip() for row in body]
    return f"{heads}: {'; '.join(filter(None, told))}" if any(told) else heads


def _heads(cells: list[str]) -> str:
    """As many heads of columns as there is room for."""
    line = ""
    for cell in filter(None, cells):
        if len(line) + len(cell) > _HEADS:
            break
        line = f"{line}, {cell}" if line else cell
    return line


def _columns(body: list[list[str]], width: int) -> list[int]:
    """The columns that say something of the rows: not a mere count of them, and not the same in all."""
    found = []
    for at in range(width):
        cells = [_cell(row, at) for row in body]
        counts = at == 0 and width > 2 and all(cell.strip(". ").isdecimal() for cell in cells)
        if any(cells) and not counts and (len(set(cells)) > 1 or len(cells) == 1):
            found.append(at)
    return found


def _variety(body: list[list[str]], at: int) -> float:
    """The share of a column's cells that are different."""
    cells = [_cell(row, at) for row in body]
    return len(set(cells) - {""}) / max(1, len(cells))


def _names_rows(body: list[list[str]], at: int) -> bool:
    """Whether the cells of a column are all different, or words of which most are."""
    worded = sum(bool(_LETTER.search(_cell(row, at))) for row in body)
    variety = _variety(body, at)
    return variety == 1 or (variety > _NAMES and 2 * worded > len(body))


def _tells(body: list[list[str]], at: int) -> float:
    """How much a column differs from row to row; when something was says less than what it was."""
    days = sum(bool(_YEAR_OR_DAY.match(_cell(row, at))) for row in body)
    return _variety(body, at) - days / max(1, len(body))


def _cell(row: list[str], at: int) -> str:
    return row[at] if at < len(row) else ""
