"""Facts of recorded sessions, chosen by reading these: each stands in the summary, or one fetch gives it back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hippocampus_cli.cli.main import main
from tests.support.reference_compaction import TRANSCRIPTS

FACTS = {
    "pi-0.73.1-sessionmanager.jsonl": (
        "Build a small CLI that rotates log files|Keep seven days|inspect the repo, then write rotate.py|"
        "look around first|ls -la|app.log|Feb 3|src/f0.py|src/f1.py|src/f3.py|src/f5.py|src/f7.py|src/f9.py|"
        "src/f10.py|src/f11.py|x = 4|# file 8|padding line for size|gzip at level 6 for the rotated files|"
        "Reminder injected by extension: keep seven days|df -h|HEARTBEAT_OK|Now add tests|careful with time zones|"
        "Tests added|All cases pass with frozen clock"
    ),
    "pi-0.73.1-autocompaction.jsonl": (
        "step number 1 of the work plan|step number 3 of the work plan|step number 6 of the work plan|"
        "Decided to run step 1.|Decided to run step 7.|s/^/row 1 /|s/^/row 5 /|s/^/row 9 /|s/^/row 11 /|"
        "Step 2 finished|Step 10 finished|900 rows and nothing else to report|row 3 450|row 9 900"
    ),
}


@pytest.mark.skipif(TRANSCRIPTS is None, reason="the recorded sessions are not here")
def test_facts_are_one_fetch_away(capsys: pytest.CaptureFixture[str]) -> None:
    lost = []
    for name, facts in FACTS.items():
        session = str(Path(TRANSCRIPTS or "", name))
        assert main(["compact", session, "--tokens", "3600", "--no-write"]) == 0
        texts = [capsys.readouterr().out]
        for identity in sorted({*re.findall(r"#([0-9a-f]{8})\b", texts[0])}):
            assert main(["fetch", identity, "--session", session]) == 0
            texts.append(capsys.readouterr().out)
        held = [" ".join(text.split()) for text in texts]
        lost += [fact for fact in facts.split("|") if not any(fact in text for text in held)]
    assert lost == ["HEARTBEAT_OK"]
