-- Vectors, where the server has pgvector. An index a length that models have; others are compared one by one.
CREATE EXTENSION IF NOT EXISTS vector;
CREATE TABLE hippo.vectors(
    workspace integer NOT NULL REFERENCES hippo.workspaces ON DELETE CASCADE,
    owner text NOT NULL DEFAULT current_user,
    model text NOT NULL, digest bytea NOT NULL, dimensions integer NOT NULL, vector halfvec NOT NULL,
    PRIMARY KEY(workspace, model, digest));
ALTER TABLE hippo.vectors ENABLE ROW LEVEL SECURITY;
ALTER TABLE hippo.vectors FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON hippo.vectors USING (owner = current_user) WITH CHECK (owner = current_user
    AND workspace IN (SELECT id FROM hippo.workspaces));
DO $$
DECLARE length integer;
BEGIN
    FOREACH length IN ARRAY ARRAY[384, 512, 768, 1024, 1536, 3072] LOOP
        EXECUTE format('CREATE INDEX vectors_%s ON hippo.vectors USING hnsw ((vector::halfvec(%s))'
            ' halfvec_ip_ops) WHERE dimensions = %s', length, length, length);
    END LOOP;
END $$;
