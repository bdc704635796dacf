"""An earlier state of an index and the one that is there now as one: whatever either has.

The order and the words between entries are those of the earlier one; an entry that both have is as in the one in
which it was used later, and where that is the same, as it stands now. What only the present one has (entries, a
person's lines) goes at the end of the section that it is in.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.index import edit
from hippocampus_cli.index.document import ARCHIVE, Document, Heading, Located, Text
from hippocampus_cli.index.edit import SectionPath
from hippocampus_cli.index.entry import Entry, Form, parse_entry
from hippocampus_cli.index.hierarchy import Hierarchy, new_file
from hippocampus_cli.markdown.lines import split_lines

_HALF = pattern("(?<![\udc80-\udcff])[\udc80-\udcff]+$")
"""The bytes of a character whose others are missing (:func:`markdown.lines.decode`)."""
_Place = tuple[str, SectionPath]


def united(earlier: Hierarchy, now: Hierarchy) -> Hierarchy:
    """Both as one; ``earlier`` to the byte where ``now`` has nothing beyond it. Both with their archives.

    Raises :class:`IndexRefused` where something of ``now`` cannot be in the other without changing what is there.
    """
    known = _lines(earlier)
    result = _with_entries(earlier, now, known)
    known |= _lines(result)
    for path, document in now.files.items():
        fresh = new_file(path)
        said = known | {line.strip() for line in split_lines(fresh.text)}
        for section, text in _only_here(document, said, earlier):
            there = result.files.get(path) or fresh
            result = result.with_file(path, edit.add_text(there, section, text))
    return result if result == earlier else result.counted()


def whole_ids(now: Hierarchy, earlier: Hierarchy) -> frozenset[str]:
    """The ids of ``now``, but for what is left of an entry of ``earlier`` where a file was cut off."""
    return frozenset(_by_id(now, but=_lines(earlier)))


def _with_entries(earlier: Hierarchy, now: Hierarchy, lines: set[str]) -> Hierarchy:
    """``earlier`` with the entries that only ``now`` has, and the later values of those that both have."""
    changes: dict[str, Callable[[Entry], Entry]] = {}
    moving: dict[_Place, list[str]] = defaultdict(list)
    adding: dict[_Place, list[str]] = defaultdict(list)
    known = _by_id(earlier)
    for key, copies in _by_id(now, but=lines).items():
        old = known.get(key, [])
        rest = copies
        if len(old) == 1:
            last = max(copies, key=_used)
            rest = [one for one in copies if one is not last and _is_away(one) == _is_away(last)]
            if _used(last) >= _used(old[0]) and last.entry.form is old[0].entry.form:
                if _core(last) != _core(old[0]) and last.entry.closed:
                    changes[old[0].key] = _becoming(last.entry)
                if _place(last) != _place(old[0]) and last.entry.form is Form.HEADING:
                    moving[_place(last)].append(old[0].key)
        cores = set(map(_core, old))
        for one in rest:
            if one.entry.form is Form.HEADING and _core(one) not in cores:
                adding[_place(one)].append(edit.block_of(one.entry))
    return _applied(earlier, changes, moving, adding)


def _applied(
    index: Hierarchy,
    changes: Mapping[str, Callable[[Entry], Entry]],
    moving: Mapping[_Place, Sequence[str]],
    adding: Mapping[_Place, Sequence[str]],
) -> Hierarchy:
    index = index.change_all(changes)
    for (path, section), keys in moving.items():
        index = index.moved(keys, section, path)
    for (path, section), blocks in adding.items():
        index = index.add(section, blocks, path)
    return index


def _only_here(
    document: Document, lines: set[str], earlier: Hierarchy
) -> Iterator[tuple[SectionPath, str]]:
    """A person's words and bullets that are not in ``lines`` yet, piece by piece, with their section."""
    section: SectionPath = ()
    last = len(document.nodes) - 1
    generated = False
    for at, node in enumerate(document.nodes):
        if isinstance(node, Heading):
            section, generated = document.sections.get(at, section), False
            if node.level > 1 and node.raw.strip() not in lines and not _is_cut(node.raw, lines):
                yield section, ""
        elif isinstance(node, Entry) and node.form is Form.BULLET:
            known = node.raw.strip() in lines or _is_cut(node.raw, lines) or node.id in earlier.ids
            if not generated and not known:
                yield section, node.raw
        elif isinstance(node, Text):
            said = [line for line in split_lines(node.raw) if line.strip()]
            generated = any(line.lstrip().startswith("<!-- hippo:begin") for line in said)
            if at == last and said and _is_cut(said[-1], lines):
                said = said[:-1]
            if not generated and any(line.strip() not in lines for line in said):
                yield section, node.raw


def _lines(index: Hierarchy) -> set[str]:
    return {line.strip() for one in index.files.values() for line in split_lines(one.text)}


def _is_cut(line: str, lines: set[str]) -> bool:
    """Whether a file's last line is the beginning of one that is known: cut off, be it within a character."""
    start = _HALF.sub("", line).strip()
    return not line.endswith(("\n", "\r")) and any(one.startswith(start) for one in lines)


def _by_id(index: Hierarchy, but: set[str] | None = None) -> dict[str, list[Located]]:
    """The entries by their ids, except for those whose text breaks off in one of the lines ``but``."""
    found: dict[str, list[Located]] = {}
    for one in (*index.entries, *index.archived):
        if not (but and _breaks_off(one.entry, but)):
            found.setdefault(one.entry.id, []).append(one)
    return found


def _breaks_off(entry: Entry, lines: set[str]) -> bool:
    """Whether this is what was left of an entry where a file was cut off. An undo may have added lines below it.

    A line of a list that lost its end mark reads as a bullet.
    """
    if entry.closed and entry.form is Form.HEADING:
        return False
    if entry.form is Form.BULLET and entry.raw.strip() in lines:
        return True
    cut_comment = entry.form is Form.HEADING
    return _is_cut(split_lines(entry.raw.rstrip() if cut_comment else entry.raw)[-1], lines)


def _core(located: Located) -> str:
    return located.entry.raw.rstrip("\r\n")


def _used(located: Located) -> tuple[date, int]:
    when = located.entry.accessed or located.entry.created or date.min
    return when.date() if isinstance(when, datetime) else when, located.entry.hits


def _is_away(located: Located) -> bool:
    return located.file.startswith(ARCHIVE)


def _place(located: Located) -> _Place:
    return located.file, located.section


def _becoming(entry: Entry) -> Callable[[Entry], Entry]:
    """A change of an entry into another, which keeps the line break at its end."""

    def change(old: Entry) -> Entry:
        ending = old.raw[len(old.raw.rstrip("\r\n")) :]
        return parse_entry(entry.raw.rstrip("\r\n") + ending, entry.form)

    return change
