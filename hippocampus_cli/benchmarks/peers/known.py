"""The tools that hippo is compared with. A further one is a module like theirs and a line here."""

from __future__ import annotations

from hippocampus_cli.benchmarks.peers.basic_memory import BASIC_MEMORY
from hippocampus_cli.benchmarks.peers.memsearch import MEMSEARCH
from hippocampus_cli.benchmarks.peers.qmd import SEARCH, WORDS
from hippocampus_cli.benchmarks.peers.ripgrep import RIPGREP

PEERS = (RIPGREP, SEARCH, WORDS, BASIC_MEMORY, MEMSEARCH)
