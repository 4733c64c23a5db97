-- Who holds the vectors of a memory asks the store only for those that were written since.

ALTER TABLE fact_embedding ADD COLUMN written xid8;
ALTER TABLE fact_embedding ALTER COLUMN written SET DEFAULT pg_current_xact_id();
COMMENT ON COLUMN fact_embedding.written IS
    'The transaction that wrote it; null: one before these were noted.';
CREATE INDEX fact_embedding_by_writer ON fact_embedding (project, subject, model, written)
    WHERE written IS NOT NULL;

ALTER TABLE episode_embedding ADD COLUMN written xid8;
ALTER TABLE episode_embedding ALTER COLUMN written SET DEFAULT pg_current_xact_id();
COMMENT ON COLUMN episode_embedding.written IS 'As of a fact.';
CREATE INDEX episode_embedding_by_writer ON episode_embedding (project, subject, model, written)
    WHERE written IS NOT NULL;

-- A vector that moves to another memory, or is made anew, is written there.
CREATE FUNCTION note_writer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.written := pg_current_xact_id();
    RETURN NEW;
END $$;
CREATE TRIGGER fact_embedding_written BEFORE UPDATE ON fact_embedding
    FOR EACH ROW EXECUTE FUNCTION note_writer();
CREATE TRIGGER episode_embedding_written BEFORE UPDATE ON episode_embedding
    FOR EACH ROW EXECUTE FUNCTION note_writer();
