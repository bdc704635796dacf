"""``hippo export`` and ``hippo import``: a whole memory as one file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hippocampus_cli import api
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import DRY_RUN, argument, flag, option, takes
from hippocampus_cli.cli.output import Output, count, yellow
from hippocampus_cli.errors import WorkspaceNotFound


@takes(
    argument("file", "FILE", "The package to write; a file that is there is not replaced."),
    option(
        "--sign",
        "Sign with the private key in this file (32 bytes); made where it is not there.",
        metavar="KEYFILE",
    ),
)
def command(session: CommandContext, *, file: Path, sign: Path | None) -> None:
    """Write the whole memory into one file: notes, index, archive, episodes, beliefs.

    A manifest in it names every file with its SHA-256, and the head of the episodes' chain. The same memory makes the
    same bytes. --sign needs the extra `sign`. To encrypt it: `age -p memory.zip`, `gpg -c memory.zip`.

    Examples:
      hippo export memory.zip
      hippo export memory.zip --sign ~/.config/hippo/key
    """
    done = session.open().packages.export(file, key_file=sign)
    session.output.json(done)
    signed = f", signed by {done.signed}" if done.signed else ""
    session.output.line(
        f"wrote {done.path}: {count(done.files, 'file')}, {done.bytes:,} bytes{signed}"
    )


@takes(
    argument(
        "file", "FILE", "A package of `hippo export`, or another program's memory: file or folder."
    ),
    option("--signed-by", "The public key that must have signed it.", metavar="KEY", default=""),
    option(
        "--take",
        "Also this file of it, though it instructs an agent; repeatable.",
        name="named",
        metavar="PATH",
        several=True,
    ),
    flag("--own", "It is your own memory: its beliefs keep the trust that they had."),
    DRY_RUN,
)
def import_command(session: CommandContext, *, file: Path, **given: Any) -> int:
    """Import a memory, hippo's or another program's: what is here is never overwritten.

    Every hash is verified first, and the signature where there is one. Beliefs of another memory are trusted as
    `import`, unless they are --own or --signed-by a key you name; files that instruct an agent or run (AGENTS, SOUL,
    rules, skills, scripts) are then taken only with --take. Episodes come where there are none yet: two chains
    are not one. What the gate refuses stays out. The exit code is 1 where something was left out.

    Of other programs it takes folders of markdown (~/.claude, Codex's memories, Obsidian, basic-memory), GEMINI.md,
    the chats that ChatGPT and Claude.ai export, and the JSON of mem0 and of the MCP memory server. They come as notes
    below shared-memory/, without secrets, with the origin `import`.

    Examples:
      hippo import memory.zip --dry-run
      hippo import ~/.claude --dry-run
      hippo import conversations.json
      hippo import mind.zip --signed-by 3q2+7w…
    """
    if session.root_or_none() is None:
        raise NothingToImportInto(path=str(Path.cwd()), looked_for="HIPPOCAMPUS.md, .hippocampus")
    done = session.open().packages.import_file(file, **given)
    session.output.json(done)
    _print_imported(session.output, done)
    return int(any(part.what in ("differs", "refused") for part in done.parts))


class NothingToImportInto(WorkspaceNotFound):
    """A package may fill a folder that is no workspace yet, if that folder is named."""

    next = "name the folder to import into: `hippo import FILE --workspace .`"


def _print_imported(output: Output, done: api.Imported) -> None:
    new = count(sum(part.what == "new" for part in done.parts), "file")
    same = sum(part.what == "same" for part in done.parts)
    whose = "" if done.kind == "hippo" else f" of {done.kind}"
    output.line(f"{'would add' if done.dry_run else 'added'} {new}{whose}; {same:,} here already")
    for part in done.parts:
        if part.why:
            output.line(yellow(f"  left out: {part.path} ({part.why})"))
    if done.signed:
        output.line(f"signed by {done.signed}")
