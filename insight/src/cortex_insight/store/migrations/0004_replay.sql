-- Readings by earlier versions never take the place of readings by later ones.

ALTER TABLE reading ADD COLUMN sanitiser_version integer NOT NULL DEFAULT 0;
ALTER TABLE reading ADD COLUMN enricher_version integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN reading.sanitiser_version IS '0: not known.';
COMMENT ON COLUMN reading.enricher_version IS '0: none, or not known.';

-- A source is read again page by page.
CREATE INDEX raw_event_source ON raw_event (project, source, event_id);
