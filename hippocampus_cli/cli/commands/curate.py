"""``hippo curate``."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hippocampus_cli import api
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import argument, option, standard_input, takes
from hippocampus_cli.cli.output import Output, bold, count, cyan, dim, row, yellow
from hippocampus_cli.errors import UsageError

_KINDS = ("state", "conflict", "restate", "merge", "promote", "topic", "describe", "compare")
_FORM = 'it must be {"answers": [{"id": "…", "answer": {…}}]}'
_PROPOSED = ("state", "conflict", "restate", "merge", "compare")
"""Kinds whose simplest answer may be right; others want words that hippo does not have."""


@takes(
    argument(
        "kind",
        "KIND",
        f"Only tasks of this kind ({', '.join(_KINDS)}).",
        required=False,
        choices=_KINDS,
    ),
    option("--limit", "At most so many tasks.", low=1),
    option(
        "--answer", "A file with answers as JSON; - reads it from standard input.", metavar="FILE"
    ),
    option(
        "--with",
        "A language model answers: ollama:NAME, openai:NAME or anthropic:NAME.",
        name="model",
        metavar="MODEL",
    ),
    option("--outdated", "This place does not hold any more; repeatable.", metavar="PATH:LINE"),
)
def command(
    session: CommandContext,
    *,
    kind: str | None,
    limit: int = 20,
    answer: str | None,
    model: str | None,
    outdated: list[str],
) -> int:
    """Show what needs a judgement, and take the answers.

    hippo does not understand language: it finds where a judgement is needed, shows the evidence, verifies the answer
    word for word and applies it; `hippo undo` takes it back. At a terminal each task is asked in turn.

    An answer is a JSON object: {"answers": [{"id": "…", "answer": {…}}]}; null as an answer skips a task. The form of
    each is in the task. The exit code is 1 where an answer was refused.

    Examples:
      hippo curate
      hippo curate --json --limit 5
      hippo curate --answer answers.json
      hippo curate --outdated memory/2026-05-01.md:9
      hippo curate --with ollama:llama3.2
    """
    output = session.output
    opened, kinds = session.open(), [kind] if kind else []
    if outdated:
        done = opened.curation.outdate(outdated, who="user")
    elif answer is not None:
        done = opened.curation.answer(_answers(answer), who="agent")
    elif model is not None:
        with output.progress("answering") as opened.progress:
            done = opened.curation.ask_model(model, kinds=kinds, limit=limit)
    else:
        tasks = opened.curation.tasks(kinds=kinds, limit=limit)
        if not (tasks and output.terminal and sys.stdin.isatty()) or output.as_json:
            rows = [
                row(task, "id kind question evidence answer", refused=why) for task, why in tasks
            ]
            output.json({"tasks": rows})
            for task, why in tasks:
                _print_task(output, task, why)
            form = f"{count(len(tasks), 'task')}; answer with --answer FILE (--json shows the form)"
            output.line(form if tasks else "nothing needs a judgement")
            return 0
        return _dialogue(output, opened.curation, tasks)
    output.document({"answers": done})
    return int(any(outcome.outcome == "refused" for outcome in done))


def _answers(file: str) -> list[tuple[str, Any]]:
    """The answers in a file. Raises :class:`UsageError`."""
    try:
        text = standard_input() if file == "-" else Path(file).read_text("utf-8", "replace")
    except OSError as error:
        raise UsageError(reason=f"{file}: {error.strerror}", advice="name a file") from error
    answers = answers_in(_parsed(text))
    if not answers:
        raise UsageError(reason="there is no answer in it", advice=_FORM)
    return answers


def _parsed(text: str) -> Any:
    """What a text of JSON says. Raises :class:`UsageError`."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(reason="this is not valid JSON", advice=_FORM) from error


def answers_in(given: Any) -> list[tuple[str, Any]]:
    """The answers in a document by the ids of their tasks. Raises :class:`UsageError`."""
    try:
        return [(str(answer["id"]), answer["answer"]) for answer in given["answers"]]
    except (KeyError, TypeError) as error:
        raise UsageError(reason="these are no answers", advice=_FORM) from error


def _print_task(output: Output, task: api.Task, why: str) -> None:
    """What is asked, and the places that it is asked of."""
    output.line(cyan(task.id), f"  {task.question}")
    for part in task.evidence:
        output.line(dim(f"  {part.place}  {part.date}  {part.origin}"))
        output.line(f"    {part.text}")
    if why:
        output.line(yellow(f"  refused before: {why}"))


def _dialogue(
    output: Output, curation: api.types.Curation, tasks: Sequence[tuple[api.Task, str]]
) -> int:
    """Ask the user, task by task; the exit code."""
    code = 0
    for number, (task, why) in enumerate(tasks, 1):
        output.line(bold(f"{number} of {len(tasks)}"))
        _print_task(output, task, why)
        proposal = _proposal(task)
        output.line(json.dumps(proposal, ensure_ascii=False))
        yes = "y: as proposed, " if task.kind in _PROPOSED else ""
        typed = input(f"[{yes}n: not that, s: skip, q: enough, or your answer as JSON] ").strip()
        key = typed[:1].lower()
        if key in "q":  # or nothing
            break
        if key in f"{yes[:1]}n{{":
            answers = {"y": proposal, "n": None}
            given = answers[key] if key in answers else _parsed(typed)
            for outcome in curation.answer([(task.id, given)], who="user"):
                output.line(f"{outcome.outcome}: {outcome.did or outcome.why}")
                code |= outcome.outcome == "refused"
    return code


def _proposal(task: api.Task) -> Any:
    """The simplest answer to a task: for the user to confirm or to edit."""
    simplest = {
        "string": task.evidence[0].text.partition("\n")[0].lstrip("# "),
        "boolean": True,
        "array": [],
    }
    return {name: simplest[form["type"]] for name, form in task.answer["properties"].items()}
