-- name: lease
-- Due jobs of the subjects at the head of the queue, in event order inside each subject.
WITH head AS (
    SELECT project, subject_identifier FROM job
    WHERE NOT awaits_model AND due_at <= now() ORDER BY due_at LIMIT %(jobs)s
), subjects AS (
    SELECT DISTINCT project, subject_identifier FROM head LIMIT %(subjects)s
), picked AS (
    SELECT mine.project, mine.observation_id
    FROM subjects
    CROSS JOIN LATERAL (
        SELECT job.project, job.observation_id FROM job
        WHERE job.project = subjects.project
            AND job.subject_identifier = subjects.subject_identifier
            AND NOT job.awaits_model AND job.due_at <= now()
        ORDER BY job.said_at, job.observation_id
        LIMIT %(jobs)s
        FOR UPDATE SKIP LOCKED
    ) AS mine
    LIMIT %(jobs)s
)
UPDATE job SET state = 'leased', lease_token = %(token)s, attempts = job.attempts + 1,
    due_at = now() + make_interval(secs => %(seconds)s)
FROM picked
WHERE job.project = picked.project AND job.observation_id = picked.observation_id
RETURNING job.project, job.observation_id, job.subject_identifier, job.attempts;

-- name: next_token
-- A number that no other lease has.
SELECT nextval('lease_token');

-- name: hold
-- The jobs that this lease still owns, kept so until the transaction ends.
SELECT project, observation_id FROM job
WHERE lease_token = %(token)s AND (project, observation_id) IN (
    SELECT * FROM unnest(%(projects)b::text[], %(ids)b::text[])
)
ORDER BY project, observation_id
FOR UPDATE;

-- name: finish
-- These are done.
DELETE FROM job USING unnest(%(projects)b::text[], %(ids)b::text[]) AS finished (project, id)
WHERE job.project = finished.project AND job.observation_id = finished.id
    AND job.lease_token = %(token)s;

-- name: fail
-- Try it again later, and keep the reason.
UPDATE job SET state = 'failed', lease_token = NULL, error = %(error)s,
    due_at = now() + make_interval(secs => %(delay)s)
WHERE project = %(project)s AND observation_id = %(id)s AND lease_token = %(token)s;

-- name: give_back
-- They were leased and not begun, or could not be: that is no attempt.
UPDATE job SET state = 'pending', lease_token = NULL, attempts = attempts - 1,
    due_at = now()
WHERE lease_token = %(token)s;

-- name: requeue_failed
-- Failed jobs of a project, all or some, are tried at once, as if for the first time.
UPDATE job SET state = 'pending', due_at = now(), attempts = 0
WHERE project = %(project)s AND state = 'failed'
    AND (%(ids)s::text[] IS NULL OR observation_id = ANY(%(ids)s));

-- name: requeue_observations
-- These observations once more, unless somebody is at work on them.
INSERT INTO job (project, observation_id, subject_identifier, said_at)
SELECT project, id, subject_identifier, said_at FROM observation
WHERE project = %(project)s AND id = ANY(%(ids)s)
ON CONFLICT ON CONSTRAINT job_key DO UPDATE
    SET state = 'pending', due_at = now(), attempts = 0
    WHERE job.state <> 'leased';
