-- name: touch_subjects
-- Something of these memories changes.
INSERT INTO subject_state (project, subject, version)
SELECT project, subject, 1 FROM unnest(%(project)b::text[], %(subject)b::text[])
    AS scopes (project, subject)
ON CONFLICT ON CONSTRAINT subject_state_key DO UPDATE SET version = subject_state.version + 1
RETURNING project, subject, version, subject_state.xmin::text AS mark;

-- name: marks
-- Which transaction has last changed anything of these memories.
SELECT project, subject, version, subject_state.xmin::text AS mark
FROM unnest(%(project)b::text[], %(subject)b::text[]) AS wanted (project, subject)
JOIN subject_state USING (project, subject);

-- name: add_candidates
-- The first to record what an extractor's version finds is believed.
INSERT INTO candidate (project, observation_id, extractor, extractor_version, candidates)
SELECT project, observation_id, extractor, version, candidates::json
FROM unnest(%(project)b::text[], %(observation_id)b::text[], %(extractor)b::text[],
    %(version)b::integer[], %(candidates)b::text[])
    AS found (project, observation_id, extractor, version, candidates)
ON CONFLICT ON CONSTRAINT candidate_key DO NOTHING;

-- name: remove_episodes
-- They count no longer.
DELETE FROM episode USING unnest(%(project)b::text[], %(id)b::text[]) AS leaving (project, id)
WHERE episode.project = leaving.project AND episode.observation_id = leaving.id;

-- name: remove_assertions
-- What they said counts no longer.
DELETE FROM assertion USING unnest(%(project)b::text[], %(id)b::text[]) AS leaving (project, id)
WHERE assertion.project = leaving.project AND assertion.observation_id = leaving.id;

-- name: remove_relations
-- Who they related counts no longer.
DELETE FROM relation USING unnest(%(project)b::text[], %(id)b::text[]) AS leaving (project, id)
WHERE relation.project = leaving.project AND relation.observation_id = leaving.id;

-- name: remove_backlog
-- Nobody needs their vectors any more.
DELETE FROM embedding_backlog
USING unnest(%(project)b::text[], %(id)b::text[]) AS leaving (project, id)
WHERE embedding_backlog.project = leaving.project AND kind = %(kind)s
    AND embedding_backlog.id = leaving.id;

-- name: add_episodes
-- They count from now on, and what people and agents said waits for its vector.
WITH added AS (
    INSERT INTO episode (project, subject, observation_id, subject_identifier, source, source_ref,
        record, category, said_at, trace, author, author_name, text, terms, embeddable, origin)
    SELECT * FROM unnest(%(project)b::text[], %(subject)b::text[], %(observation_id)b::text[],
        %(subject_identifier)b::text[], %(source)b::text[], %(source_ref)b::text[],
        %(record)b::text[], %(category)b::text[], %(said_at)b::bigint[], %(trace)b::text[],
        %(author)b::text[], %(author_name)b::text[], %(text)b::text[], %(terms)b::text[],
        %(embeddable)b::boolean[], %(origin)b::text[])
    RETURNING project, subject, observation_id, said_at, embeddable
)
INSERT INTO embedding_backlog (project, subject, kind, id, said_at)
SELECT project, subject, 'episode', observation_id, said_at FROM added WHERE embeddable
ON CONFLICT ON CONSTRAINT embedding_backlog_key DO NOTHING;

-- name: add_relations
-- Who has to do with whom, as they state it.
INSERT INTO relation (project, subject, origin, kind, target, observation_id, origin_scheme,
    origin_value, target_scheme, target_value, said_at)
SELECT * FROM unnest(%(project)b::text[], %(subject)b::text[], %(origin)b::text[],
    %(kind)b::text[], %(target)b::text[], %(observation_id)b::text[], %(origin_scheme)b::text[],
    %(origin_value)b::text[], %(target_scheme)b::text[], %(target_value)b::text[],
    %(said_at)b::bigint[])
ON CONFLICT ON CONSTRAINT relation_key DO NOTHING;

-- name: add_assertions
-- What was said, and where it is folded.
INSERT INTO assertion (project, subject, about, predicate, id, observation_id, author, content)
SELECT * FROM unnest(%(project)b::text[], %(subject)b::text[], %(about)b::text[],
    %(predicate)b::text[], %(id)b::text[], %(observation_id)b::text[], %(author)b::text[],
    %(content)b::text[]);

