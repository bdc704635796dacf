"""``hippo remember``."""

from __future__ import annotations

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import NEW_PRIORITY, SHARED, TAGS, argument, flag, option, takes
from hippocampus_cli.cli.render import Styled, safe_line
from hippocampus_cli.cli.values import text_of


@takes(
    argument("words", "TEXT", "What to remember; - reads it from standard input.", several=True),
    option("--title", "Its heading; by default the first words.", metavar="LINE"),
    TAGS,
    NEW_PRIORITY,
    flag("--believe", "Hold it true from now on, instead: it goes into the beliefs at once."),
    *SHARED,
)
def command(
    session: CommandContext,
    words: list[str],
    title: str | None,
    tag: list[str],
    pri: str,
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
    text = text_of(words)
    if believe:
        _believe(session, text, [*([title] if title else []), *tag])
        return
    _remember(session, text, title, tag, pri)


def _believe(session: CommandContext, text: str, names: list[str]) -> None:
    from hippocampus_cli.cli.commands.mind import print_kept

    with session.open() as opened:
        print_kept(session.output, opened.mind.believe(text, tags=names, now=session.now))


def _remember(
    session: CommandContext, text: str, title: str | None, tags: list[str], pri: str
) -> None:
    from hippocampus_cli.cli.render.output import document_of

    with session.open() as opened:
        done = opened.remember(text, title=title, tags=tags, pri=pri, now=session.now)
    output = session.output
    session.print_notices(done.notices)
    if output.as_json:
        output.json(document_of(done))
        return
    place = Styled(f"{safe_line(done.path)}:{done.start_line}", "cyan")
    output.line("remembered in ", place, f"  § {safe_line(done.section)}")
    if done.entry is not None:
        output.line(Styled(f"  entry {safe_line(done.entry)}", "dim"))
