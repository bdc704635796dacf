"""``hippo anchors``: words of the notes that lead straight to where they are spoken of."""

from __future__ import annotations

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import Group, argument, option, takes, text_of
from hippocampus_cli.cli.output import cyan, dim, row

HELP = """Anchors: words of your notes that lead straight to where they are spoken of.

An anchor is a heading, a bold term, a name or a word that tells notes apart. A lookup finds the anchors of a
message and returns the passages that they lead to, in milliseconds; a build writes all anchors with their
passages as files for other programs.

Examples:
  hippo anchors lookup "how do we deploy it" --project kelpie
  hippo anchors build
"""


@takes(option("--check", "Change nothing; exit code 1 where a build would."))
def build(session: CommandContext, *, check: bool) -> int:
    """Write all anchors with their passages as files for other programs.

    They stand in .hippocampus/anchors and are made of your notes alone. Lookups do not need them. Once they are
    there, the weekly cycle writes them anew.

    Examples:
      hippo anchors build
      hippo anchors build --check || hippo anchors build
    """
    opened = session.open()
    with session.output.progress("building anchors") as opened.progress:
        done = opened.anchors.build(check=check)
    known = {"multi_word_anchors": done.multi_word, "check": check}
    fields = "changed anchors chunks files entries embedder built_at"
    session.output.document(row(done, fields, **known))
    return int(check and done.changed)


@takes(
    argument("words", "TEXT", "A message; - reads it from standard input."),
    option("--project", "What `it` and `our` stand for.", metavar="NAME"),
    option("--limit -n", "Passages at most.", low=1),
)
def lookup(
    session: CommandContext, *, words: list[str], project: str | None, limit: int | None
) -> int:
    """Look a message up: the passages that its anchors lead to, best first.

    The notes are read as they are now. The exit code is 1 where the message has no anchor.

    Examples:
      hippo anchors lookup "who fixed the label printer"
      hippo anchors lookup "when do we ship it" --project kelpie --limit 5
      hippo anchors lookup - --json < message.txt
    """
    text, output = text_of(words), session.output
    looked = session.open().anchors.lookup(text, project=project)
    looked = looked._replace(hits=looked.hits[:limit])
    output.notices(looked.notices)
    hits = [{"rank": rank, **hit._asdict()} for rank, hit in enumerate(looked.hits, 1)]
    output.json(row(looked, "notices", text=text, hits=hits))
    if not looked.hits:
        output.line("no anchors found in the text")
    for hit in looked.hits:
        place = cyan(f"{hit.path}:{hit.start_line}-{hit.end_line}")
        output.line(place, f"  {hit.score:.2f}", dim(f"  {', '.join(hit.anchors)}"))
        output.quote_line(hit.preview)
    return 0 if looked.hits else 1


command = Group(HELP, (build, lookup))
