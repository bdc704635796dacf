"""``hippo remember``."""

from __future__ import annotations

from hippocampus_cli.cli.commands.mind import print_kept
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import NEW_PRIORITY, TAGS, argument, option, takes
from hippocampus_cli.cli.output import cyan, dim
from hippocampus_cli.cli.values import text_of


@takes(
    argument("words", "TEXT", "What to remember; - reads it from standard input."),
    option("--title", "Its heading; by default the first words.", metavar="LINE"),
    TAGS,
    NEW_PRIORITY,
    option("--believe", "Hold it true from now on, instead: it goes into the beliefs at once."),
)
def command(
    session: CommandContext,
    *,
    words: list[str],
    title: str | None,
    tag: list[str],
    pri: str = "normal",
    believe: bool,
) -> None:
    """Remember something: it goes into today's log and into the index.

    The text is kept word for word as a section of its own; what would not read as the text of one section
    is quoted. A text that starts with - goes after --. What is believed is found by its tags, where it has any.

    Examples:
      hippo remember "The staging database moved to port 5433" --tag database
      hippo remember --pri amygdala "Never deploy on a Friday"
      hippo remember --tag shopping -- "- milk and eggs"
      hippo remember --believe "I prefer trains over planes"
      hippo remember --believe "Deploys go to EKS" --tag kubernetes --tag k8s
      git log -1 | hippo remember - --title "Last commit"
    """
    text, output = text_of(words), session.output
    with session.open() as opened:
        if believe:
            names = [*([title] if title else []), *tag]
            print_kept(output, opened.mind.believe(text, tags=names))
            return
        done = opened.remember(text, title=title, tags=tag, pri=pri)
    output.notices(done.notices)
    if output.as_json:
        output.json(done)
    place = cyan(f"{done.path}:{done.start_line}")
    output.line("remembered in ", place, f"  § {done.section}")
    if done.entry is not None:
        output.line(dim(f"  entry {done.entry}"))
