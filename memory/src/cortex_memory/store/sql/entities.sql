-- name: add_links
-- What a person says of two identifiers; one that is known already is not said again.
INSERT INTO identity_link (project, id, first, second, relation, status, rule, rule_version,
    evidence, linked_at)
SELECT * FROM unnest(%(project)s::text[], %(id)s::text[], %(first)s::text[], %(second)s::text[],
    %(relation)s::text[], %(status)s::text[], %(rule)s::text[], %(rule_version)s::integer[],
    %(evidence)s::text[], %(at)s::bigint[])
ON CONFLICT ON CONSTRAINT identity_link_key DO NOTHING
RETURNING project, first, second;

-- name: links_of_project
-- Every link of a project, or all that touch one of these identifiers.
SELECT project, id, first, second, relation, status, rule, rule_version, evidence, linked_at AS at
FROM known_link
WHERE project = %(project)s AND (%(ids)s::text[] IS NULL
    OR first = ANY(%(ids)s::text[]) OR second = ANY(%(ids)s::text[]));

-- name: ends_of_rule
-- What any link of a rule speaks of.
SELECT first, second FROM known_link
WHERE project = %(project)s AND rule = %(rule)s
    AND (%(rule_version)s::integer IS NULL OR rule_version = %(rule_version)s);

-- name: keys
-- Identifiers and what they are called, those named most first; of some entities, or of all.
SELECT id, scheme, value, entity, observations, memories, kinds, names
FROM identifier LEFT JOIN LATERAL (
    SELECT array_agg(kind ORDER BY observations DESC, kind) AS kinds,
        array_agg(name ORDER BY observations DESC, name) AS names
    FROM mention WHERE mention.project = identifier.project AND mention.identifier = identifier.id
) AS called ON true
WHERE identifier.project = %(project)s
    AND (%(entities)s::text[] IS NULL OR identifier.entity = ANY(%(entities)s::text[]))
ORDER BY observations DESC, id LIMIT %(limit)s;

-- name: find
-- Entities one of whose keys or names holds a text, those named most first.
SELECT entity FROM identifier
WHERE project = %(project)s AND (
    strpos(lower(value), lower(%(text)s)) > 0 OR EXISTS (
        SELECT FROM mention
        WHERE mention.project = identifier.project AND mention.identifier = identifier.id
            AND strpos(lower(mention.name), lower(%(text)s)) > 0
    )
)
GROUP BY entity ORDER BY sum(observations) DESC, entity LIMIT %(limit)s;

-- name: beginning_with
-- Which identifiers' ids begin so.
SELECT id FROM identifier WHERE project = %(project)s AND starts_with(id, %(beginning)s)
ORDER BY id LIMIT 2;

-- name: attendances
-- Who takes part in which traces, of those that have a key.
SELECT DISTINCT relation.project, episode.source, episode.trace, relation.origin AS identifier
FROM relation JOIN episode USING (project, observation_id)
WHERE relation.project = %(project)s AND relation.kind = 'takes_part_in'
    AND relation.origin_scheme <> 'name' AND episode.trace IS NOT NULL;
