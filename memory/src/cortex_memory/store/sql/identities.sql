-- name: add
-- Identifiers that were not known; each is at first an entity of its own.
INSERT INTO identifier (project, id, scheme, value, entity, owner)
SELECT project, id, scheme, value, id, owner
FROM unnest(%(project)s::text[], %(id)s::text[], %(scheme)s::text[], %(value)s::text[],
    %(owner)s::boolean[]) AS incoming (project, id, scheme, value, owner)
WHERE NOT EXISTS (
    SELECT FROM identifier
    WHERE identifier.project = incoming.project AND identifier.id = incoming.id
)
ORDER BY project, id
ON CONFLICT ON CONSTRAINT identifier_key DO NOTHING
RETURNING project, id;

-- name: new_owners
-- Known identifiers that have owned no memory so far.
SELECT identifier.project, identifier.id
FROM unnest(%(project)s::text[], %(id)s::text[], %(owner)s::boolean[])
    AS incoming (project, id, owner)
JOIN identifier USING (project, id)
WHERE incoming.owner AND NOT identifier.owner;

-- name: set_owner
-- They own a memory.
UPDATE identifier SET owner = true
FROM unnest(%(project)s::text[], %(id)s::text[]) AS owning (project, id)
WHERE identifier.project = owning.project AND identifier.id = owning.id;

-- name: respell
-- Of several spellings of one identifier the first in byte order is shown.
UPDATE identifier SET value = incoming.value
FROM unnest(%(project)s::text[], %(id)s::text[], %(value)s::text[])
    AS incoming (project, id, value)
WHERE identifier.project = incoming.project AND identifier.id = incoming.id
    AND incoming.value COLLATE "C" < identifier.value COLLATE "C";

-- name: new_links
-- Those of the links that the journal does not have.
SELECT incoming.project, incoming.id
FROM unnest(%(project)s::text[], %(id)s::text[]) AS incoming (project, id)
WHERE NOT EXISTS (
    SELECT FROM identity_link AS known
    WHERE known.project = incoming.project AND known.id = incoming.id
);

-- name: add_links
-- Append to the journal of links.
INSERT INTO identity_link (project, id, first, second, relation, status, rule, rule_version,
    evidence, linked_at)
SELECT * FROM unnest(%(project)s::text[], %(id)s::text[], %(first)s::text[], %(second)s::text[],
    %(relation)s::text[], %(status)s::text[], %(rule)s::text[], %(rule_version)s::integer[],
    %(evidence)s::text[], %(linked_at)s::bigint[])
ON CONFLICT ON CONSTRAINT identity_link_key DO NOTHING;

-- name: reachable
-- These identifiers and all that any chain of links leads to.
WITH RECURSIVE reachable (project, id) AS (
    SELECT * FROM unnest(%(project)s::text[], %(id)s::text[])
    UNION
    SELECT reachable.project, linked.id
    FROM reachable CROSS JOIN LATERAL (
        SELECT second AS id FROM identity_link
        WHERE project = reachable.project AND first = reachable.id
        UNION ALL
        SELECT first FROM identity_link
        WHERE project = reachable.project AND second = reachable.id
    ) AS linked
)
SELECT project, id, scheme, value, entity, owner
FROM reachable JOIN identifier USING (project, id);

-- name: links_of
-- The links whose first identifier is one of these.
SELECT project, identity_link.id, first, second, relation, status, rule, rule_version, evidence,
    linked_at AS at
FROM unnest(%(project)s::text[], %(id)s::text[]) AS wanted (project, id)
JOIN identity_link USING (project)
WHERE identity_link.first = wanted.id;

-- name: set_entity
-- Who they are from now on.
UPDATE identifier SET entity = changed.entity
FROM unnest(%(project)s::text[], %(id)s::text[], %(entity)s::text[])
    AS changed (project, id, entity)
WHERE identifier.project = changed.project AND identifier.id = changed.id;

-- name: entities_of
-- Who these are.
SELECT project, id, entity
FROM unnest(%(project)s::text[], %(id)s::text[]) AS wanted (project, id)
JOIN identifier USING (project, id);

-- name: all_identifiers
-- Every identifier with the entity it belongs to.
SELECT project, id, scheme, value, entity FROM identifier
WHERE %(project)s::text IS NULL OR project = %(project)s;

-- name: all_mentions
-- By which names current observations call whom, and how often.
SELECT project, identifier, kind, name, observations FROM mention
WHERE %(project)s::text IS NULL OR project = %(project)s;
