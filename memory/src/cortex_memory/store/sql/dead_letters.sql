-- name: list
-- What was refused of a project, or without one, and what could not be retained, the newest first.
SELECT id, source, source_ref, code, reason, received_at, size, attempts FROM dead_letter
WHERE (project = %(project)s OR project IS NULL AND %(unassigned)s)
    AND (%(id)s::text IS NULL OR id = %(id)s)
UNION ALL
SELECT observation.id, source, source_ref, %(retain_failed)s, coalesce(error, ''),
    observation.recorded_at, octet_length(content), attempts
FROM job JOIN observation
    ON observation.project = job.project AND observation.id = job.observation_id
WHERE job.project = %(project)s AND state = 'failed'
    AND (%(id)s::text IS NULL OR observation.id = %(id)s)
ORDER BY received_at DESC, id LIMIT %(limit)s;

-- name: to_retry
-- The same, those tried least first: whoever goes on reaches all of them.
SELECT id FROM dead_letter
WHERE (project = %(project)s OR project IS NULL AND %(unassigned)s)
    AND (%(id)s::text IS NULL OR id = %(id)s)
ORDER BY attempts, received_at, id LIMIT %(limit)s;

-- name: message
-- A refused message as it came.
SELECT subject, body FROM dead_letter WHERE id = %(id)s;

-- name: remove
-- It is understood by now.
DELETE FROM dead_letter WHERE id = %(id)s;

-- name: refuse_again
-- It is still refused.
UPDATE dead_letter SET code = %(code)s, reason = %(reason)s, attempts = attempts + 1
WHERE id = %(id)s;
