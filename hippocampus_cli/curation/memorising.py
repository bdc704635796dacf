"""Writing a memory down: first into the log, which must hold it, then into the index."""

from __future__ import annotations

from collections.abc import Sequence

from hippocampus_cli.curation.curator import Curator
from hippocampus_cli.curation.remembering import Memory, Remembered, memory_of, remembered
from hippocampus_cli.curation.tagging import clean_tags
from hippocampus_cli.errors import HippoError, IndexNotFound
from hippocampus_cli.index import fields
from hippocampus_cli.index.draft import Draft
from hippocampus_cli.index.pointers import Pointer, format_pointers, parse_pointers
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.note_store import change_note
from hippocampus_cli.workspace.sections import SectionNames


def remember(
    curator: Curator,
    text: str,
    *,
    title: str | None = None,
    tags: Sequence[str] = (),
    pri: str = "normal",
) -> Remembered:
    """Append ``text`` to the day's log and index it; see :meth:`Workspace.remember` for what is raised."""
    config, now = curator.config, curator.now
    memory = memory_of(text, title, now)
    words = clean_tags(tags)
    path = config.remember.log.replace("{date}", f"{now:%Y-%m-%d}").replace("\\", "/")
    written: list[tuple[str, Section]] = []

    def append(log: str | None) -> str:
        written[:] = [remembered(log, memory, path)]
        return written[0][0]

    change_note(curator.root, path, append, config.lock.timeout_seconds)
    log, section = written[0]
    pointer = _pointer_to(Note(path, log), section)
    entry, notices = _index(curator, _draft(curator, memory, pointer, words, pri))
    if len(log.encode("utf-8", "surrogatepass")) > config.scan.max_file_bytes:
        notices += (f"{path} is larger than scan.max_file_bytes: it is not searched",)
    lines = section.start, section.tree_end
    return Remembered(path, pointer.section or section.title, *lines, entry, notices)


def _index(curator: Curator, draft: Draft) -> tuple[str | None, tuple[str, ...]]:
    """The id of the new entry; where there can be none, why. The memory itself is safe in the log."""
    try:
        return curator.add_draft(draft).id, ()
    except IndexNotFound:
        return None, ("there is no index yet: `hippo bootstrap` makes one that finds this too",)
    except HippoError as error:
        return None, (f"written down but not indexed: {error.message}",)


def _draft(
    curator: Curator, memory: Memory, pointer: Pointer, tags: tuple[str, ...], pri: str
) -> Draft:
    today, initial = curator.now.date(), curator.config.decay.initial
    return Draft(
        id=fields.slug(memory.title),
        topic=memory.title,
        summary=memory.summary,
        pointers=(pointer,),
        created=today,
        accessed=today,
        strength=initial,
        base=initial,
        tags=tags,
        pri=fields.Priority(pri),
        src=fields.Source.MANUAL,
    )


def _pointer_to(log: Note, section: Section) -> Pointer:
    """A pointer at the section, or at the whole log where its heading cannot be written in one."""
    pointer = Pointer(log.path, SectionNames(log.sections).pointer_name(section))
    readable = parse_pointers(format_pointers((pointer,))) == (pointer,)
    return pointer if readable else Pointer(log.path)
