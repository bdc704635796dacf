"""``hippo mind``, ``hippo beliefs``, ``hippo why``: what happened, and what is held true."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import (
    DRY_RUN,
    PATH,
    SHARED,
    TRANSCRIPT_FORMAT,
    Group,
    argument,
    flag,
    takes,
)
from hippocampus_cli.cli.render import mind as render
from hippocampus_cli.cli.values import text_of

HELP = """Episodes and beliefs: what happened, and what is held true, since when, on whose word.

Episodes are what sessions and logs said, never changed; beliefs are what is held because of them. A belief is
superseded only on a word that is trusted as much; what is trusted less disputes it.

Examples:
  hippo mind encode session.jsonl
  hippo remember --believe "I prefer trains over planes"
  hippo beliefs trains
  hippo mind check "I prefer planes"
"""
_BELIEF = argument("belief", "ID", "A belief's id: `hippo beliefs` shows them.")


@takes(
    argument(
        "path",
        "SESSION",
        "A session's file; without one, daily logs and core files.",
        required=False,
        kind=PATH,
    ),
    TRANSCRIPT_FORMAT,
    *SHARED,
)
def encode(session: CommandContext, path: Path | None, form: str | None) -> None:
    """Encode what is new in a session, or in daily logs and core files, as episodes.

    Lines are kept word for word; nothing is encoded twice. What the gate refuses (credentials, crisis, harm, …) is
    refused whole: its category and place are kept, its content is not.

    Examples:
      hippo mind encode ~/.claude/projects/-home-ines-acme/5f2c.jsonl
      hippo mind encode
    """
    with session.open() as opened:
        mind = opened.mind
        if path is not None:
            done = mind.encode(path, form=form, now=session.now)  # type: ignore[arg-type]
        else:
            done = mind.encode_notes(now=session.now)
    render.print_kept(session.output, done)


@takes(argument("episode", "ID", "Show what this one says.", required=False), *SHARED)
def log(session: CommandContext, episode: str | None) -> None:
    """List the episodes, the newest first, or show what one says.

    Examples:
      hippo mind log
      hippo mind log ep-1a2b3c4d5e6f
    """
    with session.open_as_is() as opened:
        if episode is None:
            render.print_episodes(session.output, opened.mind.episodes())
        else:
            render.print_statements(session.output, opened.mind.statements(episode))


@takes(*SHARED)
def verify(session: CommandContext) -> int:
    """Verify that no episode was changed, and that each belief leads to its sources.

    The exit code is 1 where something is wrong; it is named as file:line.

    Examples:
      hippo mind verify
    """
    with session.open_as_is() as opened:
        found = opened.mind.verify()
        total = len(opened.mind.episodes())
    render.print_problems(session.output, found, total)
    return int(bool(found))


@takes(argument("episode", "ID", "An episode's id."), *SHARED)
def redact(session: CommandContext, episode: str) -> None:
    """Empty the text of an episode for good; its record stays, and the chain stays valid.

    Examples:
      hippo mind redact ep-1a2b3c4d5e6f
    """
    with session.open() as opened:
        done = opened.mind.redact(episode, now=session.now)
    render.print_redacted(session.output, done)


@takes(
    argument(
        "words",
        "TEXT",
        "A statement, or a draft; - reads it from standard input.",
        required=False,
        several=True,
    ),
    *SHARED,
)
def check(session: CommandContext, words: list[str]) -> int:
    """Check a text against what is held: two quotes with their days for each contradiction.

    Without a text, what is held and disputed is checked against each other. A language model, where the environment
    names one (hippo mind review), is asked of what is said in other words. The exit code is 1 where something
    contradicts.

    Examples:
      hippo mind check "the staging database listens on port 5432"
      hippo mind check - < draft.md
      hippo mind check
    """
    text = text_of(words) if words else ""
    with session.open_as_is() as opened:
        found = opened.mind.check(text, now=session.now)
    render.print_contradictions(session.output, found)
    return int(bool(found))


@takes(_BELIEF, *SHARED)
def settle(session: CommandContext, belief: str) -> None:
    """Say which of two statements stands: the named one is held on your word, what conflicts with it is not.

    Examples:
      hippo mind settle the-deploy-command-is-make-ship
    """
    with session.open() as opened:
        done = opened.mind.settle(belief, now=session.now)
    render.print_settled(session.output, done)


@takes(_BELIEF, *SHARED)
def retract(session: CommandContext, belief: str) -> None:
    """Take a belief back: it is not held any more, and stays readable.

    Examples:
      hippo mind retract i-prefer-trains
    """
    with session.open() as opened:
        done = opened.mind.retract(belief, now=session.now)
    render.print_belief(session.output, done, "retracted")


@takes(*SHARED)
def audit(session: CommandContext) -> None:
    """Count what rests on what: on whose word, on how many statements, on answers that themselves used beliefs.

    Examples:
      hippo mind audit
    """
    with session.open_as_is() as opened:
        found = opened.mind.audit(now=session.now)
    render.print_audit(session.output, found)


@takes(*SHARED)
def why_refused(session: CommandContext) -> None:
    """List what the gate refused: when, where, which category, and what the category is about; no content.

    Examples:
      hippo mind why-refused
    """
    with session.open_as_is() as opened:
        found = opened.mind.refusals()
    render.print_refusals(session.output, found)


@takes(
    DRY_RUN,
    flag("--edit", "See what would be restated in $EDITOR first: what is left there is kept."),
    *SHARED,
)
def review(session: CommandContext, dry_run: bool, edit: bool) -> None:
    """Review the beliefs that questions have used: restated in fewer words where three checks allow it.

    The environment names the model (HIPPO_MIND_MODEL=openai:NAME, anthropic:NAME or ollama:NAME); without one no
    belief is worded anew. What fails a check stays as it is.

    Examples:
      hippo mind review --dry-run
      hippo mind review --edit
      HIPPO_MIND_MODEL=ollama:llama3.2 hippo mind review
    """
    from hippocampus_cli.cli.editor import edited

    with session.open() as opened:
        editor = partial(edited, environ=session.environ) if edit else None
        found, model = opened.mind.review(dry_run=dry_run, edit=editor, now=session.now)
    render.print_reviews(session.output, found, model, dry_run)


@takes(DRY_RUN, *SHARED)
def archive(session: CommandContext, dry_run: bool) -> None:
    """Move beliefs that weigh next to nothing to the archive; `hippo mind restore` brings one back.

    Examples:
      hippo mind archive --dry-run
    """
    with session.open() as opened:
        found = opened.mind.archive(dry_run=dry_run, now=session.now)
    render.print_archived(session.output, found, dry_run)


@takes(argument("belief", "ID", "The id of an archived belief."), *SHARED)
def restore(session: CommandContext, belief: str) -> None:
    """Bring a belief back from the archive.

    Examples:
      hippo mind restore i-prefer-trains
    """
    with session.open() as opened:
        done = opened.mind.restore(belief, now=session.now)
    render.print_belief(session.output, done, "restored")


@takes(
    argument("words", "WORDS", "Only what is held about these.", required=False, several=True),
    flag("--all", "Also what was held before, is disputed, or was taken back.", name="every"),
    *SHARED,
)
def beliefs_command(session: CommandContext, words: list[str], every: bool) -> None:
    """Show what is held true: since when, what was held before, what disputes it.

    Examples:
      hippo beliefs
      hippo beliefs deploy command
      hippo beliefs --all
    """
    with session.open_as_is() as opened:
        found = opened.mind.beliefs(" ".join(words), every=every, now=session.now)
    render.print_beliefs(session.output, found)


@takes(_BELIEF, *SHARED)
def why_command(session: CommandContext, belief: str) -> None:
    """Show why a belief is held: who said what, when, in which session, and where that is written.

    Examples:
      hippo why i-prefer-planes-now
    """
    with session.open_as_is() as opened:
        found, evidence = opened.mind.why(belief)
    render.print_why(session.output, found, evidence)


def _named(name: str, command: Any) -> Any:
    return command._replace(name=name)


command = Group(
    HELP,
    (
        encode,
        log,
        verify,
        redact,
        check,
        settle,
        retract,
        audit,
        _named("why-refused", why_refused),
        review,
        archive,
        restore,
    ),
)
