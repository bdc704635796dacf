"""Apply a change to an index that was edited in the meantime.

It may be a change that meets an index edited since (:func:`rebase`), or what is left of an index, onto the earlier
state of it that a snapshot kept (:func:`unite`). Nothing is ever removed: where what
a change removed goes, its caller decides.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from datetime import date

from hippocampus_cli.index import edit
from hippocampus_cli.index.archive import MARKS
from hippocampus_cli.index.document import Document, Heading, Located, Text
from hippocampus_cli.index.edit import SectionPath
from hippocampus_cli.index.entry import Entry, Form
from hippocampus_cli.index.hierarchy import Hierarchy, new_file
from hippocampus_cli.index.merge_entry import rebase_entry
from hippocampus_cli.index.metadata import day_of
from hippocampus_cli.markdown.lines import split_lines

_HALF_CHARACTER = "".join(map(chr, range(0xDC80, 0xDD00)))
"""The bytes of a character whose others are missing (:func:`markdown.lines.decode`)."""
_Place = tuple[str, SectionPath]


def rebase(before: Hierarchy, after: Hierarchy, current: Hierarchy) -> Hierarchy:
    """``current`` with the change from ``before`` to ``after``, entry by entry, where it still fits."""
    return _carry_over(before.by_key, after.by_key, current)


def unite(earlier: Hierarchy, now: Hierarchy) -> Hierarchy:
    """The union of two states of one index.

    The order and the words between entries are those of the earlier one; an entry that both have is as in the one
    in which it was used later, and where that is the same, as it stands now. What only the present one has (entries,
    a person's lines) goes at the end of the section that it is in. ``earlier`` to the byte where ``now`` has nothing
    beyond it. Both with their archives.

    Raises :class:`IndexRefused` where something of ``now`` cannot be in the other without changing what is there.
    """
    known = _lines(earlier)
    result = _carry_over(earlier.by_key, _latest(earlier, now, known), earlier)
    known |= _lines(result)
    for path, document in now.files.items():
        fresh = new_file(path)
        there = known | {line.strip() for line in split_lines(fresh.text)}
        for section, text in _new_words(document, there, earlier):
            file = result.files.get(path) or fresh
            result = result.with_file(path, edit.add_text(file, section, text))
    return result if result == earlier else result.counted()


def whole_ids(now: Hierarchy, earlier: Hierarchy) -> frozenset[str]:
    """The ids of ``now``, but for what is left of an entry of ``earlier`` where a file was cut off."""
    return frozenset(_by_id(now, but=_lines(earlier)))


def _carry_over(
    before: Mapping[str, Located], after: Mapping[str, Located], current: Hierarchy
) -> Hierarchy:
    changes: dict[str, Callable[[Entry], Entry]] = {}
    moving: dict[_Place, list[str]] = defaultdict(list)
    adding: dict[_Place, list[str]] = defaultdict(list)
    for key, new in after.items():
        old, there = before.get(key), current.by_key.get(key)
        whole = new.entry.form is Form.HEADING
        if old is None:  # the change added it
            if there is None and whole:
                adding[_place(new)].append(edit.block_of(new.entry))
            continue
        if there is None or old.entry.form is not new.entry.form:  # somebody removed it since
            continue
        moved = whole and _place(old) != _place(new)
        elsewhere = moved and _place(there) != _place(old)  # somebody moved it since
        if old.entry.raw != new.entry.raw and new.entry.closed:
            # The reason for archiving it belongs to its place, and stays if the place does.
            entry = rebase_entry(old.entry, new.entry, there.entry, MARKS if elsewhere else ())
            changes[key] = lambda _, entry=entry: entry  # type: ignore[misc]
        if moved and not elsewhere:
            moving[_place(new)].append(key)
    result = current.change_all(changes).moved_to(moving)
    for (path, section), blocks in adding.items():
        result = result.add(section, blocks, path)
    return result


def _place(located: Located) -> _Place:
    return located.file, located.section


def _latest(earlier: Hierarchy, now: Hierarchy, lines: set[str]) -> dict[str, Located]:
    """The entries of ``now`` that count: those used since, by their key in ``earlier``, and those that are new."""
    known = _by_id(earlier)
    latest: dict[str, Located] = {}
    for name, copies in _by_id(now, but=lines).items():
        old = known.get(name, [])
        if len(old) == 1:
            last = max(copies, key=_last_use)
            if _last_use(last) >= _last_use(old[0]):
                latest[old[0].key] = last
            away = last.is_archived
            copies = [copy for copy in copies if copy is not last and copy.is_archived == away]
        texts = {located.entry.raw.rstrip("\r\n") for located in old}
        new = [copy for copy in copies if copy.entry.raw.rstrip("\r\n") not in texts]
        latest.update((f"{name}\n{number}", copy) for number, copy in enumerate(new))
    return latest


def _new_words(
    document: Document, lines: set[str], earlier: Hierarchy
) -> Iterator[tuple[SectionPath, str]]:
    """A person's words and bullets that are not in ``lines`` yet, piece by piece, with their section."""
    section: SectionPath = ()
    last = len(document.nodes) - 1
    generated = False
    for number, node in enumerate(document.nodes):
        if isinstance(node, Heading):
            section, generated = document.sections.get(number, section), False
            if node.level > 1 and node.raw.strip() not in lines and not _is_cut(node.raw, lines):
                yield section, ""
        elif isinstance(node, Entry) and node.form is Form.BULLET:
            known = node.raw.strip() in lines or _is_cut(node.raw, lines) or node.id in earlier.ids
            if not generated and not known:
                yield section, node.raw
        elif isinstance(node, Text):
            words = [line for line in split_lines(node.raw) if line.strip()]
            generated = any(line.lstrip().startswith("<!-- hippo:begin") for line in words)
            if number == last and words and _is_cut(words[-1], lines):
                words = words[:-1]
            if not generated and any(line.strip() not in lines for line in words):
                yield section, node.raw


def _lines(index: Hierarchy) -> set[str]:
    return {line.strip() for text in index.texts.values() for line in split_lines(text)}


def _is_cut(line: str, lines: set[str]) -> bool:
    """Whether a file's last line is the beginning of a known one: cut off, maybe within a character."""
    start = line.rstrip(_HALF_CHARACTER).strip()
    return not line.endswith(("\n", "\r")) and any(known.startswith(start) for known in lines)


def _by_id(index: Hierarchy, but: set[str] | None = None) -> dict[str, list[Located]]:
    """The entries by their ids, except for those whose text breaks off in one of the lines ``but``."""
    entries: dict[str, list[Located]] = {}
    for located in index.by_key.values():
        if not (but and _breaks_off(located.entry, but)):
            entries.setdefault(located.entry.id, []).append(located)
    return entries


def _breaks_off(entry: Entry, lines: set[str]) -> bool:
    """Whether this is what was left of an entry where a file was cut off. An undo may have added lines below it.

    A line of a list that lost its end mark reads as a bullet.
    """
    if entry.form is Form.BULLET:
        return entry.raw.strip() in lines or _is_cut(split_lines(entry.raw)[-1], lines)
    return not entry.closed and _is_cut(split_lines(entry.raw.rstrip())[-1], lines)


def _last_use(located: Located) -> tuple[date, int]:
    used = day_of(located.entry.accessed or located.entry.created)
    return used or date.min, located.entry.hits
