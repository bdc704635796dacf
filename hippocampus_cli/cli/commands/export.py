"""``hippo export`` and ``hippo import``: a whole memory as one file, or some entries for other agents."""

from __future__ import annotations

from pathlib import Path

from hippocampus_cli import api
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import DRY_RUN, NOTE_PATHS, TAGS, argument, option, takes
from hippocampus_cli.cli.output import Output, count, cyan, yellow
from hippocampus_cli.errors import UsageError, WorkspaceNotFound


@takes(
    argument(
        "file",
        "FILE",
        "The package to write; a file that is there is not replaced. With --synapse a folder.",
    ),
    NOTE_PATHS,
    option(
        "--sign",
        "Sign with the private key in this file (32 bytes); made where it is not there.",
        metavar="KEYFILE",
    ),
    option(
        "--synapse",
        "Share entries with other agents, as AGENT, in a folder of shared memory: those of --path and --tag.",
        metavar="AGENT",
    ),
    TAGS,
    DRY_RUN,
)
def command(
    session: CommandContext,
    *,
    file: Path,
    paths: list[str],
    sign: Path | None,
    synapse: str | None,
    tags: list[str],
    dry_run: bool,
) -> None:
    """Write the whole memory into one file: notes, index, archive, episodes, beliefs.

    A manifest in it names every file with its SHA-256, and the head of the episodes' chain. The same memory makes the
    same bytes. --sign needs the extra `sign`. To encrypt it: `age -p memory.zip`, `gpg -c memory.zip`.

    With --synapse, entries and the texts that they lead to go into a folder that other agents read, in the form of
    synapse.md. Secrets stay out, and nothing that is there is changed.

    Examples:
      hippo export memory.zip
      hippo export memory.zip --sign ~/.config/hippo/key
      hippo export ~/shared-memory --synapse wren --path TOOLS.md
    """
    if synapse is None and (paths or tags or dry_run):
        advice = (
            "name the agent that shares, as in: hippo export FOLDER --synapse wren --tag deploy"
        )
        reason = "--path, --tag and --dry-run are for what is shared"
        raise UsageError(reason=reason, advice=advice)
    with session.open() as opened:
        if synapse is not None:
            shared = opened.packages.share(file, synapse, paths=paths, tags=tags, dry_run=dry_run)
            session.show(shared, _print_shared)
            return
        done = opened.packages.export(file, key_file=sign)
    session.show(done, _print_exported)


@takes(
    argument(
        "file", "FILE", "A package of `hippo export`, or another program's memory: file or folder."
    ),
    option("--signed-by", "The public key that must have signed it.", metavar="KEY"),
    option(
        "--take",
        "Also this file of it, though it instructs an agent; repeatable.",
        metavar="PATH",
    ),
    option("--own", "It is your own memory: its beliefs keep the trust that they had."),
    option("--synapse", "Take in what other agents share with AGENT in a folder.", metavar="AGENT"),
    DRY_RUN,
)
def import_command(
    session: CommandContext,
    *,
    file: Path,
    signed_by: str = "",
    own: bool,
    take: list[str],
    synapse: str | None,
    dry_run: bool,
) -> int:
    """Import a memory, hippo's or another program's: what is here is never overwritten.

    Every hash is verified first, and the signature where there is one. Beliefs of another memory are trusted as
    `import`, unless they are --own or --signed-by a key you name; files that instruct an agent or run (AGENTS, SOUL,
    rules, skills, scripts) are then taken only with --take. Episodes come where there are none yet: two chains
    are not one. What the gate refuses stays out. The exit code is 1 where something was left out.

    Of other programs it takes folders of markdown (~/.claude, Codex's memories, Obsidian, basic-memory), GEMINI.md,
    the chats that ChatGPT and Claude.ai export, and the JSON of mem0 and of the MCP memory server. They come as notes
    below shared-memory/, without secrets, with the origin `import`.

    With --synapse, what other agents share in a folder comes in as entries with the sender's name; they are never
    pinned, and their texts have the origin `import`.

    Examples:
      hippo import memory.zip --dry-run
      hippo import ~/.claude --dry-run
      hippo import conversations.json
      hippo import mind.zip --signed-by 3q2+7w…
      hippo import ~/shared-memory --synapse wren --dry-run
    """
    if session.root_or_none() is None:
        raise NothingToImportInto(path=str(Path.cwd()), looked_for="HIPPOCAMPUS.md, .hippocampus")
    with session.open() as opened:
        if synapse is not None:
            received = opened.packages.receive(file, synapse, dry_run=dry_run)
            session.show(received, _print_received)
            return int(bool(received.left_out))
        done = opened.packages.import_file(
            file,
            signed_by=signed_by,
            own=own,
            named=take,
            dry_run=dry_run,
        )
    session.show(done, _print_imported)
    return int(any(one.what in ("differs", "refused") for one in done.parts))


class NothingToImportInto(WorkspaceNotFound):
    """A package may fill a folder that is no workspace yet, if that folder is named."""

    next = "name the folder to import into: `hippo import FILE --workspace .`"


def _print_exported(output: Output, done: api.Exported) -> None:
    signed = f", signed by {done.signed}" if done.signed else ""
    output.line(f"wrote {count(done.files, 'file')}, {done.bytes:,} bytes{signed}")


def _print_imported(output: Output, done: api.Imported) -> None:
    new = count(sum(part.what == "new" for part in done.parts), "file")
    same = sum(part.what == "same" for part in done.parts)
    whose = "" if done.kind == "hippo" else f" of {done.kind}"
    output.line(f"{'would add' if done.dry_run else 'added'} {new}{whose}; {same:,} here already")
    _print_left_out(output, {part.path: part.why for part in done.parts if part.why})
    if done.signed:
        output.line(f"signed by {done.signed}")


def _print_shared(output: Output, done: api.Shared) -> None:
    if not (done.entries or done.same):
        output.line("nothing was shared: no entry has such a path or tag")
        return
    verb = "would share" if done.dry_run else "shared"
    entries = count(len(done.entries), "entry")
    output.line(f"{verb} {entries} as {done.agent}; {len(done.same):,} there already")
    for id in done.entries:
        output.line(cyan(f"  {id}"))


def _print_received(output: Output, done: api.Received) -> None:
    verb = "would take in" if done.dry_run else "took in"
    new, notes = count(len(done.new), "entry"), count(len(done.notes), "text")
    output.line(f"{verb} {new} and {notes}; {len(done.changed):,} changed")
    for id in (*done.new, *done.changed):
        output.line(cyan(f"  {id}"))
    _print_left_out(output, {part.path: part.why for part in done.left_out})


def _print_left_out(output: Output, reasons: dict[str, str]) -> None:
    for path, why in reasons.items():
        output.line(yellow(f"  left out: {path} ({why})"))
