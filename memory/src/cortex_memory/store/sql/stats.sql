-- name: counts
-- What memory holds of a project.
SELECT
    (SELECT count(*) FROM observation WHERE project = %(project)s) AS observations,
    (SELECT count(DISTINCT entity) FROM identifier WHERE project = %(project)s) AS entities,
    (SELECT count(*) FROM dead_letter WHERE project = %(project)s) AS rejected,
    EXISTS (
        SELECT FROM project
        WHERE project = %(project)s AND catalogue IS DISTINCT FROM %(catalogue)s::text
    ) AS catalogue_changed,
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
-- What waits and how long the oldest has; how many jobs failed and wait to be tried again, how many
-- dead letters are kept, and how many texts cannot be embedded.
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
SELECT 'embeddings', count(*) FILTER (WHERE failed_model IS NULL),
    extract(epoch FROM now() - min(queued_at) FILTER (WHERE failed_model IS NULL))
        ::double precision,
    count(failed_model)
FROM embedding_backlog WHERE project = %(project)s
UNION ALL
-- Since when a text waits to be read is not known.
SELECT 'texts', count(*), NULL, NULL FROM (
    SELECT FROM episode WHERE project = %(project)s AND terms IS NULL
    UNION ALL
    SELECT FROM fact WHERE project = %(project)s AND terms IS NULL
) AS unread
UNION ALL
SELECT 'changes', count(*), extract(epoch FROM now() - min(queued_at))::double precision, NULL
FROM change_outbox WHERE project = %(project)s
UNION ALL
SELECT 'forgettings', count(*), extract(epoch FROM now() - min(recorded_at))::double precision, NULL
FROM forgetting WHERE project = %(project)s AND state <> 'finished'
UNION ALL
-- What is due at once, since a person judged its names, does not say since when.
SELECT 'refolds', count(*), extract(epoch FROM now())::double precision
    - min(due_at) FILTER (WHERE due_at > 0) / 1000.0::double precision, NULL
FROM group_due
WHERE project = %(project)s AND due_at <= 1000 * extract(epoch FROM now());
