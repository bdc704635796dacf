"""What tools answer as data: JSON, pages, tables. ``size`` is in characters."""

from __future__ import annotations

import json

from hippocampus_cli.benchmarks.context.values import Values
from hippocampus_cli.benchmarks.context.words import NOUNS, sentence

_FIELD = 190  # characters that a field takes beside its value, about


def answer(values: Values, size: int) -> str:
    """An API's answer: a page of objects, all of the same fields."""
    dice = values.dice
    fields = dice.sample(NOUNS, 4)
    items: list[dict[str, object]] = []
    length = 0
    while length < size:
        told = (values.path, values.url, values.identifier, values.number)
        item: dict[str, object] = {"id": values.identifier(), "note": sentence(dice)}
        item.update({name: dice.choice(told)() for name in fields})
        items.append(item)
        length += len(json.dumps(item))
    indent = dice.choice((None, 2))
    return json.dumps({"total": len(items), dice.choice(NOUNS): items}, indent=indent)


def schema(values: Values, size: int) -> str:
    """A configuration or its schema: objects within objects."""
    dice = values.dice

    def branch(room: int, depth: int) -> dict[str, object]:
        made: dict[str, object] = {}
        while room > 0:
            name = f"{dice.choice(NOUNS)}_{dice.choice(NOUNS)}"
            if depth < 4 and room > 600:
                share = max(300, int(room * dice.uniform(0.1, 0.5)))
                made[name] = branch(share, depth + 1)
                room -= share
                continue
            told = dice.choice((values.path, values.url, values.identifier, values.number))()
            made[name] = {"default": told, "about": sentence(dice)}
            room -= len(told) + _FIELD
        return made

    return json.dumps(branch(size, 0), indent=2)


def page(values: Values, size: int) -> str:
    """A page: its HTML, or the snapshot of what can be reached on it."""
    return _html(values, size) if values.dice.random() < 0.5 else _snapshot(values, size)


def _html(values: Values, size: int) -> str:
    dice = values.dice
    title = f"{dice.choice(NOUNS).title()} {dice.choice(NOUNS)}"
    made = [f"<!doctype html><html><head><title>{title}</title></head><body><h1>{title}</h1>"]
    length = 0
    while length < size:
        told = dice.choice((values.number, values.identifier, values.path))()
        made.append(
            f'<div class="row"><h3>{dice.choice(NOUNS)}</h3><a href="{values.url()}">{sentence(dice)}</a>'
            f'<span class="cell">{told}</span><button id="{values.identifier()}">Open</button></div>'
        )
        length += len(made[-1])
    return "\n".join([*made, "</body></html>"])


def _snapshot(values: Values, size: int) -> str:
    dice = values.dice
    made = [f"Page URL: {values.url()}", f"Page Title: {dice.choice(NOUNS).title()}"]
    length = 0
    while length < size:
        ref = f"e{len(made) + dice.randint(1_000, 9_000)}"
        role = dice.choice(("button", "link", "textbox", "cell", "heading"))
        told = dice.choice((values.number, values.identifier, values.any))()
        made.append(
            f'- {role} "{dice.choice(NOUNS)} {told}" [ref={values.note("identifier", ref)}]'
        )
        length += len(made[-1])
    return "\n".join(made)


def table(values: Values, size: int) -> str:
    """Rows with commas, with bars, or in aligned columns."""
    dice = values.dice
    style = dice.choice(("csv", "markdown", "aligned"))
    names = ["id", *dice.sample(NOUNS, 3)]
    rows: list[list[str]] = []
    length = 0
    while length < size:
        rows.append([values.identifier(), values.count(), values.path(), dice.choice(NOUNS)])
        length += sum(map(len, rows[-1])) + 8
    if style == "csv":
        return "\n".join(",".join(row) for row in [names, *rows])
    if style == "markdown":
        rule = ["---"] * len(names)
        return "\n".join(f"| {' | '.join(row)} |" for row in [names, rule, *rows])
    return "\n".join(" ".join(f"{cell:<24}" for cell in row).rstrip() for row in [names, *rows])
