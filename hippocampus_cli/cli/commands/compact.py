"""``hippo compact``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hippocampus_cli import api
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import (
    FENCE,
    TOKEN_BUDGET,
    TRANSCRIPT_FORMAT,
    argument,
    option,
    standard_input,
    takes,
)
from hippocampus_cli.cli.output import Output, Part, count, dim, row
from hippocampus_cli.errors import UsageError

_HEADS = ("line", "id", "type", "tokens", "age", "retention", "action", "why")


@takes(
    argument("path", "SESSION", "A session file."),
    TRANSCRIPT_FORMAT,
    TOKEN_BUDGET._replace(low=150),
    option("--explain", "Say what becomes of each message, and why."),
    option("--stdin", "Read Pi's preparation object, answer the compaction."),
    FENCE,
    option("--no-write", "Do not note where the originals are."),
)
def command(
    session: CommandContext,
    *,
    path: Path | None,
    form: api.Format | None,
    tokens: int | None,
    explain: bool,
    stdin: bool,
    fence: bool,
    no_write: bool,
) -> None:
    """Compact a session: what still matters in full, the rest as pointers.

    Reads sessions of Pi and OpenClaw, Claude Code, and plain message lists, and never writes to them. What
    was decided, wanted and used again stays; the rest fades to a line or to key data, and `hippo fetch`
    gets back the original of any #id.

    Examples:
      hippo compact session.jsonl
      hippo compact session.jsonl --tokens 3000 --explain
      hippo compact --stdin < preparation.json
    """
    if stdin == (path is not None):
        reason = "--stdin takes no session file" if stdin else "a session file is missing"
        raise UsageError(reason=reason, advice="give a session file, or --stdin")
    output, files = session.output, session.session_files()
    if path is None:
        answer = files.answer_pi(
            standard_input(), session.random, tokens=tokens, write=not no_write
        )
        output.notices(answer.notices)
        output.as_json = True  # whatever was said
        output.json(answer.document)  # nothing to compact is an empty one, and Pi goes on by itself
        return
    made, transcript, notices = files.compact(
        path, form=form, tokens=tokens, fence=fence, write=not no_write
    )
    if output.as_json:
        output.json(_document(made, transcript, notices))
        return
    if fence and not explain:
        session.print_fenced(made.pieces)
    else:
        print_compaction(output, made, explain=explain)
    output.notices(notices)


def print_compaction(output: Output, made: api.CompactedSession, *, explain: bool) -> None:
    """The summary, or the verdicts; the figures beside it."""
    if explain:
        output.table([_row(judged) for judged in made.judged], _HEADS, cut=(7,))
    else:
        output.text(made.summary)
    done = (
        f"{number:,} {api.sessions.DONE[action]}"
        for action, number in made.counts.items()
        if number
    )
    shrunk = made.after < made.before  # a session of a few words does not
    times = api.sessions.ratio(made.before, made.after)
    output.note(
        f"{count(len(made.judged), 'entry')}: {', '.join(done) or 'none'}; "
        f"{made.before:,} to {made.after:,} tokens{f', {times} times smaller' if shrunk else ''}"
    )


def _row(judged: api.JudgedMessage) -> list[Part]:
    entry = judged.entry
    figures = (str(entry.tokens), str(entry.age), f"{entry.retention:.2f}")
    return [
        str(entry.line or "-"),
        entry.id or "-",
        entry.type,
        *figures,
        judged.action,
        dim(judged.reason),
    ]


def _document(
    made: api.CompactedSession, transcript: api.Transcript, notices: Sequence[str]
) -> dict[str, object]:
    return row(
        made,
        "summary counts key_data",
        tokens=made.after,
        original_tokens=made.before,
        max_tokens=made.budget,
        path=str(transcript.path),
        format=transcript.format,
        broken_lines=len(transcript.broken),
        entries=[*map(_verdict, made.judged)],
        notices=notices,
    )


def _verdict(judged: api.JudgedMessage) -> dict[str, object]:
    """A verdict as JSON; an entry of an earlier summary has no line."""
    entry = judged.entry
    known = row(entry, "role type tokens importance age retention", used=entry.use is not None)
    empty = {"id": entry.id or None, "line": entry.line or None, "tool": entry.tool or None}
    return row(judged, "action reason", **known, **empty)
