"""``python -m bench prompts``: at how many prompts that ask nothing of the memory it stays silent, and at how many
that do it brings something.

The prompts are in ``bench/data/prompts.json``: rows of ``text``, ``language``, ``kind`` (``silent`` or ``memory``)
and ``held`` (whether nothing was chosen by it). They were written without sight of the code and of any notes. The
questions of the fixture are asked beside them.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.corpora import fixture
from bench.samples import SILENT
from bench.sheet import Column, Findings, Sheet
from hippocampus_cli.api import Workspace, open_workspace
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.errors import UsageError
from hippocampus_cli.integrations.recall import asked_by

PROMPTS = Path(__file__).parent / "data/prompts.json"


class Prompt(NamedTuple):
    """A row of the set, and whether something is brought at this prompt."""

    text: str
    language: str
    kind: str
    held: bool
    is_brought: bool = False


def arguments(parser: argparse.ArgumentParser) -> None:
    """The set of prompts."""
    parser.add_argument("--prompts", type=Path, default=PROMPTS, metavar="FILE.json")


def measure(session: CommandContext, options: argparse.Namespace) -> Findings:
    """Ask as the hook does, of a scratch copy of the fixture or of the workspace that is named; nothing is written
    back."""
    prompts = read_prompts(options.prompts)
    if options.workspace:
        with open_workspace(options.workspace) as opened:
            return findings(asked(opened, prompts))
    dataset = fixture.read(Path())
    with tempfile.TemporaryDirectory(prefix="hippo-bench-") as scratch:
        folder = dataset.folders[0]
        root = folder.write(Path(scratch) / "notes")
        prompts += [Prompt(case.text, "en", "memory", False) for case in folder.cases if case.lines]
        with open_workspace(root) as opened:
            opened.at(folder.now).bootstrap()
            return findings(asked(opened, prompts))


def read_prompts(path: Path) -> list[Prompt]:
    """The rows of a set. Raises :class:`UsageError` where it is not there or not such a file."""
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return [Prompt(row["text"], row["language"], row["kind"], row["held"]) for row in rows]
    except (OSError, ValueError, KeyError, TypeError) as error:
        reason = f"{path.name} is not a set of prompts"
        raise UsageError(reason=reason, advice="name one: --prompts FILE.json") from error


def asked(workspace: Workspace, prompts: Iterable[Prompt]) -> list[Prompt]:
    """The prompts with whether the workspace has something on them."""
    return [prompt._replace(is_brought=brings(workspace, prompt.text)) for prompt in prompts]


def brings(workspace: Workspace, prompt: str) -> bool:
    """Whether something is brought at a prompt."""
    question = asked_by(prompt)
    return question is not None and workspace.recall(question[0], odds=question[1]) is not None


def findings(prompts: Sequence[Prompt]) -> Findings:
    """The shares by kind, by language and of what is held."""
    groups = {
        (kind, group): [one for one in prompts if one.kind == kind and is_in(one, group)]
        for kind in (SILENT, "memory")
        for group in ("all", "held", *sorted({one.language for one in prompts}))
    }
    rows = tuple(
        (f"{kind}, {group}", len(those), sum(one.is_brought for one in those) / len(those))
        for (kind, group), those in groups.items()
        if those
    )
    columns = (
        Column("prompts", "prompts"),
        Column("count", "count", ",d"),
        Column("brought", "brought", ".3f"),
    )
    sheet = Sheet("at which prompts something is brought", columns, rows)
    document = {
        "prompts": [dict(zip(("name", "count", "brought"), row, strict=True)) for row in rows]
    }
    return Findings(document, (sheet,), (), sheet)


def is_in(prompt: Prompt, group: str) -> bool:
    """Whether a prompt is in ``all``, in what is ``held``, or in a language."""
    return group in ("all", prompt.language) or (group == "held" and prompt.held)
