-- Columns that nothing read; a key is bytes, as every other text.
ALTER TABLE hippo.workspaces DROP COLUMN heads;
ALTER TABLE hippo.files DROP COLUMN heads, DROP COLUMN kind;
ALTER TABLE hippo.passages DROP COLUMN kind;
ALTER TABLE hippo.meta ALTER COLUMN key TYPE bytea USING convert_to(key, 'UTF8');
