-- name: hold_off
-- Nobody erases in these projects until the transaction ends.
SELECT pg_advisory_xact_lock_shared(key) FROM (
    SELECT DISTINCT hashtextextended('erasing/' || project, 0) AS key
    FROM unnest(%(projects)s::text[]) AS projects (project) ORDER BY key
) AS sorted;

-- name: begin
-- Nobody takes in observations of this project until the transaction ends.
SELECT pg_advisory_xact_lock(hashtextextended('erasing/' || %(project)s, 0));

-- name: revisions
-- These observations and all other revisions of their records.
SELECT DISTINCT o.project, o.id, o.made_by, o.content
FROM unnest(%(project)s::text[], %(id)s::text[]) AS wanted (project, id)
JOIN observation AS named ON named.project = wanted.project AND named.id = wanted.id
JOIN observation AS o ON o.project = named.project AND o.record = named.record
    AND o.subject_identifier = named.subject_identifier;

-- name: of_memories
-- Every observation that went to these memories, of one source or of all, up to a time.
SELECT id FROM observation
WHERE project = %(project)s AND subject_identifier = ANY(%(subjects)s)
    AND (%(source)s::text IS NULL OR source = %(source)s) AND said_at <= %(until)s
ORDER BY said_at, id;

-- name: assertions_of
-- What these observations said, and where it is folded.
SELECT project, subject, about, predicate, content
FROM unnest(%(project)s::text[], %(id)s::text[]) AS wanted (project, observation_id)
JOIN assertion USING (project, observation_id);

-- name: rewrite_assertions
-- What was said is kept without what can be read of it.
UPDATE assertion SET content = kept.content
FROM unnest(%(project)s::text[], %(observation_id)s::text[], %(id)s::text[], %(content)s::text[])
    AS kept (project, observation_id, id, content)
WHERE assertion.project = kept.project AND assertion.observation_id = kept.observation_id
    AND assertion.id = kept.id;

-- name: keep_assertions
-- The journal keeps it, since it can no longer be found in the observation.
INSERT INTO kept_assertion (project, observation_id, id, content)
SELECT * FROM unnest(%(project)s::text[], %(observation_id)s::text[], %(id)s::text[],
    %(content)s::text[])
ON CONFLICT ON CONSTRAINT kept_assertion_key DO UPDATE SET content = excluded.content;

-- name: rewrite_observations
-- Nothing that was said is left in them.
UPDATE observation SET content = residue.content
FROM unnest(%(project)s::text[], %(id)s::text[], %(content)s::text[])
    AS residue (project, id, content)
WHERE observation.project = residue.project AND observation.id = residue.id;

-- name: rewrite_episodes
-- Nor in what search reads.
UPDATE episode SET text = '', terms = '', author_name = NULL, embeddable = false
FROM unnest(%(project)s::text[], %(id)s::text[]) AS erased (project, id)
WHERE episode.project = erased.project AND episode.observation_id = erased.id;

-- name: empty_candidates
-- Nobody looks for candidates there again, and nobody finds any.
UPDATE candidate SET candidates = '[]'
FROM unnest(%(project)s::text[], %(id)s::text[]) AS erased (project, id)
WHERE candidate.project = erased.project AND candidate.observation_id = erased.id;

-- name: remove_observations
-- They go for good.
DELETE FROM observation USING unnest(%(project)s::text[], %(id)s::text[]) AS erased (project, id)
WHERE observation.project = erased.project AND observation.id = erased.id;

-- name: remove_candidates
-- And what was found in them.
DELETE FROM candidate USING unnest(%(project)s::text[], %(id)s::text[]) AS erased (project, id)
WHERE candidate.project = erased.project AND candidate.observation_id = erased.id;

-- name: remove_kept
-- And what was left of them.
DELETE FROM kept_assertion
USING unnest(%(project)s::text[], %(id)s::text[]) AS erased (project, id)
WHERE kept_assertion.project = erased.project AND kept_assertion.observation_id = erased.id;

-- name: remove_jobs
-- Nobody retains them any more.
DELETE FROM job USING unnest(%(project)s::text[], %(id)s::text[]) AS erased (project, id)
WHERE job.project = erased.project AND job.observation_id = erased.id;

-- name: remove_episode_vectors
-- Nor in what meaning is compared by.
DELETE FROM episode_embedding
USING unnest(%(project)s::text[], %(id)s::text[]) AS erased (project, id)
WHERE episode_embedding.project = erased.project AND episode_embedding.id = erased.id;

