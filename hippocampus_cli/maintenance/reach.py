"""What ``hippo forget`` cannot reach, found so that it can be named: transcripts of agents, git, other files."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.workspace.regular import read_regular

_LARGEST = 200_000_000  # bytes of a file that is looked into
_SHOWN = 20  # commands for files of one kind


class Beyond(NamedTuple):
    """Something out of reach: what it is, the files that hold what was to be forgotten, and what to run."""

    what: str
    files: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()


class Surroundings(NamedTuple):
    """Where to look outside of the workspace: hippo's own cache folder, what agents keep (by their names), files in
    which a shell keeps its commands, and hippo's own folder for copies that belong to no workspace."""

    cache: Path | None = None
    transcripts: Sequence[tuple[str, Path]] = ()
    shells: Sequence[Path] = ()
    copies: Path | None = None


def surroundings(home: Path, cache: Path, claude: str | None, pi: str | None) -> Surroundings:
    """The places of a user; ``claude`` and ``pi`` are the folders that these agents were told to use."""
    transcripts = (
        ("Claude Code", Path(claude or home / ".claude")),
        ("Pi", Path(pi or home / ".pi/agent") / "sessions"),
        ("OpenClaw", home / ".openclaw"),
    )
    shells = (".bash_history", ".zsh_history", ".local/share/fish/fish_history")
    return Surroundings(cache, transcripts, tuple(home / one for one in shells))


def beyond(
    root: Path, wanted: str, shown: str, around: Surroundings, others: Iterable[str], *, path: bool
) -> list[Beyond]:
    """What is out of reach of what was ``wanted``; ``shown`` stands for it in commands. ``others`` are files of the
    workspace that are no notes; with ``path``, ``wanted`` is a note's."""
    found = []
    forms = _forms(wanted)
    word = shlex.quote(shown)
    for name, folder in around.transcripts:
        files = [str(one) for one in _files(folder) if _holds(one, forms)]
        if files:
            commands = tuple(f"rm -- {shlex.quote(one)}" for one in files[:_SHOWN])
            found.append(Beyond(f"transcripts of {name}", tuple(files), commands))
    shells = [str(one) for one in around.shells if _holds(one, forms)]
    if shells:
        lines = tuple(f"grep -nF -- {word} {shlex.quote(one)}" for one in shells)
        found.append(Beyond("the shell's list of commands", tuple(shells), lines))
    if not path:
        files = [one for one in others if _holds(root / one, forms)]
        if files:
            names = " ".join(map(shlex.quote, files[:_SHOWN]))
            command = f"grep -nF -- {word} {names}"
            found.append(Beyond("files that are not notes", tuple(files), (command,)))
    if repository := _repository(root):
        found.append(Beyond("the history of git", (), _git(repository, word, path=path)))
    return found


ELSEWHERE = Beyond(
    "backups, synchronised copies and other clones",
    (),
    ("hippo forget, with the same words, in each copy",),
)


def _git(repository: Path, word: str, *, path: bool) -> tuple[str, ...]:
    at = f"git -C {shlex.quote(str(repository))}"
    if path:
        return (
            f"{at} log --all --oneline -- {word}",
            f"{at} filter-repo --invert-paths --path {word}",
        )
    return (
        f"{at} log --all --oneline -S {word}",
        f"{at} filter-repo --replace-text <(printf 'literal:%s\\n' {word})",
    )


def _repository(root: Path) -> Path | None:
    return next((one for one in (root, *root.parents) if (one / ".git").exists()), None)


def _forms(text: str) -> tuple[bytes, ...]:
    """A text as it stands in a file as it is, and in JSON."""
    raws = (text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1])
    return tuple({one.encode("utf-8", "surrogateescape") for one in raws})


def _files(folder: Path) -> Iterator[Path]:
    for inside, _, names in os.walk(folder):
        yield from (Path(inside, name) for name in sorted(names))


def _holds(path: Path, forms: Sequence[bytes]) -> bool:
    try:
        data = read_regular(path, _LARGEST)
    except OSError:
        return False
    return any(form in data for form in forms)
