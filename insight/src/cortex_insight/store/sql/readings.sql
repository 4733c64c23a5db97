-- name: select_readings
SELECT project, event_id, parser_version, sanitiser_version, enricher_version, observations,
       unknown_types, redactions, code
FROM unnest(%(projects)s::text[], %(event_ids)s::text[]) AS asked (project, event_id)
JOIN reading USING (project, event_id)

-- name: select_observations
-- The messages of the latest readings of these events.
SELECT said.project, said.event_id, outbox.payload
FROM unnest(%(projects)s::text[], %(event_ids)s::text[]) AS asked (project, event_id)
JOIN event_observation AS said USING (project, event_id)
JOIN outbox ON outbox.subject = %(subject)s AND outbox.message_id = said.message_id
ORDER BY outbox.id

-- name: select_same_record
-- What the latest readings of events but one say of records of this name, of whatever source.
SELECT outbox.payload
FROM event_observation AS said
JOIN outbox ON outbox.subject = %(subject)s AND outbox.message_id = said.message_id
WHERE said.source_ref = %(source_ref)s
  AND said.project = %(project)s
  AND (%(event_id)s::text IS NULL OR said.event_id <> %(event_id)s)

-- name: select_made_of
-- Every observation that was ever made of records of these names, of whatever source.
SELECT outbox.payload
FROM unnest(%(projects)s::text[], %(source_refs)s::text[]) AS asked (project, source_ref)
JOIN outbox USING (project, source_ref)
WHERE outbox.subject = %(subject)s
ORDER BY outbox.id

-- name: upsert_readings
INSERT INTO reading
    (project, event_id, parser_version, sanitiser_version, enricher_version, observations,
     unknown_types, redactions, code, reason)
SELECT * FROM unnest(
    %(projects)s::text[], %(event_ids)s::text[], %(parser_versions)s::integer[],
    %(sanitiser_versions)s::integer[], %(enricher_versions)s::integer[],
    %(observations)s::integer[], %(unknown_types)s::jsonb[],
    %(redactions)s::jsonb[], %(codes)s::text[], %(reasons)s::text[]
)
ON CONFLICT (project, event_id) DO UPDATE SET
    parser_version = excluded.parser_version,
    sanitiser_version = excluded.sanitiser_version,
    enricher_version = excluded.enricher_version,
    observations = excluded.observations,
    unknown_types = excluded.unknown_types,
    redactions = excluded.redactions,
    code = excluded.code,
    reason = excluded.reason

-- name: delete_observations
DELETE FROM event_observation
USING unnest(%(projects)s::text[], %(event_ids)s::text[]) AS again (project, event_id)
WHERE event_observation.project = again.project
  AND event_observation.event_id = again.event_id

-- name: insert_observations
INSERT INTO event_observation (project, event_id, message_id, source_ref)
SELECT * FROM unnest(
    %(projects)s::text[], %(event_ids)s::text[], %(message_ids)s::text[], %(source_refs)s::text[]
)
ON CONFLICT DO NOTHING

-- name: insert_messages
-- A message that is there already is sent already, or will be.
INSERT INTO outbox (subject, message_id, project, payload, source_ref)
SELECT * FROM unnest(
    %(subjects)s::text[], %(message_ids)s::text[], %(projects)s::text[], %(payloads)b::bytea[],
    %(source_refs)s::text[]
)
ON CONFLICT (subject, message_id) DO NOTHING

-- name: delete_unsaid_messages
-- Messages that no event says any more.
DELETE FROM outbox
WHERE subject = %(subject)s
  AND message_id = ANY(%(message_ids)s::text[])
  AND NOT EXISTS (
      SELECT FROM event_observation AS said
      WHERE said.project = outbox.project
        AND said.source_ref = outbox.source_ref
        AND said.message_id = outbox.message_id
  )

-- name: insert_dead_letters
INSERT INTO dead_letter
    (id, project, source, source_ref, event_id, code, reason, received_at, size, sha256, data)
SELECT * FROM unnest(
    %(ids)s::text[], %(projects)s::text[], %(sources)s::text[], %(source_refs)s::text[],
    %(event_ids)s::text[], %(codes)s::text[], %(reasons)s::text[], %(received)s::timestamptz[],
    %(sizes)s::integer[], %(digests)s::text[], %(data)b::bytea[]
)
ON CONFLICT (id) DO NOTHING

-- name: add_source_counts
INSERT INTO source_count (project, source, events, observations, rejected)
SELECT * FROM unnest(
    %(projects)s::text[], %(sources)s::text[], %(events)s::bigint[],
    %(observations)s::bigint[], %(rejected)s::bigint[]
)
ON CONFLICT (project, source) DO UPDATE SET
    events = source_count.events + excluded.events,
    observations = source_count.observations + excluded.observations,
    rejected = source_count.rejected + excluded.rejected

-- name: add_record_type_counts
INSERT INTO record_type_count (project, source, parser_version, record_type, records)
SELECT * FROM unnest(
    %(projects)s::text[], %(sources)s::text[], %(parser_versions)s::integer[],
    %(record_types)s::text[], %(records)s::bigint[]
)
ON CONFLICT (project, source, parser_version, record_type) DO UPDATE SET
    records = record_type_count.records + excluded.records

-- name: add_redaction_counts
INSERT INTO redaction_count AS known (project, source, kind, secrets)
SELECT * FROM unnest(
    %(projects)s::text[], %(sources)s::text[], %(kinds)s::text[], %(secrets)s::bigint[]
)
ON CONFLICT (project, source, kind) DO UPDATE SET secrets = known.secrets + excluded.secrets