-- name: remove_stale_vectors
-- Vectors of facts that are no longer served, or whose text is another by now.
DELETE FROM fact_embedding
USING unnest(%(project)s::text[], %(subject)s::text[], %(about)s::text[], %(predicate)s::text[])
    AS folded (project, subject, about, predicate)
JOIN fact USING (project, subject, about, predicate)
WHERE fact_embedding.project = fact.project AND fact_embedding.id = fact.id
    AND (fact.status NOT IN ('active', 'candidate') OR EXISTS (
        SELECT FROM embedding_backlog AS waiting
        WHERE waiting.project = fact.project AND waiting.kind = 'fact' AND waiting.id = fact.id
    ));

-- name: asked_references
-- By which names memories were asked, as far as traces are kept.
SELECT DISTINCT asked.reference FROM trace
CROSS JOIN LATERAL json_array_elements_text(request -> 'subjects') AS asked (reference)
WHERE project = %(project)s;

-- name: remove_traces
-- A question may quote what is forgotten: all that was asked about these memories goes.
DELETE FROM trace
WHERE project = %(project)s AND EXISTS (
    SELECT FROM json_array_elements_text(request -> 'subjects') AS asked (reference)
    WHERE asked.reference = ANY(%(references)s)
);

-- name: waiting_changes
-- Announcements that nobody has been sent.
SELECT position, message FROM change_outbox WHERE project = %(project)s;

-- name: remove_changes
-- Nobody will be sent these.
DELETE FROM change_outbox WHERE position = ANY(%(positions)s);

-- name: letters
-- Messages that are no observations.
SELECT id, body FROM dead_letter WHERE project IS NULL OR project = %(project)s;

-- name: letters_kept
-- Those that are refused still.
SELECT id FROM dead_letter WHERE id = ANY(%(ids)s);

-- name: remove_letters
-- They go for good.
DELETE FROM dead_letter WHERE id = ANY(%(ids)s);

-- name: remove_decisions
-- What persons decided about these memories.
DELETE FROM decision WHERE project = %(project)s AND subject_identifier = ANY(%(subjects)s);

-- name: forget_link_evidence
-- A person's link may quote how it is known.
UPDATE identity_link SET evidence = NULL
WHERE project = %(project)s AND (first = ANY(%(subjects)s) OR second = ANY(%(subjects)s));

-- name: keep_keys
-- They are never stored again.
INSERT INTO erased_key (project, key_digest, forget_id)
SELECT * FROM unnest(%(project)s::text[], %(digest)s::text[], %(forget_id)s::text[])
ON CONFLICT ON CONSTRAINT erased_key_key DO NOTHING;

-- name: tell_lake
-- The lake has to forget these records, too.
INSERT INTO lake_forget (project, forget_id, owner, source, source_ref)
SELECT project, forget_id, string_to_array(owner, E'\n'), source, source_ref
FROM unnest(%(project)s::text[], %(forget_id)s::text[], %(owner)s::text[], %(source)s::text[],
    %(source_ref)s::text[]) AS told (project, forget_id, owner, source, source_ref);

-- name: tell_lake_of_owner
-- Or all that it holds of somebody, or one source of it.
INSERT INTO lake_forget (project, forget_id, owner, source, until)
VALUES (%(project)s, %(forget_id)s, %(owner)s, %(source)s, %(until)s);

-- name: reopen
-- Something that these requests forgot has come again.
UPDATE forgetting SET state = 'erased'
WHERE (project, id) IN (SELECT * FROM unnest(%(project)s::text[], %(forget_id)s::text[]))
    AND state = 'finished';

-- name: note_groups
-- Whose announcements have to go from the stream.
INSERT INTO forgotten_group (project, forget_id, subject, about, predicate)
SELECT project, %(forget_id)s, subject, about, predicate
FROM unnest(%(project)s::text[], %(subject)s::text[], %(about)s::text[], %(predicate)s::text[])
    AS touched (project, subject, about, predicate)
ON CONFLICT ON CONSTRAINT forgotten_group_key DO NOTHING;

-- name: memories
-- In whose memories these count.
SELECT project, observation_id, subject
FROM unnest(%(project)s::text[], %(id)s::text[]) AS wanted (project, observation_id)
JOIN episode USING (project, observation_id);

-- name: forget_reasons
-- Why persons decided so may say again what is forgotten.
UPDATE decision SET reason = NULL
WHERE project = %(project)s AND id = ANY(%(ids)s) AND reason IS NOT NULL;

-- name: scopes
-- Which memories were ever forgotten as a whole or by source, by identifiers.
SELECT content FROM erasure WHERE project = %(project)s AND kind = 'scope';
