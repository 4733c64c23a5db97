-- Raw events as they came, what was read from them, and what waits to be sent.

-- Append-only: one row per event, its message byte for byte.
CREATE TABLE raw_event (
    project     text        NOT NULL,
    event_id    text        NOT NULL,
    source      text        NOT NULL,
    message     bytea       NOT NULL,
    received_at timestamptz NOT NULL,
    CONSTRAINT raw_event_pkey PRIMARY KEY (project, event_id)
);

-- Under which keys (digests) an event can be asked for by others of its source.
CREATE TABLE event_key (
    project  text  NOT NULL,
    source   text  NOT NULL,
    key      bytea NOT NULL,
    event_id text  NOT NULL,
    CONSTRAINT event_key_pkey PRIMARY KEY (project, source, key, event_id)
);

-- Which keys the parser of an event asks for; found by the key when a provider arrives.
CREATE TABLE event_need (
    project  text  NOT NULL,
    source   text  NOT NULL,
    key      bytea NOT NULL,
    event_id text  NOT NULL,
    CONSTRAINT event_need_pkey PRIMARY KEY (project, source, key, event_id)
);
CREATE INDEX event_need_event ON event_need (project, event_id);

-- The latest reading of each event.
CREATE TABLE reading (
    project        text   NOT NULL,
    event_id       text   NOT NULL,
    parser_version integer,                       -- null: nobody reads this source
    observations   integer NOT NULL,
    unknown_types  jsonb   NOT NULL,
    code           text,                          -- null: the event was read
    reason         text,
    CONSTRAINT reading_pkey PRIMARY KEY (project, event_id),
    CONSTRAINT reading_event_fkey FOREIGN KEY (project, event_id) REFERENCES raw_event
);

-- The observations of the latest reading, by the record of the source that they stand for.
CREATE TABLE event_observation (
    project    text NOT NULL,
    event_id   text NOT NULL,
    message_id text NOT NULL,
    source_ref text NOT NULL,
    CONSTRAINT event_observation_pkey PRIMARY KEY (project, event_id, message_id)
);
CREATE INDEX event_observation_source_ref ON event_observation USING hash (source_ref);

-- Every message that left or shall leave; kept, so that a stream can be rebuilt.
CREATE TABLE outbox (
    id            bigint      GENERATED ALWAYS AS IDENTITY,
    subject       text        NOT NULL,
    message_id    text        NOT NULL,
    project       text,
    payload       bytea       NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now(),
    claimed_until timestamptz,
    sent_at       timestamptz,
    CONSTRAINT outbox_pkey PRIMARY KEY (id),
    CONSTRAINT outbox_message_key UNIQUE (subject, message_id)
);
CREATE INDEX outbox_unsent ON outbox (subject, id) WHERE sent_at IS NULL;

-- What was refused, with its reason; data is null where raw_event holds the message.
CREATE TABLE dead_letter (
    id          text        NOT NULL,
    project     text,
    source      text,
    source_ref  text,
    event_id    text,
    code        text        NOT NULL,
    reason      text        NOT NULL,
    received_at timestamptz NOT NULL,
    size        integer     NOT NULL,
    sha256      text        NOT NULL,
    data        bytea,
    CONSTRAINT dead_letter_pkey PRIMARY KEY (id)
);
CREATE INDEX dead_letter_event ON dead_letter (project, event_id);

-- Sums over the latest readings, kept with them.
CREATE TABLE source_count (
    project      text   NOT NULL,
    source       text   NOT NULL,
    events       bigint NOT NULL,
    observations bigint NOT NULL,
    rejected     bigint NOT NULL,
    CONSTRAINT source_count_pkey PRIMARY KEY (project, source)
);

-- Record types that a version of a parser does not know: the early warning of a changed format.
CREATE TABLE record_type_count (
    project        text    NOT NULL,
    source         text    NOT NULL,
    parser_version integer NOT NULL,
    record_type    text    NOT NULL,
    records        bigint  NOT NULL,
    CONSTRAINT record_type_count_pkey PRIMARY KEY (project, source, parser_version, record_type)
);
