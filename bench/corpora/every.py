"""``python -m bench all``: every corpus that is here, a table each, and what is below its floor."""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from bench import comparison
from bench.arguments import chosen
from bench.corpora import CORPORA, data_folder
from bench.sheet import Column, Findings, Sheet
from hippocampus_cli.cli.context import CommandContext

FLOORS = Path(__file__).parents[1] / "floors.toml"
HIPPO = "hybrid"
"""The method that floors are for."""


class Bound(NamedTuple):
    """A figure of a corpus that may not be less, or with ``most`` not more, than ``value``."""

    corpus: str
    metric: str
    value: float
    most: bool

    def holds(self, reached: float) -> bool:
        """Whether the figure is within it; none is exact to more than four places."""
        reached = round(reached, 4)
        return reached <= self.value if self.most else reached >= self.value


def read_floors(file: Path = FLOORS) -> list[Bound]:
    """The bounds of every corpus: tables ``[CORPUS.least]`` and ``[CORPUS.most]``, a figure a line."""
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    return [
        Bound(corpus, metric, value, kind == "most")
        for corpus, kinds in tables.items()
        for kind, metrics in kinds.items()
        for metric, value in metrics.items()
    ]


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of all corpora."""
    where = "downloaded data; by default $BENCH_DATA, or ../shared/data beside the checkout"
    parser.add_argument("--data", type=Path, metavar="FOLDER", help=where)
    names = f"only these, with commas between: {', '.join(CORPORA)}"
    parser.add_argument("--corpora", action="append", metavar="NAMES", help=names)
    comparison.add_choices(parser)


def measure(session: CommandContext, options: argparse.Namespace) -> Findings:
    """Ask the questions of every corpus that is here; those that are not are skipped, and named.

    hippo's figures are held against bench/floors.toml, unless --limit leaves questions out.
    """
    data = data_folder(options.data, session.environ)
    named = chosen(options.corpora, list(CORPORA), "--corpora") or list(CORPORA)
    found: dict[str, Findings] = {}
    skipped = []
    for name in named:
        dataset = CORPORA[name].read(data)
        if dataset is None:
            skipped.append(name)
        else:
            session.output.note(f"{name}:")
            found[name] = comparison.measure(dataset, session, options)
    documents = {name: one.document for name, one in found.items()}
    below = [] if options.limit else list(outside(documents))
    return Findings(
        document={"benchmark": "all", "corpora": documents, "skipped": skipped, "below": below},
        sheets=tuple(_sheets(found)),
        notes=tuple(_notes(skipped, below)),
        table=_table(documents),
    )


def _sheets(found: Mapping[str, Findings]) -> Iterator[Sheet]:
    for name, one in found.items():
        sheet = one.sheets[0]
        yield sheet._replace(title=f"{name}: {sheet.title}")


def outside(documents: Mapping[str, Any]) -> Iterator[str]:
    """What is below its floor, or above what it may be at most, in words."""
    for bound in read_floors():
        row = _row_of(documents.get(bound.corpus))
        figure = row and row["figures"].get(bound.metric)
        if figure and not bound.holds(figure["value"]):
            than = "more than" if bound.most else "less than"
            yield (
                f"{bound.corpus} {bound.metric}: {figure['value']:.3f}, {than} {bound.value:.3f}"
            )


def _row_of(document: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    rows = document["rows"] if document else ()
    return next((row for row in rows if row["method"] == HIPPO), None)


def _notes(skipped: list[str], below: list[str]) -> Iterator[str]:
    if skipped:
        yield f"Not here, skipped: {', '.join(skipped)}."
    if below:
        yield f"Outside bench/floors.toml: {'; '.join(below)}."
    yield "python -m bench CORPUS says what the heads mean, and shows the figures by kind."


def _table(documents: Mapping[str, Any]) -> Sheet:
    """A row a corpus, method and figure."""
    keys = ("corpus", "method", "metric", "value", "low", "high")
    rows = tuple(
        (name, row["method"], metric, *figure.values())
        for name, document in documents.items()
        for row in document["rows"]
        for metric, figure in row["figures"].items()
        if figure
    )
    return Sheet("all", tuple(Column(key, "") for key in keys), rows)
