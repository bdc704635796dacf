-- Vectors lie in parts by workspace, each with an index of its own: that of a large workspace passes over few of others.
-- An index a length that models have; others are compared one by one. A part can be read by its own name too, so it has
-- the same policy. What is copied is of before there were parts, of all roles.
CREATE EXTENSION IF NOT EXISTS vector;
ALTER TABLE IF EXISTS hippo.vectors RENAME TO former_vectors;
ALTER TABLE IF EXISTS hippo.former_vectors NO FORCE ROW LEVEL SECURITY;
CREATE TABLE hippo.vectors(
    workspace integer NOT NULL REFERENCES hippo.workspaces ON DELETE CASCADE,
    owner text NOT NULL DEFAULT current_user,
    model text NOT NULL, digest bytea NOT NULL, dimensions integer NOT NULL, vector halfvec NOT NULL,
    PRIMARY KEY(workspace, model, digest)) PARTITION BY HASH (workspace);
DO $$
DECLARE
    length integer;
    name text;
    role text;
    rights text;
BEGIN
    FOR part IN 0..15 LOOP
        EXECUTE format('CREATE TABLE hippo.vectors_part_%s PARTITION OF hippo.vectors'
            ' FOR VALUES WITH (MODULUS 16, REMAINDER %s)', part, part);
    END LOOP;
    IF to_regclass('hippo.former_vectors') IS NOT NULL THEN
        INSERT INTO hippo.vectors SELECT * FROM hippo.former_vectors;
        FOR role, rights IN SELECT grantee::regrole, privilege_type FROM pg_class, aclexplode(relacl)
            WHERE oid = 'hippo.former_vectors'::regclass AND grantee != 0 LOOP
            EXECUTE format('GRANT %s ON hippo.vectors TO %s', rights, role);
        END LOOP;
        DROP TABLE hippo.former_vectors;
    END IF;
    FOREACH length IN ARRAY ARRAY[384, 512, 768, 1024, 1536, 3072] LOOP
        EXECUTE format('CREATE INDEX vectors_%s ON hippo.vectors USING hnsw ((vector::halfvec(%s))'
            ' halfvec_ip_ops) WHERE dimensions = %s', length, length, length);
    END LOOP;
    FOR name IN SELECT relid::regclass::text FROM pg_partition_tree('hippo.vectors') LOOP
        EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY own ON %s USING (owner = current_user) WITH CHECK (owner = current_user'
            ' AND workspace IN (SELECT id FROM hippo.workspaces))', name);
    END LOOP;
END $$;