-- name: remove_placed
-- They are said elsewhere from now on.
DELETE FROM assertion
USING unnest(%(project)b::text[], %(subject)b::text[], %(about)b::text[], %(predicate)b::text[],
    %(id)b::text[]) AS placed (project, subject, about, predicate, id)
WHERE assertion.project = placed.project AND assertion.subject = placed.subject
    AND assertion.about = placed.about AND assertion.predicate = placed.predicate
    AND assertion.id = placed.id;

-- name: remove_facts
-- They are no longer said, or in another slot.
DELETE FROM fact USING unnest(%(project)b::text[], %(id)b::text[]) AS leaving (project, id)
WHERE fact.project = leaving.project AND fact.id = leaving.id;

-- name: write_facts
-- Facts that are new or differ; those that were active and are not must be written first.
INSERT INTO fact (project, subject, about, predicate, slot, id, value, value_digest, qualifiers,
    text, terms, status, mark, authority, confidence, confirmations, kind, volatility, valid_from,
    valid_until, first_said_at, last_confirmed_at, supersedes_id, conflict_id, row_digest)
SELECT project, subject, about, predicate, slot, id, value::json, value_digest,
    qualifiers::json, text, terms, status, mark, authority, confidence, confirmations, kind,
    volatility, valid_from, valid_until, first_said_at, last_confirmed_at, supersedes_id,
    conflict_id, row_digest
FROM unnest(%(project)b::text[], %(subject)b::text[], %(about)b::text[], %(predicate)b::text[],
    %(slot)b::text[], %(id)b::text[], %(value)b::text[], %(value_digest)b::text[],
    %(qualifiers)b::text[], %(text)b::text[], %(terms)b::text[], %(status)b::text[],
    %(mark)b::text[], %(authority)b::smallint[], %(confidence)b::double precision[],
    %(confirmations)b::integer[],
    %(kind)b::text[], %(volatility)b::text[], %(valid_from)b::bigint[], %(valid_until)b::bigint[],
    %(first_said_at)b::bigint[], %(last_confirmed_at)b::bigint[], %(supersedes_id)b::text[],
    %(conflict_id)b::text[], %(row_digest)b::bytea[])
    AS written (project, subject, about, predicate, slot, id, value, value_digest, qualifiers,
        text, terms, status, mark, authority, confidence, confirmations, kind, volatility,
        valid_from, valid_until, first_said_at, last_confirmed_at, supersedes_id, conflict_id, row_digest)
ON CONFLICT ON CONSTRAINT fact_key DO UPDATE SET value = excluded.value,
    value_digest = excluded.value_digest, qualifiers = excluded.qualifiers, text = excluded.text,
    terms = excluded.terms, status = excluded.status, mark = excluded.mark,
    authority = excluded.authority,
    confidence = excluded.confidence, confirmations = excluded.confirmations,
    kind = excluded.kind, volatility = excluded.volatility, valid_from = excluded.valid_from,
    valid_until = excluded.valid_until, first_said_at = excluded.first_said_at,
    last_confirmed_at = excluded.last_confirmed_at, supersedes_id = excluded.supersedes_id,
    conflict_id = excluded.conflict_id, row_digest = excluded.row_digest;

-- name: queue_facts
-- What may be served and has no vector of its present text waits for one; the update of one that
-- waits already locks it, so that nobody takes it off the queue with a vector of its former text.
INSERT INTO embedding_backlog (project, subject, kind, id, said_at)
SELECT project, subject, 'fact', id, said_at
FROM unnest(%(project)b::text[], %(subject)b::text[], %(id)b::text[], %(said_at)b::bigint[])
    AS waiting (project, subject, id, said_at)
ON CONFLICT ON CONSTRAINT embedding_backlog_key DO UPDATE
    SET subject = excluded.subject, said_at = excluded.said_at, failed_model = NULL, failure = NULL;

-- name: remove_other_sources
-- What no longer stands behind these facts.
DELETE FROM fact_source
USING unnest(%(project)b::text[], %(id)b::text[]) AS written (project, id)
WHERE fact_source.project = written.project AND fact_source.fact_id = written.id
    AND NOT EXISTS (
        SELECT FROM unnest(%(fact_id)b::text[], %(assertion_id)b::text[])
            AS standing (fact_id, assertion_id)
        WHERE standing.fact_id = fact_source.fact_id
            AND standing.assertion_id = fact_source.assertion_id
    );

