-- name: lock_sources
-- One writer per source of a project while neighbours are looked up, in an order without deadlock.
SELECT pg_advisory_xact_lock(key)
FROM (
    SELECT DISTINCT hashtextextended(scope, 0) AS key
    FROM unnest(%(scopes)s::text[]) AS scope
    ORDER BY key
) AS keys

-- name: insert_events
-- Only the events that were not there yet come back.
INSERT INTO raw_event (project, event_id, source, message, received_at)
SELECT * FROM unnest(
    %(projects)s::text[], %(event_ids)s::text[], %(sources)s::text[],
    %(messages)b::bytea[], %(received)s::timestamptz[]
)
ON CONFLICT DO NOTHING
RETURNING project, event_id

-- name: insert_keys
INSERT INTO event_key (project, source, key, event_id)
SELECT * FROM unnest(
    %(projects)s::text[], %(sources)s::text[], %(keys)b::bytea[], %(event_ids)s::text[]
)
ON CONFLICT DO NOTHING
RETURNING project, source, key

-- name: insert_needs
INSERT INTO event_need (project, source, key, event_id)
SELECT * FROM unnest(
    %(projects)s::text[], %(sources)s::text[], %(keys)b::bytea[], %(event_ids)s::text[]
)
ON CONFLICT DO NOTHING

-- name: delete_other_keys
-- Of these events only these keys stay; the keys that go.
DELETE FROM event_key
USING unnest(%(asked_projects)s::text[], %(asked_event_ids)s::text[]) AS asked (project, event_id)
WHERE event_key.project = asked.project
  AND event_key.event_id = asked.event_id
  AND NOT EXISTS (
      SELECT FROM unnest(%(projects)s::text[], %(keys)b::bytea[], %(event_ids)s::text[])
          AS kept (project, key, event_id)
      WHERE kept.project = event_key.project
        AND kept.key = event_key.key
        AND kept.event_id = event_key.event_id
  )
RETURNING event_key.project, event_key.source, event_key.key

-- name: delete_other_needs
DELETE FROM event_need
USING unnest(%(asked_projects)s::text[], %(asked_event_ids)s::text[]) AS asked (project, event_id)
WHERE event_need.project = asked.project
  AND event_need.event_id = asked.event_id
  AND NOT EXISTS (
      SELECT FROM unnest(%(projects)s::text[], %(keys)b::bytea[], %(event_ids)s::text[])
          AS kept (project, key, event_id)
      WHERE kept.project = event_need.project
        AND kept.key = event_need.key
        AND kept.event_id = event_need.event_id
  )

-- name: select_dependants
-- The events that ask for one of these keys.
SELECT DISTINCT need.project, need.event_id
FROM unnest(%(projects)s::text[], %(sources)s::text[], %(keys)b::bytea[])
    AS provided (project, source, key)
JOIN event_need AS need USING (project, source, key)

-- name: select_providers
-- Who provides what these events ask for, in the order of their ids.
SELECT need.project, need.event_id, need.key,
       array_agg(provider.event_id ORDER BY provider.event_id) AS providers
FROM unnest(%(projects)s::text[], %(event_ids)s::text[]) AS asking (project, event_id)
JOIN event_need AS need USING (project, event_id)
JOIN event_key AS provider USING (project, source, key)
WHERE provider.event_id <> need.event_id
GROUP BY need.project, need.event_id, need.key

-- name: select_events
SELECT project, event_id, source, message, received_at
FROM unnest(%(projects)s::text[], %(event_ids)s::text[]) AS asked (project, event_id)
JOIN raw_event USING (project, event_id)

-- name: select_readings
SELECT project, event_id, parser_version, sanitiser_version, enricher_version, observations,
       unknown_types, code
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
-- What the latest readings of other events say of records of this name, of whatever source.
SELECT outbox.payload
FROM event_observation AS said
JOIN outbox ON outbox.subject = %(subject)s AND outbox.message_id = said.message_id
WHERE said.source_ref = %(source_ref)s
  AND said.project = %(project)s
  AND said.event_id <> %(event_id)s

-- name: upsert_readings
INSERT INTO reading
    (project, event_id, parser_version, sanitiser_version, enricher_version, observations,
     unknown_types, code, reason)
SELECT * FROM unnest(
    %(projects)s::text[], %(event_ids)s::text[], %(parser_versions)s::integer[],
    %(sanitiser_versions)s::integer[], %(enricher_versions)s::integer[],
    %(observations)s::integer[], %(unknown_types)s::jsonb[], %(codes)s::text[],
    %(reasons)s::text[]
)
ON CONFLICT (project, event_id) DO UPDATE SET
    parser_version = excluded.parser_version,
    sanitiser_version = excluded.sanitiser_version,
    enricher_version = excluded.enricher_version,
    observations = excluded.observations,
    unknown_types = excluded.unknown_types,
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
