"""``hippo compact --compat reference``: the reference's answer, its words and its log."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.render import safe_line
from hippocampus_cli.cli.stdin import standard_input
from hippocampus_cli.errors import TranscriptUnreadable

if TYPE_CHECKING:
    from hippocampus_cli.context.transcripts import Format

_SETTINGS = "hippocampus.config.json"


def compact(
    session: CommandContext, path: Path | None, form: Format | None, *, explain: bool
) -> None:
    """Compact a session file, or answer the preparation on standard input."""
    settings = _settings(session)
    if path is None:
        _answer(session, settings)
    else:
        _compact(session, path, form, settings, explain=explain)


def _settings(session: CommandContext) -> dict[str, Any]:
    """The reference's settings, from the folder it runs in."""
    from hippocampus_cli.context.compaction.reference.scoring import read_settings

    file = Path.cwd() / _SETTINGS
    text = None
    try:
        text = file.read_bytes().decode("utf-8", "replace") if file.exists() else None
    except OSError as error:
        session.output.note(f"hippo: {_SETTINGS}: {error.strerror}; the defaults hold")
    settings, wrong = read_settings(text)
    if wrong is not None:
        session.output.note(f"hippo: {_SETTINGS}: {safe_line(wrong)}; the defaults hold")
    return settings


def _answer(session: CommandContext, settings: dict[str, Any]) -> None:
    from hippocampus_cli.context.compaction.reference.summary import append_log, handle, loaded
    from hippocampus_cli.context.transcripts.pi import read_preparation

    handled = handle(read_preparation(standard_input()).raw, settings)
    for text, _ in handled.notices:
        session.output.note(safe_line(text))
    lines = [loaded(settings), *handled.log]
    append_log(Path.cwd(), settings["logFile"], lines, session.now)
    done = {} if handled.compaction is None else {"compaction": handled.compaction}
    session.output.json(done)


def _compact(
    session: CommandContext,
    path: Path,
    form: Format | None,
    settings: dict[str, Any],
    *,
    explain: bool,
) -> None:
    from hippocampus_cli.context.compaction.reference.scoring import ReferenceThrows, score
    from hippocampus_cli.context.compaction.reference.summary import actions_of, build
    from hippocampus_cli.context.transcripts import Transcript

    with Transcript(path, form) as transcript:
        messages = [one.raw for one in transcript]
        previous = transcript.previous
        notices = transcript.notices()
    try:
        scored = score(messages, settings)
        summary = build(scored, messages, settings, previous.text if previous else "")
    except ReferenceThrows as thrown:
        reason = f"the reference fails here: {thrown}"
        raise TranscriptUnreadable(path=str(path), reason=reason) from None
    output = session.output
    rows = [
        {**one._asdict(), "action": action}
        for one, action in zip(scored, actions_of(scored, settings), strict=True)
    ]
    if output.as_json:
        output.json({"summary": summary, "entries": rows, "notices": notices})
        return
    if explain:
        for row in rows:
            shown = (row["type"], row["tokens"], f"{row['retention']:.2f}", row["action"])
            output.line("\t".join(map(str, shown)))
    else:
        output.line(summary)
    for notice in notices:
        output.note(f"hippo: {safe_line(notice)}")
