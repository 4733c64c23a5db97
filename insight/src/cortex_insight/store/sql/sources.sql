-- name: select_event_states
-- What became of these events; one that was refused before it was stored is a dead letter only.
SELECT asked.event_id,
       reading.observations,
       coalesce(reading.code, refused.code) AS code,
       coalesce(reading.reason, refused.reason) AS reason
FROM unnest(%(event_ids)s::text[]) AS asked (event_id)
LEFT JOIN reading
    ON reading.project = %(project)s AND reading.event_id = asked.event_id
LEFT JOIN LATERAL (
    SELECT code, reason
    FROM dead_letter
    WHERE reading.event_id IS NULL
      AND dead_letter.project = %(project)s
      AND dead_letter.event_id = asked.event_id
    ORDER BY id
    LIMIT 1
) AS refused ON true
WHERE reading.event_id IS NOT NULL OR refused.code IS NOT NULL

-- name: select_source_counts
SELECT source, events, observations, rejected
FROM source_count
WHERE project = %(project)s
ORDER BY source

-- name: select_record_type_counts
SELECT source, record_type, sum(records)::bigint AS records
FROM record_type_count
WHERE project = %(project)s AND records > 0
GROUP BY source, record_type
ORDER BY source, record_type

-- name: select_redaction_counts
SELECT source, kind, secrets
FROM redaction_count
WHERE project = %(project)s AND secrets > 0
ORDER BY source, kind

-- name: select_queue
SELECT count(*) AS waiting,
       extract(epoch FROM now() - min(created_at))::float AS oldest_seconds
FROM outbox
WHERE subject = %(subject)s AND sent_at IS NULL AND project = %(project)s

-- name: select_refused
SELECT count(*) AS refused FROM dead_letter WHERE project = %(project)s
