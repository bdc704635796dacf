-- The tables of :mod:`~hippocampus_cli.search.sqlite_tables`, for many workspaces. Texts are bytes: a note's may be no
-- UTF-8. A role sees its own rows, and may add some to its own workspaces only.
CREATE SCHEMA IF NOT EXISTS hippo;

CREATE TABLE hippo.workspaces(
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner text NOT NULL DEFAULT current_user, name text NOT NULL, derived text NOT NULL,
    version bigint NOT NULL DEFAULT 0, files bigint NOT NULL DEFAULT 0, sections bigint NOT NULL DEFAULT 0,
    passages bigint NOT NULL DEFAULT 0, terms bigint NOT NULL DEFAULT 0, heads bigint NOT NULL DEFAULT 0,
    UNIQUE(owner, name, derived));

CREATE TABLE hippo.files(
    workspace integer NOT NULL REFERENCES hippo.workspaces ON DELETE CASCADE,
    owner text NOT NULL DEFAULT current_user,
    id integer NOT NULL, path bytea NOT NULL, size bigint NOT NULL, mtime_ns bigint NOT NULL,
    read_ns bigint NOT NULL, ctime_ns bigint NOT NULL, checksum bigint NOT NULL, kind text NOT NULL,
    first_day integer, last_day integer, first integer NOT NULL, passages integer NOT NULL,
    sections integer NOT NULL, length bigint NOT NULL, heads bigint NOT NULL,
    PRIMARY KEY(workspace, id), UNIQUE(workspace, path));
CREATE INDEX files_by_day ON hippo.files(workspace, last_day) WHERE last_day IS NOT NULL;
CREATE INDEX files_without_text ON hippo.files(workspace) WHERE checksum = -1;

CREATE TABLE hippo.passages(
    workspace integer NOT NULL REFERENCES hippo.workspaces ON DELETE CASCADE,
    owner text NOT NULL DEFAULT current_user,
    id integer NOT NULL, file integer NOT NULL, ordinal integer NOT NULL, start integer NOT NULL,
    "end" integer NOT NULL, section integer NOT NULL, kind text NOT NULL, headings bytea NOT NULL,
    title bytea NOT NULL, body bytea NOT NULL, others bytea NOT NULL, length integer NOT NULL,
    section_first integer NOT NULL, section_last integer NOT NULL, section_length integer NOT NULL,
    traits integer NOT NULL, bold integer NOT NULL, day integer, copy bigint NOT NULL, digest bytea NOT NULL,
    PRIMARY KEY(workspace, id));
CREATE INDEX passages_by_digest ON hippo.passages(workspace, digest);

CREATE TABLE hippo.sections(
    workspace integer NOT NULL REFERENCES hippo.workspaces ON DELETE CASCADE,
    owner text NOT NULL DEFAULT current_user,
    file integer NOT NULL, ordinal integer NOT NULL, level integer NOT NULL, title bytea NOT NULL,
    parents bytea NOT NULL, first integer NOT NULL, last integer NOT NULL, tree_last integer NOT NULL,
    heading_lines integer NOT NULL, PRIMARY KEY(workspace, file, ordinal));

CREATE TABLE hippo.postings(
    workspace integer NOT NULL REFERENCES hippo.workspaces ON DELETE CASCADE,
    owner text NOT NULL DEFAULT current_user,
    term bytea NOT NULL, block integer NOT NULL, data bytea STORAGE EXTERNAL NOT NULL,
    PRIMARY KEY(workspace, term, block));

CREATE TABLE hippo.meta(
    workspace integer NOT NULL REFERENCES hippo.workspaces ON DELETE CASCADE,
    owner text NOT NULL DEFAULT current_user,
    key text NOT NULL, value bytea NOT NULL, PRIMARY KEY(workspace, key));

ALTER TABLE hippo.workspaces ENABLE ROW LEVEL SECURITY;
ALTER TABLE hippo.workspaces FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON hippo.workspaces USING (owner = current_user);

DO $$
DECLARE name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['files', 'passages', 'sections', 'postings', 'meta'] LOOP
        EXECUTE format('ALTER TABLE hippo.%I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE hippo.%I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY own ON hippo.%I USING (owner = current_user) WITH CHECK (owner = current_user'
            ' AND workspace IN (SELECT id FROM hippo.workspaces))', name);
    END LOOP;
END $$;
