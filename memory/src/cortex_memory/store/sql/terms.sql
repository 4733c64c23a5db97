-- name: unread_memory
-- A memory of which some text was stored before terms were.
SELECT project, subject FROM (
    (SELECT project, subject FROM episode WHERE terms IS NULL LIMIT 1)
    UNION ALL
    (SELECT project, subject FROM fact WHERE terms IS NULL LIMIT 1)
) AS unread LIMIT 1;

-- name: unread_episodes
-- Its episodes without terms.
SELECT observation_id AS id, author_name, text FROM episode
WHERE project = %(project)s AND subject = %(subject)s AND terms IS NULL
ORDER BY observation_id LIMIT %(limit)s;

-- name: unread_facts
-- Its facts without terms.
SELECT id, text, status, conflict_id FROM fact
WHERE project = %(project)s AND subject = %(subject)s AND terms IS NULL
ORDER BY id LIMIT %(limit)s;

-- name: read_episodes
-- These are found by their words from now on.
UPDATE episode SET terms = read.terms
FROM unnest(%(ids)s::text[], %(terms)s::text[]) AS read (id, terms)
WHERE episode.project = %(project)s AND episode.observation_id = read.id;

-- name: read_facts
-- So are these.
UPDATE fact SET terms = read.terms
FROM unnest(%(ids)s::text[], %(terms)s::text[]) AS read (id, terms)
WHERE fact.project = %(project)s AND fact.id = read.id;
