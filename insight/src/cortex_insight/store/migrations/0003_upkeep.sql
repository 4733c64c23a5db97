-- What was refused can be read again; how often that was tried is shown.

ALTER TABLE dead_letter ADD COLUMN attempts integer NOT NULL DEFAULT 1;
