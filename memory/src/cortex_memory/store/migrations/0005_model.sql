ALTER TABLE job ADD COLUMN awaits_model boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN job.awaits_model IS
    'A model is asked before it is retained; of one whose candidates are recorded, never again.';
CREATE INDEX job_awaiting_model ON job (project, subject_identifier, said_at, observation_id)
    WHERE awaits_model;
CREATE INDEX job_due_to_retain ON job (due_at) WHERE NOT awaits_model;

CREATE TABLE model_usage (
    project text NOT NULL,
    day date NOT NULL,
    requests bigint NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    CONSTRAINT model_usage_key PRIMARY KEY (project, day)
);
COMMENT ON TABLE model_usage IS 'What models were asked on each day, in UTC, that answered.';
