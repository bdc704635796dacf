"""The merge driver in a repository: lines of ``.gitattributes`` and a section of git's own config.

Everything else in the two files stays byte for byte, and removing the lines restores the earlier text.
"""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from collections.abc import Sequence
from pathlib import Path

from hippocampus_cli.errors import InstallRefused, OutsideWorkspace
from hippocampus_cli.index.document import ARCHIVE, MASTER, TOPICS
from hippocampus_cli.integrations.install import Plan, refused
from hippocampus_cli.integrations.marked_block import BlockMarks, with_block, without_block
from hippocampus_cli.schedule.scheduler import ProgramResult, Runner
from hippocampus_cli.workspace.external_files import difference, made, read_text
from hippocampus_cli.workspace.own_files import META, TEMPORAL, is_inside

ATTRIBUTES = ".gitattributes"
_DIGIT = "[0-9]"
_DAY = f"{_DIGIT * 4}-{_DIGIT * 2}-{_DIGIT * 2}"
_PATTERNS = (
    *(f"/{MASTER}", f"/{TOPICS}*.md", f"/{ARCHIVE}*.md"),
    *(f"/{TEMPORAL}/*.md", f"/memory/{_DAY}*.md"),
)
_LINES = tuple(f"{pattern} merge=hippo" for pattern in _PATTERNS)
_MARKS = BlockMarks("# hippo:begin merge", "# hippo:end merge")
_NAMES_SIDES = (2, 44)
"""The first version of git that fills in %S, %X and %Y."""
_TRIAL = "<!-- hx: id=a | created=2026-01-01 | accessed=2026-01-01 | hits={} | str=1.00{} -->\n"


def plan_install(root: Path, program: Sequence[str], run: Runner) -> Plan:
    """The workspace's repository with the driver, which ``program`` starts. Raises :class:`InstallRefused`."""
    section = (
        '[merge "hippo"]',
        "\tname = hippo: entry by entry",
        f"\tdriver = {_quoted(driver(program, named=_names_sides(root, run)))}",
    )
    return _plan(root, run, _LINES, section, installs=True)


def plan_remove(root: Path, run: Runner) -> Plan:
    """The repository without it. Raises :class:`InstallRefused`."""
    return _plan(root, run, (), (), installs=False)


def carry_out(plan: Plan, root: Path, program: Sequence[str], run: Runner) -> None:
    """Do what the plan says, and check that git finds the driver and that it merges; else restore every file.

    Raises :class:`InstallRefused`.
    """
    with made(plan.changes, refused):
        if plan.installs:
            _check(root, program, run)


def driver(program: Sequence[str], *, named: bool = False) -> str:
    """What git runs; ``named`` where git says the names of the sides (it quotes them itself).

    Where hippo fails or is not installed, the file is merged by line: git would take ours as merged.
    """
    sides, labels = (" --ours=%X --theirs=%Y", " -L %X -L %S -L %Y") if named else ("", "")
    return (
        f"{shlex.join(program)} merge --marker-size %L{sides} -- %O %A %B %P && exit 0;"
        " grep -q '^<<<<<<<' %A && exit 1;"
        f" git merge-file --marker-size=%L{labels} %A %O %B"
    )


def _names_sides(root: Path, run: Runner) -> bool:
    """Whether git gives a driver the names of the sides; an earlier one leaves the letters as they are."""
    version = re.search(r"(?<!\d)(\d+)\.(\d+)", _git(root, run, "--version").out)
    return version is not None and (int(version[1]), int(version[2])) >= _NAMES_SIDES


def notices(root: Path, run: Runner) -> list[str]:
    """What a person should do as well."""
    if _git(root, run, "ls-files", "--", META).out.strip():
        return [f"git tracks {META}, which every cycle changes: git rm --cached {META}"]
    return []


def _plan(
    root: Path, run: Runner, lines: Sequence[str], section: Sequence[str], *, installs: bool
) -> Plan:
    attributes, config = _attributes(root), _config(root, run)
    changes = []
    for path, block in ((attributes, lines), (config, section)):
        bare = without_block(read_text(path, refused), _MARKS)
        changes += difference(path, with_block(bare, _MARKS, block) if block else bare, refused)
    return Plan("git", str(attributes), installs, tuple(changes))


def _attributes(root: Path) -> Path:
    if not is_inside(root, root / ATTRIBUTES):
        reason = f"a link in the path of {ATTRIBUTES} points out of the workspace"
        raise OutsideWorkspace(path=ATTRIBUTES, reason=reason)
    return Path(os.path.realpath(root / ATTRIBUTES))


def _config(root: Path, run: Runner) -> Path:
    """The repository's own config, which all its worktrees share."""
    found = _git(root, run, "rev-parse", "--git-common-dir")
    if found.code != 0:
        advice = "run `git init` there first, or name the --workspace"
        raise InstallRefused(
            path=str(root), reason=f"no git repository: {found.reason}", advice=advice
        )
    return Path(os.path.realpath(root / found.out.strip())) / "config"


def _check(root: Path, program: Sequence[str], run: Runner) -> None:
    said = _git(root, run, "check-attr", "merge", "--", MASTER).out.strip()
    if not said.endswith(": merge: hippo"):
        raise _failed(f"git does not use it for {MASTER}: {said!r}")
    wanted = driver(program, named=_names_sides(root, run))
    if _git(root, run, "config", "--get", "merge.hippo.driver").out.strip() != wanted:
        raise _failed("git does not read it from its config")
    with tempfile.TemporaryDirectory() as folder:
        names = [Path(folder, name) for name in ("base", "ours", "theirs")]
        texts = (_TRIAL.format(1, ""), _TRIAL.format(2, ""), _TRIAL.format(1, " | tags=x"))
        for path, text in zip(names, texts, strict=True):
            path.write_text(f"## A\n{text}", encoding="utf-8", newline="\n")
        ran = run([*program, "merge", "--", *map(str, names), MASTER])
        merged = names[1].read_text(encoding="utf-8")
        if ran.code != 0 or "hits=2" not in merged or "tags=x" not in merged:
            raise _failed(f"it failed to merge a test file: {ran.reason}")


def _failed(reason: str) -> InstallRefused:
    return InstallRefused(reason=reason, advice="every file was restored")


def _git(root: Path, run: Runner, *words: str) -> ProgramResult:
    return run(["git", "-C", str(root), *words])


def _quoted(value: str) -> str:
    """A value as git's config reads it back."""
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
