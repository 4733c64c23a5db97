-- Times named *_at of type bigint are event times: milliseconds since 1970, UTC.
-- Columns of type timestamptz are recorded times, on the clock of this server; no fact depends on
-- them. Ids are text: they derive from content. JSON that must come back byte for byte is `json`.

CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE EXTENSION IF NOT EXISTS vector;

CREATE TABLE project (
    project text PRIMARY KEY,
    digest_key bytea NOT NULL,
    registered_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON COLUMN project.digest_key IS 'Keys every digest of the project; travels with its export.';

-- The journal: six append-only sets, from which everything else is computed. ------------------

CREATE TABLE observation (
    project text NOT NULL,
    id text NOT NULL,
    subject_identifier text NOT NULL,
    source text NOT NULL,
    source_ref text NOT NULL,
    record text NOT NULL,
    said_at bigint NOT NULL,
    revision bigint NOT NULL,
    made_by bigint[] NOT NULL,
    content text NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT observation_key PRIMARY KEY (project, id)
);
COMMENT ON COLUMN observation.record IS
    'Digest of source and source_ref, which may be too long for an index.';
COMMENT ON COLUMN observation.made_by IS
    'Parser, sanitiser, enricher, neighbours, then the neighbours'' revisions: the greatest seen.';
COMMENT ON COLUMN observation.content IS 'The observation as canonical JSON, without id, made_by, version.';
CREATE INDEX observation_by_record ON observation (project, record);

CREATE TABLE candidate (
    project text NOT NULL,
    observation_id text NOT NULL,
    extractor text NOT NULL,
    extractor_version integer NOT NULL,
    candidates json NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT candidate_key PRIMARY KEY (project, observation_id, extractor, extractor_version)
);

CREATE TABLE predicate_verdict (
    project text NOT NULL,
    id text NOT NULL,
    first text NOT NULL,
    second text NOT NULL,
    same boolean NOT NULL,
    model text,
    decided_at bigint NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT predicate_verdict_key PRIMARY KEY (project, id)
);

CREATE TABLE identity_link (
    project text NOT NULL,
    id text NOT NULL,
    first text NOT NULL,
    second text NOT NULL,
    relation text NOT NULL,
    status text NOT NULL,
    rule text NOT NULL,
    rule_version integer NOT NULL,
    evidence text,
    linked_at bigint NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT identity_link_key PRIMARY KEY (project, id),
    CONSTRAINT identity_link_relation CHECK (relation IN ('same', 'distinct')),
    CONSTRAINT identity_link_status
        CHECK (status IN ('auto', 'candidate', 'confirmed', 'rejected', 'revoked'))
);
CREATE INDEX identity_link_by_first ON identity_link (project, first);
CREATE INDEX identity_link_by_second ON identity_link (project, second);

CREATE TABLE decision (
    project text NOT NULL,
    id text NOT NULL,
    subject_identifier text NOT NULL,
    decided_at bigint NOT NULL,
    kind text NOT NULL,
    content json NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT decision_key PRIMARY KEY (project, id)
);
CREATE INDEX decision_by_subject ON decision (project, subject_identifier);

CREATE TABLE erasure (
    project text NOT NULL,
    id text NOT NULL,
    subject_identifier text,
    erased_at bigint NOT NULL,
    kind text NOT NULL,
    content json NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT erasure_key PRIMARY KEY (project, id)
);
CREATE INDEX erasure_by_subject ON erasure (project, subject_identifier);

-- Queues. --------------------------------------------------------------------------------------

CREATE SEQUENCE lease_token;

CREATE TABLE job (
    project text NOT NULL,
    observation_id text NOT NULL,
    subject_identifier text NOT NULL,
    said_at bigint NOT NULL,
    state text NOT NULL DEFAULT 'pending',
    due_at timestamptz NOT NULL DEFAULT now(),
    lease_token bigint,
    attempts integer NOT NULL DEFAULT 0,
    error text,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT job_key PRIMARY KEY (project, observation_id),
    CONSTRAINT job_state CHECK (state IN ('pending', 'leased', 'failed'))
);
COMMENT ON TABLE job IS 'Observations still to be retained; a job that is done is deleted.';
COMMENT ON COLUMN job.due_at IS
    'When it may be taken: at once, after the back-off of a failure, or when its lease runs out.';
CREATE INDEX job_due ON job (due_at);
CREATE INDEX job_by_subject ON job (project, subject_identifier, said_at, observation_id);

CREATE TABLE group_due (
    project text NOT NULL,
    subject text NOT NULL,
    about text NOT NULL,
    predicate text NOT NULL,
    due_at bigint NOT NULL,
    CONSTRAINT group_due_key PRIMARY KEY (project, subject, about, predicate)
);
COMMENT ON TABLE group_due IS 'Groups that time alone will change: scheduled, or valid until.';
CREATE INDEX group_due_next ON group_due (due_at);

CREATE TABLE change_outbox (
    position bigint GENERATED ALWAYS AS IDENTITY,
    project text NOT NULL,
    id text NOT NULL,
    message bytea NOT NULL,
    CONSTRAINT change_outbox_key PRIMARY KEY (position)
);

CREATE TABLE dead_letter (
    id text NOT NULL,
    project text,
    source text,
    source_ref text,
    event_id text,
    code text NOT NULL,
    reason text NOT NULL,
    received_at timestamptz NOT NULL,
    size integer NOT NULL,
    sha256 text NOT NULL,
    body bytea NOT NULL,
    published boolean NOT NULL DEFAULT false,
    CONSTRAINT dead_letter_key PRIMARY KEY (id)
);
COMMENT ON TABLE dead_letter IS 'Messages that are no observations; some do not say their project.';
CREATE INDEX dead_letter_unpublished ON dead_letter (received_at) WHERE NOT published;
CREATE INDEX dead_letter_by_project ON dead_letter (project, received_at);

CREATE TABLE embedding_backlog (
    project text NOT NULL,
    subject text NOT NULL,
    kind text NOT NULL,
    id text NOT NULL,
    said_at bigint NOT NULL,
    CONSTRAINT embedding_backlog_key PRIMARY KEY (project, kind, id),
    CONSTRAINT embedding_backlog_kind CHECK (kind IN ('fact', 'episode'))
);
COMMENT ON TABLE embedding_backlog IS 'Facts and episodes whose text has no vector yet.';
CREATE INDEX embedding_backlog_newest ON embedding_backlog (said_at DESC);
CREATE INDEX embedding_backlog_by_subject
    ON embedding_backlog (project, subject, kind, said_at DESC);

-- Derived: who is meant. -----------------------------------------------------------------------

CREATE TABLE identifier (
    project text NOT NULL,
    id text NOT NULL,
    scheme text NOT NULL,
    value text NOT NULL,
    entity text NOT NULL,
    observations bigint NOT NULL,
    memories bigint NOT NULL,
    CONSTRAINT identifier_key PRIMARY KEY (project, id)
);
COMMENT ON COLUMN identifier.observations IS 'How many current observations name it.';
COMMENT ON COLUMN identifier.memories IS 'How many current observations went to its memory.';
COMMENT ON COLUMN identifier.entity IS 'The smallest identifier of its component: the entity''s id.';
CREATE INDEX identifier_by_entity ON identifier (project, entity);
CREATE INDEX identifier_by_value ON identifier (project, value);

CREATE TABLE automatic_link (
    project text NOT NULL,
    id text NOT NULL,
    first text NOT NULL,
    second text NOT NULL,
    rule text NOT NULL,
    rule_version integer NOT NULL,
    observations bigint NOT NULL,
    CONSTRAINT automatic_link_key PRIMARY KEY (project, id)
);
COMMENT ON TABLE automatic_link IS 'Links that current observations state, and how many do.';
CREATE INDEX automatic_link_by_first ON automatic_link (project, first);
CREATE INDEX automatic_link_by_second ON automatic_link (project, second);

CREATE VIEW known_link AS
    SELECT project, id, first, second, relation, status, rule, rule_version, evidence, linked_at
    FROM identity_link
    UNION ALL
    SELECT project, id, first, second, 'same', 'auto', rule, rule_version, NULL, 0
    FROM automatic_link;

CREATE TABLE mention (
    project text NOT NULL,
    identifier text NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    observations bigint NOT NULL,
    CONSTRAINT mention_key PRIMARY KEY (project, identifier, kind, name)
);
COMMENT ON TABLE mention IS 'How often current observations call an identifier by a name.';

CREATE TABLE relation (
    project text NOT NULL,
    subject text NOT NULL,
    origin text NOT NULL,
    kind text NOT NULL,
    target text NOT NULL,
    observation_id text NOT NULL,
    origin_scheme text NOT NULL,
    origin_value text NOT NULL,
    target_scheme text NOT NULL,
    target_value text NOT NULL,
    said_at bigint NOT NULL,
    CONSTRAINT relation_key PRIMARY KEY (project, subject, origin, kind, target, observation_id)
);
COMMENT ON TABLE relation IS 'Origin and target are identifiers; entities are looked up.';
CREATE INDEX relation_by_observation ON relation (project, observation_id);

-- Derived: what was said. ----------------------------------------------------------------------

CREATE TABLE subject_state (
    project text NOT NULL,
    subject text NOT NULL,
    version bigint NOT NULL DEFAULT 0,
    CONSTRAINT subject_state_key PRIMARY KEY (project, subject)
);
COMMENT ON COLUMN subject_state.version IS 'Rises whenever anything of the subject changes.';

CREATE TABLE episode (
    project text NOT NULL,
    subject text NOT NULL,
    observation_id text NOT NULL,
    subject_identifier text NOT NULL,
    source text NOT NULL,
    source_ref text NOT NULL,
    record text NOT NULL,
    category text NOT NULL,
    said_at bigint NOT NULL,
    trace text,
    author text,
    author_name text,
    text text NOT NULL,
    embeddable boolean NOT NULL,
    search tsvector GENERATED ALWAYS AS (to_tsvector('simple', left(text, 100000))) STORED,
    CONSTRAINT episode_key PRIMARY KEY (project, observation_id)
);
COMMENT ON TABLE episode IS 'The current observation of each record of a source, unless deleted.';
COMMENT ON COLUMN episode.author IS 'Identifier of who said it; entities are looked up.';
COMMENT ON COLUMN episode.embeddable IS 'Said by a person or an agent: no raw output of a tool.';
CREATE INDEX episode_by_subject ON episode (project, subject, said_at);
CREATE INDEX episode_by_record ON episode (project, record);
CREATE INDEX episode_search ON episode USING gin (project, subject, search);

CREATE TABLE assertion (
    project text NOT NULL,
    subject text NOT NULL,
    about text NOT NULL,
    predicate text NOT NULL,
    id text NOT NULL,
    observation_id text NOT NULL,
    author text NOT NULL,
    content text NOT NULL,
    CONSTRAINT assertion_key PRIMARY KEY (project, subject, about, predicate, id)
);
COMMENT ON COLUMN assertion.author IS 'Identifier of who said it: it weighs as much as its entity does.';
COMMENT ON COLUMN assertion.predicate IS 'The canonical name of the group it was placed in.';
CREATE INDEX assertion_by_observation ON assertion (project, observation_id);
CREATE INDEX assertion_by_about ON assertion (project, about);
CREATE INDEX assertion_by_author ON assertion (project, author);

-- Derived: what holds. -------------------------------------------------------------------------

CREATE TABLE fact (
    project text NOT NULL,
    subject text NOT NULL,
    about text NOT NULL,
    predicate text NOT NULL,
    slot text NOT NULL,
    id text NOT NULL,
    value json,
    value_digest text NOT NULL,
    qualifiers json NOT NULL,
    text text NOT NULL,
    status text NOT NULL,
    mark text,
    authority smallint NOT NULL,
    confidence double precision NOT NULL,
    confirmations integer NOT NULL,
    kind text NOT NULL,
    volatility text NOT NULL,
    valid_from bigint,
    valid_until bigint,
    first_said_at bigint NOT NULL,
    last_confirmed_at bigint NOT NULL,
    supersedes_id text,
    conflict_id text,
    row_digest bytea NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    search tsvector GENERATED ALWAYS AS (to_tsvector('simple', left(text, 100000))) STORED,
    CONSTRAINT fact_key PRIMARY KEY (project, id),
    CONSTRAINT fact_status CHECK (status IN ('candidate', 'active', 'superseded', 'ended',
        'quarantined', 'scheduled', 'disputed', 'disabled', 'erased')),
    CONSTRAINT fact_interval CHECK (valid_until >= valid_from),
    CONSTRAINT fact_confidence CHECK (confidence BETWEEN 0 AND 1)
);
COMMENT ON COLUMN fact.slot IS 'Digest of subject, about, predicate, identifying qualifiers, value.';
COMMENT ON COLUMN fact.value IS 'Null: erased.';
COMMENT ON COLUMN fact.text IS 'What search reads: predicate, value, qualifiers.';
COMMENT ON COLUMN fact.conflict_id IS 'Set while the fact is a member of an open conflict set.';
COMMENT ON COLUMN fact.row_digest IS 'Of all derived columns and sources: equal means unchanged.';
CREATE UNIQUE INDEX fact_one_active_per_slot ON fact (project, subject, slot)
    WHERE status = 'active';
CREATE INDEX fact_by_group ON fact (project, subject, about, predicate);
CREATE INDEX fact_by_about ON fact (project, about);
CREATE INDEX fact_search ON fact USING gin (project, subject, search);

CREATE TABLE fact_source (
    project text NOT NULL,
    fact_id text NOT NULL,
    assertion_id text NOT NULL,
    observation_id text NOT NULL,
    source text NOT NULL,
    source_ref text NOT NULL,
    said_at bigint NOT NULL,
    counted boolean NOT NULL,
    CONSTRAINT fact_source_key PRIMARY KEY (project, fact_id, assertion_id),
    CONSTRAINT fact_source_fact FOREIGN KEY (project, fact_id)
        REFERENCES fact (project, id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);
COMMENT ON TABLE fact_source IS 'A fact answers to the id of every assertion behind it.';
CREATE INDEX fact_source_by_assertion ON fact_source (project, assertion_id);
CREATE INDEX fact_source_by_observation ON fact_source (project, observation_id);

CREATE TABLE conflict_set (
    project text NOT NULL,
    subject text NOT NULL,
    about text NOT NULL,
    predicate text NOT NULL,
    slot text NOT NULL,
    id text NOT NULL,
    opened_at bigint NOT NULL,
    closed_at bigint,
    row_digest bytea NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT conflict_set_key PRIMARY KEY (project, id)
);
CREATE UNIQUE INDEX conflict_set_one_open_per_slot ON conflict_set (project, subject, slot)
    WHERE closed_at IS NULL;
CREATE INDEX conflict_set_by_group ON conflict_set (project, subject, about, predicate);

CREATE TABLE conflict_member (
    project text NOT NULL,
    conflict_id text NOT NULL,
    fact_id text NOT NULL,
    position integer NOT NULL,
    CONSTRAINT conflict_member_key PRIMARY KEY (project, conflict_id, fact_id),
    CONSTRAINT conflict_member_conflict FOREIGN KEY (project, conflict_id)
        REFERENCES conflict_set (project, id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX conflict_member_by_fact ON conflict_member (project, fact_id);

-- Vectors, apart from what they stand for. -----------------------------------------------------

CREATE TABLE embedding_model (
    id smallint GENERATED ALWAYS AS IDENTITY,
    name text NOT NULL,
    digest text NOT NULL,
    dimensions integer NOT NULL,
    CONSTRAINT embedding_model_key PRIMARY KEY (id),
    CONSTRAINT embedding_model_once UNIQUE (name, digest, dimensions)
);
COMMENT ON TABLE embedding_model IS 'Vectors of two models are never compared.';

CREATE TABLE fact_embedding (
    project text NOT NULL,
    subject text NOT NULL,
    model smallint NOT NULL,
    id text NOT NULL,
    vector halfvec NOT NULL,
    CONSTRAINT fact_embedding_key PRIMARY KEY (project, subject, model, id) INCLUDE (vector),
    CONSTRAINT fact_embedding_fact FOREIGN KEY (project, id)
        REFERENCES fact (project, id) ON DELETE CASCADE
);
CREATE INDEX fact_embedding_by_fact ON fact_embedding (project, id);

CREATE TABLE episode_embedding (
    project text NOT NULL,
    subject text NOT NULL,
    model smallint NOT NULL,
    id text NOT NULL,
    vector halfvec NOT NULL,
    CONSTRAINT episode_embedding_key PRIMARY KEY (project, subject, model, id) INCLUDE (vector),
    CONSTRAINT episode_embedding_episode FOREIGN KEY (project, id)
        REFERENCES episode (project, observation_id) ON DELETE CASCADE
);
CREATE INDEX episode_embedding_by_episode ON episode_embedding (project, id);

-- Beside the memory: what was asked, and what became of candidates. ------------------------------

CREATE TABLE trace (
    project text NOT NULL,
    id text NOT NULL,
    asked_at timestamptz NOT NULL,
    request json NOT NULL,
    status text NOT NULL,
    warnings json NOT NULL,
    candidates json NOT NULL,
    facts_served integer NOT NULL,
    episodes_served integer NOT NULL,
    duration_ms double precision,
    CONSTRAINT trace_key PRIMARY KEY (project, id)
);
CREATE INDEX trace_by_time ON trace (project, asked_at);

CREATE TABLE outcome_count (
    project text NOT NULL,
    outcome text NOT NULL,
    candidates bigint NOT NULL,
    CONSTRAINT outcome_count_key PRIMARY KEY (project, outcome)
);

-- Index-only scans need fresh visibility maps, and queues would drown in their own dead rows. ----

ALTER TABLE fact_embedding SET (autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE episode_embedding SET (autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE fact SET (autovacuum_vacuum_insert_scale_factor = 0.05,
    autovacuum_vacuum_scale_factor = 0.05, fillfactor = 90);
ALTER TABLE episode SET (autovacuum_vacuum_insert_scale_factor = 0.05,
    autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE job SET (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_cost_delay = 0);
ALTER TABLE change_outbox SET (autovacuum_vacuum_scale_factor = 0.0,
    autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
ALTER TABLE embedding_backlog SET (autovacuum_vacuum_scale_factor = 0.0,
    autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
ALTER TABLE subject_state SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE outcome_count SET (fillfactor = 50);
