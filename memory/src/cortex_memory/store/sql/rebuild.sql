-- name: counted
-- Every observation of a project that counts.
SELECT observation.id, observation.made_by, observation.content FROM episode
JOIN observation ON observation.project = episode.project
    AND observation.id = episode.observation_id
WHERE episode.project = %(project)s;

-- name: identities
-- Who is who so far.
SELECT id, entity FROM identifier WHERE project = %(project)s;

-- name: clear_identities
-- Who is who is counted anew.
WITH links AS (DELETE FROM automatic_link WHERE project = %(project)s),
    mentions AS (DELETE FROM mention WHERE project = %(project)s)
DELETE FROM identifier WHERE project = %(project)s;

-- name: memories
-- Every observation of a project, whatever counts, by the memory that it went to; but for those
-- that wait for a model: they count once its answer is there.
SELECT coalesce(identifier.entity, observation.subject_identifier) AS memory,
    coalesce(
        array_agg(observation.id ORDER BY observation.said_at, observation.id)
            FILTER (WHERE job.awaits_model IS NOT TRUE),
        '{}'
    ) AS observations,
    min(observation.subject_identifier) AS subject_identifier
FROM observation
LEFT JOIN job ON job.project = observation.project AND job.observation_id = observation.id
LEFT JOIN identifier ON identifier.project = observation.project
    AND identifier.id = observation.subject_identifier
WHERE observation.project = %(project)s
GROUP BY 1 ORDER BY 1;

-- name: counting
-- The observations that count in a memory.
SELECT observation_id FROM episode WHERE project = %(project)s AND subject = %(memory)s;

-- name: strays
-- Memories of which something is stored though nothing went to them.
SELECT subject FROM (
    SELECT subject FROM fact WHERE project = %(project)s
    UNION SELECT subject FROM conflict_set WHERE project = %(project)s
    UNION SELECT subject FROM assertion WHERE project = %(project)s
    UNION SELECT subject FROM group_due WHERE project = %(project)s
) AS stored
WHERE subject <> ALL(%(memories)s);

-- name: clear_memories
-- What these hold of facts is computed anew.
WITH versions AS (
        UPDATE subject_state SET version = version + 1
        WHERE project = %(project)s AND subject = ANY(%(memories)s)
    ), facts AS (
        DELETE FROM fact WHERE project = %(project)s AND subject = ANY(%(memories)s)
    ), conflicts AS (
        DELETE FROM conflict_set WHERE project = %(project)s AND subject = ANY(%(memories)s)
    ), due AS (
        DELETE FROM group_due WHERE project = %(project)s AND subject = ANY(%(memories)s)
    ), waiting AS (
        DELETE FROM embedding_backlog
        WHERE project = %(project)s AND subject = ANY(%(memories)s) AND kind = 'fact'
    )
DELETE FROM assertion WHERE project = %(project)s AND subject = ANY(%(memories)s);

-- name: groups
-- Every group of which anything is stored in a memory.
SELECT project, subject, about, predicate FROM assertion
WHERE project = %(project)s AND subject = %(memory)s
UNION SELECT project, subject, about, predicate FROM fact
WHERE project = %(project)s AND subject = %(memory)s
UNION SELECT project, subject, about, predicate FROM conflict_set
WHERE project = %(project)s AND subject = %(memory)s
UNION SELECT project, subject, about, predicate FROM group_due
WHERE project = %(project)s AND subject = %(memory)s;

-- name: clear_said
-- What was said in a memory, and who is related there.
WITH relations AS (
    DELETE FROM relation WHERE project = %(project)s AND subject = %(memory)s
)
DELETE FROM assertion WHERE project = %(project)s AND subject = %(memory)s;

-- name: episodes
-- What counts in a memory.
SELECT project, subject, observation_id, subject_identifier, source, source_ref, record, category,
    said_at, trace, author, author_name, text, terms, embeddable, origin
FROM episode WHERE project = %(project)s AND subject = %(memory)s;

-- name: distrust_facts
-- These are written anew, whatever their digest says.
UPDATE fact SET row_digest = '' WHERE project = %(project)s AND id = ANY(%(ids)s);

-- name: distrust_conflicts
-- So are these.
UPDATE conflict_set SET row_digest = '' WHERE project = %(project)s AND id = ANY(%(ids)s);

-- name: facts
-- The facts of a memory.
SELECT project, subject, about, predicate, slot, id, value::text AS value, value_digest,
    qualifiers::text AS qualifiers, text, terms, status, mark, authority, confidence, confirmations,
    kind, volatility, valid_from, valid_until, first_said_at, last_confirmed_at, supersedes_id,
    conflict_id, row_digest
FROM fact WHERE project = %(project)s AND subject = %(memory)s;

-- name: sources
-- Everything behind them.
SELECT fact_source.project, fact_id, assertion_id, observation_id, source, source_ref, said_at,
    counted
FROM fact_source JOIN fact ON fact.project = fact_source.project AND fact.id = fact_id
WHERE fact.project = %(project)s AND subject = %(memory)s;

-- name: conflicts
-- The conflict sets of a memory.
SELECT project, subject, about, predicate, slot, id, opened_at, closed_at, row_digest
FROM conflict_set WHERE project = %(project)s AND subject = %(memory)s;

-- name: members
-- All that ever joined them.
SELECT conflict_member.project, conflict_id, fact_id, position
FROM conflict_member JOIN conflict_set ON conflict_set.project = conflict_member.project
    AND conflict_set.id = conflict_id
WHERE conflict_set.project = %(project)s AND subject = %(memory)s;
