-- name: ask
-- A request is carried out once.
INSERT INTO forgetting (project, id, subject, scope, target, mode, requested_by, requested_at)
VALUES (%(project)s, %(id)s, %(subject)s, %(scope)s, %(target)s, %(mode)s, %(requested_by)s,
    %(requested_at)s)
ON CONFLICT ON CONSTRAINT forgetting_key DO NOTHING
RETURNING id;

-- name: find
-- How far a request has come.
SELECT project, id, subject, scope, target, mode, requested_by, requested_at, state, removed, kept_digests
FROM forgetting WHERE project = %(project)s AND id = %(id)s;

-- name: hold_unfinished
-- A request that nobody else works on: before all those that have not begun, then the oldest.
SELECT project, id, subject, scope, target, mode, requested_by, requested_at, state, removed, kept_digests
FROM forgetting WHERE state <> 'finished'
ORDER BY state <> 'asked', recorded_at, id
LIMIT 1
FOR UPDATE SKIP LOCKED;

-- name: advance
-- It has come so far.
UPDATE forgetting SET state = %(state)s, removed = removed || %(removed)s::jsonb,
    kept_digests = kept_digests + %(kept_digests)s
WHERE project = %(project)s AND id = %(id)s;

-- name: lake_rows
-- What the lake has to be told for a request.
SELECT position, owner, source, source_ref, until FROM lake_forget
WHERE project = %(project)s AND forget_id = %(id)s ORDER BY position LIMIT %(limit)s;

-- name: remove_lake_rows
-- The lake has confirmed these.
DELETE FROM lake_forget WHERE position = ANY(%(positions)s);

-- name: finish
-- It is finished unless something of it has come again meanwhile.
UPDATE forgetting SET state = 'finished'
WHERE project = %(project)s AND id = %(id)s AND NOT EXISTS (
    SELECT FROM lake_forget WHERE project = %(project)s AND forget_id = %(id)s
);

-- name: groups
-- Whose announcements have to go.
SELECT subject, about, predicate FROM forgotten_group
WHERE project = %(project)s AND forget_id = %(id)s;

-- name: remove_groups
-- They are gone.
DELETE FROM forgotten_group WHERE project = %(project)s AND forget_id = %(id)s;

-- name: owner
-- By which identifiers the owner of a memory is known.
SELECT id, scheme, value FROM identifier WHERE project = %(project)s AND entity = %(subject)s
ORDER BY id;

-- name: observation
-- One observation, if it is of this memory.
SELECT observation.id, observation.subject_identifier, observation.source, observation.source_ref
FROM observation
LEFT JOIN identifier ON identifier.project = observation.project
    AND identifier.id = observation.subject_identifier
WHERE observation.project = %(project)s AND observation.id = %(id)s
    AND coalesce(identifier.entity, observation.subject_identifier) = %(subject)s;

-- name: has_memory
-- Whether anything went to the memory of this identifier.
SELECT FROM observation
WHERE project = %(project)s AND subject_identifier = %(identifier)s LIMIT 1;

-- name: enqueue
-- These are retained once more.
INSERT INTO job (project, observation_id, subject_identifier, said_at)
SELECT project, id, subject_identifier, said_at FROM observation
JOIN unnest(%(project)s::text[], %(id)s::text[]) AS wanted (project, id) USING (project, id)
ON CONFLICT ON CONSTRAINT job_key DO UPDATE
    SET state = 'pending', due_at = now(), lease_token = NULL, attempts = 0, error = NULL;

-- name: vacuum
-- Rows that were deleted go, where no transaction sees them still.
VACUUM observation, candidate, job, kept_assertion, episode, assertion, fact, fact_source,
    fact_embedding, episode_embedding, embedding_backlog, mention, identifier, relation, trace,
    change_outbox, dead_letter, decision, identity_link, lake_forget, posting;