-- name: write_sources
-- What stands behind these facts.
INSERT INTO fact_source (project, fact_id, assertion_id, observation_id, source, source_ref,
    said_at, counted)
SELECT * FROM unnest(%(project)b::text[], %(fact_id)b::text[], %(assertion_id)b::text[],
    %(observation_id)b::text[], %(source)b::text[], %(source_ref)b::text[],
    %(said_at)b::bigint[], %(counted)b::boolean[])
ON CONFLICT ON CONSTRAINT fact_source_key DO UPDATE
    SET observation_id = excluded.observation_id, counted = excluded.counted
    WHERE fact_source.observation_id <> excluded.observation_id
        OR fact_source.counted <> excluded.counted;

-- name: remove_conflicts
-- They never were, as is now known; or they are written anew.
DELETE FROM conflict_set USING unnest(%(project)b::text[], %(id)b::text[]) AS leaving (project, id)
WHERE conflict_set.project = leaving.project AND conflict_set.id = leaving.id;

-- name: write_conflicts
-- Conflict sets that are new or differ.
INSERT INTO conflict_set (project, subject, about, predicate, slot, id, opened_at, closed_at,
    row_digest)
SELECT * FROM unnest(%(project)b::text[], %(subject)b::text[], %(about)b::text[],
    %(predicate)b::text[], %(slot)b::text[], %(id)b::text[], %(opened_at)b::bigint[],
    %(closed_at)b::bigint[], %(row_digest)b::bytea[]);

-- name: write_members
-- Who contradicts whom, in the order of joining.
INSERT INTO conflict_member (project, conflict_id, fact_id, position)
SELECT * FROM unnest(%(project)b::text[], %(conflict_id)b::text[], %(fact_id)b::text[],
    %(position)b::integer[]);

-- name: clear_due
-- When these groups are due is known anew.
DELETE FROM group_due
USING unnest(%(project)b::text[], %(subject)b::text[], %(about)b::text[], %(predicate)b::text[])
    AS folded (project, subject, about, predicate)
WHERE group_due.project = folded.project AND group_due.subject = folded.subject
    AND group_due.about = folded.about AND group_due.predicate = folded.predicate;

-- name: set_due
-- When time alone will change these groups.
INSERT INTO group_due (project, subject, about, predicate, due_at)
SELECT * FROM unnest(%(project)b::text[], %(subject)b::text[], %(about)b::text[],
    %(predicate)b::text[], %(due_at)b::bigint[]);

-- name: count_outcomes
-- What became of candidates; last in a transaction, since others wait for it.
INSERT INTO outcome_count (project, outcome, candidates)
SELECT * FROM unnest(%(project)b::text[], %(outcome)b::text[], %(candidates)b::bigint[])
ON CONFLICT ON CONSTRAINT outcome_count_key DO UPDATE
    SET candidates = outcome_count.candidates + excluded.candidates;

-- name: move_episodes
-- The memories that these went to belong to another entity now.
UPDATE episode SET subject = moved.entity
FROM unnest(%(project)b::text[], %(id)b::text[], %(entity)b::text[])
    AS moved (project, id, entity)
WHERE episode.project = moved.project AND episode.subject_identifier = moved.id;

-- name: move_episode_vectors
-- Vectors follow their episodes.
UPDATE episode_embedding SET subject = episode.subject
FROM unnest(%(project)b::text[], %(before)b::text[]) AS moved (project, before), episode
WHERE episode_embedding.project = moved.project AND episode_embedding.subject = moved.before
    AND episode.project = moved.project AND episode.observation_id = episode_embedding.id
    AND episode.subject <> episode_embedding.subject;

-- name: move_episode_backlog
-- So does what waits for its vector.
UPDATE embedding_backlog SET subject = episode.subject
FROM unnest(%(project)b::text[], %(before)b::text[]) AS moved (project, before), episode
WHERE embedding_backlog.project = moved.project AND embedding_backlog.subject = moved.before
    AND kind = 'episode'
    AND episode.project = moved.project AND episode.observation_id = embedding_backlog.id
    AND episode.subject <> embedding_backlog.subject;

-- name: move_relations
-- And who was related.
UPDATE relation SET subject = episode.subject
FROM unnest(%(project)b::text[], %(before)b::text[]) AS moved (project, before), episode
WHERE relation.project = moved.project AND relation.subject = moved.before
    AND episode.project = moved.project AND episode.observation_id = relation.observation_id
    AND episode.subject <> relation.subject;
