-- What a model is asked about events, and what it answered: once for every question and prompt.

CREATE TABLE question (
    project      text        NOT NULL,
    event_id     text        NOT NULL,
    digest       bytea       NOT NULL,
    source       text        NOT NULL,
    document     text        NOT NULL,
    asked_since  timestamptz NOT NULL DEFAULT now(),
    due_at       timestamptz NOT NULL DEFAULT now(),
    lease_token  bigint,
    failures     integer     NOT NULL DEFAULT 0,
    unusable     integer     NOT NULL DEFAULT 0,
    error        text,
    CONSTRAINT question_pkey PRIMARY KEY (project, event_id, digest),
    CONSTRAINT question_event_fkey FOREIGN KEY (project, event_id) REFERENCES raw_event
        ON DELETE CASCADE
);
COMMENT ON COLUMN question.document IS 'Redacted as what leaves the lake.';
COMMENT ON COLUMN question.failures IS 'How often in a row the model could not be asked.';
COMMENT ON COLUMN question.unusable IS 'How many answers could not be used.';
CREATE INDEX question_due ON question (due_at);
CREATE SEQUENCE question_lease;

CREATE TABLE answer (
    project     text        NOT NULL,
    event_id    text        NOT NULL,
    digest      bytea       NOT NULL,
    version     integer     NOT NULL,
    claims      jsonb       NOT NULL,
    gave_up     text,
    answered_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT answer_pkey PRIMARY KEY (project, event_id, digest, version),
    CONSTRAINT answer_event_fkey FOREIGN KEY (project, event_id) REFERENCES raw_event
        ON DELETE CASCADE
);
COMMENT ON COLUMN answer.gave_up IS 'Why no answer could be used; null: one was.';
CREATE INDEX answer_given_up ON answer (project) WHERE gave_up IS NOT NULL;

CREATE TABLE model_usage (
    project       text   NOT NULL,
    day           date   NOT NULL,
    requests      bigint NOT NULL,
    input_tokens  bigint NOT NULL,
    output_tokens bigint NOT NULL,
    CONSTRAINT model_usage_pkey PRIMARY KEY (project, day)
);
COMMENT ON TABLE model_usage IS 'What models were asked on each day, in UTC, that answered.';
