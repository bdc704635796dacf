from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.config import CONFIG_PATH, Config, load
from hippocampus_cli.config.settings import settings
from hippocampus_cli.errors import ConfigInvalid
from hippocampus_cli.workspace.config_file import read_config

KEYS = sorted(settings())
BAD_FILES = [
    ("[deay]\nrate = 1", "unknown table [deay] (did you mean decay?)"),
    ("\n[decay]\n# why\nraet = 1", "unknown key decay.raet (did you mean decay.rate?)"),
    ("decay = 3", "decay must be a table: write [decay] on a line of its own"),
    ("[[decay]]\nrate = 1", "decay must be a table"),
    ('[decay]\nrate = "fast"', "decay.rate must be a number, not 'fast'"),
    ("[decay]\nrate = true", "decay.rate must be a number, not True"),
    ("[decay]\nrate = -0.1", "decay.rate must be from 0 to 1000"),
    ("[decay]\nrate = nan", "decay.rate must be from 0 to 1000"),
    ("[decay]\nrate = inf", "decay.rate must be from 0 to 1000"),
    ("[query]\nlimit = 2.0", "query.limit must be a whole number"),
    ('[query]\nmode = "vector"', "query.mode must be one of index, search, hybrid"),
    ("[scan]\ninclude_hidden = 1", "scan.include_hidden must be true or false"),
    ('[scan]\nextensions = "md"', "scan.extensions must be a list of texts"),
    ('[scan]\nextensions = ["md", 3]', "scan.extensions must be a list of texts"),
    ('[scan]\nextensions = ["a/b"]', "scan.extensions must hold file name endings"),
    ('[scan]\nskip_folders = ["../up"]', "scan.skip_folders must hold names of folders"),
    ("[decay]\nrate = 2026-01-01", "decay.rate must be a number"),
    ("[decay]\n\nrate == 1", "3: not valid TOML"),
    ("[decay]\nrate = 0.1\nrate = 0.2", "not valid TOML"),
    ("[decay]\nrate = [\n1,\n", "not valid TOML"),
    ("[bands]\nstrong = 0.9\nweak = 0.6", "bands must descend: weak (0.6) is above moderate (0.5)"),
    ("[bands]\nmoderate = 0.9", "bands must descend: moderate (0.9) is above strong (0.8)"),
    ("[bands]\nstrong = 0.4", "bands must descend: moderate (0.5) is above strong (0.4)"),
]


@pytest.mark.parametrize(("text", "reason"), BAD_FILES)
def test_a_mistake_in_the_file_is_named(text: str, reason: str) -> None:
    with pytest.raises(ConfigInvalid) as caught:
        load(text, {})
    assert reason in f"{caught.value.where}: {caught.value.message}"
    assert caught.value.path == CONFIG_PATH


@pytest.mark.parametrize("text", ["a = " + "[" * 5_000, "[index]\nmax_tokens = " + "9" * 5_000])
def test_a_text_that_breaks_the_parser_is_still_a_config_error(text: str) -> None:
    with pytest.raises(ConfigInvalid, match="not valid TOML"):
        load(text, {})


def test_later_sources_win_and_each_value_knows_its_origin() -> None:
    text = "\ufeff[decay]\r\nrate = 0.2\r\nforgetting = 0.4\r\n[query]\r\nlimit = 7\r\n"
    environ = {"HIPPO_DECAY_FORGETTING": " 0.5 ", "HIPPO_NOW": "x", "PATH": "/bin"}
    config = load(text, environ)
    assert (config.decay.rate, config.origins["decay.rate"]) == (0.2, "config.toml")
    assert (config.decay.forgetting, config.origins["decay.forgetting"]) == (
        0.5,
        "HIPPO_DECAY_FORGETTING",
    )
    assert (config.query.limit, config.origins["query.limit"]) == (7, "config.toml")
    assert config.query.tokens == 400 and "query.tokens" not in config.origins


def test_nothing_given_is_the_specifications_defaults() -> None:
    assert load(None, {}) == load("", {}) == Config()
    decay = Config().decay
    assert (decay.initial, decay.rate, decay.forgetting) == (1.0, 0.1, 0.3)
    assert Config().index.max_tokens == 15_000


@pytest.mark.parametrize("key", KEYS)
def test_every_default_is_accepted_from_the_file_and_from_the_environment(key: str) -> None:
    default = settings()[key].default
    written = list(default) if isinstance(default, tuple) else default
    spelled = ",".join(default) if isinstance(default, tuple) else str(default)
    variable = "HIPPO_" + key.replace(".", "_").upper()
    table, _, name = key.partition(".")
    configs = [load(None, {variable: spelled})]
    if table != "store":  # what the environment alone says: see test_postgres.py
        configs.append(load(f"[{table}]\n{name} = {_toml(written)}", {}))
    for config in configs:
        assert config == Config()
        assert key in config.origins


