-- name: counts
-- What memory holds of a project.
SELECT
    (SELECT count(*) FROM observation WHERE project = %(project)s) AS observations,
    (SELECT count(DISTINCT entity) FROM identifier WHERE project = %(project)s) AS entities,
    (SELECT count(*) FROM dead_letter WHERE project = %(project)s) AS rejected,
    count(*) AS conflicts_open,
    extract(epoch FROM now())::double precision - min(opened_at) / 1000.0::double precision
        AS oldest_conflict_seconds
FROM conflict_set WHERE project = %(project)s AND closed_at IS NULL;

-- name: facts
-- Facts by status.
SELECT status, count(*) FROM fact WHERE project = %(project)s GROUP BY status ORDER BY status;

-- name: outcomes
-- Candidates by what became of them.
SELECT outcome, candidates FROM outcome_count WHERE project = %(project)s ORDER BY outcome;

-- name: queues
-- What waits, and of dead letters how many are kept; of what waits for a vector only the event time
-- is known, so no age is given.
SELECT 'jobs' AS name, count(*) AS waiting,
    extract(epoch FROM now() - min(recorded_at))::double precision AS oldest_seconds,
    count(*) FILTER (WHERE state = 'failed') AS failed
FROM job WHERE project = %(project)s
UNION ALL
SELECT 'dead_letters', count(*) FILTER (WHERE NOT published),
    extract(epoch FROM now() - min(received_at) FILTER (WHERE NOT published))::double precision,
    count(*)
FROM dead_letter WHERE project = %(project)s
UNION ALL
SELECT 'embeddings', count(*), NULL, NULL FROM embedding_backlog WHERE project = %(project)s
UNION ALL
SELECT 'changes', count(*), NULL, NULL FROM change_outbox WHERE project = %(project)s;
