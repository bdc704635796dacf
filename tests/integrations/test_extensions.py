from __future__ import annotations

import pytest

from hippocampus_cli.errors import InstallRefused
from hippocampus_cli.integrations.extensions import check_ours, extension_text, state_of

PROGRAM = ["/opt/my venv/bin/python", "-m", 'a"b\\c', "${x}"]


def test_the_program_stands_in_it_word_by_word() -> None:
    text = extension_text(PROGRAM)
    line = 'const PROGRAM: string[] = ["/opt/my venv/bin/python", "-m", "a\\"b\\\\c", "${x}"];'
    assert text.count("const PROGRAM") == 1 and f"\n{line}\n" in text


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("", "absent"),
        (extension_text(["hippo"]), "ours"),
        (extension_text(["hippo"]).replace("\n", "\r\n"), "ours"),
        (extension_text(["hippo"]).replace("30_000", "60_000"), "edited"),
        ("export default function () {}\n", "foreign"),
    ],
)
def test_whose_a_file_is(text: str, state: str) -> None:
    assert state_of(text) == state
    if state in ("edited", "foreign"):
        with pytest.raises(InstallRefused, match="edited" if state == "edited" else "another"):
            check_ours(text, "x.ts")
    else:
        check_ours(text, "x.ts")
