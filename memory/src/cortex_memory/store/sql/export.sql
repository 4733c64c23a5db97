-- name: count
-- How many records there are of a memory.
WITH own AS (
    SELECT id FROM identifier WHERE project = %(project)s AND entity = %(memory)s
), said AS (
    SELECT observation.id FROM observation JOIN own ON own.id = observation.subject_identifier
    WHERE observation.project = %(project)s
)
SELECT 1 + (SELECT count(*) FROM said)
    + (SELECT count(*) FROM candidate JOIN said ON said.id = candidate.observation_id
       WHERE candidate.project = %(project)s)
    + (SELECT count(*) FROM predicate_verdict WHERE project = %(project)s)
    + (SELECT count(*) FROM identity_link WHERE project = %(project)s
       AND (first IN (SELECT id FROM own) OR second IN (SELECT id FROM own)))
    + (SELECT count(*) FROM decision JOIN own ON own.id = decision.subject_identifier
       WHERE decision.project = %(project)s)
    + (SELECT count(*) FROM erasure JOIN own ON own.id = erasure.subject_identifier
       WHERE erasure.project = %(project)s);

-- name: project
-- The key of the digests: without it the rest cannot be told apart from what is forgotten.
SELECT ARRAY[project] AS key,
    json_build_object('project', project, 'digest_key', encode(digest_key, 'hex')) AS row
FROM project
WHERE project = %(project)s AND %(after)s::text[] IS NULL;

-- name: observation
-- Every revision of everything that went to the memory, up to a number of records and of bytes.
WITH picked AS (
    SELECT * FROM observation
    WHERE project = %(project)s
        AND subject_identifier IN (
            SELECT id FROM identifier WHERE project = %(project)s AND entity = %(memory)s
        )
        AND (%(after)s::text[] IS NULL OR id > (%(after)s::text[])[1])
    ORDER BY id LIMIT %(records)s
), measured AS (
    SELECT id, octet_length(content) AS size,
        sum(octet_length(content)) OVER (ORDER BY id) AS total
    FROM picked
)
SELECT ARRAY[picked.id] AS key, row_to_json(picked) AS row
FROM picked JOIN measured USING (id)
WHERE total <= %(bytes)s OR total = size
ORDER BY picked.id;

-- name: candidate
-- What was ever found in them.
WITH picked AS (
    SELECT candidate.* FROM candidate
    JOIN observation ON observation.project = candidate.project
        AND observation.id = candidate.observation_id
    WHERE candidate.project = %(project)s
        AND observation.subject_identifier IN (
            SELECT id FROM identifier WHERE project = %(project)s AND entity = %(memory)s
        )
        AND (%(after)s::text[] IS NULL
            OR (candidate.observation_id, extractor, extractor_version)
                > ((%(after)s::text[])[1], (%(after)s::text[])[2],
                    (%(after)s::text[])[3]::integer))
    ORDER BY candidate.observation_id, extractor, extractor_version LIMIT %(records)s
), measured AS (
    SELECT observation_id, extractor, extractor_version,
        octet_length(candidates::text) AS size,
        sum(octet_length(candidates::text))
            OVER (ORDER BY observation_id, extractor, extractor_version) AS total
    FROM picked
)
SELECT ARRAY[observation_id, extractor, extractor_version::text] AS key,
    row_to_json(picked) AS row
FROM picked JOIN measured USING (observation_id, extractor, extractor_version)
WHERE total <= %(bytes)s OR total = size
ORDER BY observation_id, extractor, extractor_version;

-- name: predicate_verdict
-- Which names of predicates mean the same in this project.
SELECT ARRAY[id] AS key, row_to_json(predicate_verdict) AS row FROM predicate_verdict
WHERE project = %(project)s
    AND (%(after)s::text[] IS NULL OR id > (%(after)s::text[])[1])
ORDER BY id LIMIT %(records)s;

-- name: identity_link
-- What was ever decided on who the owner is.
SELECT ARRAY[id] AS key, row_to_json(identity_link) AS row FROM identity_link
WHERE project = %(project)s
    AND (
        first IN (SELECT id FROM identifier WHERE project = %(project)s AND entity = %(memory)s)
        OR second IN (SELECT id FROM identifier WHERE project = %(project)s AND entity = %(memory)s)
    )
    AND (%(after)s::text[] IS NULL OR id > (%(after)s::text[])[1])
ORDER BY id LIMIT %(records)s;

-- name: decision
-- What persons decided in this memory.
SELECT ARRAY[id] AS key, row_to_json(decision) AS row FROM decision
WHERE project = %(project)s
    AND subject_identifier IN (
        SELECT id FROM identifier WHERE project = %(project)s AND entity = %(memory)s
    )
    AND (%(after)s::text[] IS NULL OR id > (%(after)s::text[])[1])
ORDER BY id LIMIT %(records)s;

-- name: erasure
-- What is forgotten of it.
SELECT ARRAY[id] AS key, row_to_json(erasure) AS row FROM erasure
WHERE project = %(project)s
    AND subject_identifier IN (
        SELECT id FROM identifier WHERE project = %(project)s AND entity = %(memory)s
    )
    AND (%(after)s::text[] IS NULL OR id > (%(after)s::text[])[1])
ORDER BY id LIMIT %(records)s;
