-- name: projects
-- Every project that was ever seen.
SELECT project FROM project ORDER BY project;

-- name: facts
-- All facts of a project.
SELECT project, subject, about, predicate, slot, id, value::text AS value, value_digest,
    qualifiers::text AS qualifiers, text, terms, status, mark, authority, confidence, confirmations,
    kind, volatility, valid_from, valid_until, first_said_at, last_confirmed_at, supersedes_id,
    conflict_id, row_digest
FROM fact WHERE project = %(project)s;

-- name: sources
-- Everything behind them.
SELECT project, fact_id, assertion_id, observation_id, source, source_ref, said_at, counted
FROM fact_source WHERE project = %(project)s;

-- name: conflicts
-- All conflict sets of a project.
SELECT project, subject, about, predicate, slot, id, opened_at, closed_at, row_digest
FROM conflict_set WHERE project = %(project)s;

-- name: members
-- All that ever joined them.
SELECT project, conflict_id, fact_id, position FROM conflict_member WHERE project = %(project)s;

-- name: identifiers
-- Every identifier with the entity that it is of.
SELECT entity, id FROM identifier WHERE project = %(project)s;

-- name: mentions
-- By which names current observations call whom.
SELECT identifier, kind, name, observations FROM mention WHERE project = %(project)s;

-- name: relations
-- Who has to do with whom, and who says so.
SELECT subject, origin, kind, target, observation_id FROM relation WHERE project = %(project)s;

-- name: episodes
-- What counts, and in whose memory.
SELECT subject, observation_id FROM episode WHERE project = %(project)s;
