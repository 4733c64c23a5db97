-- name: select_page
-- The next events of a source, up to a count and a sum of bytes; at least one.
WITH next AS (
    SELECT event_id, octet_length(message) AS size
    FROM raw_event
    WHERE project = %(project)s
      AND source = %(source)s
      AND event_id > %(after)s
      AND (%(since)s::timestamptz IS NULL OR received_at >= %(since)s)
    ORDER BY event_id
    LIMIT %(count)s
), bounded AS (
    SELECT event_id, sum(size) OVER (ORDER BY event_id) - size AS before FROM next
)
SELECT event_id FROM bounded WHERE before < %(bytes)s ORDER BY event_id

-- name: count_events
SELECT count(*) AS events
FROM raw_event
WHERE project = %(project)s
  AND source = %(source)s
  AND (%(since)s::timestamptz IS NULL OR received_at >= %(since)s)

-- name: delete_settled_letters
-- Of events that are read now, or refused for another reason.
DELETE FROM dead_letter
USING unnest(%(projects)s::text[], %(event_ids)s::text[]) AS asked (project, event_id)
JOIN reading USING (project, event_id)
WHERE dead_letter.project = asked.project
  AND dead_letter.event_id = asked.event_id
  AND reading.code IS DISTINCT FROM dead_letter.code
