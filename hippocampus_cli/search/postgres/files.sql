-- A passage is compared with its file, not with its section too.
ALTER TABLE hippo.workspaces DROP COLUMN IF EXISTS sections;
ALTER TABLE hippo.files DROP COLUMN IF EXISTS sections;
ALTER TABLE hippo.passages DROP COLUMN IF EXISTS section_first, DROP COLUMN IF EXISTS section_last,
    DROP COLUMN IF EXISTS section_length;
