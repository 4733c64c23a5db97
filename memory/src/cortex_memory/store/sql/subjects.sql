-- name: project_key
-- The key of a project's digests; no row: the project has no memory yet.
SELECT digest_key FROM project WHERE project = %(project)s;

-- name: entities
-- The entities that identifiers belong to.
SELECT id, entity FROM identifier WHERE project = %(project)s AND id = ANY(%(ids)s);

-- name: entities_now
-- The same, with the snapshot that shows them.
SELECT id, entity, pg_current_snapshot()::text FROM identifier
WHERE project = %(project)s AND id = ANY(%(ids)s);

-- name: names
-- What entities are called: the name most used, else one of their identifiers.
SELECT DISTINCT ON (identifier.entity) identifier.entity,
    coalesce(mention.name, identifier.value) AS name
FROM identifier
LEFT JOIN mention ON mention.project = identifier.project AND mention.identifier = identifier.id
WHERE identifier.project = %(project)s AND identifier.entity = ANY(%(entities)s)
ORDER BY identifier.entity, mention.observations DESC NULLS LAST, 2;
