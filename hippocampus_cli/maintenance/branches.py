"""Files of a workspace as two branches of a repository left them, merged (decisions D10, D21)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from hippocampus_cli.config.settings import Config
from hippocampus_cli.errors import HippoError
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.document import ARCHIVE, MASTER, TOPICS
from hippocampus_cli.index.merge import Merged, MergeSetting, merge
from hippocampus_cli.maintenance.bootstrap import view_limits
from hippocampus_cli.markdown.diff3 import Labels, merge_lines, merge_log
from hippocampus_cli.markdown.lines import decode, encode, split_lines
from hippocampus_cli.mind.beliefs import keep_sources
from hippocampus_cli.mind.episodes import EPISODES, united
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.config_file import read_config
from hippocampus_cli.workspace.own_files import BELIEFS, TEMPORAL
from hippocampus_cli.workspace.regular import reading
from hippocampus_cli.workspace.store import IndexStore
from hippocampus_cli.workspace.tombstones import load

_OWN = (MASTER, TOPICS, ARCHIVE, f"{TEMPORAL}/", BELIEFS)


def root_of(path: str) -> str | None:
    """The workspace's folder, from the repository's top, of a file that holds entries; ``None`` for other files."""
    whole = f"/{path}"
    at = next((whole.rfind(f"/{own}") for own in _OWN if f"/{own}" in whole), None)
    return None if at is None else whole[:at].lstrip("/")


def without_forgotten(root: Path, path: str, texts: Iterable[str]) -> list[str]:
    """The versions of a file of the index without what was forgotten on this machine: no branch brings it back."""
    from hippocampus_cli.maintenance.scrub import erasure_of

    forgotten = load(root)
    erasure = erasure_of(root, forgotten)
    return [decode(erasure.applied(path, encode(text)) or b"") for text in texts]


def setting(root: Path, config: Config, now: datetime, path: str) -> MergeSetting:
    """What a merge of an index file depends on; of the topic files, as they are in the folder now."""
    clock, limits = DecayClock(now, config.decay), view_limits(config)
    if path.endswith(BELIEFS):
        return MergeSetting(clock, limits, master=False, resolve=keep_sources)
    master = path.endswith(MASTER)
    if not master or not (root / TOPICS).is_dir():
        return MergeSetting(clock, limits, master=master)
    index = IndexStore(root).read()
    return MergeSetting(clock._replace(ids=index.ids), limits, index.beyond)


class MergedFile(NamedTuple):
    """How many conflicts are marked in the file, and why it was merged by line, if it was."""

    conflicts: int
    notice: str


def merge_files(
    files: tuple[Path, Path, Path],
    top: Path,
    path: str,
    names: tuple[str, str] = ("ours", "theirs"),
    *,
    marker_size: int = 7,
    environ: Mapping[str, str],
    now: datetime,
) -> MergedFile:
    """Merge two versions of an index file or a daily log with their ancestor (base, ours, theirs) into ``ours``.

    ``path`` is the file's in the repository, whose top is the folder ``top``; ``names`` are those of the sides
    in conflict marks; ``environ`` may say settings. Raises :class:`FileUnreadable`,
    :class:`FileUnwritable`.
    """
    with reading(path):
        texts = [decode(file.read_bytes()) for file in files]
    merged, notice = _merged(texts, top, path, Labels(marker_size, *names), environ, now)
    replace_bytes(files[1], encode(merged.text), str(files[1]))
    return MergedFile(merged.conflicts, notice)


def _merged(
    texts: Sequence[str],
    top: Path,
    path: str,
    labels: Labels,
    environ: Mapping[str, str],
    now: datetime,
) -> tuple[Merged, str]:
    """The merged text; by line where it cannot be merged by entry, for git must get something that holds both."""
    base, ours, theirs = texts
    if f"/{EPISODES}/" in f"/{path}":
        return Merged(united(ours, theirs), 0), ""
    folder = root_of(path)
    if folder is None:
        return Merged(*merge_log(base, ours, theirs, labels)), ""
    root = top / folder
    base, ours, theirs = without_forgotten(root, path[len(folder) :].lstrip("/"), texts)
    try:
        try:
            config = read_config(root, environ)
        except HippoError:  # a setting that is wrong keeps no merge back
            config = Config()
        return merge(base, ours, theirs, setting(root, config, now, path), labels), ""
    except Exception as error:
        lines = split_lines(base), split_lines(ours), split_lines(theirs)
        merged, count = merge_lines(*lines, labels)
        notice = f"merged by line ({type(error).__name__}: {error})"
        return Merged("".join(merged), max(1, count)), notice
