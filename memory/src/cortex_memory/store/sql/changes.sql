-- name: append
-- What is to be announced, in this order.
INSERT INTO change_outbox (project, id, message)
SELECT * FROM unnest(%(projects)b::text[], %(ids)b::text[], %(messages)b::bytea[]);

-- name: unpublished
-- The oldest announcements that wait.
SELECT position, project, id, message FROM change_outbox ORDER BY position LIMIT %(limit)s;

-- name: forget_published
-- The stream has them.
DELETE FROM change_outbox WHERE position = ANY(%(positions)s);
