"""``hippo anchors``: words of the notes that lead straight to where they are spoken of."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import NUMBER, SHARED, Group, argument, flag, option, takes
from hippocampus_cli.cli.render import safe_line
from hippocampus_cli.cli.render.layout import count, fit_words
from hippocampus_cli.cli.render.output import Output, Styled, picked
from hippocampus_cli.cli.values import text_of

if TYPE_CHECKING:
    from hippocampus_cli.api import AnchorFacts, AnchorHit, AnchorsBuilt, AnchorsFound

HELP = """Anchors: words of your notes that lead straight to where they are spoken of.

An anchor is a heading, a bold term, a name or a word that tells notes apart. A build works out which
chunks each leads to; a lookup finds the anchors of a message and returns their chunks, in milliseconds.

Examples:
  hippo anchors build
  hippo anchors lookup "how do we deploy it" --project kelpie
"""


@takes(flag("--check", "Change nothing; exit code 1 where a build would."), *SHARED)
def build(
    session: CommandContext,
    check: bool,
) -> int:
    """Build the anchor index from all notes, anew.

    It stands in .hippocampus/anchors and is made of your notes alone: deleting it costs time only. Once it is
    there, `hippo remember` and `hippo watch` keep it up to date; a build every night makes it as good as new.

    Examples:
      hippo anchors build
      hippo anchors build --check || hippo anchors build
    """
    started = perf_counter()
    with (
        session.open() as opened,
        session.output.progress("building anchors") as advance,
    ):
        done = opened.anchors.build(check=check, now=session.now, progress=advance)
    _print_built(session.output, done, check, perf_counter() - started)
    return int(check and done.changed)


@takes(
    argument("words", "TEXT", "A message; - reads it from standard input.", several=True),
    option("--project", "What `it` and `our` stand for.", metavar="NAME"),
    option("--limit -n", "Chunks at most.", metavar="N", kind=NUMBER, low=1),
    *SHARED,
)
def lookup(
    session: CommandContext, words: list[str], project: str | None, limit: int | None
) -> int:
    """Look a message up: the chunks that its anchors lead to, best first.

    Notes that changed since are brought up to date before they are shown. The exit code is 1 where the message
    has no anchor.

    Examples:
      hippo anchors lookup "who fixed the label printer"
      hippo anchors lookup "when do we ship it" --project kelpie --limit 5
      hippo anchors lookup - --json < message.txt
    """
    text = text_of(words)
    started = perf_counter()
    with session.open() as opened:
        looked = opened.anchors.lookup(text, project=project, now=session.now)
    looked = looked._replace(hits=looked.hits[:limit])
    print_looked(session.output, text, looked, perf_counter() - started)
    return 0 if looked.hits else 1


def _print_built(output: Output, done: AnchorsBuilt, check: bool, seconds: float) -> None:
    """What the index holds now, or whether a build would change it."""
    if output.as_json:
        found = {
            "anchors": done.anchors,
            "multi_word_anchors": done.multi_word,
            "chunks": done.chunks,
            "files": done.files,
            "entries": done.entries,
            **picked(done.facts, "embedder", "theta", "sem_theta", "built_at", "updated_at"),
        }
        time = {"elapsed_ms": _milliseconds(seconds)}
        output.json({"changed": done.changed, "check": check, **found, **time})
        return
    if check:
        output.line("out of date: a build would change it" if done.changed else "up to date")
        return
    several = count(done.multi_word, "phrase")
    anchors = Styled(count(done.anchors, "anchor"), "bold")
    output.line("built ", anchors, f" ({several}) in {_duration(seconds)}")
    chunks, files = count(done.chunks, "chunk"), count(done.files, "note")
    output.line(f"  {count(done.entries, 'entry', 'entries')}, {chunks} of {files}")
    output.line(Styled(f"  compared {_by(done.facts)}", "dim"))


def print_looked(output: Output, text: str, looked: AnchorsFound, seconds: float) -> None:
    """The chunks, best first: where they are, their score, and the anchors that led there."""
    for notice in looked.notices:
        output.note(f"hippo: {safe_line(notice)}")
    if output.as_json:
        hits = [{"rank": rank, **hit._asdict()} for rank, hit in enumerate(looked.hits, 1)]
        more = {"notices": looked.notices, "elapsed_ms": _milliseconds(seconds)}
        output.json({"text": text, "hits": hits, "updated": looked.updated, **more})
        return
    if not looked.hits:
        output.line("no anchors found in the text")
    for hit in looked.hits:
        _print_hit(output, hit)


def _print_hit(output: Output, hit: AnchorHit) -> None:
    place = f"{safe_line(hit.path)}:{hit.start_line}-{hit.end_line}"
    stale = [Styled("  stale", "yellow")] if hit.stale else []
    anchors = Styled(f"  {safe_line(', '.join(hit.anchors))}", "dim")
    output.line(Styled(place, "cyan"), f"  {hit.score:.2f}", *stale, anchors)
    output.quote(_preview(output, hit.preview))


def _preview(output: Output, text: str) -> str:
    """The beginning of a chunk, with ``…`` where it was cut: when it was stored, or to fit the terminal."""
    from hippocampus_cli.api.anchors import PREVIEW

    line = safe_line(text)
    if len(text) >= PREVIEW:
        line = f"{line.rpartition(' ')[0] or line}…"
    return fit_words(line, output.quote_width) if output.terminal else line


def _by(facts: AnchorFacts) -> str:
    how = "words only" if facts.embedder == "none" else f"words and {safe_line(facts.embedder)}"
    return f"by {how}, least score {facts.theta:g} (from {facts.pairs:,} random pairs)"


def _duration(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 1)


command = Group(HELP, (build, lookup))
