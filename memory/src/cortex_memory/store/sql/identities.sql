-- name: add
-- Identifiers that were not known; each is at first an entity of its own. Links may await them.
INSERT INTO identifier (project, id, scheme, value, entity, observations, memories)
SELECT project, id, scheme, value, id, 0, 0
FROM unnest(%(project)b::text[], %(id)b::text[], %(scheme)b::text[], %(value)b::text[])
    AS incoming (project, id, scheme, value)
WHERE NOT EXISTS (
    SELECT FROM identifier
    WHERE identifier.project = incoming.project AND identifier.id = incoming.id
)
ORDER BY project, id
ON CONFLICT ON CONSTRAINT identifier_key DO NOTHING
RETURNING project, id,
    EXISTS (SELECT FROM known_link AS waiting
        WHERE waiting.project = identifier.project AND waiting.first = identifier.id)
    OR EXISTS (SELECT FROM known_link AS waiting
        WHERE waiting.project = identifier.project AND waiting.second = identifier.id)
    AS is_awaited;

-- name: without_memory
-- Which of these own no memory so far.
SELECT project, id
FROM unnest(%(project)b::text[], %(id)b::text[]) AS wanted (project, id)
JOIN identifier USING (project, id)
WHERE memories = 0;

-- name: count
-- So many more current observations name them, in this spelling; or fewer.
UPDATE identifier SET observations = identifier.observations + delta.observations,
    memories = identifier.memories + delta.memories,
    value = LEAST(identifier.value COLLATE "C", delta.value)
FROM unnest(%(project)b::text[], %(id)b::text[], %(value)b::text[], %(observations)b::bigint[],
    %(memories)b::bigint[]) AS delta (project, id, value, observations, memories)
WHERE identifier.project = delta.project AND identifier.id = delta.id;

-- name: remove_unnamed
-- Those of these that no current observation names any more.
DELETE FROM identifier
USING unnest(%(project)b::text[], %(id)b::text[]) AS wanted (project, id)
WHERE identifier.project = wanted.project AND identifier.id = wanted.id AND observations = 0;

-- name: unknown_links
-- Those of the links that no current observation has stated so far.
SELECT project, id
FROM unnest(%(project)b::text[], %(id)b::text[]) AS wanted (project, id)
WHERE NOT EXISTS (
    SELECT FROM automatic_link AS known
    WHERE known.project = wanted.project AND known.id = wanted.id
);

-- name: count_links
-- So many more current observations state these links, or fewer.
INSERT INTO automatic_link (project, id, first, second, rule, rule_version, observations)
SELECT * FROM unnest(%(project)b::text[], %(id)b::text[], %(first)b::text[], %(second)b::text[],
    %(rule)b::text[], %(rule_version)b::integer[], %(observations)b::bigint[])
ON CONFLICT ON CONSTRAINT automatic_link_key DO UPDATE
    SET observations = automatic_link.observations + excluded.observations;

-- name: remove_unstated_links
-- Those of these that no current observation states any more.
DELETE FROM automatic_link
USING unnest(%(project)b::text[], %(id)b::text[]) AS wanted (project, id)
WHERE automatic_link.project = wanted.project AND automatic_link.id = wanted.id
    AND observations = 0;

-- name: count_mentions
-- So many more current observations call them so, or fewer.
INSERT INTO mention (project, identifier, kind, name, observations)
SELECT * FROM unnest(%(project)b::text[], %(identifier)b::text[], %(kind)b::text[],
    %(name)b::text[], %(observations)b::bigint[])
ON CONFLICT ON CONSTRAINT mention_key DO UPDATE
    SET observations = mention.observations + excluded.observations;

-- name: remove_unused_mentions
-- Names by which no current observation calls them any more.
DELETE FROM mention
USING unnest(%(project)b::text[], %(identifier)b::text[], %(kind)b::text[], %(name)b::text[])
    AS wanted (project, identifier, kind, name)
WHERE mention.project = wanted.project AND mention.identifier = wanted.identifier
    AND mention.kind = wanted.kind AND mention.name = wanted.name AND observations = 0;

-- name: reachable
-- These identifiers and all that any chain of links leads to.
WITH RECURSIVE reachable (project, id) AS (
    SELECT * FROM unnest(%(project)b::text[], %(id)b::text[])
    UNION
    SELECT reachable.project, linked.id
    FROM reachable CROSS JOIN LATERAL (
        SELECT second AS id FROM known_link
        WHERE project = reachable.project AND first = reachable.id
        UNION ALL
        SELECT first FROM known_link
        WHERE project = reachable.project AND second = reachable.id
    ) AS linked
)
SELECT project, id, scheme, value, entity, memories
FROM reachable JOIN identifier USING (project, id);

-- name: links_of
-- The links whose first identifier is one of these.
SELECT wanted.project, linked.id, first, second, relation, status, rule, rule_version, evidence,
    linked_at AS at
FROM unnest(%(project)b::text[], %(id)b::text[]) AS wanted (project, id)
JOIN known_link AS linked ON linked.project = wanted.project AND linked.first = wanted.id;

-- name: set_entity
-- Who they are from now on.
UPDATE identifier SET entity = changed.entity
FROM unnest(%(project)b::text[], %(id)b::text[], %(entity)b::text[])
    AS changed (project, id, entity)
WHERE identifier.project = changed.project AND identifier.id = changed.id;

-- name: entities_of
-- Who these are.
SELECT project, id, entity
FROM unnest(%(project)b::text[], %(id)b::text[]) AS wanted (project, id)
JOIN identifier USING (project, id);

-- name: members
-- Every identifier with the entity it belongs to.
SELECT entity, id FROM identifier WHERE project = %(project)s;
