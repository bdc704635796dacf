from __future__ import annotations

import pytest

from hippocampus_cli.config import Config
from hippocampus_cli.config.context import Context
from hippocampus_cli.context.extract import shown as said
from hippocampus_cli.context.lifecycle.ingest import IngestRequest, decide, ingest
from hippocampus_cli.context.lifecycle.policies import Candidate
from hippocampus_cli.context.lifecycle.session import Content, EntryType


@pytest.mark.parametrize(
    ("kind", "source", "text", "tokens", "read_as", "verdict"),
    [
        ("tool_result", "shell", "x", 1_001, "text", (True, "over 1,000 tokens")),
        ("tool_result", "shell", "x", 1_000, "text", (False, "a small result")),
        ("tool_result", "error", "x", 1, "text", (True, "an error")),
        ("tool_result", "shell", "x", 1, "error", (True, "an error")),
        ("message", "user", "Always tag", 3, "text", (True, "an instruction")),
        ("message", "user", "What time is it?", 3, "text", (False, "no instruction")),
        ("message", "assistant", "always", 9_000, "text", (False, "not a user's message")),
        ("message", "system", "never", 9_000, "text", (False, "not a user's message")),
        ("state", "state", "deploying", 3, "text", (False, "a short state")),
        ("memory", "memory", "x", 1_500, "text", (True, "over 1,000 tokens")),
    ],
)
def test_what_is_indexed(
    kind: EntryType, source: str, text: str, tokens: int, read_as: str, verdict: tuple[bool, str]
) -> None:
    """The table of CONTEXT §6.1."""
    candidate = Candidate(kind, source, "normal", text)
    assert decide(candidate, Content("", 0, tokens, read_as), Context()) == verdict


FILLER = {
    "prose": "".join(
        f"the step number {n} went fine as ever, nothing to see.\n" for n in range(450)
    ),
    "numbers": "".join(f"{n} a step was made\n" for n in range(1_000)),
    "paths": "".join(f"src/package/part{n}.py\n" for n in range(900)),
    "table": "name,size\n" + "".join(f"part{n},{n}\n" for n in range(1_500)),
    "code": "".join(f"def part{n}():\n    return {n}\n" for n in range(600)),
    "json": "[" + ",".join(f'{{"id": {n}, "name": "part {n}"}}' for n in range(900)) + "]\n",
}
ERROR = "ERROR E7001: no space left on /var"


@pytest.mark.parametrize("tool", ["Bash", "run_shell_command", "exec_command"])
@pytest.mark.parametrize("kind", FILLER)
def test_errors_and_the_end_are_always_told(kind: str, tool: str) -> None:
    output = f"{FILLER[kind]}{ERROR}\n{FILLER[kind][:3_000]}\nall in all 12 parts\nexit status 3\n"
    request = IngestRequest(source=tool, ref="make all")
    entry = ingest(output.encode(), request, (), Config().context, exact=False).entry
    text = said(entry.summary, entry.key_data)
    assert ERROR in text
    assert "exit_code: 3" in text and "exit status 3" in text
    assert entry.summary_tokens <= Config().context.summary_tokens


def test_what_no_command_put_out_says_nothing_of_an_end() -> None:
    entry = ingest(
        FILLER["code"].encode(),
        IngestRequest(source="file", ref="a.py"),
        (),
        Config().context,
        exact=False,
    ).entry
    assert "last_line" not in entry.key_data
