-- Decisions of persons: who decided and why, for whoever asks; and what they speak of, to be found
-- from what is said.

ALTER TABLE decision ADD COLUMN decided_by text NOT NULL;
ALTER TABLE decision ADD COLUMN reason text;
COMMENT ON COLUMN decision.reason IS 'In the person''s own words; no fact depends on it.';

CREATE TABLE decision_scope (
    project text NOT NULL,
    subject_identifier text NOT NULL,
    about text NOT NULL,
    decision_id text NOT NULL,
    CONSTRAINT decision_scope_key
        PRIMARY KEY (project, subject_identifier, about, decision_id),
    CONSTRAINT decision_scope_decision FOREIGN KEY (project, decision_id)
        REFERENCES decision (project, id) ON DELETE CASCADE
);
COMMENT ON TABLE decision_scope IS
    'In whose memory and about whom a decision speaks of something: identifiers, as it was said.';
CREATE INDEX decision_scope_by_decision ON decision_scope (project, decision_id);
