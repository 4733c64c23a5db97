-- name: register_model
-- The number of a model, given at first sight.
WITH registered AS (
    INSERT INTO embedding_model (name, digest, dimensions)
    VALUES (%(name)s, %(digest)s, %(dimensions)s)
    ON CONFLICT ON CONSTRAINT embedding_model_once DO NOTHING
    RETURNING id
)
SELECT id FROM registered
UNION ALL
SELECT id FROM embedding_model
WHERE name = %(name)s AND digest = %(digest)s AND dimensions = %(dimensions)s
LIMIT 1;

-- name: enqueue_missing
-- All that has no vector of this model waits for one.
WITH missing AS (
    SELECT fact.project, fact.subject, 'fact' AS kind, fact.id, fact.first_said_at AS said_at
    FROM fact
    WHERE fact.status IN ('active', 'candidate') AND NOT EXISTS (
        SELECT FROM fact_embedding WHERE fact_embedding.project = fact.project
            AND fact_embedding.subject = fact.subject AND fact_embedding.model = %(model)s
            AND fact_embedding.id = fact.id)
    UNION ALL
    SELECT episode.project, episode.subject, 'episode', episode.observation_id, episode.said_at
    FROM episode
    WHERE episode.embeddable AND NOT EXISTS (
        SELECT FROM episode_embedding WHERE episode_embedding.project = episode.project
            AND episode_embedding.subject = episode.subject
            AND episode_embedding.model = %(model)s
            AND episode_embedding.id = episode.observation_id)
)
INSERT INTO embedding_backlog (project, subject, kind, id, said_at)
SELECT project, subject, kind, id, said_at FROM missing
ON CONFLICT ON CONSTRAINT embedding_backlog_key DO NOTHING;

-- name: waiting
-- The newest that wait for a vector, of one project after the other: none waits for another's.
SELECT queued.project, queued.kind, queued.id
FROM project
CROSS JOIN LATERAL (
    SELECT waiting.project, waiting.kind, waiting.id, waiting.said_at,
        row_number() OVER (ORDER BY waiting.said_at DESC, waiting.id) AS turn
    FROM embedding_backlog AS waiting
    WHERE waiting.project = project.project AND waiting.failed_model IS NULL
    ORDER BY waiting.said_at DESC, waiting.id
    LIMIT %(limit)s
) AS queued
ORDER BY queued.turn, queued.said_at DESC, queued.project, queued.id, queued.kind
LIMIT %(limit)s;

-- name: fail
-- The model cannot embed these as they read: they are kept, and wait for another text or model.
UPDATE embedding_backlog SET failed_model = %(model)s, failure = failed.reason
FROM unnest(%(projects)s::text[], %(kinds)s::text[], %(ids)s::text[], %(reasons)s::text[])
    AS failed (project, kind, id, reason)
WHERE embedding_backlog.project = failed.project AND embedding_backlog.kind = failed.kind
    AND embedding_backlog.id = failed.id;

-- name: try_again
-- What another model could not embed waits for this one.
UPDATE embedding_backlog SET failed_model = NULL, failure = NULL
WHERE failed_model <> %(model)s;

-- name: hold
-- Those of them that still wait, kept so until the transaction ends.
SELECT project, kind, id FROM embedding_backlog
WHERE (project, kind, id) IN (
    SELECT * FROM unnest(%(projects)s::text[], %(kinds)s::text[], %(ids)s::text[]))
FOR UPDATE SKIP LOCKED;

-- name: texts
-- What is to be embedded of those that are or may be served: facts, and what people and agents said.
SELECT waiting.project, waiting.kind, waiting.id, concat_ws(' ', (
        SELECT mention.name FROM identifier
        JOIN mention ON mention.project = identifier.project
            AND mention.identifier = identifier.id
        WHERE identifier.project = fact.project AND identifier.entity = fact.about
        ORDER BY mention.observations DESC, mention.name LIMIT 1
    ), fact.text) AS text
FROM unnest(%(projects)s::text[], %(kinds)s::text[], %(ids)s::text[]) AS waiting (project, kind, id)
JOIN fact ON fact.project = waiting.project AND fact.id = waiting.id
WHERE waiting.kind = 'fact' AND fact.status IN ('active', 'candidate')
UNION ALL
SELECT waiting.project, waiting.kind, waiting.id,
    left(concat_ws(': ', episode.author_name, episode.text), %(characters)s)
FROM unnest(%(projects)s::text[], %(kinds)s::text[], %(ids)s::text[]) AS waiting (project, kind, id)
JOIN episode ON episode.project = waiting.project AND episode.observation_id = waiting.id
WHERE waiting.kind = 'episode' AND episode.embeddable;

-- name: forget_facts
-- The vectors that these facts had.
DELETE FROM fact_embedding
USING unnest(%(projects)s::text[], %(kinds)s::text[], %(ids)s::text[]) AS changed (project, kind, id)
WHERE changed.kind = 'fact' AND fact_embedding.project = changed.project
    AND fact_embedding.id = changed.id AND fact_embedding.model = %(model)s;

-- name: forget_episodes
-- The vectors that these episodes had.
DELETE FROM episode_embedding
USING unnest(%(projects)s::text[], %(kinds)s::text[], %(ids)s::text[]) AS changed (project, kind, id)
WHERE changed.kind = 'episode' AND episode_embedding.project = changed.project
    AND episode_embedding.id = changed.id AND episode_embedding.model = %(model)s;

-- name: store_facts
-- The vectors of facts.
INSERT INTO fact_embedding (project, subject, model, id, vector)
SELECT fact.project, fact.subject, %(model)s, fact.id, made.vector::halfvec
FROM unnest(%(projects)s::text[], %(kinds)s::text[], %(ids)s::text[], %(vectors)s::text[])
    AS made (project, kind, id, vector)
JOIN fact ON fact.project = made.project AND fact.id = made.id
WHERE made.kind = 'fact';

-- name: store_episodes
-- The vectors of episodes.
INSERT INTO episode_embedding (project, subject, model, id, vector)
SELECT episode.project, episode.subject, %(model)s, episode.observation_id, made.vector::halfvec
FROM unnest(%(projects)s::text[], %(kinds)s::text[], %(ids)s::text[], %(vectors)s::text[])
    AS made (project, kind, id, vector)
JOIN episode ON episode.project = made.project AND episode.observation_id = made.id
WHERE made.kind = 'episode';

-- name: finish
-- These wait no longer.
DELETE FROM embedding_backlog
USING unnest(%(projects)s::text[], %(kinds)s::text[], %(ids)s::text[]) AS done (project, kind, id)
WHERE embedding_backlog.project = done.project AND embedding_backlog.kind = done.kind
    AND embedding_backlog.id = done.id;
