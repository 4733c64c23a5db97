-- name: store
-- New observations with a job each; of one that is known, only a greater made_by counts.
WITH stored AS (
    INSERT INTO observation (project, id, subject_identifier, source, source_ref, record, said_at,
        revision, made_by, content)
    SELECT project, id, subject_identifier, source, source_ref, record, said_at, revision,
        made_by::bigint[], content
    FROM unnest(%(project)b::text[], %(id)b::text[], %(subject_identifier)b::text[],
        %(source)b::text[], %(source_ref)b::text[], %(record)b::text[], %(said_at)b::bigint[],
        %(revision)b::bigint[], %(made_by)b::text[], %(content)b::text[])
        AS incoming (project, id, subject_identifier, source, source_ref, record, said_at,
            revision, made_by, content)
    ON CONFLICT ON CONSTRAINT observation_key DO UPDATE SET made_by = excluded.made_by
        WHERE observation.made_by < excluded.made_by
    RETURNING project, id, subject_identifier, said_at
)
INSERT INTO job (project, observation_id, subject_identifier, said_at)
SELECT project, id, subject_identifier, said_at FROM stored
ON CONFLICT ON CONSTRAINT job_key DO UPDATE
    SET state = 'pending', due_at = now(), lease_token = NULL, attempts = 0, error = NULL;

-- name: reject
-- Keep a message that is no observation; the same bytes are kept once.
INSERT INTO dead_letter (id, project, source, source_ref, event_id, code, reason, received_at,
    size, sha256, subject, body)
VALUES (%(id)s, %(project)s, %(source)s, %(source_ref)s, %(event_id)s, %(code)s, %(reason)s,
    %(received_at)s, %(size)s, %(sha256)s, %(subject)s, %(body)s)
ON CONFLICT ON CONSTRAINT dead_letter_key DO NOTHING;

-- name: unpublished
-- Dead letters that nobody has been told of.
SELECT id, project, source, source_ref, event_id, code, reason, received_at, size, sha256
FROM dead_letter WHERE NOT published ORDER BY received_at, id LIMIT %(limit)s;

-- name: mark_published
-- The stream has them.
UPDATE dead_letter SET published = true WHERE id = ANY(%(ids)s);
