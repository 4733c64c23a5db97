-- name: lock_migration
SELECT pg_advisory_lock(hashtextextended('cortex_insight migration', 0))

-- name: unlock_migration
SELECT pg_advisory_unlock(hashtextextended('cortex_insight migration', 0))

-- name: create_migration_table
CREATE TABLE IF NOT EXISTS migration (
    number     integer     NOT NULL PRIMARY KEY,
    name       text        NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
)

-- name: select_applied
SELECT number FROM migration ORDER BY number

-- name: insert_applied
INSERT INTO migration (number, name) VALUES (%(number)s, %(name)s)
