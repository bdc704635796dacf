"""``make docs``: the pages of docs/reference and what registries read, from the code. A test compares them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from typing import Any

from docs import published
from docs.json_shapes import DOCUMENTS, SHARED, Document
from hippocampus_cli import errors
from hippocampus_cli.cli.boundary import INTERRUPTED, PIPE_CLOSED, Bug
from hippocampus_cli.cli.command_table import COMMANDS, PANELS, load
from hippocampus_cli.cli.commands.install import NOT_STARTED
from hippocampus_cli.cli.help import head_of
from hippocampus_cli.cli.options import Command, Group, Parameter
from hippocampus_cli.config import settings
from hippocampus_cli.config.settings import Setting, tables

FOLDER = Path(__file__).parent / "reference"
_MADE = "<!-- made by `make docs`: do not edit -->"
_EXIT_CODES = {
    0: "done; for `query`: found, in the notes or in what is held",
    1: "`query`, `list`, `anchors lookup`: nothing found; `anchors build --check`: a build would change it; `check`, `ci`: an"
    " error was found; `context get`: only the summary is left; `merge`: there are conflicts; `forget`: nothing holds"
    " it; `mind check`: something contradicts; a question was answered with no",
    2: "the command line is wrong, or there was nobody to ask: `--yes`",
    3: "no workspace",
    4: "no index yet",
    5: "the index is damaged where it would have to change; it was left untouched",
    6: "a file cannot be read or written",
    7: "something leads out of the workspace",
    8: "another hippo process has been writing for too long",
    9: "a setting or a policy is wrong, and the message names file and line; `embed`: no embedder is set",
    10: "no such entry, message, session, episode or belief",
    11: "an entry of that id exists already",
    12: "a new pointer is broken",
    13: "upkeep stopped at its loss limit; `--dry-run` shows why, `--force` goes on",
    14: "there is no such cycle to undo, or no such snapshot",
    15: "no scheduler answers, or the schedule could not be written; it was left as it was",
    16: "something needs an extra that is not installed",
    17: "another `hippo watch` is at work in this workspace",
    18: "hippo cannot be put into an agent, or taken out; every file is as it was",
    19: "the model that turns texts into vectors is not installed, or its key is missing",
    20: "a server returned no vectors, or invalid ones",
    21: "the index lost entries since hippo last wrote it, or is gone; it was left as it is",
    22: "the episodes are not as they were written; nothing was built on them",
    23: "the gate refused a statement; nothing of it is kept",
    24: "a package cannot be imported; nothing was changed",
    NOT_STARTED: "`install --check`: what is installed in an agent does not start",
    26: "the store in PostgreSQL cannot be used; what it holds was left as it is",
    27: "what a memory should replace is no place, entry or belief; nothing was written",
    Bug.exit_code: "a bug in hippo, with a report to paste",
    INTERRUPTED: "interrupted",
    PIPE_CLOSED: "the reader of a pipe left",
}


def commands() -> str:
    """Every command as ``--help`` explains it."""
    parts = [
        "# Commands\n\n"
        + _MADE
        + "\n\nEvery command explains itself with `--help`. `--workspace` and `--json` may also stand before the command."
    ]
    for panel in PANELS:
        parts.append(f"## {panel}")
        for listed in (one for one in COMMANDS if one.panel == panel):
            parts += _explained(listed.name, load(listed.name))
    return "\n\n".join(parts) + "\n"


def _explained(name: str, found: Any) -> Iterator[str]:
    if isinstance(found, Group):
        yield from _described(name, found.help)
        for one in found.commands:
            yield from _command(f"{name} {one.name}", one, "####")
    else:
        yield from _command(name, found, "###")


def _command(name: str, command: Command, level: str) -> Iterator[str]:
    yield from _described(name, command.run.__doc__ or "", level)
    rows = [_row(one) for one in command.parameters]
    yield _table(("", "", "default"), rows)


def _described(name: str, doc: str, level: str = "###") -> Iterator[str]:
    """A heading, the prose of a help text, and its examples as a shell has them."""
    yield f"{level} hippo {name}"
    for part in cleandoc(doc).split("\n\n"):
        head, _, rest = part.partition("\n")
        if head == "Examples:":
            yield "```sh\n" + cleandoc(rest) + "\n```"
        elif part.startswith("  "):
            yield "```\n" + cleandoc(part) + "\n```"
        else:
            yield part.replace("\n", " ").replace("<", "\\<")


def _row(one: Parameter) -> tuple[str, ...]:
    default = "" if one.default in (None, False, "") else f"`{one.default}`"
    least = "" if one.low is None else f" {one.low:g} or more."
    return f"`{head_of(one)}`", one.help + least, "required" if one.required else default


def configuration() -> str:
    """Every setting."""
    parts = [
        "# Configuration\n\n"
        + _MADE
        + "\n\nA value comes from the environment (`decay.rate` is `HIPPO_DECAY_RATE`), else from"
        " `.hippocampus/config.toml` in the workspace, else it is the default. `hippo config` shows what holds, and where"
        " it came from."
    ]
    found = settings.settings()
    for table, kind in tables().items():
        rows = [
            _setting(key.partition(".")[2], one)
            for key, one in found.items()
            if key.startswith(f"{table}.")
        ]
        if not rows:  # a table of fixed numbers
            continue
        about = cleandoc(kind.__doc__ or "").replace("\n", " ").replace("``", "`")
        parts += [f"## {table}", about, _table(("setting", "type", "default", "meaning"), rows)]
    return "\n\n".join(parts) + "\n"


def _setting(name: str, one: Setting) -> tuple[str, ...]:
    types = {bool: "true or false", int: "whole number", float: "number", str: "text"}
    kind = types.get(type(one.default), "list of texts")
    choices = f"; one of {', '.join(f'`{word}`' for word in one.rule.choices if word)}"
    meaning = one.rule.doc + (choices if one.rule.choices else "")
    high = one.rule.high if one.rule.high != math.inf else None
    bounds = _bounds(one.rule.low, high) if kind.endswith("number") else ""
    return f"`{name}`", f"{kind}, {bounds}" if bounds else kind, _toml(one.default), meaning


def _toml(value: object) -> str:
    from hippocampus_cli.cli.commands.config import shown

    return f"`{shown(value)}`"


def _bounds(low: float | None, high: float | None) -> str:
    if low is None and high is None:
        return ""
    if high is None:
        return f"{low:,} or more"
    return f"up to {high:,}" if low is None else f"{low:,} to {high:,}"


def exit_codes() -> str:
    """Every exit code, and every error with its code."""
    rows = [(str(code), meaning) for code, meaning in _EXIT_CODES.items()]
    errors_ = [
        (f"`{one.code}`", str(one.exit_code), _meaning(one), _sentence(one.next))
        for one in sorted(_errors(), key=lambda one: (one.exit_code, one.code))
    ]
    return (
        "\n\n".join(
            (
                "# Exit codes\n\n" + _MADE,
                _table(("exit code", "meaning"), rows),
                "## Errors",
                'With `--json` an error is `{"error": {"code", "message", "path", "line", "next"}}`: `code` is one of these,'
                " `path` and `line` (1-based) say where, or are null, and `next` says what to do. A bug in hippo has the code"
                " `bug`. In braces: what the message fills in.",
                _table(("code", "exit code", "message", "what to do"), errors_),
            )
        )
        + "\n"
    )


def _errors() -> Iterator[type[errors.HippoError]]:
    """One error for each code: the one that has it first, with whatever it does not say itself from its parent."""
    for name in (
        "connector.model",
        "context.lifecycle.store",
        "integrations.hook_event",
        "mind.errors",
    ):  # errors that are declared beside what raises them
        import_module(f"hippocampus_cli.{name}")
    seen = set()
    todo: list[type[errors.HippoError]] = [errors.HippoError]
    while todo:
        one = todo.pop(0)
        todo += one.__subclasses__()
        is_ours = one.__module__.startswith("hippocampus_cli.")
        if is_ours and one is not errors.HippoError and one.code not in seen:
            seen.add(one.code)
            yield one


def _meaning(one: type[errors.HippoError]) -> str:
    doc = cleandoc(one.__dict__.get("__doc__") or "").replace("\n", " ")
    return " ".join(filter(None, (_sentence(one.what), doc)))


def _sentence(template: str) -> str:
    return {"{reason}": "{reason}", "{advice}": "{advice}", "": ""}.get(template, f"{template}.")


def json() -> str:
    """The shape of every JSON document."""
    parts = [
        "# JSON\n\n"
        + _MADE
        + "\n\nEvery command has `--json` (`hippo hook` answers in the agent's JSON anyway, `hippo merge` says nothing)."
        " Lines are 1-based and inclusive. Days and times are ISO 8601. Tokens are an estimate within a tenth of what a current tokenizer counts (o200k). A byte that is not UTF-8, of a file name or of a text, is written"
        " as in a pointer: `%FF`. A key with a question mark is"
        " not always there. New keys may come; these stay.\n\n"
        "An error is in [Exit codes](exit-codes.md#errors). Shapes with a capital letter stand"
        " [at the end](#shared-shapes)."
    ]
    for one in DOCUMENTS:
        parts += [f"## {', '.join(one.commands)}", *filter(None, [one.about]), _shape(one.shape)]
    parts += [
        "## hook",
        'What the agent expects: `{"hookSpecificOutput": {"hookEventName", ...}}` with `updatedToolOutput`, in the shape of'
        " that tool's output, or `additionalContext`.",
        "## Shared shapes",
    ]
    for name, shape in SHARED.items():
        parts += [f"### {name}", _shape(shape)]
    return "\n\n".join(parts) + "\n"


def fields(shape: str) -> list[tuple[str, str, str, str]]:
    """The lines of a shape: key, type, unit, meaning."""
    rows = []
    for line in filter(None, map(str.strip, shape.splitlines())):
        key, kind, unit, meaning = (part.strip() for part in line.split("|", 3))
        rows.append((key, kind, unit, meaning))
    return rows


def documents() -> dict[str, Document]:
    """The document of each command."""
    return {command: one for one in DOCUMENTS for command in one.commands}


def _shape(shape: str) -> str:
    rows = [(f"`{key}`", _type(kind), unit, meaning) for key, kind, unit, meaning in fields(shape)]
    return _table(("key", "type", "unit", "meaning"), rows)


def _type(kind: str) -> str:
    for name in SHARED:
        if kind.removeprefix("list of ") == name:
            return kind.replace(name, f"[{name}](#{name.lower().replace(' ', '-')})")
    return kind


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *([_cell(cell) for cell in row] for row in rows)]
    return "\n".join(
        "|" + "|".join(f" {cell} " if cell else " " for cell in cells) + "|" for cells in lines
    )


def _cell(text: str) -> str:
    return text.replace("\n", " ").replace("|", "\\|").replace("<", "\\<").replace("``", "`")


PAGES = {
    "commands": commands,
    "configuration": configuration,
    "exit-codes": exit_codes,
    "json": json,
}

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, page in PAGES.items():
        (FOLDER / f"{name}.md").write_text(page(), encoding="utf-8", newline="\n")
    published.write(published.files())
