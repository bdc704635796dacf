"""``hippo export`` and ``hippo import``: a whole memory as one file, or some entries for other agents."""

from __future__ import annotations

from pathlib import Path

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import DRY_RUN, PATH, SHARED, argument, flag, option, takes
from hippocampus_cli.cli.render import packages as render
from hippocampus_cli.errors import UsageError, WorkspaceNotFound

_PASSPHRASE = "HIPPO_PASSPHRASE"


@takes(
    argument(
        "file",
        "FILE",
        "The package to write; a file that is there is not replaced. With --synapse a folder.",
        kind=PATH,
    ),
    option(
        "--path -p",
        "Only notes whose path fits, as in .gitignore; repeatable.",
        metavar="GLOB",
        several=True,
    ),
    flag("--mind-only", "No notes and no index: only episodes and beliefs."),
    option(
        "--sign",
        "Sign with the private key in this file (32 bytes); made where it is not there.",
        metavar="KEYFILE",
        kind=PATH,
    ),
    flag("--encrypt", "Encrypt with the passphrase in HIPPO_PASSPHRASE."),
    option(
        "--synapse",
        "Share entries with other agents, as AGENT, in a folder of shared memory: those of --path and --tag.",
        metavar="AGENT",
    ),
    option(
        "--tag -t", "Only entries with this tag, to share; repeatable.", metavar="TAG", several=True
    ),
    DRY_RUN,
    *SHARED,
)
def command(
    session: CommandContext,
    file: Path,
    path: list[str],
    mind_only: bool,
    sign: Path | None,
    encrypt: bool,
    synapse: str | None,
    tag: list[str],
    dry_run: bool,
) -> None:
    """Write the whole memory into one file: notes, index, archive, episodes, beliefs.

    A manifest in it names every file with its SHA-256, and the head of the episodes' chain. The same memory makes the
    same bytes. --sign and --encrypt need the extra `sign`.

    With --synapse, entries and the texts that they lead to go into a folder that other agents read, in the form of
    synapse.md. Secrets stay out, and nothing that is there is changed.

    Examples:
      hippo export memory.zip
      hippo export mind.zip --mind-only --sign ~/.config/hippo/key
      HIPPO_PASSPHRASE=… hippo export memory.hippo --encrypt
      hippo export ~/shared-memory --synapse wren --path TOOLS.md
    """
    if synapse is None and (tag or dry_run):
        advice = (
            "name the agent that shares, as in: hippo export FOLDER --synapse wren --tag deploy"
        )
        raise UsageError(reason="--tag and --dry-run are for what is shared", advice=advice)
    with session.open() as opened:
        if synapse is not None:
            told = opened.packages.share(
                file, synapse, paths=path, tags=tag, dry_run=dry_run, now=session.now
            )
            render.print_shared(session.output, told)
            return
        passphrase = session.environ.get(_PASSPHRASE, "") if encrypt else None
        done = opened.packages.export(
            file, paths=path, mind_only=mind_only, key_file=sign, passphrase=passphrase
        )
    render.print_exported(session.output, done)


@takes(
    argument("file", "FILE", "A package that `hippo export` wrote, or a folder of shared memory.", kind=PATH),
    option("--signed-by", "The public key that must have signed it.", metavar="KEY"),
    flag("--own", "It is your own memory: its beliefs keep the trust that they had."),
    option("--synapse", "Take in what other agents share with AGENT in a folder.", metavar="AGENT"),
    DRY_RUN,
    *SHARED,
)  # fmt: skip
def import_command(
    session: CommandContext,
    file: Path,
    signed_by: str | None,
    own: bool,
    synapse: str | None,
    dry_run: bool,
) -> int:
    """Import a package: what is not here is added, what is here is never overwritten.

    Every hash is verified first, and the signature where there is one. Beliefs of another memory are trusted as
    `import`, unless they are --own or --signed-by a key you name. Episodes come where there are none yet: two chains
    are not one. What the gate refuses stays out. The exit code is 1 where something was left out.

    With --synapse, what other agents share in a folder comes in as entries with the sender's name; they are never
    pinned, and their texts have the origin `import`.

    Examples:
      hippo import memory.zip --dry-run
      hippo import mind.zip --signed-by 3q2+7w…
      hippo import ~/shared-memory --synapse wren --dry-run
    """
    _require_place(session)
    with session.open() as opened:
        if synapse is not None:
            told = opened.packages.receive(file, synapse, dry_run=dry_run, now=session.now)
            render.print_received(session.output, told)
            return int(bool(told.left_out))
        passphrase = session.environ.get(_PASSPHRASE, "")
        done = opened.packages.import_file(
            file,
            signed_by=signed_by or "",
            own=own,
            passphrase=passphrase,
            dry_run=dry_run,
            now=session.now,
        )
    render.print_imported(session.output, done)
    return int(any(one.what in ("differs", "refused") for one in done.parts))


class NothingToImportInto(WorkspaceNotFound):
    """A package may fill a folder that is no workspace yet, if that folder is named."""

    next = "name the folder to import into: `hippo import FILE --workspace .`"


def _require_place(session: CommandContext) -> None:
    """Raises :class:`NothingToImportInto` where no workspace was named and none is found."""
    try:
        session.root()
    except WorkspaceNotFound as error:
        if session.names_workspace:
            raise
        looked_for = error.facts.get("looked_for")
        raise NothingToImportInto(path=error.path, looked_for=looked_for) from error
