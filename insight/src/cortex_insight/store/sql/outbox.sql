-- name: claim_messages
-- The oldest unsent messages that no other publisher holds, up to a count and a sum of bytes.
WITH free AS (
    SELECT id, octet_length(payload) AS size
    FROM outbox
    WHERE subject = %(subject)s
      AND sent_at IS NULL
      AND (claimed_until IS NULL OR claimed_until < now())
    ORDER BY id
    LIMIT %(count)s
    FOR UPDATE SKIP LOCKED
), bounded AS (
    SELECT id, sum(size) OVER (ORDER BY id) - size AS before FROM free
), claimed AS (
    UPDATE outbox SET claimed_until = now() + %(seconds)s * interval '1 second'
    FROM bounded
    WHERE outbox.id = bounded.id AND bounded.before < %(bytes)s
    RETURNING outbox.id, outbox.message_id, outbox.payload
)
SELECT id, message_id, payload FROM claimed ORDER BY id

-- name: mark_sent
UPDATE outbox SET sent_at = now(), claimed_until = NULL WHERE id = ANY(%(ids)s::bigint[])

-- name: release_messages
UPDATE outbox SET claimed_until = NULL WHERE id = ANY(%(ids)s::bigint[]) AND sent_at IS NULL
