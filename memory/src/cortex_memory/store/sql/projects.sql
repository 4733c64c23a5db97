-- name: register
-- A project's key is made at first sight and never changed.
INSERT INTO project (project, digest_key, catalogue)
VALUES (%(project)s, %(digest_key)s, %(catalogue)s)
ON CONFLICT (project) DO NOTHING;

-- name: rebuilt
-- All of the project's facts are computed by this catalogue.
UPDATE project SET catalogue = %(catalogue)s
WHERE project = %(project)s AND catalogue IS DISTINCT FROM %(catalogue)s;

-- name: catalogues
-- By which catalogue each project's facts are computed.
SELECT project, catalogue FROM project ORDER BY project;

-- name: keys
-- The keys of these projects' digests.
SELECT project, digest_key FROM project WHERE project = ANY(%(projects)s);
