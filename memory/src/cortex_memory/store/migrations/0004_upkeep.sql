-- What was refused can be tried again, under the check of the subject that it came on.

ALTER TABLE dead_letter ADD COLUMN subject text;
ALTER TABLE dead_letter ADD COLUMN attempts integer NOT NULL DEFAULT 1;
COMMENT ON COLUMN dead_letter.subject IS 'Where it was published; null: it was not kept then.';
