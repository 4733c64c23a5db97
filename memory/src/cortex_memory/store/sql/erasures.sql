-- name: add
-- The journal holds each erasure once.
INSERT INTO erasure (project, id, subject_identifier, erased_at, kind, content, key_digest)
VALUES (%(project)s, %(id)s, %(subject_identifier)s, %(erased_at)s, %(kind)s, %(content)s::json,
    %(key_digest)s)
ON CONFLICT ON CONSTRAINT erasure_key DO NOTHING;

-- name: of_project
-- All that was ever forgotten in a project.
SELECT kind, content FROM erasure WHERE project = %(project)s;

-- name: withdrawals
-- What may cover observations of these keys.
SELECT kind, content
FROM unnest(%(project)s::text[], %(digest)s::text[]) AS wanted (project, key_digest)
JOIN erasure USING (project, key_digest)
UNION ALL
SELECT kind, content FROM erasure WHERE kind = 'scope' AND project = ANY(%(project)s::text[]);

-- name: of_scopes
-- The facts that were erased in these memories, about these entities.
SELECT erasure.project, wanted.subject, wanted.about, erasure.content
FROM unnest(%(project)s::text[], %(subject)s::text[], %(about)s::text[])
    AS wanted (project, subject, about)
JOIN erasure ON erasure.project = wanted.project AND erasure.kind = 'fact'
LEFT JOIN identifier AS owner
    ON owner.project = erasure.project AND owner.id = erasure.subject_identifier
LEFT JOIN identifier AS meant
    ON meant.project = erasure.project AND meant.id = erasure.content ->> 'about'
WHERE coalesce(owner.entity, erasure.subject_identifier) = wanted.subject
    AND coalesce(meant.entity, erasure.content ->> 'about') = wanted.about;

-- name: kept
-- What is left of these observations, if their content was erased.
SELECT project, observation_id, content
FROM unnest(%(project)s::text[], %(id)s::text[]) AS wanted (project, observation_id)
JOIN kept_assertion USING (project, observation_id);

-- name: kept_of_project
-- All that is left of observations without content.
SELECT content FROM kept_assertion WHERE project = %(project)s;

-- name: erased_keys
-- Which of these keys are never stored again, and who said so.
SELECT project, key_digest, forget_id
FROM unnest(%(project)s::text[], %(digest)s::text[]) AS wanted (project, key_digest)
JOIN erased_key USING (project, key_digest);
