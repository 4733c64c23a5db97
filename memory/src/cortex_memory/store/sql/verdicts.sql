-- name: joining
-- Every verdict on the pairs of which any was ever joined.
SELECT id, decided_at AS at, project, first, second, same, model
FROM predicate_verdict
WHERE (project, first, second) IN (
    SELECT project, first, second FROM predicate_verdict
    WHERE project = ANY(%(projects)s) AND same
);

-- name: judged
-- On which of these pairs anybody has decided.
SELECT DISTINCT predicate_verdict.first, predicate_verdict.second
FROM unnest(%(first)b::text[], %(second)b::text[]) AS pairs (first, second)
JOIN predicate_verdict ON predicate_verdict.project = %(project)s
    AND predicate_verdict.first = pairs.first AND predicate_verdict.second = pairs.second;

-- name: names
-- Under which names anything is said in these scopes.
SELECT DISTINCT project, subject, about, content::json ->> 'predicate' AS name
FROM unnest(%(project)b::text[], %(subject)b::text[], %(about)b::text[])
    AS scopes (project, subject, about)
JOIN assertion USING (project, subject, about);

-- name: add
-- The journal holds each verdict once.
INSERT INTO predicate_verdict (project, id, first, second, same, model, decided_at, decided_by,
    reason)
SELECT project, id, first, second, same, model, at, decided_by, reason
FROM unnest(%(project)b::text[], %(id)b::text[], %(first)b::text[], %(second)b::text[],
    %(same)b::boolean[], %(model)b::text[], %(at)b::bigint[], %(decided_by)b::text[],
    %(reason)b::text[])
    AS verdicts (project, id, first, second, same, model, at, decided_by, reason)
ON CONFLICT ON CONSTRAINT predicate_verdict_key DO NOTHING
RETURNING id;

-- name: touch
-- Whatever may be folded together, or no longer, is due at once where both sides of a pair of names
-- are said.
WITH scopes AS (
        SELECT subject, about
        FROM assertion
        WHERE project = %(project)s AND predicate = ANY(%(places)s)
            AND content::json ->> 'predicate' = ANY(%(ones)s::text[] || %(others)s::text[])
        GROUP BY subject, about
        HAVING bool_or(content::json ->> 'predicate' = ANY(%(ones)s))
            AND bool_or(content::json ->> 'predicate' = ANY(%(others)s))
    )
INSERT INTO group_due (project, subject, about, predicate, due_at)
SELECT DISTINCT project, subject, about, predicate, 0
FROM assertion JOIN scopes USING (subject, about)
WHERE project = %(project)s AND predicate = ANY(%(places)s)
ON CONFLICT ON CONSTRAINT group_due_key DO UPDATE SET due_at = 0;

-- name: due
-- These groups are due at once.
INSERT INTO group_due (project, subject, about, predicate, due_at)
SELECT project, subject, about, predicate, 0
FROM unnest(%(project)b::text[], %(subject)b::text[], %(about)b::text[], %(predicate)b::text[])
    AS groups (project, subject, about, predicate)
ON CONFLICT ON CONSTRAINT group_due_key DO UPDATE SET due_at = 0;

-- name: in_use
-- The predicates of a project, with the names under which anything is said of them.
SELECT predicate, array_agg(DISTINCT name ORDER BY name) AS names, count(*) AS sayings,
    count(DISTINCT subject) AS memories
FROM (
    SELECT predicate, subject, content::json ->> 'predicate' AS name
    FROM assertion WHERE project = %(project)s
) AS said
GROUP BY predicate ORDER BY predicate LIMIT %(limit)s;

-- name: said
-- Under which of these names anything is said.
SELECT DISTINCT content::json ->> 'predicate' AS name FROM assertion
WHERE project = %(project)s AND content::json ->> 'predicate' = ANY(%(names)s);

-- name: listing
-- What was decided on names, the latest first; of each pair one verdict stands.
SELECT id, at, project, first, second, same, model, decided_by, reason, place = 1 AS stands
FROM (
    SELECT id, decided_at AS at, project, first, second, same, model, decided_by, reason,
        row_number() OVER (
            PARTITION BY first, second ORDER BY (model IS NULL) DESC, decided_at DESC, id DESC
        ) AS place
    FROM predicate_verdict
    WHERE project = %(project)s
        AND (%(name)s::text IS NULL OR first = %(name)s OR second = %(name)s)
) AS ranked
ORDER BY at DESC, id LIMIT %(limit)s;
