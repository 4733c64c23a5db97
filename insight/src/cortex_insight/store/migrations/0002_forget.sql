-- What was erased stays away: keyed digests alone tell when it comes again.

-- Keys the digests of a project; made by its first erasure.
CREATE TABLE erasure_key (
    project    text  NOT NULL,
    digest_key bytea NOT NULL,
    CONSTRAINT erasure_key_pkey PRIMARY KEY (project)
);

-- Digests of whole events, and of whose record of which source they were.
CREATE TABLE erased (
    project text  NOT NULL,
    digest  bytea NOT NULL,
    CONSTRAINT erased_pkey PRIMARY KEY (project, digest)
);

-- What every erasure removed, so that it answers the same when it is asked for again.
CREATE TABLE erasure (
    project   text  NOT NULL,
    forget_id text  NOT NULL,
    removed   jsonb NOT NULL,
    CONSTRAINT erasure_pkey PRIMARY KEY (project, forget_id)
);

-- Every message about a record is found, those of earlier readings too.
ALTER TABLE outbox ADD COLUMN source_ref text;
UPDATE outbox SET source_ref = convert_from(payload, 'UTF8')::json ->> 'source_ref';
CREATE INDEX outbox_source_ref ON outbox USING hash (source_ref);
CREATE INDEX event_key_event ON event_key (project, event_id);
