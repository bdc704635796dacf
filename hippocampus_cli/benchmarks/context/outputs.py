"""What tools answer in lines: source files, logs, test runs, listings, plain text. ``size`` is in characters."""

from __future__ import annotations

from collections.abc import Callable

from hippocampus_cli.benchmarks.context.values import Values
from hippocampus_cli.benchmarks.context.words import NOUNS, VERBS, prose, sentence

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
