-- name: select_letters
-- What was refused of a project, or without one, the newest first.
SELECT id, source, source_ref, code, reason, received_at, size, attempts
FROM dead_letter
WHERE (project = %(project)s OR project IS NULL AND %(unassigned)s)
  AND (%(id)s::text IS NULL OR id = %(id)s)
ORDER BY received_at DESC, id
LIMIT %(limit)s

-- name: select_to_retry
-- The same, those tried least first: whoever goes on reaches all of them.
SELECT id
FROM dead_letter
WHERE (project = %(project)s OR project IS NULL AND %(unassigned)s)
  AND (%(id)s::text IS NULL OR id = %(id)s)
ORDER BY attempts, received_at, id
LIMIT %(limit)s

-- name: select_refused
SELECT project, source, event_id, received_at, data
FROM dead_letter
WHERE id = %(id)s

-- name: delete_settled
-- Settled: the event was read; or it is refused for another reason, which has a letter of its own;
-- or it is an event at last, and whatever is wrong with it has a letter of its own.
DELETE FROM dead_letter
USING reading
WHERE dead_letter.id = %(id)s
  AND reading.project = %(project)s
  AND reading.event_id = %(event_id)s
  AND (reading.code IS DISTINCT FROM dead_letter.code OR dead_letter.data IS NOT NULL)
RETURNING reading.code IS NULL AS was_read

-- name: count_attempt
UPDATE dead_letter
SET attempts = attempts + 1,
    code = coalesce(%(code)s::text, code),
    reason = coalesce(%(reason)s::text, reason)
WHERE id = %(id)s
