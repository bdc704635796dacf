"""What the documentation says of the benchmarks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from bench import comparison, scale
from bench import workspace as folder
from bench.comparison import run
from bench.locomo import read_locomo
from bench.methods import RANKINGS
from bench.questions import load_questions
from bench.scale import Row as Size
from bench.workspace import Kind, Report, Row
from hippocampus_cli.config import Config
from hippocampus_cli.workspace.read import read_note
from tests.support.pages import read, words

ROOT = Path(__file__).parents[2]


def test_every_key_is_in_the_table() -> None:
    stated_keys = words(read(ROOT / "bench/README.md"))
    talk = read_locomo(ROOT / "tests/bench/talk.json")
    for document in (
        comparison.findings(run(talk, RANKINGS[:1], Config())).document,
        scale.findings([Size(10, *([1.0] * 12))]).document,
        folder.document(Report("acme", 1, 1, 1, False, 3.0, 1, (), {}, "")),
    ):
        assert set(_keys(document)) <= stated_keys
    assert set(Row._fields) | set(Kind._fields) <= stated_keys


def _keys(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, one in value.items():
            yield key
            yield from _keys(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _keys(one)


def test_the_example_of_a_question_is_read(tmp_path: Path) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", read(ROOT / "bench/README.md"), re.DOTALL)
    file = tmp_path / "questions.toml"
    file.write_text(example, encoding="utf-8")
    notes = ROOT / "fixtures/workspace"
    (question,) = load_questions(file, lambda path: read_note(notes, path, 100_000))
    assert question.gold[0].path == "TOOLS.md"
