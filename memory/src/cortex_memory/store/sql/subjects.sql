-- name: project_key
-- The key of a project's digests; no row: the project has no memory yet.
SELECT digest_key FROM project WHERE project = %(project)s;

-- name: entities
-- The entities that identifiers belong to.
SELECT id, entity FROM identifier WHERE project = %(project)s AND id = ANY(%(ids)s);
