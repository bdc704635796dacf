"""The tools that hippo is compared with. A further one is a module like theirs and a line here."""

from __future__ import annotations

from bench.peers.basic_memory import BASIC_MEMORY
from bench.peers.memsearch import MEMSEARCH
from bench.peers.qmd import SEARCH, WORDS
from bench.peers.ripgrep import RIPGREP

PEERS = (RIPGREP, SEARCH, WORDS, BASIC_MEMORY, MEMSEARCH)
