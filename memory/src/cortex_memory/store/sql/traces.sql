-- name: append
-- The accounts of some requests.
INSERT INTO trace (project, id, asked_at, request, status, warnings, candidates, facts_served,
    episodes_served, duration_ms)
VALUES (%(project)s, %(id)s, %(asked_at)s, %(request)s, %(status)s, %(warnings)s, %(candidates)s,
    %(facts_served)s, %(episodes_served)s, %(duration_ms)s)
ON CONFLICT ON CONSTRAINT trace_key DO NOTHING;

-- name: trim
-- Keep the latest of a project, and of these only what is not too old.
DELETE FROM trace
WHERE project = %(project)s AND (
    asked_at < now() - make_interval(days => %(days)s)
    OR asked_at < (
        SELECT asked_at FROM trace WHERE project = %(project)s
        ORDER BY asked_at DESC OFFSET %(kept)s LIMIT 1
    )
);

-- name: find
-- One account.
SELECT id AS trace_id, project, asked_at, request, candidates, warnings, status, duration_ms
FROM trace WHERE project = %(project)s AND id = %(id)s;

-- name: figures
-- How the requests of a project fared, as far as their traces are kept.
SELECT count(*) AS requests,
    avg((facts_served > 0)::integer)::double precision AS injection_rate,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY duration_ms) AS latency_p50_ms,
    percentile_cont(0.95) WITHIN GROUP (ORDER BY duration_ms) AS latency_p95_ms
FROM trace WHERE project = %(project)s;
