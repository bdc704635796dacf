"""What tools answer, in lines or as data: source, logs, text, JSON, pages, tables. ``size`` is in characters."""

from __future__ import annotations

import json
from collections.abc import Callable

from bench.context.values import NOUNS, VERBS, Values, prose, sentence

Line = Callable[[int], str]


def source(values: Values, size: int) -> str:
    """A module in Python or TypeScript."""
    dice = values.dice
    python = dice.random() < 0.6

    def block(_: int) -> str:
        name = f"{dice.choice(VERBS)}_{'_'.join(dice.sample(NOUNS, 2))}"
        name = values.note("identifier", name)
        one, two = dice.sample(NOUNS, 2)
        told = dice.choice((values.path, values.url, values.error, values.identifier))()
        number = values.count()
        if python:
            return (
                f'def {name}({one}, {two}):\n    """{sentence(dice)}"""\n'
                f"    if {one}.{dice.choice(NOUNS)} > {number}:\n"
                f'        return {two}.get("{told}")\n    return {dice.choice(VERBS)}({one})\n\n'
            )
        return (
            f"// {sentence(dice)}\nexport function {name}({one}: string, {two}: number) {{\n"
            f"  const {dice.choice(NOUNS)} = {two} * {number};\n"
            f'  return {dice.choice(VERBS)}({one}, "{told}");\n}}\n\n'
        )

    head = f'"""{sentence(dice)}"""\n\n' if python else f"// {sentence(dice)}\n\n"
    return head + _filled(block, size)


def log(values: Values, size: int) -> str:
    """A service's log, with an error now and then."""
    dice = values.dice

    def line(at: int) -> str:
        stamp = f"2026-03-{1 + at // 3600 % 28:02d}T{at // 60 % 24:02d}:{at % 60:02d}:07Z"
        level = dice.choices(("INFO", "WARN", "ERROR"), (85, 10, 5))[0]
        if level == "ERROR":
            return f"{stamp} ERROR {dice.choice(NOUNS)}: {values.error()}\n"
        told = dice.choice((values.path, values.number, values.identifier, values.url))()
        return f"{stamp} {level} {dice.choice(NOUNS)}: {dice.choice(VERBS)} {dice.choice(NOUNS)} {told}\n"

    return _filled(line, size)


def run(values: Values, size: int) -> str:
    """A test run or a build that may fail."""
    dice = values.dice
    failed = dice.random() < 0.5

    def line(_: int) -> str:
        place = values.path("tests")
        return f"{place} {dice.choice(('ok', 'ok', 'ok', 'slow'))} {values.number()} ms\n"

    body = _filled(line, size)
    if not failed:
        return f"{body}all passed\n"
    where = f"{values.path()}:{dice.randint(10, 900)}"
    return f"{body}FAILED {where}\nE   {values.error()}\nexit code {dice.randint(1, 4)}\n"


def listing(values: Values, size: int) -> str:
    """What ``find`` or ``ls -l`` prints."""
    dice = values.dice
    if dice.random() < 0.5:
        return _filled(lambda _: f"{values.path()}\n", size)

    def line(_: int) -> str:
        name = values.note("path", f"{'_'.join(dice.sample(NOUNS, 2))}.{dice.choice(('py', 'md'))}")
        bytes_ = values.count()
        return f"-rw-r--r-- 1 dev dev {bytes_:>8} Mar {dice.randint(1, 28):2d} 09:14 {name}\n"

    return "total 480\n" + _filled(line, size)


def text(values: Values, size: int) -> str:
    """A document: headings, paragraphs, a value here and there."""
    dice = values.dice

    def paragraph(at: int) -> str:
        head = f"## {dice.choice(NOUNS).title()} {dice.choice(NOUNS)}\n\n" if at % 3 == 0 else ""
        told = values.any()
        told = f"`{told}`" if dice.random() < 0.5 else told
        return f"{head}{prose(dice, 150)} The {dice.choice(NOUNS)} is {told}. {sentence(dice)}\n\n"

    return _filled(paragraph, size)


def _filled(line: Line, size: int) -> str:
    made: list[str] = []
    length = 0
    while length < size:
        made.append(line(len(made)))
        length += len(made[-1])
    return "".join(made)


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
