"""The estimate against the encoding o200k itself: its counts of these texts are written down here."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.markdown.tokens import tokens

ROOT = Path(__file__).parents[2]
PROSE = (
    "The deploy command changed on Tuesday: we now tag the commit first, wait for the smoke test and only then "
    "run the release script. Ines wrote the runbook; nobody has had to call her at night since. "
)
GERMAN = (
    "Der Ablauf der Bereitstellung wurde im März geändert: zuerst die Datenbank sichern, dann die Dienste "
    "nacheinander ausrollen und zum Schluss die Überwachung prüfen. Frau Özdemir nimmt den Zug um 7:42 Uhr ab Altona "
    "und bringt die unterschriebenen Verträge mit; der Steuerberater will sie bis Freitag haben.\n\n"
    "- Mietvertrag: gekündigt zum 30.09., Schlüssel liegen bei der Hausverwaltung\n"
    "- Rechnung 2026-118 über 1.240 EUR ist noch offen, zweite Mahnung am Montag\n"
)
CHINESE = (
    "我们的部署命令从三月起改为先打标签，再运行发布脚本。每周五下午五点备份数据库，然后通知王伟。"
    "服务器的密码在保险箱里，不要写进笔记。如果监控报警，先看日志，再打电话。"
)
CODE = '''def deploy(target: str, *, canary: int = 10) -> None:
    """Send the build to ``target``; ``canary`` is a share in percent."""
    for host in hosts_of(target):
        if not host.is_ready():
            raise NotReady(host.name)
        host.run(["systemctl", "restart", "kelpie.service"], timeout=30)
'''
JSON = """{"id": "acme-deploy", "topic": "Deploy", "pointers": ["TOOLS.md §Deploy"], "strength": 0.74,
 "hits": 12, "tags": ["release", "prod"], "created": "2026-01-20", "accessed": "2026-08-05T14:11:00Z"}
"""
INDEX = 692  # of the golden index
COUNTED = {
    "prose": (PROSE, 45),
    "german": (GERMAN, 111),
    "chinese": (CHINESE, 58),
    "code": (CODE, 79),
    "json": (JSON, 78),
}


@pytest.mark.parametrize("name", COUNTED)
def test_within_a_tenth_of_what_a_tokenizer_counts(name: str) -> None:
    text, counted = COUNTED[name]
    assert tokens(text) == pytest.approx(counted, rel=0.10)


def test_an_index_of_ours() -> None:
    text = (ROOT / "tests/maintenance/first_index.golden.md").read_text(encoding="utf-8")
    assert tokens(text) == pytest.approx(INDEX, rel=0.10)


def test_nothing_is_nothing() -> None:
    assert tokens("") == 0
    assert tokens("a") == 1


@given(st.text(st.characters(), max_size=200))
def test_any_text_has_some_and_never_more_than_its_bytes_may(text: str) -> None:
    count = tokens(text)
    assert (count == 0) == (not text)
    assert count <= 4 * len(text) + 1
    assert tokens(f"{text} and more") >= count
