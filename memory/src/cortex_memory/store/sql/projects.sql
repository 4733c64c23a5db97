-- name: register
-- A project's key is made at first sight and never changed.
INSERT INTO project (project, digest_key) VALUES (%(project)s, %(digest_key)s)
ON CONFLICT (project) DO NOTHING;

-- name: keys
-- The keys of these projects' digests.
SELECT project, digest_key FROM project WHERE project = ANY(%(projects)s);
