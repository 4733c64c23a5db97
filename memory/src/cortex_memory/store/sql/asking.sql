-- name: await_model
-- These wait for a model before they are retained, unless candidates were ever recorded for them.
UPDATE job SET awaits_model = true
FROM unnest(%(project)b::text[], %(id)b::text[]) AS wanted (project, id)
WHERE job.project = wanted.project AND job.observation_id = wanted.id AND NOT EXISTS (
    SELECT FROM candidate
    WHERE candidate.project = wanted.project AND candidate.observation_id = wanted.id
);

-- name: lease
-- The first due observation of each memory on which nobody works, in projects with tokens left.
WITH first AS (
    SELECT DISTINCT ON (project, subject_identifier) project, observation_id, due_at
    FROM job
    WHERE awaits_model AND due_at <= now() AND NOT EXISTS (
        SELECT FROM model_usage
        WHERE model_usage.project = job.project AND model_usage.day = %(day)s
            AND input_tokens + output_tokens >= %(budget)s::bigint
    ) AND NOT EXISTS (
        SELECT FROM job AS other
        WHERE other.project = job.project AND other.subject_identifier = job.subject_identifier
            AND (other.state = 'leased' AND other.due_at > now()
                OR other.state = 'pending' AND NOT other.awaits_model)
    )
    ORDER BY project, subject_identifier, said_at, observation_id
), picked AS (
    SELECT job.project, job.observation_id
    FROM first
    JOIN job USING (project, observation_id)
    WHERE job.awaits_model AND job.due_at <= now()
    ORDER BY first.due_at, job.project, job.observation_id
    LIMIT %(jobs)s
    FOR UPDATE OF job SKIP LOCKED
)
UPDATE job SET state = 'leased', lease_token = %(token)s, attempts = job.attempts + 1,
    due_at = now() + make_interval(secs => %(seconds)s)
FROM picked
WHERE job.project = picked.project AND job.observation_id = picked.observation_id
RETURNING job.project, job.observation_id, job.subject_identifier, job.attempts;

-- name: release
-- Its answer is recorded, or none is wanted: it can be retained.
UPDATE job SET awaits_model = false, state = 'pending', lease_token = NULL, attempts = 0,
    error = NULL, due_at = now()
WHERE project = %(project)s AND observation_id = %(id)s AND lease_token = %(token)s;

-- name: give_up
-- It was tried often enough: it stays failed, with its reason, until somebody asks for it.
UPDATE job SET state = 'failed', lease_token = NULL, error = %(error)s, due_at = 'infinity'
WHERE project = %(project)s AND observation_id = %(id)s AND lease_token = %(token)s;

-- name: release_all
-- No model is configured any more.
UPDATE job SET awaits_model = false, state = 'pending', lease_token = NULL, attempts = 0,
    due_at = now()
WHERE awaits_model;

-- name: spend
-- Count what a model was asked today.
INSERT INTO model_usage (project, day, requests, input_tokens, output_tokens)
VALUES (%(project)s, %(day)s, 1, %(input_tokens)s, %(output_tokens)s)
ON CONFLICT ON CONSTRAINT model_usage_key DO UPDATE
    SET requests = model_usage.requests + 1,
        input_tokens = model_usage.input_tokens + excluded.input_tokens,
        output_tokens = model_usage.output_tokens + excluded.output_tokens;

-- name: usage
-- What models were asked of a project, in all and today.
SELECT coalesce(sum(requests), 0)::bigint AS requests,
    coalesce(sum(input_tokens), 0)::bigint AS input_tokens,
    coalesce(sum(output_tokens), 0)::bigint AS output_tokens,
    coalesce(sum(input_tokens + output_tokens) FILTER (WHERE day = %(day)s), 0)::bigint
        AS tokens_today
FROM model_usage WHERE project = %(project)s;
