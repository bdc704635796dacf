"""The settings: one immutable class a TOML table, each field with its meaning and range.

Named tuples, not dataclasses: nine dataclasses cost every start 5 ms. A rule is beside its default, in the
annotation, which is read only when somebody sets a value or asks for the list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Annotated, Any, get_type_hints

from hippocampus_cli.config.context import Compaction, Context, Hook
from hippocampus_cli.config.rules import Refused, Rule, Share, Value, rule_of
from hippocampus_cli.fast_types import Frozen, NamedTuple, pattern

_VARIABLE = pattern(r"([A-Za-z_][A-Za-z0-9_]*)?")
_MODEL = pattern(r"[A-Za-z0-9._:/@-]{0,200}")


def _variable(text: str) -> str:
    if not _VARIABLE.fullmatch(text):
        raise Refused("be the name of an environment variable, not a key")
    return text


def _model(text: str) -> str:
    if not _MODEL.fullmatch(text) or ".." in text:
        raise Refused("be the name of a model")
    return text


def _url(text: str) -> str:
    if text and (
        not re.match("https?://[^/]", text) or not text.isascii() or not text.isprintable()
    ):
        raise Refused("begin with https:// or http://")
    if re.search(r"[\s?#@]", text):
        raise Refused("have no space, ?, # or user name")
    return text.rstrip("/")


def _database(text: str) -> str:
    if text and not re.match("postgres(ql)?://", text):
        raise Refused("begin with postgresql://")
    if re.search(r"://[^/@]*:[^/@]+@|[?&]password=", text):
        raise Refused("have no password: libpq takes it from ~/.pgpass, PGPASSFILE or PGPASSWORD")
    return text


class Embedding(NamedTuple):
    """What turns texts into vectors. Off by default: nothing is downloaded or requested that is not configured."""

    embedder: Annotated[
        str,
        Rule(
            "what turns texts into vectors",
            choices=("none", "use-multilingual", "gemini", "openai", "ollama"),
        ),
    ] = "none"
    model: Annotated[str, Rule('the model; "" is the default of the embedder', check=_model)] = ""
    url: Annotated[
        str,
        Rule('its address; "" is the default; another only by environment variable', check=_url),
    ] = ""
    key_variable: Annotated[
        str,
        Rule(
            'the environment variable with the key; "" is the default of the embedder',
            check=_variable,
        ),
    ] = ""
    timeout_seconds: Annotated[float, Rule("how long one request may take (seconds)", 0.1, 600)] = (
        30.0
    )
    question_seconds: Annotated[
        float,
        Rule(
            "how long a question waits for its vector (seconds); then words are compared", 0.1, 600
        ),
    ] = 4.0
    batch: Annotated[int, Rule("texts in one request at most", 1, 2_048)] = 100


class Anchors(NamedTuple):
    """The anchors of a workspace and their chunks (ANCHOR, ``config.py``)."""

    sources: Annotated[
        tuple[str, ...], Rule("notes that anchors come from, as in .gitignore; none: every note")
    ] = ()
    allow: Annotated[
        tuple[str, ...], Rule("notes a lookup may return, as in .gitignore; none: every note")
    ] = ()
    deny: Annotated[tuple[str, ...], Rule("words and phrases that are never anchors")] = ()
    # The numbers of ANCHOR.
    k: int = 20  # chunks of an anchor
    max_chunks: int = 30  # chunks that a lookup returns at most
    per_file: int = 5  # of one file
    max_anchors: int = 5_000  # phrases and names first


_EXTENSION = pattern(r"[a-z0-9_+-]{1,16}")
_CONTROL = pattern("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def _extension(text: str) -> str:
    bare = text.lower().removeprefix(".")
    if not _EXTENSION.fullmatch(bare):
        raise Refused('hold file name endings such as "md"')
    return bare


def _folder(text: str) -> str:
    bare = text.removesuffix("/")
    if not bare or bare in (".", "..") or "/" in bare or "\\" in bare or _CONTROL.search(bare):
        raise Refused("hold names of folders, not paths")
    return bare


def _log(text: str) -> str:
    """A path with the day in it, never outside the workspace."""
    parts = text.replace("\\", "/").split("/")
    if not text.strip() or "" in parts or ".." in parts or ":" in text or _CONTROL.search(text):
        raise Refused("be a path inside the workspace")
    if text.count("{date}") != 1 or set("{}") & set(text.replace("{date}", "")):
        raise Refused("hold {date} once, and no other braces")
    if not text.lower().endswith((".md", ".markdown")):
        raise Refused("name a markdown file")
    return text


_NEVER_NOTES = """
.git .hg .svn node_modules bower_components
venv .venv env virtualenv __pycache__ site-packages
target build dist
"""


class Scan(NamedTuple):
    """Which files of the workspace are notes."""

    extensions: Annotated[
        tuple[str, ...], Rule("file name endings that are read as notes", check=_extension)
    ] = ("md", "markdown", "mdx", "txt", "rst", "org", "json", "yaml", "yml", "toml")
    max_file_bytes: Annotated[
        int, Rule("a larger file is not read (bytes)", 1_000, 1_000_000_000)
    ] = 2_000_000
    skip_folders: Annotated[
        tuple[str, ...], Rule("folders that are never entered, by name", check=_folder)
    ] = tuple(_NEVER_NOTES.split())
    include_hidden: Annotated[
        bool, Rule("also read folders and files whose name starts with a dot")
    ] = False


class Decay(NamedTuple):
    """How strength falls: ``initial * (1 + rate * hours) ** -forgetting`` (INDEX §7.1)."""

    initial: Annotated[Share, "strength of a new entry"] = 1.0
    rate: Annotated[float, Rule("how fast strength falls (per hour)", 0, 1_000)] = 0.1
    forgetting: Annotated[float, Rule("exponent: how far strength drops with time", 0, 10)] = 0.3
    manual_factor: Annotated[
        float, Rule("forgetting is multiplied by this for src=manual", 0, 10)
    ] = 0.5
    association_factor: Annotated[
        float, Rule("the same for an entry with many relations", 0, 10)
    ] = 0.7
    association_count: int = 3  # relations from which association_factor applies
    low_factor: Annotated[float, Rule("the same for pri=low", 0, 10)] = 2.0
    high_factor: Annotated[float, Rule("the same for pri=high", 0, 10)] = 0.3
    retrieval_boost: Annotated[Share, "added to the base by a day's first retrieval"] = 0.1
    same_day_boost: Annotated[Share, "added by each further retrieval that day"] = 0.02


class Bands(NamedTuple):
    """Where one band of strength ends and the next begins (INDEX §6.2); they descend."""

    strong: Annotated[Share, "strong from here up"] = 0.8
    moderate: Annotated[Share, "moderate from here up"] = 0.5
    weak: Annotated[Share, "weak from here up; below: decaying"] = 0.3
    silent: Annotated[Share, "below this an entry is silent and waits in the Decay Queue"] = 0.1
    prune: Annotated[Share, "below this weekly upkeep moves it to the archive"] = 0.05
    archive_after_days: Annotated[
        int, Rule("days in the Decay Queue until it is archived", 0, 36_500)
    ] = 30
    consolidate_after_days: Annotated[
        int, Rule("days of being strong until it is consolidated", 0, 36_500)
    ] = 30


class Index(NamedTuple):
    """The size of HIPPOCAMPUS.md (INDEX §9 and §13)."""

    max_tokens: Annotated[int, Rule("the index stays within this (tokens)", 200, 10_000_000)] = (
        15_000
    )
    sharded_tokens: Annotated[int, Rule("the same once there are topic files", 200, 10_000_000)] = (
        6_000
    )
    entry_tokens: int = 70  # intended size of an entry
    note_tokens: int = 100  # the first index holds so much for each note at most
    quick_access: int = 20  # entries in Quick Access


class Query(NamedTuple):
    """How a question is answered (INDEX §6)."""

    mode: Annotated[str, Rule("the method of retrieval", choices=("index", "search", "hybrid"))] = (
        "hybrid"
    )
    limit: Annotated[int, Rule("results at most", 1, 1_000)] = 5
    tokens: Annotated[int, Rule("text returned at most, all results (tokens)", 1, 10_000_000)] = 400
    journal: Annotated[bool, Rule("log queries that write back in .hippocampus/journal")] = True
    threshold: float = 0.5  # weaker entries are verified by search (strength)
    min_coverage_to_index: float = (
        0.75  # share of a query that a section must cover to become an entry
    )


class Remember(NamedTuple):
    """Where new memories are written."""

    log: Annotated[str, Rule("the note that `remember` appends to", check=_log)] = (
        "memory/{date}.md"
    )


class Lock(NamedTuple):
    """How writers wait for each other."""

    timeout_seconds: Annotated[
        float, Rule("how long to wait for another writer (seconds)", 0, 3_600)
    ] = 10.0


class Upkeep(NamedTuple):
    """What maintenance may do without confirmation."""

    loss_limit: Annotated[
        Share, "archive or merge no larger share of the entries at once, unless forced"
    ] = 0.2
    history: Annotated[int, Rule("cycles that can be undone in full", 1, 10_000)] = 60


class Row(NamedTuple):
    """One setting for display: ``key`` is ``table.name``."""

    key: str
    value: Value
    default: Value
    origin: str
    doc: str


class Mind(NamedTuple):
    """Episodes and beliefs."""

    rate: Annotated[
        float, Rule("how fast beliefs fade, one rate for all: 0.25 slow, 4 fast", 0.25, 4)
    ] = 1.0


class Store(NamedTuple):
    """Where the notes are kept searchable: only the environment says so, never a workspace's own file."""

    url: Annotated[
        str,
        Rule(
            'a PostgreSQL database for many machines, postgresql://...; "" is a file here',
            check=_database,
        ),
    ] = ""
    workspace: Annotated[
        str, Rule('the name of the workspace there; "" is the machine\'s name and the folder')
    ] = ""


