-- name: add
-- The journal holds each decision once.
INSERT INTO decision (project, id, subject_identifier, decided_at, kind, content, decided_by,
    reason)
VALUES (%(project)s, %(id)s, %(subject_identifier)s, %(decided_at)s, %(kind)s, %(content)s::json,
    %(decided_by)s, %(reason)s)
ON CONFLICT ON CONSTRAINT decision_key DO NOTHING
RETURNING id;

-- name: add_scopes
-- What it speaks of.
INSERT INTO decision_scope (project, subject_identifier, about, decision_id)
SELECT project, subject_identifier, about, decision_id
FROM unnest(%(project)b::text[], %(subject_identifier)b::text[], %(about)b::text[],
    %(decision_id)b::text[]) AS scopes (project, subject_identifier, about, decision_id);

-- name: of_id
-- A decision that the journal holds already.
SELECT project, id, subject_identifier, decided_at, kind, content, decided_by, reason
FROM decision WHERE project = %(project)s AND id = ANY(%(ids)s);

-- name: of_project
-- All that was ever decided in a project.
SELECT project, id, subject_identifier, decided_at, kind, content, decided_by, reason
FROM decision WHERE project = %(project)s;

-- name: of_scopes
-- What was decided on anything that is said about these in these memories.
SELECT project, id, subject_identifier, decided_at, kind, content, decided_by, reason
FROM decision
WHERE (project, id) IN (
    SELECT project, decision_id
    FROM unnest(%(project)b::text[], %(subject_identifier)b::text[], %(about)b::text[])
        AS scopes (project, subject_identifier, about)
    JOIN decision_scope USING (project, subject_identifier, about)
);

-- name: standing
-- Which of the named assertions are said today.
SELECT DISTINCT assertion.id
FROM unnest(%(project)b::text[], %(subject_identifier)b::text[], %(record)b::text[],
    %(id)b::text[]) AS names (project, subject_identifier, record, id)
JOIN episode USING (project, subject_identifier, record)
JOIN assertion ON assertion.project = episode.project
    AND assertion.observation_id = episode.observation_id AND assertion.id = names.id;

-- name: groups
-- The groups in which the records behind the named assertions say anything today.
SELECT DISTINCT assertion.project, assertion.subject, assertion.about, assertion.predicate
FROM unnest(%(project)b::text[], %(subject_identifier)b::text[], %(record)b::text[])
    AS names (project, subject_identifier, record)
JOIN episode USING (project, subject_identifier, record)
JOIN assertion ON assertion.project = episode.project
    AND assertion.observation_id = episode.observation_id;

-- name: facts
-- The facts that answer to these ids: those of any assertion behind them.
SELECT DISTINCT names.name, fact.project, fact.id, fact.subject, fact.about, fact.predicate,
    fact.status, fact.conflict_id
FROM unnest(%(names)b::text[]) AS names (name)
JOIN fact_source
    ON fact_source.project = %(project)s AND fact_source.assertion_id = names.name
JOIN fact ON fact.project = fact_source.project AND fact.id = fact_source.fact_id;

-- name: members
-- The facts that contradict each other in an open conflict.
SELECT id AS name, project, id, subject, about, predicate, status, conflict_id
FROM fact
WHERE project = %(project)s AND subject = %(subject)s AND about = %(about)s
    AND predicate = %(predicate)s AND conflict_id = %(conflict_id)s
ORDER BY id;

-- name: behind
-- The assertions behind facts.
SELECT fact.id AS fact_id, assertion.content
FROM fact
JOIN fact_source ON fact_source.project = fact.project AND fact_source.fact_id = fact.id
JOIN assertion ON assertion.project = fact.project AND assertion.subject = fact.subject
    AND assertion.about = fact.about AND assertion.predicate = fact.predicate
    AND assertion.id = fact_source.assertion_id
WHERE fact.project = %(project)s AND fact.id = ANY(%(ids)s);

-- name: sources
-- Which assertions stand behind a fact, and which of them confirm it.
SELECT assertion_id, counted FROM fact_source
WHERE project = %(project)s AND fact_id = %(fact_id)s;
