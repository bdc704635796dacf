"""The results of the commands of ``hippo anchors``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hippocampus_cli.cli.render.layout import count, fit_words, label, named, print_beside
from hippocampus_cli.cli.render.output import Output, Styled, picked
from hippocampus_cli.markdown.safe import safe_line

if TYPE_CHECKING:
    from hippocampus_cli.anchors.index import Facts
    from hippocampus_cli.anchors.lookup import AnchorHit
    from hippocampus_cli.anchors.store import BuildDone, Looked, Standing
    from hippocampus_cli.anchors.update import Updated

_LABEL = 10
_NAMED = 5  # files or anchors that are named


def print_built(output: Output, done: BuildDone, check: bool, seconds: float) -> None:
    """What the index holds now, or whether a build would change it."""
    if output.as_json:
        found = {**_counts(done), "entries": done.entries, **_facts(done.facts)}
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


def print_updated(output: Output, done: Updated, seconds: float) -> None:
    """The updated files."""
    for notice in done.notices:
        output.note(f"hippo: {safe_line(notice)}")
    if output.as_json:
        output.json({**done._asdict(), "elapsed_ms": _milliseconds(seconds)})
        return
    for verb, paths in (("updated", done.changed), ("removed", done.removed)):
        for path in paths:
            output.line(f"{verb} ", Styled(safe_line(path), "cyan"))
    if done.unchanged:
        output.line(Styled(f"unchanged: {named(done.unchanged, _NAMED)}", "dim"))
    if done.new_anchors:
        output.line(f"new anchors: {named(done.new_anchors, _NAMED)}")


def print_looked(output: Output, text: str, looked: Looked, seconds: float) -> None:
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


def print_standing(output: Output, standing: Standing) -> None:
    """What the index contains, and which notes changed since."""
    if output.as_json:
        output.json(
            {
                **_counts(standing),
                "bytes": standing.bytes,
                **_facts(standing.facts),
                **picked(standing, "changed", "new", "gone"),
            }
        )
        return
    facts = standing.facts
    rows = (
        ("anchors", f"{standing.anchors:,}, of them {standing.multi_word:,} phrases"),
        ("chunks", f"{standing.chunks:,} of {count(standing.files, 'note')}"),
        ("built", facts.built_at),
        ("updated", facts.updated_at or "not since"),
        ("compared", _by(facts)),
        ("size", _size(standing.bytes)),
        *(
            (name, named(paths, _NAMED))
            for name, paths in (
                ("changed", standing.changed),
                ("new", standing.new),
                ("gone", standing.gone),
            )
            if paths
        ),
    )
    for name, value in rows:
        print_beside(output, label(name, _LABEL), safe_line(value))
    if standing.changed or standing.new or standing.gone:
        output.line(Styled("update them: hippo anchors build", "dim"))


def _print_hit(output: Output, hit: AnchorHit) -> None:
    place = f"{safe_line(hit.path)}:{hit.start_line}-{hit.end_line}"
    stale = [Styled("  stale", "yellow")] if hit.stale else []
    anchors = Styled(f"  {safe_line(', '.join(hit.anchors))}", "dim")
    output.line(Styled(place, "cyan"), f"  {hit.score:.2f}", *stale, anchors)
    output.quote(_preview(output, hit.preview))


def _preview(output: Output, text: str) -> str:
    """The beginning of a chunk, with ``…`` where it was cut: when it was stored, or to fit the terminal."""
    from hippocampus_cli.anchors.chunks import PREVIEW

    line = safe_line(text)
    if len(text) >= PREVIEW:
        line = f"{line.rpartition(' ')[0] or line}…"
    return fit_words(line, output.quote_width) if output.terminal else line


def _counts(value: BuildDone | Standing) -> dict[str, object]:
    return {
        "anchors": value.anchors,
        "multi_word_anchors": value.multi_word,
        "chunks": value.chunks,
        "files": value.files,
    }


def _facts(facts: Facts) -> dict[str, object]:
    return picked(facts, "embedder", "theta", "sem_theta", "built_at", "updated_at")


def _by(facts: Facts) -> str:
    how = "words only" if facts.embedder == "none" else f"words and {safe_line(facts.embedder)}"
    origin = f"from {facts.pairs:,} random pairs" if facts.pairs else "as configured"
    return f"by {how}, least score {facts.theta:g} ({origin})"


def _size(number: int) -> str:
    return f"{number / 1_000_000:.1f} MB" if number >= 1_000_000 else f"{-(-number // 1_000)} kB"


def _duration(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 1)
