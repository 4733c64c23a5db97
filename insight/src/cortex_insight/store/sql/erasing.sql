-- name: lock_shared
-- No erasure of these projects is under way until the end of the transaction.
SELECT pg_advisory_xact_lock_shared(key)
FROM (
    SELECT DISTINCT hashtextextended('erasing/' || project, 0) AS key
    FROM unnest(%(projects)s::text[]) AS project
    ORDER BY key
) AS keys

-- name: lock
-- Nobody takes in events of this project until the end of the transaction.
SELECT pg_advisory_xact_lock(hashtextextended('erasing/' || %(project)s, 0))

-- name: add_key
INSERT INTO erasure_key (project, digest_key) VALUES (%(project)s, %(digest_key)b)
ON CONFLICT (project) DO NOTHING

-- name: select_keys
SELECT project, digest_key FROM erasure_key WHERE project = ANY(%(projects)s::text[])

-- name: select_erased
SELECT project, digest
FROM unnest(%(projects)s::text[], %(digests)b::bytea[]) AS asked (project, digest)
JOIN erased USING (project, digest)

-- name: insert_erased
INSERT INTO erased (project, digest)
SELECT * FROM unnest(%(projects)s::text[], %(digests)b::bytea[])
ON CONFLICT DO NOTHING
RETURNING digest

-- name: select_erasure
SELECT removed FROM erasure WHERE project = %(project)s AND forget_id = %(forget_id)s

-- name: upsert_erasure
INSERT INTO erasure (project, forget_id, removed)
VALUES (%(project)s, %(forget_id)s, %(removed)s::jsonb)
ON CONFLICT (project, forget_id) DO UPDATE SET removed = excluded.removed

-- name: select_messages_of_records
-- Every observation that was ever made of these records.
SELECT outbox.message_id, outbox.payload, said.event_id
FROM unnest(%(source_refs)s::text[]) AS asked (source_ref)
JOIN outbox USING (source_ref)
LEFT JOIN event_observation AS said
    ON said.project = outbox.project AND said.message_id = outbox.message_id
WHERE outbox.subject = %(subject)s AND outbox.project = %(project)s

-- name: select_events_page
-- The next events of a project, or of one of its sources.
SELECT event_id, message, received_at
FROM raw_event
WHERE project = %(project)s
  AND (%(source)s::text IS NULL OR source = %(source)s)
  AND event_id > %(after)s
ORDER BY event_id
LIMIT %(count)s

-- name: select_events
SELECT event_id, message
FROM raw_event
WHERE project = %(project)s AND event_id = ANY(%(event_ids)s::text[])

-- name: select_messages_of_events
-- What the latest readings of these events say.
SELECT said.event_id, said.source_ref, outbox.payload
FROM event_observation AS said
JOIN outbox ON outbox.subject = %(subject)s AND outbox.message_id = said.message_id
WHERE said.project = %(project)s AND said.event_id = ANY(%(event_ids)s::text[])

-- name: delete_sums
-- What these events add to the sums is taken away.
WITH gone AS (
    SELECT raw_event.source, count(*) AS events, sum(reading.observations) AS observations,
           count(reading.code) AS rejected
    FROM raw_event
    LEFT JOIN reading USING (project, event_id)
    WHERE raw_event.project = %(project)s AND raw_event.event_id = ANY(%(event_ids)s::text[])
    GROUP BY raw_event.source
)
UPDATE source_count
SET events = source_count.events - gone.events,
    observations = source_count.observations - coalesce(gone.observations, 0),
    rejected = source_count.rejected - gone.rejected
FROM gone
WHERE source_count.project = %(project)s AND source_count.source = gone.source

-- name: delete_redaction_sums
WITH gone AS (
    SELECT raw_event.source, taken.kind, sum(taken.secrets::bigint) AS secrets
    FROM raw_event
    JOIN reading USING (project, event_id)
    CROSS JOIN jsonb_each_text(reading.redactions) AS taken (kind, secrets)
    WHERE raw_event.project = %(project)s AND raw_event.event_id = ANY(%(event_ids)s::text[])
    GROUP BY raw_event.source, taken.kind
)
UPDATE redaction_count
SET secrets = redaction_count.secrets - gone.secrets
FROM gone
WHERE redaction_count.project = %(project)s
  AND redaction_count.source = gone.source
  AND redaction_count.kind = gone.kind

-- name: delete_keys
DELETE FROM event_key WHERE project = %(project)s AND event_id = ANY(%(event_ids)s::text[])
RETURNING 1

-- name: delete_needs
DELETE FROM event_need WHERE project = %(project)s AND event_id = ANY(%(event_ids)s::text[])
RETURNING 1

-- name: delete_said
DELETE FROM event_observation WHERE project = %(project)s AND event_id = ANY(%(event_ids)s::text[])
RETURNING 1

-- name: delete_readings
DELETE FROM reading WHERE project = %(project)s AND event_id = ANY(%(event_ids)s::text[])
RETURNING 1

-- name: delete_questions
DELETE FROM question WHERE project = %(project)s AND event_id = ANY(%(event_ids)s::text[])
RETURNING 1

-- name: delete_answers
DELETE FROM answer WHERE project = %(project)s AND event_id = ANY(%(event_ids)s::text[])
RETURNING 1

-- name: delete_events
DELETE FROM raw_event WHERE project = %(project)s AND event_id = ANY(%(event_ids)s::text[])
RETURNING 1

-- name: delete_letters
DELETE FROM dead_letter
WHERE project = %(project)s AND event_id = ANY(%(event_ids)s::text[])
RETURNING id

-- name: select_letters
-- Refused messages that the lake keeps by themselves.
SELECT id, source, event_id, data, received_at FROM dead_letter
WHERE project = %(project)s
  AND (%(source)s::text IS NULL OR source = %(source)s)
  AND data IS NOT NULL

-- name: delete_letters_by_id
DELETE FROM dead_letter WHERE id = ANY(%(ids)s::text[]) RETURNING id

-- name: delete_messages
DELETE FROM outbox
WHERE subject = %(subject)s AND message_id = ANY(%(message_ids)s::text[])
RETURNING 1

-- name: vacuum_raw_event
VACUUM raw_event

-- name: vacuum_outbox
VACUUM outbox

-- name: vacuum_dead_letter
VACUUM dead_letter

-- name: vacuum_event_observation
VACUUM event_observation

-- name: vacuum_reading
VACUUM reading

-- name: vacuum_question
VACUUM question

-- name: vacuum_answer
VACUUM answer