def _toml(value: object) -> str:
    return {True: "true", False: "false"}.get(value) if isinstance(value, bool) else repr(value)


BAD_VARIABLES = [
    ("HIPPO_DECAY_RTE", "1", "unknown variable HIPPO_DECAY_RTE (did you mean HIPPO_DECAY_RATE?)"),
    ("HIPPO_QUERY_LIMIT", "many", "HIPPO_QUERY_LIMIT must be a whole number, not 'many'"),
    ("HIPPO_QUERY_LIMIT", "0", "HIPPO_QUERY_LIMIT must be from 1 to 1000"),
    ("HIPPO_SCAN_INCLUDE_HIDDEN", "maybe", "must be true or false"),
    ("HIPPO_BANDS_WEAK", "0.9", "set by HIPPO_BANDS_WEAK"),
    ("HIPPO_REMEMBER_LOG", "../{date}.md", "must be a path inside the workspace"),
]


@pytest.mark.parametrize(("name", "value", "reason"), BAD_VARIABLES)
def test_a_mistake_in_the_environment_names_the_variable(
    name: str, value: str, reason: str
) -> None:
    with pytest.raises(ConfigInvalid) as caught:
        load(None, {name: value})
    assert reason in caught.value.message
    assert caught.value.where == ""


@pytest.mark.parametrize(
    "log",
    [
        "/abs/{date}.md",
        "C:/{date}.md",
        "a//{date}.md",
        "{date}/../../x.md",
        "x.md",
        "{date}.sh",
        "{date}{x}.md",
        "{date}{date}.md",
        "",
        "a\x1b/{date}.md",
        "a\\..\\{date}.md",
        "{date[0]}.md",
    ],
)
def test_the_log_never_leads_outside_the_workspace(log: str) -> None:
    with pytest.raises(ConfigInvalid, match=r"remember\.log must"):
        load(f"[remember]\nlog = {tomllib_text(log)}", {})


def tomllib_text(text: str) -> str:
    escaped = "".join(f"\\u{ord(char):04x}" for char in text)
    assert tomllib.loads(f'x = "{escaped}"')["x"] == text
    return f'"{escaped}"'


def test_extensions_are_brought_to_their_normal_form() -> None:
    assert load('[scan]\nextensions = [".MD", "md", "txt"]', {}).scan.extensions == ("md", "txt")


def test_a_setting_of_an_older_version_stops_nothing_and_is_told() -> None:
    config = load("[query]\nlimit = 7\nthreshold = 0.9\n\n[anchors]\ntheta = 0.5\n", {})
    assert config.query.limit == 7
    assert config.query.threshold == Config().query.threshold
    assert config.unread == {"query.threshold": "config.toml", "anchors.theta": "config.toml"}
    variables = {"HIPPO_BOOTSTRAP_RECENT_DAYS": "3", "HIPPO_EMBEDDING_NEAREST": "usearch"}
    assert set(load(None, variables).unread.values()) == set(variables)


PIECES = r'''decay bands [decay] [bands] [[x]] rate weak = " ' """ [ ] { } , # \ . 0.5 1 true'''
tomlish = st.lists(
    st.sampled_from([*KEYS, *PIECES.split(), " = ", "\n", "\r\n", " ", chr(0xD800)])
).map("".join)


@given(st.one_of(st.text(), tomlish))
def test_no_text_raises_anything_but_a_config_error(text: str) -> None:
    try:
        config = load(text, {})
    except ConfigInvalid as error:
        assert error.path == CONFIG_PATH
        assert error.message
    else:
        assert isinstance(config, Config)


@given(
    st.dictionaries(
        st.sampled_from(["HIPPO_" + key.replace(".", "_").upper() for key in KEYS]), st.text()
    )
)
def test_no_environment_raises_anything_but_a_config_error(environ: dict[str, str]) -> None:
    try:
        load(None, environ)
    except ConfigInvalid as error:
        assert "HIPPO_" in error.message


def test_settings_are_read_where_they_are(tmp_path: Path) -> None:
    assert read_config(tmp_path, {}) == read_config(None, {})
    (tmp_path / ".hippocampus").mkdir()
    (tmp_path / ".hippocampus/config.toml").write_bytes(b"# \xff\r\n[query]\r\nlimit = 7\r\n")
    assert read_config(tmp_path, {}).query.limit == 7
