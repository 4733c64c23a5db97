-- name: lock
-- One migrator at a time; the lock goes with the session.
SELECT pg_advisory_lock(7262143655104012);

-- name: create_table
-- The steps applied so far.
CREATE TABLE IF NOT EXISTS migration (
    number integer PRIMARY KEY,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
);

-- name: applied
-- Number and checksum of every step applied.
SELECT number, checksum FROM migration;

-- name: record
-- Note a step.
INSERT INTO migration (number, name, checksum) VALUES (%s, %s, %s);
