-- name: is_new
-- Whether nobody has ever looked at how facts are spread.
SELECT reltuples < 0 FROM pg_class WHERE oid = 'fact'::regclass;

-- name: analyze
-- How the values of the tables that grow with every observation are spread.
ANALYZE observation, candidate, job, identifier, episode, assertion, fact, fact_source,
    conflict_set, conflict_member, subject_state, embedding_backlog;
