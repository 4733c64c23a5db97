-- What the sanitiser took out, by kind: of each reading, and in sum.

ALTER TABLE reading ADD COLUMN redactions jsonb NOT NULL DEFAULT '{}';

CREATE TABLE redaction_count (
    project text   NOT NULL,
    source  text   NOT NULL,
    kind    text   NOT NULL,
    secrets bigint NOT NULL,
    CONSTRAINT redaction_count_pkey PRIMARY KEY (project, source, kind)
);