class Config(Frozen):
    """All settings. ``Config()`` is the specification's defaults. The origins make no two different."""

    scan: Scan = Scan()
    decay: Decay = Decay()
    bands: Bands = Bands()
    index: Index = Index()
    query: Query = Query()
    remember: Remember = Remember()
    lock: Lock = Lock()
    upkeep: Upkeep = Upkeep()
    compaction: Compaction = Compaction()
    context: Context = Context()
    hook: Hook = Hook()
    embedding: Embedding = Embedding()
    anchors: Anchors = Anchors()
    mind: Mind = Mind()
    store: Store = Store()
    origins: Mapping[str, str] = MappingProxyType({})
    unread: Mapping[str, str] = MappingProxyType({})
    """Fixed numbers that somebody tried to set: where, by ``table.name``. They are not read."""

    def rows(self) -> Iterator[Row]:
        """Every setting in the order of the tables."""
        for key, setting in settings().items():
            table, _, name = key.partition(".")
            value = getattr(getattr(self, table), name)
            origin = self.origins.get(key, "default")
            yield Row(key, value, setting.default, origin, setting.rule.doc)


Config._compared = Config._fields[:-2]  # the tables


class Setting(NamedTuple):
    """A setting as declared: its default (whose type is its type) and its rule."""

    default: Value
    rule: Rule


def tables() -> dict[str, Any]:
    """The class of each TOML table, by the table's name."""
    return {name: type(getattr(Config, name)) for name in Config._compared}


def settings() -> dict[str, Setting]:
    """Every setting by its key, ``table.name``: the fields with a rule. The others are fixed numbers."""
    return {
        f"{table}.{name}": Setting(kind._field_defaults[name], rule_of(annotation))
        for table, kind in tables().items()
        for name, annotation in get_type_hints(kind, include_extras=True).items()
        if hasattr(annotation, "__metadata__")
    }
