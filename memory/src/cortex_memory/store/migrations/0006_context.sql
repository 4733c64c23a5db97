-- What a packet says of who speaks, which texts cannot be embedded, and what was served too late.

ALTER TABLE episode ADD COLUMN origin text;
COMMENT ON COLUMN episode.origin IS 'How far the place that it comes from is trusted.';
UPDATE episode SET origin = observation.content::json ->> 'origin'
FROM observation
WHERE observation.project = episode.project AND observation.id = episode.observation_id;

ALTER TABLE embedding_backlog ADD COLUMN queued_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE embedding_backlog ADD COLUMN failed_model smallint;
ALTER TABLE embedding_backlog ADD COLUMN failure text;
COMMENT ON COLUMN embedding_backlog.failed_model IS
    'The model that could not embed it as it reads; null: none has tried.';
CREATE INDEX embedding_backlog_waiting ON embedding_backlog (project, said_at DESC, id)
    WHERE failed_model IS NULL;
DROP INDEX embedding_backlog_newest;

ALTER TABLE change_outbox ADD COLUMN queued_at timestamptz NOT NULL DEFAULT now();

ALTER TABLE trace ADD COLUMN leaked integer;
COMMENT ON COLUMN trace.leaked IS
    'Facts served that were retired before the request began; null: not measured.';
