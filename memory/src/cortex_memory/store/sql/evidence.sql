-- name: revisions
-- All revisions of what the jobs are about.
SELECT o.project, o.id, o.subject_identifier, o.record, o.made_by, o.content
FROM (
    SELECT DISTINCT project, record, subject_identifier
    FROM unnest(%(project)b::text[], %(id)b::text[]) AS job (project, id)
    JOIN observation USING (project, id)
) AS keys
JOIN observation AS o USING (project, record, subject_identifier);

-- name: counted
-- The observations that count so far for these records.
SELECT project, record, subject_identifier, observation_id
FROM unnest(%(project)b::text[], %(record)b::text[], %(subject_identifier)b::text[])
    AS wanted (project, record, subject_identifier)
JOIN episode USING (project, record, subject_identifier);

-- name: candidates
-- What each extractor's highest version found in these observations.
SELECT DISTINCT ON (project, observation_id, extractor)
    project, observation_id, extractor, extractor_version AS version, candidates
FROM unnest(%(project)b::text[], %(id)b::text[]) AS wanted (project, observation_id)
JOIN candidate USING (project, observation_id)
ORDER BY project, observation_id, extractor, extractor_version DESC;

-- name: groups_of_observations
-- The groups in which these observations said something.
SELECT DISTINCT project, subject, about, predicate
FROM unnest(%(project)b::text[], %(id)b::text[]) AS wanted (project, observation_id)
JOIN assertion USING (project, observation_id);

-- name: assertions
-- Everything said in these groups.
SELECT project, subject, about, predicate, content
FROM unnest(%(project)b::text[], %(subject)b::text[], %(about)b::text[], %(predicate)b::text[])
    AS wanted (project, subject, about, predicate)
JOIN assertion USING (project, subject, about, predicate);

-- name: facts
-- What is stored of the facts of these groups, to tell what has changed.
SELECT project, id, subject, about, predicate, slot, status, value_digest, row_digest
FROM unnest(%(project)b::text[], %(subject)b::text[], %(about)b::text[], %(predicate)b::text[])
    AS wanted (project, subject, about, predicate)
JOIN fact USING (project, subject, about, predicate);

-- name: conflicts
-- What is stored of the conflict sets of these groups, to tell what has changed.
SELECT project, id, subject, about, predicate, closed_at, row_digest
FROM unnest(%(project)b::text[], %(subject)b::text[], %(about)b::text[], %(predicate)b::text[])
    AS wanted (project, subject, about, predicate)
JOIN conflict_set USING (project, subject, about, predicate);

-- name: moved_groups
-- Groups in the memory of, about, or with the word of identifiers that are of another entity now.
WITH moved AS (
    SELECT * FROM unnest(%(project)b::text[], %(id)b::text[], %(before)b::text[])
        AS moved (project, id, before)
)
SELECT assertion.project, subject, about, predicate FROM moved
JOIN assertion ON assertion.project = moved.project AND assertion.subject = moved.before
UNION
SELECT assertion.project, subject, about, predicate FROM moved
JOIN assertion ON assertion.project = moved.project AND assertion.about = moved.before
UNION
SELECT assertion.project, subject, about, predicate FROM moved
JOIN assertion ON assertion.project = moved.project AND assertion.author = moved.id;

-- name: due_groups
-- Groups that time alone has changed.
SELECT project, subject, about, predicate FROM group_due
WHERE due_at <= %(now)s ORDER BY due_at LIMIT %(limit)s;
