"""The merge driver in a repository: lines of ``.gitattributes`` and a section of git's own config.

Everything else in the two files stays byte for byte, and removing the lines restores the earlier text.
"""

from __future__ import annotations

import os
import shlex
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from hippocampus_cli.errors import InstallRefused
from hippocampus_cli.index.document import ARCHIVE, MASTER, TOPICS
from hippocampus_cli.integrations.install import FileEdit, in_workspace
from hippocampus_cli.integrations.marked_block import BlockMarks, edit_block
from hippocampus_cli.schedule.scheduler import ProgramResult, Runner
from hippocampus_cli.workspace.own_files import BELIEFS, FOLDER, META, MIND, TEMPORAL

ATTRIBUTES = ".gitattributes"
_OF_ENTRIES = (
    MASTER,
    f"{TOPICS}*.md",
    f"{ARCHIVE}*.md",
    f"{TEMPORAL}/*.md",
    "memory/[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*.md",
    BELIEFS,
    f"{MIND}/episodes/*.md",
)
_OF_LINES = ("**/*.jsonl", "mind/derived", "mind/episodes/head", "mind/episodes/imported")
_LINES = (
    *(f"/{pattern} merge=hippo" for pattern in _OF_ENTRIES),
    *(f"/{FOLDER}/{pattern} merge=union" for pattern in _OF_LINES),
)
_MARKS = BlockMarks("# hippo:begin merge", "# hippo:end merge")
_TRIAL = (
    "## A\n<!-- hx: id=a | created=2026-01-01 | accessed=2026-01-01 | hits={} | str=1.00{} -->\n"
)


def parts(root: Path, program: Sequence[str], run: Runner) -> list[FileEdit]:
    """The files of the workspace's repository that name the driver, which ``program`` starts.

    Raises :class:`InstallRefused`.
    """
    quoted = driver(program).replace("\\", "\\\\").replace('"', '\\"')
    section = ('[merge "hippo"]', "\tname = hippo: entry by entry", f'\tdriver = "{quoted}"')
    return [
        FileEdit(in_workspace(root, ATTRIBUTES), partial(edit_block, _MARKS, _LINES)),
        FileEdit(_config(root, run), partial(edit_block, _MARKS, section)),
    ]


def driver(program: Sequence[str]) -> str:
    """What git runs. From 2.44 on it says the names of the sides, and quotes them itself; one before leaves the
    letters as they are, and hippo says ours and theirs.

    Where hippo fails or is not installed, the file is merged by line: git would take ours as merged.
    """
    return (
        f"{shlex.join(program)} merge --marker-size %L --ours=%X --theirs=%Y -- %O %A %B %P && exit 0;"
        " grep -q '^<<<<<<<' %A && exit 1;"
        " git merge-file --marker-size=%L -L %X -L %S -L %Y %A %O %B"
    )


def notices(root: Path, run: Runner) -> list[str]:
    """What a person should do as well."""
    if _git(root, run, "ls-files", "--", META).out.strip():
        return [f"git tracks {META}, which every cycle changes: git rm --cached {META}"]
    return []


def _config(root: Path, run: Runner) -> Path:
    """The repository's own config, which all its worktrees share."""
    found = _git(root, run, "rev-parse", "--git-common-dir")
    if found.code != 0:
        advice = "run `git init` there first, or name the --workspace"
        raise InstallRefused(
            path=str(root), reason=f"no git repository: {found.reason}", advice=advice
        )
    return Path(os.path.realpath(root / found.out.strip())) / "config"


def check(root: Path, program: Sequence[str], run: Runner) -> None:
    """Raises :class:`InstallRefused` where git does not find the driver that was written, or it does not merge."""
    said = _git(root, run, "check-attr", "merge", "--", MASTER).out.strip()
    if not said.endswith(": merge: hippo"):
        raise _failed(f"git does not use it for {MASTER}: {said!r}")
    with tempfile.TemporaryDirectory() as folder:
        names = [Path(folder, name) for name in ("base", "ours", "theirs")]
        texts = (_TRIAL.format(1, ""), _TRIAL.format(2, ""), _TRIAL.format(1, " | tags=x"))
        for path, text in zip(names, texts, strict=True):
            path.write_text(text)
        ran = run([*program, "merge", "--", *map(str, names), MASTER])
        merged = names[1].read_text()
        if ran.code != 0 or "hits=2" not in merged or "tags=x" not in merged:
            raise _failed(f"it failed to merge a test file: {ran.reason}")


def _failed(reason: str) -> InstallRefused:
    return InstallRefused(reason=reason, advice="every file was restored")


def _git(root: Path, run: Runner, *words: str) -> ProgramResult:
    return run(["git", "-C", str(root), *words])
