"""``hippo query``."""

from __future__ import annotations

from typing import Any

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import (
    FENCE,
    FILTERS,
    NUMBER,
    TOKEN_BUDGET,
    argument,
    dated,
    option,
    takes,
    text_of,
)
from hippocampus_cli.errors import UsageError


@takes(
    argument(
        "words",
        "QUERY",
        "What you want to know, in your own words; - reads it from standard input.",
    ),
    option(
        "--or",
        "The same question in other words: keywords, synonyms, the language of the notes. Up to 4 times.",
        name="phrasings",
        metavar="TEXT",
        several=True,
        blank=True,
    ),
    option(
        "--mode -m",
        "Ask the index, the text, or (by default) both.",
        choices=("index", "search", "hybrid"),
    ),
    option("--limit -n", "Results at most.", kind=NUMBER, metavar="N"),
    TOKEN_BUDGET,
    *FILTERS,
    option("--no-write", "Leave the index as it is."),
    option("--explain", "Say why each result is there, and which entries do not answer."),
    FENCE,
    option("--lean", "With --json: only the places with their days and texts."),
)
def command(
    session: CommandContext,
    words: list[str],
    no_write: bool,
    explain: bool,
    fence: bool,
    lean: bool,
    **given: Any,
) -> int:
    """Ask for something: the places that answer, with file, line and day.

    The index answers first and search of the text always speaks too. In other words as well (--or) it is one
    question, and finds far more. What was used is written back: the entry behind the answer grows stronger, and a
    confident find that the index did not know becomes an entry. Exit code 0: found. 1: nothing found.

    Days are read as people say them ("12 May", "in March", "last week").

    Examples:
      hippo query "deploy command"
      hippo query who do I call at Nordfjord --or "Nordfjord phone number" --or "contact person"
      hippo query release --tag ship --path projects/ --since 2026-05-01 --json --lean --no-write
    """
    if lean and not session.output.as_json:
        raise UsageError(reason="--lean is a form of --json", advice="add --json")
    from hippocampus_cli.cli import answer

    text, given = text_of(words), dated(given, session.now)
    opened = session.open()
    with session.output.progress("reading notes") as opened.progress:
        result = opened.query(text, **given, write=not no_write)
    if not result.results:
        answer.require_words(text, *given["phrasings"])
    output = session.output
    if lean:
        output.json(answer.as_lean_document(result))
    elif output.as_json:
        output.json(answer.as_document(result, explain=explain))
    elif fence:
        output.notices(result.notices)
        session.print_fenced(answer.fenced(result, explain=explain))
    else:
        answer.print_answer(output, result, explain=explain)
    return 0 if result.results or result.beliefs else 1
