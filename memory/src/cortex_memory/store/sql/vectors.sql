-- name: facts
-- The vectors of a memory's facts in one piece, or those written from a transaction on.
SELECT pg_snapshot_xmin(pg_current_snapshot())::text, array_agg(id),
    string_agg(halfvec_send(vector), '')
FROM (
    SELECT id, vector FROM fact_embedding
    WHERE project = %(project)s AND subject = %(subject)s AND model = %(model)s
        AND (%(since)s::text IS NULL OR written >= %(since)s::text::xid8)
    LIMIT %(most)s
) AS held;

-- name: episodes
-- As of facts.
SELECT pg_snapshot_xmin(pg_current_snapshot())::text, array_agg(id),
    string_agg(halfvec_send(vector), '')
FROM (
    SELECT id, vector FROM episode_embedding
    WHERE project = %(project)s AND subject = %(subject)s AND model = %(model)s
        AND (%(since)s::text IS NULL OR written >= %(since)s::text::xid8)
    LIMIT %(most)s
) AS held;

-- name: count_facts
-- How many vectors a memory's facts have.
SELECT count(*) FROM fact_embedding
WHERE project = %(project)s AND subject = %(subject)s AND model = %(model)s;

-- name: count_episodes
-- How many vectors a memory's episodes have.
SELECT count(*) FROM episode_embedding
WHERE project = %(project)s AND subject = %(subject)s AND model = %(model)s;
