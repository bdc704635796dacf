"""What the settings name, and what a workspace's settings alone may not."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from hippocampus_cli.config import load
from hippocampus_cli.config.settings import Embedding
from hippocampus_cli.embedding.consent import allow, is_allowed
from hippocampus_cli.embedding.open import open_embedder
from hippocampus_cli.errors import ConfigInvalid, EmbedderUnavailable, ExtraMissing, ModelMissing

KEYS = {"OPENAI_API_KEY": "a-key", "GEMINI_API_KEY": "a-key"}


def opened(environ: dict[str, str] | None = None, **given: Any) -> Any:
    return open_embedder(Embedding(**given), Path("nowhere"), environ or {})


def test_by_default_there_is_none() -> None:
    assert opened() is None


def test_a_model_that_is_not_installed() -> None:
    pytest.importorskip("numpy", reason="the extra `semantic` is not installed")
    with pytest.raises(ModelMissing) as raised:
        opened(embedder="use-multilingual")
    assert (raised.value.exit_code, raised.value.code) == (19, "model-missing")
    assert raised.value.advice == "install it: hippo embed --install use-multilingual"


@pytest.mark.parametrize("embedder", ["use-multilingual", "gemini", "openai", "ollama"])
def test_without_numpy_it_says_what_to_install(
    embedder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(ExtraMissing) as raised:
        opened(KEYS, embedder=embedder)
    assert raised.value.advice == (
        "install numpy threadpoolctl beside hippo: pip install '.[semantic]' in a clone,"
        " pipx inject hippocampus-cli numpy threadpoolctl with pipx"
    )
    assert opened() is None


def test_the_packages_of_each_extra_are_those_of_the_project() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    extras = {
        extra: " ".join(re.split("[^\\w-]", one)[0] for one in packages)
        for extra, packages in project["optional-dependencies"].items()
    }
    assert extras == ExtraMissing.packages


def test_the_encoder_without_the_rest_of_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numpy", reason="the extra `semantic` is not installed")
    monkeypatch.setitem(sys.modules, "threadpoolctl", None)
    with pytest.raises(
        ExtraMissing, match="the embedder use-multilingual needs the extra 'semantic'"
    ):
        opened(embedder="use-multilingual")


def test_the_usual_places_ask_for_nothing_but_a_key() -> None:
    pytest.importorskip("numpy", reason="the extra `semantic` is not installed")
    assert opened(KEYS, embedder="openai").name == "openai:text-embedding-3-small"
    assert opened(KEYS, embedder="gemini").dimensions == 768
    assert opened(embedder="ollama").name == "ollama:nomic-embed-text"
    for embedder in ("openai", "gemini"):
        with pytest.raises(EmbedderUnavailable, match="no key in the variable"):
            opened(embedder=embedder)


USUAL, OTHER, LOCAL = "", "https://elsewhere.example/v1", "http://127.0.0.1:8399/v1"
NEEDS_A_WORD = [  # embedder, url and key_variable of the file, what only the environment may say
    ("openai", USUAL, "", ()),
    ("openai", USUAL, "OPENAI_API_KEY", ("key_variable",)),
    ("openai", USUAL, "SECRET", ("key_variable",)),
    ("openai", OTHER, "", ("url",)),
    ("openai", OTHER, "OPENAI_API_KEY", ("url", "key_variable")),
    ("openai", OTHER, "SECRET", ("url", "key_variable")),
    ("openai", LOCAL, "", ()),
    ("openai", LOCAL, "OPENAI_API_KEY", ("url", "key_variable")),
    ("openai", LOCAL, "SECRET", ("url", "key_variable")),
    ("openai", "http://localhost:1", "OPENAI_API_KEY", ("url", "key_variable")),
    ("openai", "https://[::1]:1", "OPENAI_API_KEY", ("url", "key_variable")),
    ("gemini", LOCAL, "GEMINI_API_KEY", ("url", "key_variable")),
    ("ollama", USUAL, "", ()),
    ("ollama", USUAL, "SECRET", ("key_variable",)),
    ("ollama", OTHER, "", ("url",)),
    ("ollama", LOCAL, "", ()),
    ("ollama", LOCAL, "SECRET", ("url", "key_variable")),
]


@pytest.mark.parametrize(("embedder", "url", "variable", "needed"), NEEDS_A_WORD)
def test_a_workspace_alone_sends_texts_and_keys_nowhere_else(
    embedder: str, url: str, variable: str, needed: tuple[str, ...]
) -> None:
    """Whatever the environment says less than it must, nothing is opened; said in full, it is."""
    pytest.importorskip("numpy", reason="the extra `semantic` is not installed")
    given = {"url": url, "key_variable": variable}
    said = {f"HIPPO_EMBEDDING_{name.upper()}": given[name] for name in needed}
    keys = {**KEYS, "SECRET": "a-key"}
    for missing in needed:
        name = f"HIPPO_EMBEDDING_{missing.upper()}"
        environ = {**keys, **{one: value for one, value in said.items() if one != name}}
        with pytest.raises(EmbedderUnavailable, match="settings alone may not") as raised:
            opened(environ, embedder=embedder, **given)
        assert name in raised.value.advice
    assert opened({**keys, **said}, embedder=embedder, **given) is not None


def test_a_server_of_this_machine_that_the_file_names_gets_no_key() -> None:
    pytest.importorskip("numpy", reason="the extra `semantic` is not installed")
    for embedder in ("openai", "gemini", "ollama"):
        model = opened(KEYS, embedder=embedder, url=LOCAL)
        assert "a-key" not in str(vars(model._client))
    assert "a-key" in str(vars(opened(KEYS, embedder="openai")._client))  # so it would be seen


def test_plain_http_needs_a_word_of_its_own() -> None:
    pytest.importorskip("numpy", reason="the extra `semantic` is not installed")
    url = "http://10.0.0.7:11434"
    environ = {"HIPPO_EMBEDDING_URL": url}
    with pytest.raises(EmbedderUnavailable, match="http is for this machine"):
        opened(environ, embedder="ollama", url=url)
    assert opened({**environ, "HIPPO_ALLOW_HTTP": "1"}, embedder="ollama", url=url) is not None


@pytest.mark.parametrize(
    "line",
    [
        *('embedder = "gpt"', 'url = "ftp://x"', 'url = "https://u:p@x"', 'url = "https://x/ y"'),
        *('key_variable = "sk-123"', 'model = "../../x"', "batch = 0"),
    ],
)
def test_settings_that_are_refused(line: str) -> None:
    with pytest.raises(ConfigInvalid):
        load(f"[embedding]\n{line}\n", {})


def test_settings_are_read() -> None:
    text = '[embedding]\nembedder = "openai"\nurl = "https://host/v1/"\nmodel = "org/m:1.5"\n'
    config = load(text, {"HIPPO_EMBEDDING_KEY_VARIABLE": "MY_KEY"})
    assert (config.embedding.url, config.embedding.key_variable) == ("https://host/v1", "MY_KEY")


def test_what_a_file_names_is_asked_about(tmp_path: Path) -> None:
    pytest.importorskip("numpy", reason="the extra `semantic` is not installed")

    def asked(said: bool, **given: Any) -> Any:
        settings = Embedding(**given)
        return open_embedder(settings, tmp_path, KEYS, allows=lambda _: said)

    for name in ("gemini", "openai", "ollama"):
        with pytest.raises(EmbedderUnavailable) as raised:
            asked(False, embedder=name)
        assert "hippo config --allow-network" in raised.value.advice
        assert asked(True, embedder=name) is not None


def test_what_the_user_allowed_is_remembered_for_these_settings_alone(tmp_path: Path) -> None:
    folder, root = tmp_path / "user", tmp_path / "w"
    root.mkdir()
    (tmp_path / "link").symlink_to(root)
    settings = Embedding(embedder="gemini")
    assert not is_allowed(folder, root, settings)
    allow(folder, root, settings)
    assert is_allowed(folder, tmp_path / "link", settings)
    assert not is_allowed(folder, tmp_path, settings)
    for other in (settings._replace(model="other"), settings._replace(url="https://x.example")):
        assert not is_allowed(folder, root, other)
    allow(folder, root, None)
    assert not is_allowed(folder, root, settings)
    (folder / "allowed.json").write_text("[" * 100_000)
    assert not is_allowed(folder, root, settings)
