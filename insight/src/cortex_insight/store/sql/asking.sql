-- name: select_answers
-- Of each question the answer to the highest prompt.
SELECT DISTINCT ON (project, event_id, digest) project, event_id, digest, version, claims
FROM unnest(%(projects)s::text[], %(event_ids)s::text[]) AS asked (project, event_id)
JOIN answer USING (project, event_id)
ORDER BY project, event_id, digest, version DESC

-- name: delete_other_questions
-- Of these events only these questions stay.
DELETE FROM question
USING unnest(%(asked_projects)s::text[], %(asked_event_ids)s::text[]) AS asked (project, event_id)
WHERE question.project = asked.project
  AND question.event_id = asked.event_id
  AND NOT EXISTS (
      SELECT FROM unnest(%(projects)s::text[], %(event_ids)s::text[], %(digests)b::bytea[])
          AS kept (project, event_id, digest)
      WHERE kept.project = question.project
        AND kept.event_id = question.event_id
        AND kept.digest = question.digest
  )

-- name: insert_questions
INSERT INTO question (project, event_id, digest, source, document)
SELECT * FROM unnest(
    %(projects)s::text[], %(event_ids)s::text[], %(digests)b::bytea[], %(sources)s::text[],
    %(documents)s::text[]
)
ON CONFLICT DO NOTHING

-- name: lease
-- The questions that wait longest, in projects with tokens left; nobody else asks them meanwhile.
WITH due AS (
    SELECT project, event_id, digest
    FROM question
    WHERE due_at <= now()
      AND source = ANY(%(sources)s::text[])
      AND NOT EXISTS (
          SELECT FROM model_usage
          WHERE model_usage.project = question.project
            AND model_usage.day = %(day)s
            AND input_tokens + output_tokens >= %(budget)s::bigint
      )
    ORDER BY due_at, project, event_id, digest
    LIMIT %(count)s
    FOR UPDATE SKIP LOCKED
)
UPDATE question
SET lease_token = nextval('question_lease'),
    due_at = now() + make_interval(secs => %(seconds)s)
FROM due
WHERE question.project = due.project
  AND question.event_id = due.event_id
  AND question.digest = due.digest
RETURNING question.project, question.event_id, question.digest, question.document,
          question.lease_token, question.failures, question.unusable

-- name: give_back
-- It was not asked: the provider is busy, or the service ends.
UPDATE question SET lease_token = NULL, due_at = now() WHERE lease_token = %(token)s

-- name: fail
UPDATE question
SET lease_token = NULL,
    due_at = now() + make_interval(secs => %(seconds)s),
    failures = failures + 1,
    unusable = unusable + %(unusable)s,
    error = %(error)s
WHERE lease_token = %(token)s

-- name: settle
-- The event is forgotten, or somebody else asked: then there is none.
DELETE FROM question WHERE lease_token = %(token)s RETURNING project, event_id, digest

-- name: insert_answer
INSERT INTO answer (project, event_id, digest, version, claims, gave_up)
VALUES (%(project)s, %(event_id)s, %(digest)b, %(version)s, %(claims)s::jsonb, %(gave_up)s)
ON CONFLICT DO NOTHING

-- name: spend
INSERT INTO model_usage (project, day, requests, input_tokens, output_tokens)
VALUES (%(project)s, %(day)s, 1, %(input_tokens)s, %(output_tokens)s)
ON CONFLICT ON CONSTRAINT model_usage_pkey DO UPDATE
SET requests = model_usage.requests + 1,
    input_tokens = model_usage.input_tokens + excluded.input_tokens,
    output_tokens = model_usage.output_tokens + excluded.output_tokens

-- name: select_usage
-- What models were asked of a project, in all and today.
SELECT coalesce(sum(requests), 0)::bigint AS requests,
       coalesce(sum(input_tokens), 0)::bigint AS input_tokens,
       coalesce(sum(output_tokens), 0)::bigint AS output_tokens,
       coalesce(sum(input_tokens + output_tokens) FILTER (WHERE day = %(day)s), 0)::bigint
           AS tokens_today
FROM model_usage
WHERE project = %(project)s

-- name: select_queue
SELECT count(*) AS waiting,
       extract(epoch FROM now() - min(asked_since))::float AS oldest_seconds
FROM question
WHERE project = %(project)s

-- name: select_given_up
SELECT count(*) AS given_up FROM answer WHERE project = %(project)s AND gave_up IS NOT NULL
