-- Forgetting: the journal knows what was withdrawn by digests, and what an erasure left; requests
-- are carried out step by step, each of which may be interrupted.

ALTER TABLE erasure ADD COLUMN key_digest text;
COMMENT ON COLUMN erasure.key_digest IS 'Of the observation that is withdrawn; null: of more.';
CREATE INDEX erasure_by_key ON erasure (project, key_digest) WHERE key_digest IS NOT NULL;

CREATE TABLE kept_assertion (
    project text NOT NULL,
    observation_id text NOT NULL,
    id text NOT NULL,
    content text NOT NULL,
    CONSTRAINT kept_assertion_key PRIMARY KEY (project, observation_id, id)
);
COMMENT ON TABLE kept_assertion IS 'Of the journal: what is left of observations without content.';

CREATE TABLE erased_key (
    project text NOT NULL,
    key_digest text NOT NULL,
    forget_id text NOT NULL,
    CONSTRAINT erased_key_key PRIMARY KEY (project, key_digest)
);
COMMENT ON TABLE erased_key IS 'Of the journal: observations that are never stored again.';

CREATE TABLE forgetting (
    project text NOT NULL,
    id text NOT NULL,
    subject text NOT NULL,
    scope text NOT NULL,
    target text,
    mode text NOT NULL,
    requested_by text NOT NULL,
    requested_at bigint NOT NULL,
    state text NOT NULL DEFAULT 'asked',
    removed jsonb NOT NULL DEFAULT '{}',
    kept_digests bigint NOT NULL DEFAULT 0,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT forgetting_key PRIMARY KEY (project, id),
    CONSTRAINT forgetting_state CHECK (state IN ('asked', 'erased', 'finished'))
);
COMMENT ON COLUMN forgetting.state IS
    'Erased: gone from these tables, not yet from the lake and the streams.';
CREATE INDEX forgetting_unfinished ON forgetting (recorded_at) WHERE state <> 'finished';

CREATE TABLE lake_forget (
    position bigint GENERATED ALWAYS AS IDENTITY,
    project text NOT NULL,
    forget_id text NOT NULL,
    owner text[] NOT NULL,
    source text,
    source_ref text,
    until bigint,
    CONSTRAINT lake_forget_key PRIMARY KEY (position)
);
COMMENT ON TABLE lake_forget IS 'What the lake has to forget; deleted as soon as it confirms.';
CREATE INDEX lake_forget_by_request ON lake_forget (project, forget_id, position);

CREATE TABLE forgotten_group (
    project text NOT NULL,
    forget_id text NOT NULL,
    subject text NOT NULL,
    about text NOT NULL,
    predicate text NOT NULL,
    CONSTRAINT forgotten_group_key PRIMARY KEY (project, forget_id, subject, about, predicate)
);
COMMENT ON TABLE forgotten_group IS 'Whose announcements go until the request is finished.';
