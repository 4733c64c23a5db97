-- name: subjects
-- Nothing of before holds of these memories.
UPDATE subject_state SET version = version + 1 WHERE project = %(project)s;

-- name: conflicts
-- Conflict sets, and their members with them.
DELETE FROM conflict_set WHERE project = %(project)s;

-- name: facts
-- Facts, and their sources and vectors with them.
DELETE FROM fact WHERE project = %(project)s;

-- name: assertions
-- What was said.
DELETE FROM assertion WHERE project = %(project)s;

-- name: episodes
-- What counts, and its vectors.
DELETE FROM episode WHERE project = %(project)s;

-- name: relations
-- Who is related.
DELETE FROM relation WHERE project = %(project)s;

-- name: mentions
-- Who is called how.
DELETE FROM mention WHERE project = %(project)s;

-- name: links
-- Links that observations state.
DELETE FROM automatic_link WHERE project = %(project)s;

-- name: identifiers
-- Who is who.
DELETE FROM identifier WHERE project = %(project)s;

-- name: due
-- What waits for its time.
DELETE FROM group_due WHERE project = %(project)s;

-- name: backlog
-- What waits for its vector.
DELETE FROM embedding_backlog WHERE project = %(project)s;

-- name: outcomes
-- What became of candidates.
DELETE FROM outcome_count WHERE project = %(project)s;
