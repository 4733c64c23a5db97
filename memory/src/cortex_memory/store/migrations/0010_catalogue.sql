-- By which catalogue of predicates a project's facts are computed: another asks for a rebuild.

ALTER TABLE project ADD COLUMN catalogue text;
COMMENT ON COLUMN project.catalogue IS
    'Digest of the catalogue when the project was new, or last rebuilt as a whole; null: not known.';
