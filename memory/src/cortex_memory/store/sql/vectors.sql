-- name: facts
-- The vectors of a memory's facts, in one piece.
SELECT pg_snapshot_xmin(pg_current_snapshot())::text, array_agg(id),
    string_agg(halfvec_send(vector), '')
FROM fact_embedding
WHERE project = %(project)s AND subject = %(subject)s AND model = %(model)s;

-- name: written_facts
-- Some of those written from a transaction on.
SELECT pg_snapshot_xmin(pg_current_snapshot())::text, array_agg(id),
    string_agg(halfvec_send(vector), '')
FROM (
    SELECT id, vector FROM fact_embedding
    WHERE project = %(project)s AND subject = %(subject)s AND model = %(model)s
        AND written >= %(since)s::text::xid8
    LIMIT %(most)s
) AS written;

-- name: episodes
-- As of facts.
SELECT pg_snapshot_xmin(pg_current_snapshot())::text, array_agg(id),
    string_agg(halfvec_send(vector), '')
FROM episode_embedding
WHERE project = %(project)s AND subject = %(subject)s AND model = %(model)s;

-- name: written_episodes
-- As of facts.
SELECT pg_snapshot_xmin(pg_current_snapshot())::text, array_agg(id),
    string_agg(halfvec_send(vector), '')
FROM (
    SELECT id, vector FROM episode_embedding
    WHERE project = %(project)s AND subject = %(subject)s AND model = %(model)s
        AND written >= %(since)s::text::xid8
    LIMIT %(most)s
) AS written;

-- name: extent_of_facts
-- How many vectors a memory's facts have, and from which transaction on some may be unseen.
SELECT count(*), pg_snapshot_xmin(pg_current_snapshot())::text FROM fact_embedding
WHERE project = %(project)s AND subject = %(subject)s AND model = %(model)s;

-- name: extent_of_episodes
-- How many vectors a memory's episodes have, and from which transaction on some may be unseen.
SELECT count(*), pg_snapshot_xmin(pg_current_snapshot())::text FROM episode_embedding
WHERE project = %(project)s AND subject = %(subject)s AND model = %(model)s;
