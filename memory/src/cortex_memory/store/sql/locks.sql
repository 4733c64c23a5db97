-- name: share_projects
-- Nobody changes who is who in these projects until the transaction ends.
SELECT pg_advisory_xact_lock_shared(key) FROM (
    SELECT DISTINCT hashtextextended('identity/' || project, 0) AS key
    FROM unnest(%(projects)b::text[]) AS projects (project) ORDER BY key
) AS sorted;

-- name: own_projects
-- Nobody else retains anything in these projects until the transaction ends.
SELECT pg_advisory_xact_lock(key) FROM (
    SELECT DISTINCT hashtextextended('identity/' || project, 0) AS key
    FROM unnest(%(projects)b::text[]) AS projects (project) ORDER BY key
) AS sorted;

-- name: subjects
-- Nobody else decides on these memories until the transaction ends; sorted, so none wait in a ring.
SELECT pg_advisory_xact_lock(key) FROM (
    SELECT DISTINCT hashtextextended('subject/' || project || '/' || subject, 0) AS key
    FROM unnest(%(projects)b::text[], %(subjects)b::text[]) AS scopes (project, subject)
    ORDER BY key
) AS sorted;

-- name: try_subjects
-- The same without waiting: whether each was free.
SELECT pg_try_advisory_xact_lock(hashtextextended('subject/' || project || '/' || subject, 0))
FROM unnest(%(projects)b::text[], %(subjects)b::text[]) AS scopes (project, subject);
