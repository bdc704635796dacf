"""The store of many machines: what goes wrong there, who sees what, and what is forgotten."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from operator import methodcaller
from pathlib import Path

import pytest

psycopg = pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")

from hippocampus_cli.api import open_workspace  # noqa: E402
from hippocampus_cli.config.load import load  # noqa: E402
from hippocampus_cli.config.settings import Embedding  # noqa: E402
from hippocampus_cli.errors import ConfigInvalid, StoreUnavailable  # noqa: E402
from hippocampus_cli.search.embed import embed_notes  # noqa: E402
from hippocampus_cli.search.meaning import Meaning  # noqa: E402
from hippocampus_cli.search.postgres import engine as module  # noqa: E402
from hippocampus_cli.search.postgres.engine import PostgresEngine, prepare  # noqa: E402
from hippocampus_cli.search.store import PassageStore  # noqa: E402
from hippocampus_cli.workspace.note import Note  # noqa: E402
from tests.support.concepts import Concepts  # noqa: E402
from tests.support.passage_store import ask, refresh, stat, store_of  # noqa: E402
from tests.support.postgres import server, shared_store  # noqa: E402
from tests.support.processes import hippo  # noqa: E402

NOTES = {"TOOLS.md": "## Deploy\n\nThe deploy command is make ship.\n", "b.md": "the heron\n"}
TOTALS = methodcaller("totals")
AWAY = "postgresql://nobody@127.0.0.1:9/none"
TABLES = ["workspaces", "files", "passages", "sections", "postings", "meta", "vectors"]
TABLES += [f"vectors_part_{number}" for number in range(16)]


def first(store: PassageStore, text: str) -> str:
    return ask(store, text).hits[0].place.path


@pytest.fixture
def admin() -> Iterator[psycopg.Connection]:
    with psycopg.connect(server(), autocommit=True) as connection:
        yield connection


def test_a_server_that_is_away_is_told_of_once_and_the_notes_here_answer() -> None:
    clock = [0.0]
    engine = PostgresEngine(AWAY, "x", None, clock=lambda: clock[0])
    store = store_of(NOTES, PassageStore(engine))
    assert first(store, "deploy command") == "TOOLS.md"
    (notice,) = engine.take_notices()
    assert "cannot be used" in notice and "notes on this machine answer" in notice
    clock[0] += 61
    assert first(store, "the heron") == "b.md"
    assert engine.take_notices() == []


def test_a_connection_that_is_lost_is_made_again(admin: psycopg.Connection) -> None:
    store = store_of(NOTES, shared_store())
    for _ in range(2):
        admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        )
        assert first(store, "deploy command") == "TOOLS.md"
    assert store.engine.take_notices() == []


def test_a_server_that_goes_away_and_comes_back() -> None:
    clock = [0.0]
    engine = PostgresEngine(server(), "gone and back", None, clock=lambda: clock[0])
    store = store_of(NOTES, PassageStore(engine))
    url, engine._url = engine._url, AWAY
    engine.shared().connection.close()
    assert first(store, "deploy command") == "TOOLS.md"
    assert len(engine.take_notices()) == 1
    with pytest.raises(StoreUnavailable):
        engine.shared()
    engine._url = url
    clock[0] += 61
    assert first(store, "the heron") == "b.md"
    assert engine.shared().id and refresh(store, NOTES) == []


def test_a_build_that_is_cut_off_is_finished() -> None:
    notes = {f"{number}.md": f"heron number{number}\n" for number in range(40)}
    cuts = ["30.md"]

    def read(path: str) -> Note:
        if path in cuts:
            cuts.clear()
            engine.shared().connection.close()
        return Note(path, notes[path])

    store = store_of({}, shared_store("cut off"))
    engine = store.engine
    store.refresh([stat(path, text) for path, text in notes.items()], read)
    fresh = store_of(notes)
    assert ask(store, "number30").hits == ask(fresh, "number30").hits
    assert store.healing(TOTALS) == fresh.healing(TOTALS)


def test_several_machines_write_at_once() -> None:
    name = "many writers"
    texts = {f"{number}.md": f"heron number{number} {'kelp ' * number}\n" for number in range(30)}
    problems: list[Exception] = []

    def write(seed: int) -> None:
        try:
            store = shared_store(name)
            for step in range(4):
                refresh(
                    store, {path: f"{text} {(seed + step) % 3}" for path, text in texts.items()}
                )
            store.close()
        except Exception as error:
            problems.append(error)

    threads = [threading.Thread(target=write, args=(seed,)) for seed in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert problems == []
    store, fresh = store_of(texts, shared_store(name)), store_of(texts)
    assert store.healing(TOTALS) == fresh.healing(TOTALS)
    for text in ("heron number7", "kelp number29"):
        hits, expected = ask(store, text).hits, ask(fresh, text).hits
        assert [hit.place.path for hit in hits] == [hit.place.path for hit in expected]


def test_a_reader_sees_what_another_machine_wrote() -> None:
    one, other = shared_store("two readers"), shared_store("two readers")
    refresh(one, NOTES)
    refresh(other, NOTES)
    assert not ask(other, "kelp").hits
    refresh(one, NOTES | {"c.md": "the kelp\n"})
    assert first(other, "kelp") == "c.md"


def test_half_a_migration_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    scripts = {"next.sql": b"CREATE TABLE hippo.half(x int); SELECT nonsense"}
    script = module._script
    monkeypatch.setattr(module, "_script", lambda name: scripts.get(name) or script(name))
    store_of(NOTES, shared_store()).close()
    known = module.MIGRATIONS
    monkeypatch.setattr(module, "MIGRATIONS", (*known, "next.sql"))
    store = store_of(NOTES, shared_store())
    assert first(store, "deploy command") == "TOOLS.md"
    assert len(store.engine.take_notices()) == 1
    scripts["next.sql"] = b"CREATE TABLE hippo.half(x int)"
    with psycopg.connect(server(), autocommit=True) as connection:
        prepare(connection)
        assert module._version(connection) == len(known) + 1
        monkeypatch.setattr(module, "MIGRATIONS", known)
        store = store_of(NOTES, shared_store())
        assert "a newer hippo made it" in store.engine.take_notices()[0]
        connection.execute(f"DROP TABLE hippo.half; COMMENT ON SCHEMA hippo IS '{len(known)}'")


def test_vectors_of_before_there_were_parts_are_kept(admin: psycopg.Connection) -> None:
    store_of(NOTES, shared_store()).close()
    (workspace,) = admin.execute("SELECT min(id) FROM hippo.workspaces").fetchone()
    admin.execute(
        "DROP TABLE hippo.vectors; CREATE TABLE hippo.vectors(workspace int, owner text, model text,"
        " digest bytea, dimensions int, vector halfvec); GRANT SELECT ON hippo.vectors TO pg_monitor;"
        f" INSERT INTO hippo.vectors VALUES({workspace}, 'somebody', 'm', 'd', 1, '[1]');"
        " ALTER TABLE hippo.vectors FORCE ROW LEVEL SECURITY; COMMENT ON SCHEMA hippo IS '2'"
    )
    prepare(admin)
    assert len(_rows(admin, "vectors", "somebody")) == 1
    query = "SELECT relkind, has_table_privilege('pg_monitor', oid, 'SELECT') FROM pg_class WHERE oid = %s::regclass"
    assert admin.execute(query, ("hippo.vectors",)).fetchone() == ("p", True)


def test_vectors_are_kept_there_and_answers_are_those_of_a_file(tmp_path: Path) -> None:
    pytest.importorskip("numpy", reason="the extra `semantic` is not installed")
    notes = {**NOTES, "c.md": "wading birds stand in the reeds\n", "d.md": "an office\n"}
    answers = []
    for store in (store_of(notes), store_of(notes, shared_store())):
        meaning = Meaning(
            tmp_path,
            Embedding(embedder="openai"),
            lambda settings: Concepts(),
            lambda path: Note(path, notes[path]),
            shared=store.engine.vectors,
        )
        assert embed_notes(store, meaning).embedded == 4
        assert embed_notes(store, meaning).embedded == 0
        found = ask_with(store, meaning, "bittern")
        answers.append([(hit.place, round(hit.score, 2)) for hit in found.hits])
        assert meaning.take_notices() == ()
    assert answers[0] == answers[1] and answers[0]


def ask_with(store: PassageStore, meaning: Meaning, text: str) -> object:
    from hippocampus_cli.search.engine import SearchRequest, answer

    return store.healing(lambda db: answer(db, SearchRequest(text), meaning))


def test_two_tenants_that_try_everything(admin: psycopg.Connection) -> None:
    store_of({}, shared_store()).close()
    for role in ("alice", "bob"):
        if not admin.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).fetchone():
            admin.execute(f"CREATE ROLE {role} LOGIN")
        rights = "SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA hippo"
        admin.execute(f"GRANT USAGE ON SCHEMA hippo TO {role}; GRANT {rights} TO {role}")
    url = server().replace("postgres:@", "{}@").replace("//postgres@", "//{}@")
    alice = store_of(NOTES, shared_store("same name", url=url.format("alice")))
    bob = store_of({"b.md": "kelp\n"}, shared_store("same name", url=url.format("bob")))
    assert alice.engine.take_notices() == [] == bob.engine.take_notices()
    assert not ask(bob, "deploy").hits and ask(alice, "deploy").hits
    (theirs,) = admin.execute("SELECT id FROM hippo.workspaces WHERE owner = 'alice'").fetchone()
    with psycopg.connect(url.format("alice")) as connection:
        connection.execute(
            f"INSERT INTO hippo.vectors VALUES({theirs}, 'alice', 'm', 'd', 1, '[1]')"
        )
    before = {table: _rows(admin, table, "alice") for table in TABLES}
    assert before["vectors"]
    with psycopg.connect(url.format("bob"), autocommit=True) as connection:
        for table in TABLES:
            owners = connection.execute(f"SELECT DISTINCT owner FROM hippo.{table}").fetchall()
            assert owners in ([], [("bob",)])
            connection.execute(f"DELETE FROM hippo.{table} WHERE owner = 'alice'")
            connection.execute(f"UPDATE hippo.{table} SET owner = 'bob' WHERE owner = 'alice'")
        attempts = [
            f"INSERT INTO hippo.meta VALUES({theirs}, 'alice', 'k', 'v')",
            f"INSERT INTO hippo.meta VALUES({theirs}, 'bob', 'k', 'v')",
            "INSERT INTO hippo.workspaces(owner, name, derived) VALUES('alice', 'x', '')",
            "UPDATE hippo.workspaces SET owner = 'alice'",
            f"UPDATE hippo.passages SET workspace = {theirs}",
            "TRUNCATE hippo.passages",
            "DROP POLICY own ON hippo.passages",
            "ALTER TABLE hippo.passages DISABLE ROW LEVEL SECURITY",
            "SET row_security = off; SELECT * FROM hippo.passages",
            "SET ROLE alice",
            "SET SESSION AUTHORIZATION alice",
            "CREATE VIEW hippo.peek AS SELECT * FROM hippo.passages",
            "COMMENT ON SCHEMA hippo IS '9'",
            "COPY hippo.passages TO PROGRAM 'cat'",
        ]
        for attempt in attempts:
            with pytest.raises(psycopg.Error):
                connection.execute(attempt)
    assert {table: _rows(admin, table, "alice") for table in TABLES} == before
    assert first(alice, "deploy command") == "TOOLS.md"


def _rows(admin: psycopg.Connection, table: str, owner: str) -> list[object]:
    return sorted(
        map(repr, admin.execute(f"SELECT * FROM hippo.{table} WHERE owner = %s", (owner,)))
    )


def test_what_was_forgotten_is_in_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, admin: psycopg.Connection
) -> None:
    (tmp_path / "TOOLS.md").write_text("# Tools\n\nThe deploy word is bittersweetkelp.\n\nMore.\n")
    environ = {"HIPPO_STORE_URL": server(), "HIPPO_STORE_WORKSPACE": "forgets"}
    config = load(None, environ)
    with open_workspace(tmp_path, config=config, environ=environ) as workspace:
        workspace.bootstrap()
        assert workspace.query("bittersweetkelp").results
        assert b"bittersweetkelp" in _dump(admin)
        with monkeypatch.context() as patch:
            patch.setattr(PostgresEngine, "forget", _away)
            with pytest.raises(StoreUnavailable):
                workspace.upkeep.forget("bittersweetkelp", notes=True)
        workspace.upkeep.run("daily")
        assert b"bittersweetkelp" not in _dump(admin)
        assert not workspace.query("bittersweetkelp").results
        assert workspace.query("deploy word").results


def _away(self: PostgresEngine) -> None:
    raise StoreUnavailable(reason="the line is cut")


def _dump(admin: psycopg.Connection) -> bytes:
    """All that the server would hand over."""
    data = b""
    for table in TABLES:
        with admin.cursor().copy(
            f"COPY (SELECT * FROM hippo.{table}) TO STDOUT (FORMAT BINARY)"
        ) as copy:
            data += b"".join(copy)
    return data


def test_only_the_environment_names_a_store_and_never_a_password() -> None:
    with pytest.raises(ConfigInvalid, match="HIPPO_STORE_URL"):
        load('[store]\nurl = "postgresql://elsewhere/x"\n', {})
    with pytest.raises(ConfigInvalid, match="PGPASSWORD") as refused:
        load(None, {"HIPPO_STORE_URL": "postgresql://ann:s3cret@host/db"})
    assert "s3cret" not in str(refused.value)
    with pytest.raises(ConfigInvalid, match="postgresql://"):
        load(None, {"HIPPO_STORE_URL": "mysql://host/db"})
    assert load(None, {"HIPPO_STORE_URL": AWAY}).store.url == AWAY


def test_without_psycopg_the_notes_here_answer_and_the_extra_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nthe heron stands\n")
    hippo(tmp_path, "bootstrap")
    program = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from hippocampus_cli.cli.main import main\n"
        "try: main(['query', 'heron'])\n"
        "finally: print('postgres' in str(sorted(sys.modules)), file=sys.stderr)\n"
    )
    for url, imported, said in (("", "False", ""), (AWAY, "True", "needs the extra 'postgres'")):
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=tmp_path,
            env={"HOME": str(tmp_path), "PATH": "", **({"HIPPO_STORE_URL": url} if url else {})},
            capture_output=True,
            text=True,
        )
        assert "the heron stands" in done.stdout
        assert done.stderr.splitlines()[-1] == imported and said in done.stderr + done.stdout
