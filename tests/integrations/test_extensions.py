from __future__ import annotations

import pytest

from hippocampus_cli.errors import InstallRefused
from hippocampus_cli.integrations.extensions import edit_extension, extension_text

PROGRAM = ["/opt/my venv/bin/python", "-m", 'a"b\\c', "${x}"]


def test_the_program_stands_in_it_word_by_word() -> None:
    text = extension_text(PROGRAM, "pi")
    line = 'const PROGRAM: string[] = ["/opt/my venv/bin/python", "-m", "a\\"b\\\\c", "${x}"];'
    assert text.count("const PROGRAM") == 1 and f"\n{line}\n" in text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", ""),
        (extension_text(["hippo"], "pi"), ""),
        (extension_text(["hippo"], "pi").replace("\n", "\r\n"), ""),
        (extension_text(["hippo"], "pi").replace("30_000", "60_000"), "it was edited"),
        ("export default function () {}\n", "another file"),
    ],
)
def test_whose_a_file_is(text: str, why: str) -> None:
    for installs, after in ((True, "wanted"), (False, "")):
        if why:
            with pytest.raises(InstallRefused, match=why):
                edit_extension("wanted", "x.ts", text, installs)
        else:
            assert edit_extension("wanted", "x.ts", text, installs) == after
