"""``hippo compact``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import (
    FENCE,
    PATH,
    SHARED,
    TOKEN_BUDGET,
    TRANSCRIPT_FORMAT,
    argument,
    flag,
    takes,
)
from hippocampus_cli.cli.render import safe_line
from hippocampus_cli.cli.values import standard_input
from hippocampus_cli.errors import UsageError

if TYPE_CHECKING:
    from hippocampus_cli.api import Format
    from hippocampus_cli.config.context import Compaction


@takes(
    argument("path", "SESSION", "A session file.", required=False, kind=PATH),
    TRANSCRIPT_FORMAT,
    TOKEN_BUDGET,
    flag("--explain", "Say what becomes of each message, and why."),
    flag("--score", "SESSION is a daily log: score its blocks, into FILE.scores.json."),
    flag("--stdin", "Read Pi's preparation object, answer the compaction."),
    FENCE,
    flag("--no-write", "Do not note where the originals are."),
    *SHARED,
)
def command(
    session: CommandContext,
    path: Path | None,
    form: Format | None,
    tokens: int | None,
    explain: bool,
    score: bool,
    stdin: bool,
    fence: bool,
    no_write: bool,
) -> None:
    """Compact a session: what still matters in full, the rest as pointers.

    Reads sessions of Pi and OpenClaw, Claude Code, and plain message lists, and never writes to them. What
    was decided, wanted and used again stays; the rest fades to a line or to key data, and `hippo fetch`
    gets back the original of any #id. With --score it scores the blocks of a daily log; a comment
    in a block says what it is: <!-- hippocampus: type=decision score=0.85 -->.

    Examples:
      hippo compact session.jsonl
      hippo compact session.jsonl --tokens 3000 --explain
      hippo compact --stdin < preparation.json
      hippo compact --score memory/2026-02-03.md
    """
    if stdin == (path is not None):
        reason = "--stdin takes no session file" if stdin else "a session file is missing"
        raise UsageError(reason=reason, advice="give a session file, or --stdin")
    if score and path is not None:
        _score(session, path)
    elif path is None:
        _answer(session, tokens, write=not no_write)
    else:
        _compact(session, path, form, tokens, explain=explain, fence=fence, write=not no_write)


def _compact(
    session: CommandContext,
    path: Path,
    form: Format | None,
    tokens: int | None,
    *,
    explain: bool,
    fence: bool,
    write: bool,
) -> None:
    from hippocampus_cli.api.sessions import compact
    from hippocampus_cli.cli.render.compaction import document, print_compaction

    settings = _settings(session, tokens)
    root = session.root_or_none()
    made, transcript, notices = compact(
        path, form, settings, root, now=session.now, fence=fence, write=write
    )
    if session.output.as_json:
        session.output.json(document(made, transcript, notices))
        return
    if fence and not explain:
        session.print_fenced(made.pieces())
    else:
        print_compaction(session.output, made, explain=explain)
    session.print_notices(notices)


def _answer(session: CommandContext, tokens: int | None, *, write: bool) -> None:
    """Pi's answer: always JSON; nothing to compact is an empty object, and Pi goes on by itself."""
    from hippocampus_cli.api.sessions import answer_pi

    settings, root = _settings(session, tokens), session.root_or_none()
    answer = answer_pi(
        standard_input(),
        settings,
        root,
        session.environ,
        session.random,
        now=session.now,
        write=write,
    )
    session.print_notices(answer.notices)
    session.output.json(answer.document)


def _settings(session: CommandContext, tokens: int | None) -> Compaction:
    return session.config_anywhere({"compaction.tokens": ("--tokens", tokens)}).compaction


def _score(session: CommandContext, path: Path) -> None:
    """The scores of a daily log's blocks; the log itself is never written to."""
    from hippocampus_cli.api.sessions import score_file

    agent = session.environ.get("AGENT_ID") or "unknown"
    scores = score_file(path, agent, session.now, _settings(session, None))
    if session.output.as_json:
        session.output.json({"path": str(scores.path), **scores.document})
        return
    stats = scores.stats
    session.output.line(
        f"scored {stats['total']} blocks: {stats['kept']} kept, {stats['compressed']} compressed,"
        f" {stats['sparse']} sparse; {stats['totalTokens']} tokens"
    )
    session.output.line(f"wrote {safe_line(str(scores.path.absolute()))}")
