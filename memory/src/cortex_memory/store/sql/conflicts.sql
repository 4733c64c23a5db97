-- name: listing
-- The conflicts of a project or of one memory, the oldest first; the settled ones if asked for.
SELECT conflict_set.id, conflict_set.subject, conflict_set.about, conflict_set.predicate,
    conflict_set.opened_at, conflict_set.closed_at,
    ARRAY(
        SELECT conflict_member.fact_id FROM conflict_member
        WHERE conflict_member.project = conflict_set.project
            AND conflict_member.conflict_id = conflict_set.id
        ORDER BY conflict_member.position
    ) AS members
FROM conflict_set
WHERE conflict_set.project = %(project)s
    AND (%(subject)s::text IS NULL OR conflict_set.subject = %(subject)s)
    AND (%(settled)s OR conflict_set.closed_at IS NULL)
ORDER BY conflict_set.opened_at, conflict_set.id
LIMIT %(limit)s;
