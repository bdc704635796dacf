"""``hippo config``."""

from __future__ import annotations

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import SHARED, argument, flag, takes
from hippocampus_cli.cli.render import Output, Styled
from hippocampus_cli.cli.render.layout import columns_of, wrapped
from hippocampus_cli.config import Config, Row
from hippocampus_cli.errors import UsageError


@takes(
    argument("key", "KEY", "One setting, or a table of them.", required=False, complete="settings"),
    flag("--defaults", "Show the defaults, whatever is set."),
    flag(
        "--allow-network/--forbid-network",
        "Whether this workspace's file may have its texts sent to the server it names.",
        default=None,
    ),
    *SHARED,
)
def command(
    session: CommandContext, key: str | None, defaults: bool, allow_network: bool | None
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
    if allow_network is not None:
        _allow(session, allowed=allow_network)
        return
    config = Config() if defaults else session.config_anywhere()
    for name, place in config.unread.items():
        session.output.note(f"hippo: {place}: {name} is no setting any more; it is not read")
    rows = _chosen(list(config.rows()), key)
    if session.output.as_json:
        session.output.json(_document(rows, key))
    elif key is not None and rows[0].key == key:
        session.output.line(shown(rows[0].value))
    else:
        _print(session, rows)


def _allow(session: CommandContext, *, allowed: bool) -> None:
    with session.open_as_is() as opened:
        root, place = opened.root, opened.upkeep.allow_network(allowed)
        embedder = opened.config.embedding.embedder
    if session.output.as_json:
        session.output.json({"workspace": str(root), "allowed": allowed, "url": place})
    elif allowed:
        session.output.line(f"the texts of {root} may be sent to {embedder} at {place}")
    else:
        session.output.line(f"the settings file of {root} may send its texts nowhere")


def _chosen(rows: list[Row], key: str | None) -> list[Row]:
    if key is None:
        return rows
    chosen = [row for row in rows if row.key == key or row.key.startswith(f"{key}.")]
    if not chosen:
        from difflib import get_close_matches

        near = get_close_matches(key[:100], [row.key for row in rows], 1)
        meant = f"did you mean {near[0]}?" if near else "`hippo config` shows every key"
        raise UsageError(reason=f"there is no setting {key}", advice=meant)
    return chosen


def _document(rows: list[Row], key: str | None) -> object:
    listed = [row._asdict() for row in rows]
    return listed[0] if key is not None and rows[0].key == key else {"settings": listed}


def _print(session: CommandContext, rows: list[Row]) -> None:
    """One TOML table after another, so that a line can be copied into the file as it stands."""
    table = ""
    for row in rows:
        here, _, name = row.key.partition(".")
        if here != table:
            session.output.line(*([] if not table else ["\n"]), Styled(f"[{here}]", "bold"))
            table = here
        if session.output.narrow:
            _print_narrow(session.output, row, name)
            continue
        setting = f"{name} = {shown(row.value)}"
        style = "" if row.origin == "default" else "cyan"
        session.output.line(
            Styled(setting.ljust(32), style), Styled(f"  # {row.origin}: {row.doc}", "dim")
        )


def _print_narrow(output: Output, row: Row, name: str) -> None:
    """What it means above the setting, and a list over several lines: TOML still, that can be copied."""
    for line in wrapped(f"{row.origin}: {row.doc}", output.width - 2):
        output.line(Styled(f"# {line}", "dim"))
    setting = f"{name} = {shown(row.value)}"
    style = "" if row.origin == "default" else "cyan"
    if not isinstance(row.value, tuple) or columns_of(setting) <= output.width:
        output.line(Styled(setting, style))
        return
    output.line(Styled(f"{name} = [", style))
    for one in row.value:
        output.line(Styled(f"  {shown(one)},", style))
    output.line(Styled("]", style))


def shown(value: object) -> str:
    """A setting's value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        import json

        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, tuple):
        return f"[{', '.join(map(shown, value))}]"
    return repr(value)
