"""Words, and sentences made of them: the talk around the facts of a made-up session."""

from __future__ import annotations

import random

NOUNS = (
    *(
        "account",
        "adapter",
        "alert",
        "backup",
        "batch",
        "branch",
        "bucket",
        "buffer",
        "cache",
        "cart",
    ),
    *(
        "channel",
        "checkout",
        "client",
        "cluster",
        "column",
        "commit",
        "config",
        "counter",
        "cursor",
    ),
    *(
        "dashboard",
        "deploy",
        "device",
        "digest",
        "draft",
        "driver",
        "event",
        "export",
        "feed",
        "filter",
    ),
    *(
        "folder",
        "gateway",
        "handler",
        "header",
        "image",
        "import",
        "index",
        "invoice",
        "job",
        "journal",
    ),
    *(
        "ledger",
        "limit",
        "listener",
        "lock",
        "mailer",
        "margin",
        "meter",
        "migration",
        "mirror",
        "node",
    ),
    *(
        "order",
        "outbox",
        "packet",
        "parser",
        "payment",
        "pipeline",
        "policy",
        "probe",
        "profile",
        "proxy",
    ),
    *(
        "query",
        "queue",
        "quota",
        "record",
        "region",
        "release",
        "replica",
        "report",
        "request",
        "resolver",
    ),
    *(
        "retry",
        "route",
        "runner",
        "schema",
        "script",
        "sensor",
        "session",
        "shard",
        "signal",
        "snapshot",
    ),
    *(
        "socket",
        "stream",
        "table",
        "tenant",
        "thread",
        "ticket",
        "timer",
        "token",
        "trace",
        "upload",
    ),
    *("vendor", "view", "volume", "webhook", "widget", "window", "worker", "writer", "zone"),
)
ADJECTIVES = (
    *(
        "new",
        "old",
        "slow",
        "cold",
        "shared",
        "nightly",
        "stale",
        "empty",
        "local",
        "remote",
        "small",
    ),
    *(
        "second",
        "public",
        "noisy",
        "broken",
        "missing",
        "double",
        "early",
        "late",
        "strict",
        "quiet",
    ),
)
VERBS = (
    *(
        "reads",
        "writes",
        "drops",
        "keeps",
        "blocks",
        "wakes",
        "counts",
        "merges",
        "splits",
        "skips",
    ),
    *(
        "sends",
        "holds",
        "rejects",
        "repeats",
        "moves",
        "opens",
        "closes",
        "checks",
        "hides",
        "loads",
    ),
)
_ENDS = (
    "before the {} starts",
    "after every {}",
    "when the {} is full",
    "on the {} {}",
    "and not the {}",
    "unless a {} waits",
    "for each {}",
    "because the {} {} it",
)


def sentence(dice: random.Random) -> str:
    """One sentence of ten to fifteen words."""
    end = dice.choice(_ENDS)
    words = [dice.choice(NOUNS), dice.choice(VERBS if end.endswith("it") else NOUNS)]
    start = f"the {dice.choice(ADJECTIVES)} {dice.choice(NOUNS)} {dice.choice(VERBS)} the"
    said = f"{start} {dice.choice(ADJECTIVES)} {dice.choice(NOUNS)} {end.format(*words)}."
    return said[0].upper() + said[1:]


def prose(dice: random.Random, size: int) -> str:
    """Sentences of about ``size`` characters in all, in paragraphs."""
    made: list[str] = []
    length = 0
    while length < size:
        made.append(sentence(dice))
        length += len(made[-1]) + 1
    return " ".join(made)
