-- name: listing
-- Which facts of one memory have one of these statuses, by predicate, then by time.
SELECT id FROM fact
WHERE project = %(project)s AND subject = %(subject)s AND status = ANY(%(statuses)s)
ORDER BY predicate, valid_from NULLS FIRST, first_said_at, id
LIMIT %(limit)s;

-- name: records
-- Facts as they are shown, by predicate, then by time.
WITH listed AS MATERIALIZED (
    SELECT * FROM fact WHERE project = %(project)s AND id = ANY(%(ids)s)
), called AS (
    SELECT DISTINCT ON (identifier.entity) identifier.entity,
        coalesce(mention.name, identifier.value) AS name
    FROM identifier
    LEFT JOIN mention
        ON mention.project = identifier.project AND mention.identifier = identifier.id
    WHERE identifier.project = %(project)s
        AND identifier.entity = ANY(ARRAY(SELECT DISTINCT about FROM listed))
    ORDER BY identifier.entity, mention.observations DESC NULLS LAST, 2
)
SELECT listed.id, listed.about, called.name AS about_name, listed.predicate, listed.value,
    listed.qualifiers, listed.status, listed.confidence, listed.confirmations, listed.authority,
    listed.kind, listed.volatility, listed.valid_from, listed.valid_until,
    listed.last_confirmed_at AS last_confirmed, listed.supersedes_id, listed.conflict_id,
    ARRAY(
        SELECT DISTINCT fact_source.observation_id FROM fact_source
        WHERE fact_source.project = listed.project AND fact_source.fact_id = listed.id
        ORDER BY fact_source.observation_id
    ) AS sources
FROM listed
LEFT JOIN called ON called.entity = listed.about
ORDER BY listed.predicate, listed.valid_from NULLS FIRST, listed.first_said_at, listed.id;
