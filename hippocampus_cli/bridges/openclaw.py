"""Which OpenClaw is here, by the files it keeps. Nothing is run and nothing is opened."""

from __future__ import annotations

from pathlib import Path

from hippocampus_cli.errors import InstallRefused

FOLDERS = (".openclaw", ".clawdbot")
"""Where it keeps its state, below home; the second is its older name."""
_WORKSPACES = ("workspace", "../clawd")
_DATABASES = "agents/*/agent/openclaw-agent.sqlite*"

SAFEGUARD = (
    'where openclaw.json has agents.defaults.compaction.mode "safeguard", as new installations do, OpenClaw\'s own'
    ' handler may have the last word; "default" lets hippo'
)


def state_folder(home: Path, named: str | None) -> Path:
    """The folder of its state: ``named`` by OPENCLAW_STATE_DIR, else the one below ``home``.

    Raises :class:`InstallRefused` where there is none, or that of a newer OpenClaw.
    """
    tried = [Path(named)] if named else [home / name for name in FOLDERS]
    found = next((folder for folder in tried if folder.is_dir()), None)
    if found is None:
        reason = f"there is no OpenClaw here (looked for {', '.join(map(str, tried))})"
        advice = "start OpenClaw once, or name its folder in OPENCLAW_STATE_DIR"
        raise InstallRefused(reason=reason, advice=advice)
    newer = next(iter(sorted(found.glob(_DATABASES))), None)
    if newer is not None:
        reason = (
            "this OpenClaw is newer than the layout of February 2026: its sessions are in SQLite, compaction belongs"
            " to a context engine, and an extension of Pi is never asked"
        )
        advice = "hippo has no context engine for it; its notes are indexed all the same: hippo bootstrap"
        raise InstallRefused(path=str(newer), reason=reason, advice=advice)
    return found


def workspace_in(state: Path) -> Path | None:
    """The workspace it makes where nothing else is set, None where there is none."""
    tried = (state.joinpath(name).resolve() for name in _WORKSPACES)
    return next((folder for folder in tried if folder.is_dir()), None)
