"""Methods side by side: the sheets, the table for files, the chart and the document that comparisons share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from bench.charts import Spec, dots
from bench.metrics import Interval, Value, intervals, mean_of
from bench.sheet import Cell, Column, Sheet

_NAME = Column("name", "method")


class Row(NamedTuple):
    """One method. ``figures`` are means of all questions, 0 to 1, by metric; ``by_kind`` the means of each kind's;
    ``rest`` what else was measured. None: it could not be, or no question says anything about it."""

    method: str
    name: str
    figures: Mapping[str, Interval | None]
    by_kind: Mapping[str, Mapping[str, Value]]
    rest: Mapping[str, float | None]


class Asked(NamedTuple):
    """One question put to one method: the values of the metrics, and how long the answer took."""

    kind: str
    values: Sequence[Value]
    ms: float = 0.0
    tokens: int = 0


def row_of(
    key: str,
    name: str,
    metrics: Sequence[str],
    asked: Sequence[Asked],
    rest: Mapping[str, float | None],
) -> Row:
    """The figures of one method; the kinds are in the order in which they were asked."""
    columns = list(zip(*(one.values for one in asked), strict=True)) or [()] * len(metrics)
    kinds: dict[str, list[Sequence[Value]]] = {}
    for one in asked:
        kinds.setdefault(one.kind, []).append(one.values)
    means = {
        kind: dict(zip(metrics, map(mean_of, zip(*rows, strict=True)), strict=True))
        for kind, rows in kinds.items()
    }
    return Row(key, name, dict(zip(metrics, intervals(columns), strict=True)), means, rest)


def mean(values: Sequence[float]) -> float:
    """0 where there is none."""
    return sum(values) / len(values) if values else 0.0


class Comparison(NamedTuple):
    """``heads`` are what tables call the metrics, ``rest`` the columns after them; ``kinds`` count the questions by
    kind, for which tables have the word ``kind``. Of the ``telling`` metrics the intervals are shown, of the
    ``split`` ones the means by kind."""

    title: str
    heads: Mapping[str, str]
    rest: tuple[Column, ...]
    kinds: Mapping[str, int]
    rows: tuple[Row, ...]
    telling: Sequence[str]
    split: Sequence[str]
    kind: str = "kind"

    def sheets(self) -> Iterator[Sheet]:
        """For a screen: the means and the rest, the intervals, the means by kind."""
        figures = (Column(key, head, ".3f") for key, head in self.heads.items())
        rows = tuple(self._main(one) for one in self.rows)
        yield Sheet(self.title, (_NAME, *figures, *self.rest), rows)
        yield self._intervals()
        for metric in self.split:
            yield self._by_kind(metric)

    def _main(self, row: Row) -> tuple[Cell, ...]:
        return row.name, *(one and one.value for one in row.figures.values()), *self._rest(row)

    def _rest(self, row: Row) -> tuple[Cell, ...]:
        return tuple(row.rest[column.key] for column in self.rest)

    def _intervals(self) -> Sheet:
        columns = tuple(Column(key, self.heads[key]) for key in self.telling)
        rows = tuple(
            (row.name, *(one and f"{one.low:.3f}–{one.high:.3f}" for one in self._telling(row)))
            for row in self.rows
        )
        title = "95 % of the means of resampled questions lie between"
        return Sheet(title, (_NAME, *columns), rows)

    def _telling(self, row: Row) -> list[Interval | None]:
        return [row.figures[key] for key in self.telling]

    def _by_kind(self, metric: str) -> Sheet:
        columns = (Column(kind, f"{kind} {count:,}", ".3f") for kind, count in self.kinds.items())
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (row.name, *(row.by_kind[kind][metric] for kind in self.kinds)) for row in self.rows
        )
        return Sheet(f"{self.heads[metric]} by {self.kind}", (_NAME, *columns), rows)

    def table(self, name: str, questions: int, before: str = "") -> Sheet:
        """For a file: a row a method and kind; what holds for all questions together stands with ``all`` only.

        ``before`` is put before the keys of the metrics.
        """
        bounds = (
            Column(f"{before}{key}{end}", "") for key in self.heads for end in ("", "_low", "_high")
        )
        head = (Column("method", ""), Column(self.kind, ""), Column("questions", ""))
        rows = tuple(cells for row in self.rows for cells in self._cells(row, questions))
        return Sheet(name, (*head, *bounds, *self.rest), rows)

    def _cells(self, row: Row, questions: int) -> Iterator[tuple[Cell, ...]]:
        whole = (value for one in row.figures.values() for value in one or (None, None, None))
        yield row.method, "all", questions, *whole, *self._rest(row)
        for kind, count in self.kinds.items():
            means = (cell for key in self.heads for cell in (row.by_kind[kind][key], None, None))
            yield row.method, kind, count, *means, *(None for _ in self.rest)

    def chart(self, title: str) -> Spec:
        """The ``telling`` figures as dots with their intervals."""
        rows = [
            {"method": row.name, "metric": self.heads[key], **one._asdict()}
            for row in self.rows
            for key, one in zip(self.telling, self._telling(row), strict=True)
            if one
        ]
        return dots(
            rows, [row.name for row in self.rows], title, [self.heads[key] for key in self.telling]
        )


def plain(value: Any, digits: int = 4) -> Any:
    """``value`` as JSON has it: tuples with names as objects, numbers rounded."""
    if isinstance(value, float):
        return round(value, digits)
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, Mapping):
        return {key: plain(one, digits) for key, one in value.items()}
    return [plain(one, digits) for one in value] if isinstance(value, (list, tuple)) else value
