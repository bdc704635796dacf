"""What can be put right in an index without a decision: each repair adds a marker or corrects a value of hippo's own.

No line of a person's is changed, moved or removed; where a repair is not certain, the finding stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count

from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.index import metadata
from hippocampus_cli.index.document import MASTER, Document, Located
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.parse import parse
from hippocampus_cli.markdown.blocks import Kind, scan
from hippocampus_cli.markdown.lines import chomp, line_ending, newline_of, split_lines

_BEGIN = pattern(r" {0,3}<!-- hippo:begin ([\w-]+) -->\s*$")
_DECIMALS = 4
_DATES = frozenset(("created", "accessed", "queued", "stale"))


class Repair(NamedTuple):
    """One thing put right: the ``code`` of its finding, where it stands, and what was done."""

    code: str
    path: str
    key: str
    done: str


Repaired = tuple[Hierarchy, list[Repair]]


def repaired(index: Hierarchy, generated: Mapping[str, Iterable[str]]) -> Repaired:
    """The index with all that put right; ``generated`` are lines that hippo is known to have written, by view.

    A second time there is nothing left to do.
    """
    done: list[Repair] = []
    for step in (_comments, lambda one: _views(one, generated), _ids, _values, _counts):
        index, found = step(index)
        done += found
    return index, done


def _comments(index: Hierarchy) -> Repaired:
    """Close ``hx`` comments of which nothing but the end is missing."""
    done: list[Repair] = []
    for path, document in index.files.items():
        for located in document.entries:
            entry = located.entry
            if entry.closed or entry.hx_span is None or not _is_whole(entry.comment):
                continue
            end = entry.hx_span[1]
            raw = f"{entry.raw[:end].rstrip()} -->{entry.raw[end:]}"
            after = _adding(index.files[path], located, raw)
            if after is not None:
                index = index.with_file(path, after)
                done.append(Repair("unclosed-hx", path, located.key, "the hx comment is closed"))
    return index, done


def _is_whole(comment: str) -> bool:
    """Whether an unclosed comment is one line of fields, the last of them with a value."""
    found = metadata.items(f"{comment} -->")
    one_line = len(split_lines(comment.strip())) == 1
    if not one_line or not found or metadata.junk(f"{comment} -->"):
        return False
    last = found[-1]
    return metadata.read_date(last.value) is not None if last.key in _DATES else bool(last.value)


def _adding(document: Document, located: Located, raw: str) -> Document | None:
    """The document with the entry's text replaced, if that changes no other entry."""
    there = next((one for one in document.entries if one.key == located.key), None)
    if there is None or there.entry.raw != located.entry.raw:
        return None
    texts = [node.raw for node in document.nodes]
    texts[there.node] = raw
    after = parse("".join(texts))
    before = [one.entry.id for one in document.entries]
    ids = [one.entry.id for one in after.entries]
    kept = [one.entry.raw for one in document.entries if one.key != located.key]
    same = [one.entry.raw for one in after.entries if one.key != located.key]
    return after if ids == before and kept == same else None


def _views(index: Hierarchy, generated: Mapping[str, Iterable[str]]) -> Repaired:
    """End generated lists whose end marker is gone: after the last line that is known to be hippo's."""
    done: list[Repair] = []
    for path, document in index.files.items():
        lines = split_lines(document.text)
        kinds = scan(lines).kinds
        for at in reversed(range(len(lines))):
            begin = _BEGIN.match(lines[at]) if kinds[at] == Kind.COMMENT else None
            if begin is None or begin.group(1) in index.files[path].views:
                continue
            name = begin.group(1)
            end = _generated_end(lines, at + 1, {line.strip() for line in generated.get(name, ())})
            mark = f"<!-- hippo:end {name} -->{newline_of(document.text)}"
            if not line_ending(lines[end - 1]):
                mark = newline_of(document.text) + chomp(mark)
            after = parse("".join((*lines[:end], mark, *lines[end:])))
            if name in after.views and _is_kept(index.files[path], after, set(lines[at + 1 : end])):
                lines.insert(end, mark)
                index = index.with_file(path, after)
                done.append(Repair("unclosed-view", path, name, f"the list {name!r} is ended"))
    return index, done


def _generated_end(lines: Sequence[str], start: int, known: set[str]) -> int:
    """The line after the last in a row that is known, blank ones between them included."""
    end = start
    for at in range(start, len(lines)):
        if lines[at].strip() in known and lines[at].strip():
            end = at + 1
        elif lines[at].strip():
            break
    return end


def _is_kept(before: Document, after: Document, but: set[str]) -> bool:
    """Whether every entry is there still, except for bullets that are lines of the list."""
    there = {one.entry.raw for one in after.entries}
    return all(one.entry.raw in there or one.entry.raw in but for one in before.entries)


def _ids(index: Hierarchy) -> Repaired:
    """Give the later ones of several entries with one id an id of their own."""
    taken = set(index.taken)
    values: dict[str, Mapping[str, str]] = {}
    done: list[Repair] = []
    for located in index.entries:
        entry = located.entry
        if located.key == entry.id or not _is_open(entry):
            continue
        numbered = (f"{entry.id}-{number}" for number in count(2))
        new = next(one for one in numbered if one not in taken)
        taken.add(new)
        values[located.key] = {"id": metadata.write_text(new)}
        text = f"a second {entry.id!r} is {new!r} now"
        done.append(Repair("duplicate-id", located.file, new, text))
    return index.set_values(values), done


def _values(index: Hierarchy) -> Repaired:
    """Write strengths beyond 0 to 1 as they are read."""
    values: dict[str, dict[str, str]] = {}
    done: list[Repair] = []
    for located in index.entries:
        for key in ("str", "base"):
            number = metadata.read_float(located.entry.values.get(key, ""))
            if number is None or 0.0 <= number <= 1.0 or not _is_open(located.entry):
                continue
            raw = metadata.write_strength(min(1.0, max(0.0, number)), _DECIMALS)
            values.setdefault(located.key, {})[key] = raw
            text = f"{key}={located.entry.values[key]} is {raw} now"
            done.append(Repair("out-of-range", located.file, located.key, text))
    return index.set_values(values), done


def _counts(index: Hierarchy) -> Repaired:
    """State in the headers how many entries there are."""
    after = index.counted()
    changed = [path for path in index.files if index.files[path] != after.files[path]]
    done = [
        Repair("entry-count", path, MASTER, "the header's count is correct") for path in changed
    ]
    return after, done


def _is_open(entry: Entry) -> bool:
    """Whether an entry has metadata that can be edited."""
    return entry.hx_span is not None and entry.closed
