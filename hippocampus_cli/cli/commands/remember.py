"""``hippo remember``."""

from __future__ import annotations

from typing import Any

from hippocampus_cli import api
from hippocampus_cli.cli.commands.mind import print_kept
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import (
    NEW_PRIORITY,
    PRIVATE,
    TAGS,
    argument,
    option,
    takes,
    text_of,
)
from hippocampus_cli.cli.output import Output, cyan, dim

_SHOWN = 100  # characters of an earlier place


@takes(
    argument("words", "TEXT", "What to remember; - reads it from standard input."),
    option("--title", "Its heading; by default the first words.", metavar="LINE"),
    TAGS,
    NEW_PRIORITY,
    PRIVATE,
    option("--believe", "Hold it true from now on, instead: it goes into the beliefs at once."),
    option(
        "--subject",
        "What it speaks of: with --attribute it is held true, too.",
        metavar="WORDS",
        default="",
    ),
    option("--attribute", "Which of its values it gives.", metavar="WORDS", default=""),
    option(
        "--replaces",
        "What it came instead of: PATH:LINE, or a belief; repeatable.",
        metavar="PLACE|ID",
        several=True,
    ),
)
def command(
    session: CommandContext,
    *,
    words: list[str],
    title: str | None,
    tags: list[str],
    pri: str = "normal",
    private: bool,
    believe: bool,
    **given: Any,
) -> None:
    """Remember something: it goes into today's log and into the index.

    The text is kept word for word as a section of its own; what would not read as the text of one section
    is quoted. What the log of the day says already is not written twice. A text that starts with - goes after --.
    What is believed is found by its tags, where it has any.

    Examples:
      hippo remember "The staging database moved to port 5433" --tag database
      hippo remember --pri amygdala "Never deploy on a Friday"
      hippo remember --tag shopping -- "- milk and eggs"
      hippo remember --believe "I prefer trains over planes"
      hippo remember --believe "Deploys go to EKS" --tag kubernetes --tag k8s
      hippo remember "Staging listens on 5433" --subject staging --attribute port --replaces TOOLS.md:9
      hippo remember --private "My own key is in the second drawer"
    """
    text, output = text_of(words), session.output
    opened = session.open(private=private)
    if believe:
        names = [title, *tags] if title else tags
        print_kept(output, opened.mind.believe(text, tags=names, **given))
        return
    done = opened.remember(text, title=title, tags=tags, pri=pri, **given)
    folder = f"{opened.root.name}/" if private else ""
    earlier = tuple(
        each._replace(place=f"{folder}{each[0]}")  # type: ignore[attr-defined]
        for each in done.earlier
    )
    _print_remembered(output, done.replaced(path=f"{folder}{done.path}", earlier=earlier))


def _print_remembered(output: Output, done: api.Remembered) -> None:
    """Where it is kept, and the places that may speak of the same."""
    output.notices(done.notices)
    output.json(done)
    place = cyan(f"{done.path}:{done.start_line}")
    output.line("remembered in ", place, f"  § {done.section}")
    if done.entry is not None:
        output.line(dim(f"  entry {done.entry}"))
    for where, day, text in done.earlier:
        output.line("  may speak of the same: ", cyan(where), dim(f"  {day}"))
        output.line(f"    {text[:_SHOWN]}")
    if done.earlier:
        output.line(dim("  if one of them is outdated now: hippo curate --outdated PATH:LINE"))
