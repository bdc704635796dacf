"""``hippo config``."""

from __future__ import annotations

import json
from collections.abc import Sequence

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import argument, near, option, takes
from hippocampus_cli.cli.output import Output, Styled, bold, dim
from hippocampus_cli.config import Config, Row
from hippocampus_cli.errors import UsageError


@takes(
    argument("key", "KEY", "One setting, or a table of them."),
    option("--defaults", "Show the defaults, whatever is set."),
    option(
        "--allow-network/--forbid-network",
        "Whether this workspace's file may have its texts sent to the server it names.",
    ),
)
def command(
    session: CommandContext, *, key: str | None, defaults: bool, allow_network: bool | None
) -> None:
    """Show every setting, its value and where the value came from.

    A value comes from the environment (HIPPO_DECAY_RATE=0.2), else from .hippocampus/config.toml in
    the workspace, else it is the specification's default.

    A workspace's file that names a server, on this machine or elsewhere, is asked about once: --allow-network
    remembers, in your own settings folder, that this workspace may send its texts there with your key. Another server
    or model is asked about again.

    Examples:
      hippo config
      hippo config decay.rate
      hippo config bands --json
      hippo config --allow-network
    """
    output = session.output
    if allow_network is not None:
        opened = session.open()
        url = opened.upkeep.allow_network(allow_network)
        output.document({"workspace": str(opened.root), "allowed": allow_network, "url": url})
        return
    config = Config() if defaults else session.config_anywhere()
    output.notices(
        f"{place}: {name} is no setting any more; it is not read"
        for name, place in config.unread.items()
    )
    rows = _chosen(list(config.rows()), key)
    single = rows[0].key == key
    output.json(rows[0] if single else {"settings": rows})
    if single:
        output.line(shown(rows[0].value))
    else:
        _print(output, rows)


def _chosen(rows: list[Row], key: str | None) -> list[Row]:
    chosen = [row for row in rows if key is None or f"{row.key}.".startswith(f"{key}.")]
    if not chosen:
        advice = near(key or "", [row.key for row in rows])
        raise UsageError(reason=f"there is no setting {key}", advice=advice)
    return chosen


def _print(output: Output, rows: Sequence[Row]) -> None:
    """One TOML table after another, so that a line can be copied into the file as it stands."""
    table = ""
    for row in rows:
        here, _, name = row.key.partition(".")
        if here != table:
            if table:
                output.line()
            output.line(bold(f"[{here}]"))
            table = here
        setting = f"{name} = {shown(row.value)}"
        style = "" if row.origin == "default" else "cyan"
        output.line(Styled(setting.ljust(32), style), dim(f"  # {row.origin}: {row.doc}"))


def shown(value: object) -> str:
    """A setting's value as TOML, which writes what settings hold as JSON does."""
    return json.dumps(value, ensure_ascii=False)
