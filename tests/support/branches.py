"""Two branches of an index, and their merge."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hippocampus_cli.config.settings import Decay
from hippocampus_cli.index.decay import DecayClock, clock_for
from hippocampus_cli.index.document import Document
from hippocampus_cli.index.merge import Merged, MergeSetting, merge
from hippocampus_cli.index.views import Limits
from hippocampus_cli.markdown.diff3 import Labels
from tests.support.indexes import set_values

NOW = datetime(2026, 8, 1, 12, 0, tzinfo=UTC)


SETTING = MergeSetting(DecayClock(NOW, Decay()), Limits())


BASE = """\
<!-- hippocampus.md v1.0 | entries: 4 | reindexed: 2026-07-01T02:30:00+00:00 -->
# Index

Written by hand.

## Quick Access
<!-- hippo:begin quick-access -->
<!-- hippo:end quick-access -->

## By Topic

### Projects

#### Alpha
About alpha.
→ a.md
<!-- hx: id=a | created=2026-06-01 | accessed=2026-06-01 | hits=2 | str=0.35 | base=0.80
| tags=one,two -->

#### Beta
About beta.
→ b.md
<!-- hx: id=b | created=2026-06-01 | accessed=2026-06-01 | hits=0 | str=1.00 -->

Prose between entries.

### People

#### Carol
About Carol.
→ c.md
<!-- hx: id=c | created=2026-06-01 | accessed=2026-06-01 | hits=1 | str=0.50 | base=0.50 -->

#### Dan
→ d.md
<!-- hx: id=d | created=2026-06-01 | accessed=2026-06-01 | hits=0 | str=0.50 | base=0.50 -->

## Decay Queue

## Mine

My own words.
And more of them.
"""


def merged(base: str, ours: str, theirs: str) -> Merged:
    return merge(base, ours, theirs, SETTING, Labels())


def hit(document: Document, key: str, days: int = 0) -> Document:
    clock = clock_for(document, NOW - timedelta(days=10 - days), Decay())
    return set_values(document, key, clock.retrieved(document.by_key[key].entry))
