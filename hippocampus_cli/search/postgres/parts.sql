-- Vectors are made anew in parts by workspace (vectors.sql), which copies those of all roles from here.
ALTER TABLE IF EXISTS hippo.vectors RENAME TO former_vectors;
ALTER TABLE IF EXISTS hippo.former_vectors NO FORCE ROW LEVEL SECURITY;
