"""``hippo mind`` and ``hippo beliefs``: what happened, and what is held true."""

from __future__ import annotations

from pathlib import Path

from hippocampus_cli import api
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import (
    TRANSCRIPT_FORMAT,
    Group,
    argument,
    option,
    takes,
    text_of,
)
from hippocampus_cli.cli.output import Output, bold, dim, plain, row, yellow

HELP = """Episodes and beliefs: what happened, and what is held true, since when, on whose word.

Episodes are what sessions and logs said, never changed; beliefs are what is held because of them. A belief is
superseded only where somebody says so, on a word that is trusted as much.

Examples:
  hippo mind encode session.jsonl
  hippo remember --believe "Staging listens on 5432" --subject staging --attribute port
  hippo beliefs staging
  hippo mind check "the port of staging is 5433"
"""


@takes(
    argument("path", "SESSION", "A session's file; without one, daily logs."),
    TRANSCRIPT_FORMAT,
)
def encode(session: CommandContext, *, path: Path | None, form: api.Format | None) -> None:
    """Encode what is new in a session, or in daily logs, as episodes.

    Lines are kept word for word; nothing is encoded twice. What the gate refuses (credentials, crisis, harm, …) is
    refused whole: its category and place are kept, its content is not.

    Examples:
      hippo mind encode ~/.claude/projects/-home-ines-acme/5f2c.jsonl
      hippo mind encode
    """
    print_kept(session.output, session.open().mind.encode(path, form=form))


@takes(
    argument("episode", "ID", "Show what this one says."),
    option("--refused", "List what the gate refused: when, where, which category; no content."),
)
def log(session: CommandContext, *, episode: str | None, refused: bool) -> None:
    """List the episodes, the newest first, or show what one says.

    Examples:
      hippo mind log
      hippo mind log ep-1a2b3c4d5e6f
      hippo mind log --refused
    """
    opened = session.open()
    if refused:
        rows = [
            {**refusal._asdict(), "meaning": api.mind.meaning_of(refusal.category)}
            for refusal in opened.mind.refusals()
        ]
        session.output.document({"refused": rows})
    elif episode is None:
        episodes = opened.mind.episodes()
        session.output.json({"episodes": episodes})
        for one in reversed(episodes):
            session.output.line(f"{one.id}  {one.at[:16]}  {one.origin}  {one.source}")
    else:
        session.output.document({"statements": opened.mind.statements(episode)})


@takes(
    argument(
        "words", "TEXT", "A statement, or a draft; - reads it from standard input.", required=False
    )
)
def check(session: CommandContext, *, words: list[str]) -> int:
    """Check a text against what is held: the beliefs whose subject and attribute it names with another value.

    Without a text: the subjects and attributes that have several values. The exit code is 1
    where there is any.

    Examples:
      hippo mind check "the staging database listens on port 5432"
      hippo mind check - < draft.md
      hippo mind check
    """
    contradictions = session.open().mind.check(text_of(words) if words else "")
    output = session.output
    output.json({"contradictions": contradictions})
    for belief, text, id in contradictions:
        output.line(f"“{text}”", dim(f"  {id or ''}"))
        output.line(f"“{belief.statement}”", dim(f"  {belief.since}, {belief.origin}, {belief.id}"))
    if not contradictions:
        output.line("nothing contradicts what is held")
    return int(bool(contradictions))


@takes(
    argument("belief", "ID", "A belief's id: `hippo beliefs` shows them."),
    option("--retract", "Take it back: it is not held any more, and stays readable."),
)
def settle(session: CommandContext, *, belief: str, retract: bool) -> None:
    """Say which of two statements stands: the named one is held on your word, what conflicts with it is not.

    What upkeep put away because it had faded is held again.

    Examples:
      hippo mind settle the-deploy-command-is-make-ship
      hippo mind settle i-prefer-trains --retract
    """
    output, mind = session.output, session.open().mind
    if retract:
        held = mind.retract(belief)
        output.json({"belief": held, "done": "retracted"})
        output.line(f"retracted: {held.statement}")
        return
    done = mind.settle(belief)
    output.json(done)
    output.line("held: ", done.belief.statement, dim(f"  {done.episode}"))
    for id in done.superseded:
        output.line(f"  not held any more: {id}")


@takes(
    argument("words", "WORDS", "Only what is held about these.", required=False),
    option("--all", "Also what was held before, has faded, or was taken back.", name="every"),
    option(
        "--why",
        "Who said this one: what, when, in which session, and where that is written.",
        metavar="ID",
    ),
)
def beliefs_command(
    session: CommandContext, *, words: list[str], every: bool, why: str | None
) -> None:
    """Show what is held true: since when, what was held before, what disputes it.

    `hippo why ID` is short for `hippo beliefs --why ID`.

    Examples:
      hippo beliefs
      hippo beliefs deploy command
      hippo beliefs --all
      hippo beliefs --why i-prefer-planes-now
    """
    output = session.output
    opened = session.open()
    if why is not None:
        _print_why(output, *opened.mind.why(why))
        return
    beliefs = opened.mind.beliefs(" ".join(words), every=every)
    rows = [
        {**plain(held.belief), "weight_now": held.weight, **row(held, "before disputed_by")}
        for held in beliefs
    ]
    output.json({"beliefs": rows})
    for held in beliefs:
        _print_held(output, held)
    if not beliefs:
        output.line("nothing is held about that")


def print_kept(output: Output, done: api.MindKept) -> None:
    """What was encoded, and what became of the beliefs."""
    output.document({**done._asdict(), "episodes": [episode.id for episode in done.episodes]})


def _print_held(output: Output, held: api.HeldBelief) -> None:
    """A belief, and a line for each that it came instead of."""
    belief = held.belief
    status = "" if belief.status == "held" else f"  {belief.status}"
    output.line(dim(f"{held.weight:.2f}  "), belief.statement, yellow(status))
    output.line(dim(f"      since {belief.since}, {belief.origin}, {belief.id}"))
    for old in held.before:
        output.line(dim(f"      before ({old.since} to {old.until}): {old.statement}"))
    for other in held.disputed_by:
        output.line(yellow(f"      disputed ({other.origin}): {other.statement}"))


def _print_why(output: Output, belief: api.Belief, evidence: list[api.Evidence]) -> None:
    """A belief and what it rests on."""
    output.json({"belief": belief, "evidence": evidence})
    output.line(bold(belief.statement))
    until = f" until {belief.until}" if belief.until else ""
    by = f" ({belief.by})" if belief.by else ""
    output.line(f"  {belief.status}{by} since {belief.since}{until}, said by: {belief.origin}")
    for each in evidence:
        text = "(redacted)" if each.text is None else f"“{each.text}”"
        moment = each.moment[:16].replace("T", " ")
        output.line(f"  {moment}  {each.origin}: {text}")
        output.line(dim(f"    {each.reference}  {each.place}"))


command = Group(HELP, (encode, log, check, settle))
