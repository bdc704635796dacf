"""``hippo export`` and ``hippo import``: a whole memory as one file."""

from __future__ import annotations

from pathlib import Path

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import DRY_RUN, PATH, SHARED, argument, flag, option, takes
from hippocampus_cli.cli.render import mind as render

_PASSPHRASE = "HIPPO_PASSPHRASE"


@takes(
    argument(
        "file", "FILE", "The package to write; a file that is there is not replaced.", kind=PATH
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
    *SHARED,
)
def export(
    session: CommandContext,
    file: Path,
    path: list[str],
    mind_only: bool,
    sign: Path | None,
    encrypt: bool,
) -> None:
    """Write the whole memory into one file: notes, index, archive, episodes, beliefs.

    A manifest in it names every file with its SHA-256, and the head of the episodes' chain. The same memory makes the
    same bytes. --sign and --encrypt need the extra `sign`.

    Examples:
      hippo export memory.zip
      hippo export mind.zip --mind-only --sign ~/.config/hippo/key
      HIPPO_PASSPHRASE=… hippo export memory.hippo --encrypt
    """
    with session.open() as opened:
        passphrase = session.environ.get(_PASSPHRASE, "") if encrypt else None
        done = opened.mind.export(
            file, paths=path, mind_only=mind_only, key_file=sign, passphrase=passphrase
        )
    render.print_exported(session.output, done)


@takes(
    argument("file", "FILE", "A package that `hippo export` wrote.", kind=PATH),
    option("--signed-by", "The public key that must have signed it.", metavar="KEY"),
    flag("--own", "It is your own memory: its beliefs keep the trust that they had."),
    DRY_RUN,
    *SHARED,
)  # fmt: skip
def import_(
    session: CommandContext, file: Path, signed_by: str | None, own: bool, dry_run: bool
) -> int:
    """Import a package: what is not here is added, what is here is never overwritten.

    Every hash is verified first, and the signature where there is one. Beliefs of another memory are trusted as
    `import`, unless they are --own or --signed-by a key you name. Episodes come where there are none yet: two chains
    are not one. What the gate refuses stays out. The exit code is 1 where something was left out.

    Examples:
      hippo import memory.zip --dry-run
      hippo import mind.zip --signed-by 3q2+7w…
    """
    with session.open() as opened:
        passphrase = session.environ.get(_PASSPHRASE, "")
        done = opened.mind.import_file(
            file,
            signed_by=signed_by or "",
            own=own,
            passphrase=passphrase,
            dry_run=dry_run,
            now=session.now,
        )
    render.print_imported(session.output, done)
    return int(any(one.what in ("differs", "refused") for one in done.parts))


globals()["import"] = import_._replace(name="import")  # a word that Python keeps to itself
