-- part: writer
-- Who wrote a row. The row names the transaction without its epoch: it is the latest such one.
CROSS JOIN LATERAL (
    SELECT pg_snapshot_xmax(%(snapshot)s::text::pg_snapshot)::text::bigint >> 32 << 32 AS epoch
) AS present
CROSS JOIN LATERAL (
    SELECT (present.epoch + written.low
        - CASE WHEN present.epoch + written.low > txid_current() THEN 1::bigint << 32 ELSE 0 END
    )::text::xid8 AS id
) AS writer

-- name: append
-- The account of a request. Of the facts that were served, those are counted whose retirement the
-- store showed already when the request began. Where something was erased since, it is not kept.
INSERT INTO trace (project, id, asked_at, request, status, warnings, candidates, facts_served,
    episodes_served, duration_ms, leaked)
SELECT %(project)s, %(id)s, %(asked_at)s, %(request)s, %(status)s, %(warnings)s, %(candidates)s,
    %(facts_served)s, %(episodes_served)s, %(duration_ms)s,
    CASE WHEN %(is_of_now)s THEN (
        SELECT count(*) FROM fact
        CROSS JOIN LATERAL (SELECT fact.xmin::text::bigint AS low) AS written
        -- use: writer
        WHERE fact.project = %(project)s AND fact.id = ANY(%(facts)s)
            AND fact.status IN
                ('superseded', 'ended', 'quarantined', 'disputed', 'disabled', 'erased')
            AND pg_visible_in_snapshot(writer.id, %(snapshot)s::text::pg_snapshot)
    ) END
WHERE NOT EXISTS (
    SELECT FROM forgetting
    CROSS JOIN LATERAL (SELECT forgetting.xmin::text::bigint AS low) AS written
    -- use: writer
    WHERE forgetting.project = %(project)s AND forgetting.state <> 'asked'
        AND forgetting.recorded_at > %(asked_at)s::timestamptz - interval '1 day'
        AND NOT pg_visible_in_snapshot(writer.id, %(snapshot)s::text::pg_snapshot)
)
ON CONFLICT ON CONSTRAINT trace_key DO NOTHING;

-- name: trim
-- Keep the latest of a project.
DELETE FROM trace
WHERE project = %(project)s AND asked_at < (
    SELECT asked_at FROM trace WHERE project = %(project)s
    ORDER BY asked_at DESC OFFSET %(kept)s LIMIT 1
);

-- name: expire
-- What is too old, of whatever project.
DELETE FROM trace WHERE asked_at < now() - make_interval(days => %(days)s);

-- name: find
-- One account.
SELECT id AS trace_id, project, asked_at, request, candidates, warnings, status, duration_ms
FROM trace WHERE project = %(project)s AND id = %(id)s;

-- name: figures
-- How the requests of a project fared, as far as their traces are kept.
SELECT count(*) AS requests,
    avg((facts_served > 0)::integer)::double precision AS injection_rate,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY duration_ms) AS latency_p50_ms,
    percentile_cont(0.95) WITHIN GROUP (ORDER BY duration_ms) AS latency_p95_ms,
    percentile_cont(0.99) WITHIN GROUP (ORDER BY duration_ms) AS latency_p99_ms,
    sum(leaked)::integer AS leakage
FROM trace WHERE project = %(project)s;
