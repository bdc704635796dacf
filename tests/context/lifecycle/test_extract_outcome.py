"""What stands in the place of a command's output: its errors, its last line, its exit code, whatever else it is."""

from __future__ import annotations

import pytest

from hippocampus_cli.config import Config
from hippocampus_cli.context.extract import shown as said
from hippocampus_cli.context.lifecycle.ingest import IngestRequest, ingest

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
