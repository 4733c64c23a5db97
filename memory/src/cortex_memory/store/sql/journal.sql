-- name: observations
-- Every revision of every observation of a project.
SELECT id, made_by, content FROM observation WHERE project = %(project)s;

-- name: candidates
-- All that was ever found in them.
SELECT observation_id, extractor, extractor_version AS version, candidates
FROM candidate WHERE project = %(project)s;

-- name: links
-- The links between identifiers that no observation states.
SELECT project, id, first, second, relation, status, rule, rule_version, evidence,
    linked_at AS at
FROM identity_link WHERE project = %(project)s;

-- name: verdicts
-- Which names of predicates mean the same.
SELECT id, decided_at AS at, project, first, second, same, model
FROM predicate_verdict WHERE project = %(project)s;
