"""The oracle is the reference in every observed case, floats to 1e-12; the package has its curve and thresholds.

Summaries that the reference wrote in real sessions of Pi, made again from the messages before them.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from hippocampus_cli.config.context import Compaction
from hippocampus_cli.context.compaction.classify import TYPES, EntryType, classifier
from hippocampus_cli.context.compaction.score import DecayParameters
from hippocampus_cli.context.compaction.score import action_of as action_in_package
from hippocampus_cli.context.transcripts import Transcript
from hippocampus_cli.context.transcripts.pi import message_of
from tests.context.reference import scoring as seen
from tests.context.reference.scoring import (
    Scored,
    decay,
    defaults,
    read_settings,
    retention_of,
    score,
)
from tests.context.reference.summary import (
    action_of,
    build,
    handle,
    line_of,
    loaded,
)
from tests.support.reference_compaction import REFERENCE, TRANSCRIPTS, cases

BY_MESSAGE = {
    "classifyMessage": seen.classify,
    "extractContent": seen.text_of,
    "estimateTokens": seen.estimate,
    "extractToolName": seen.tool_of,
}
DONE = (
    *BY_MESSAGE,
    *(
        "extractPreview",
        "getBaseImportance",
        "calculateRetention",
        "buildSparseIndexLine",
        "scoreMessages",
    ),
    *("buildHippocampusSummary", "summarize", "loadConfig", "index.calculateRetention"),
    *("index.getRetentionAction", "extensionHandler"),
)


def settings_of(case: dict[str, Any]) -> dict[str, Any]:
    return {**defaults(), **case["input"].get("config", {})}


def entry(given: dict[str, Any]) -> Scored:
    return Scored(
        given.get("index", 0),
        given["type"],
        given.get("importance", 0),
        given.get("retention", 0),
        given["tokenEstimate"],
        given["role"],
        given["contentPreview"],
    )


def test_no_function_of_the_collection_is_left_out() -> None:
    document = json.loads(REFERENCE.read_text(encoding="utf-8"))
    assert {case["function"] for case in document["cases"]} == {*DONE, "cli.score"}


@pytest.mark.parametrize("case", cases(*BY_MESSAGE))
def test_what_is_seen_of_a_message(case: dict[str, Any]) -> None:
    function = BY_MESSAGE[case["function"]]
    expected = case["expected"]
    if isinstance(expected, dict):
        with pytest.raises(seen.ReferenceThrows) as thrown:
            function(case["input"]["message"])
        assert str(thrown.value) == expected["message"]
    else:
        assert function(case["input"]["message"]) == expected


@pytest.mark.parametrize("case", cases("getBaseImportance"))
def test_importance(case: dict[str, Any]) -> None:
    assert seen.importance_of(case["input"]["type"]) == case["expected"]


@pytest.mark.parametrize("case", cases("calculateRetention"))
def test_retention(case: dict[str, Any]) -> None:
    given = case["input"]
    found = retention_of(given["importance"], given["age"], given["type"], settings_of(case))
    assert math.isclose(found, case["expected"], rel_tol=1e-12)


@pytest.mark.parametrize("case", cases("index.calculateRetention"))
def test_the_bare_curve(case: dict[str, Any]) -> None:
    given = case["input"]
    found = decay(given["age"], given["lambda"], given["baseImportance"])
    assert math.isclose(found, case["expected"], rel_tol=1e-12)


@pytest.mark.parametrize("case", cases("index.getRetentionAction"))
def test_the_action_of_a_retention(case: dict[str, Any]) -> None:
    given = case["input"]["score"]
    retention = math.nan if given is None else given
    assert action_of(retention, 0.25, 0.65) == case["expected"]


@pytest.mark.parametrize("case", cases("extractPreview"))
def test_the_preview_of_a_message(case: dict[str, Any]) -> None:
    given = case["input"]
    size = {"units": given["maxLen"]} if "maxLen" in given else {}
    assert seen.preview_of(given["message"], **size) == case["expected"]


@pytest.mark.parametrize("case", cases("buildSparseIndexLine"))
def test_the_line_of_an_entry(case: dict[str, Any]) -> None:
    assert line_of(entry(case["input"]["entry"]), case["input"]["message"]) == case["expected"]


@pytest.mark.parametrize("case", cases("scoreMessages"))
def test_scores(case: dict[str, Any]) -> None:
    found = score(case["input"]["messages"], settings_of(case))
    assert len(found) == len(case["expected"])
    for one, given in zip(found, case["expected"], strict=True):
        expected = entry(given)
        assert one._replace(importance=0, retention=0) == expected._replace(
            importance=0, retention=0
        )
        assert math.isclose(one.importance, expected.importance, rel_tol=1e-12)
        assert math.isclose(one.retention, expected.retention, rel_tol=1e-12)


@pytest.mark.parametrize("case", cases("summarize"))
def test_summaries(case: dict[str, Any]) -> None:
    messages, settings = case["input"]["messages"], settings_of(case)
    assert build(score(messages, settings), messages, settings) == case["expected"]


@pytest.mark.parametrize("case", cases("buildHippocampusSummary"))
def test_the_bounds_of_the_buckets(case: dict[str, Any]) -> None:
    given = case["input"]
    scored = [entry(one) for one in given["scored"]]
    assert build(scored, given["messages"], settings_of(case)) == case["expected"]


@pytest.mark.parametrize("case", cases("loadConfig"))
def test_settings(case: dict[str, Any]) -> None:
    found, _ = read_settings(case["input"]["file"])
    assert found == case["expected"]
    assert list(found) == list(case["expected"])


@pytest.mark.parametrize("case", cases("extensionHandler"))
def test_the_answer_to_pi(case: dict[str, Any]) -> None:
    handled = handle(case["input"]["preparation"], settings_of(case))
    expected = case["expected"]
    if handled.compaction is None:
        assert expected["result"] == {"$undefined": True}
    else:
        assert {"compaction": handled.compaction} == expected["result"]
    assert [list(notice) for notice in handled.notices] == expected["notifications"]
    lines = [loaded(settings_of(case)), *handled.log]
    logged = [f"[TS] [hippocampus] {line}" for line in lines]
    assert logged == expected["log"][:-1]  # the last is logged at the end of a turn


@pytest.mark.parametrize("kind", TYPES)
def test_the_package_has_the_curve_and_the_thresholds_of_the_reference(kind: EntryType) -> None:
    settings = Compaction()
    parameters = DecayParameters.of(kind, settings)
    assert parameters.importance == seen.importance_of(kind)
    for age in range(60):
        retention = parameters.retention(parameters.importance, age)
        assert math.isclose(retention, retention_of(parameters.importance, age, kind, defaults()))
        assert action_in_package(retention, settings) == action_of(retention, 0.25, 0.65)


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ({"role": "toolResult", "content": "plan"}, "tool_result"),
        ({"role": "user", "content": "Write the report today"}, "user_intent"),
        ({"role": "user", "content": "heartbeat"}, "ephemeral"),
        ({"role": "assistant", "content": "We decided on gzip"}, "decision"),
        ({"role": "assistant", "content": "The file has seven lines"}, "context"),
        ({"role": "assistant", "content": "NO_REPLY"}, "ephemeral"),
        ({"role": "other", "content": "x"}, "unknown"),
    ],
)
def test_the_package_classifies_plain_messages_as_the_reference(
    message: dict[str, Any], kind: str
) -> None:
    found = classifier(Compaction()).type_of(message_of(message, "m1"))
    assert found == seen.classify(message) == kind


SESSIONS = sorted(TRANSCRIPTS.glob("*.jsonl")) if TRANSCRIPTS else []


@pytest.mark.skipif(not SESSIONS, reason="the real sessions (shared/transcripts) are not here")
@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_the_summary_is_the_same_to_the_byte(path: Path, tmp_path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    (at,) = (number for number, line in enumerate(lines) if '"type":"compaction"' in line)
    compaction = json.loads(lines[at])
    before = tmp_path / path.name
    before.write_text("\n".join(lines[:at]), encoding="utf-8")
    with Transcript(before) as session:
        messages = list(session)
    kept = next(n for n, one in enumerate(messages) if one.id == compaction["firstKeptEntryId"])
    preparation = {"messagesToSummarize": [one.raw for one in messages[:kept]]}
    handled = handle(preparation, defaults())
    assert handled.compaction is not None
    assert handled.compaction["summary"] == compaction["summary"]
