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
