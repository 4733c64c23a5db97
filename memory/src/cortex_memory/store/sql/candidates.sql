-- name: facts
-- Facts near the query by meaning, by all its words, by any word where no vector is known yet, and
-- by the names given: those that may be served, and those that rules will hide.
WITH
-- use: words
-- use: near_facts
worded AS (
    SELECT matching.id
    FROM (
        SELECT found.id, found.rank FROM unnest(%(subjects)s::text[]) AS asked (subject)
        CROSS JOIN LATERAL (
            SELECT fact.id, ts_rank_cd(fact.search,
                -- use: wanted
            ) AS rank FROM fact
            WHERE fact.project = %(project)s AND fact.subject = asked.subject
                AND fact.search @@
                -- use: wanted
                AND (%(about)s::text IS NULL OR fact.about = %(about)s) AND
                -- use: findable
            OFFSET 0  -- one memory at a time: the index knows no list of them
        ) AS found
        UNION ALL
        SELECT found.id, found.rank
        FROM (
            -- use: waiting
        ) AS waiting
        CROSS JOIN LATERAL (
            SELECT fact.id, ts_rank_cd(fact.search, (SELECT any_word FROM words)) AS rank
            FROM fact
            WHERE fact.project = %(project)s AND fact.id = waiting.id
                AND fact.subject = ANY(%(subjects)s)
                AND fact.search @@ (SELECT any_word FROM words)
                AND (%(about)s::text IS NULL OR fact.about = %(about)s) AND
                -- use: findable
            OFFSET 0
        ) AS found
    ) AS matching
    ORDER BY matching.rank DESC, matching.id
    LIMIT %(per_arm)s
),
-- use: named_facts
-- use: held_facts
SELECT
    -- use: fact_columns
    1 - (embedded.vector <=> %(vector)s::halfvec) AS cosine,
    ts_rank_cd(held.search,
    -- use: wanted
    ) AS text_rank
FROM held
-- use: beside_facts
;

-- name: episodes
-- Episodes near the query by meaning, by all its words, and by any word where no vector is known.
WITH
-- use: words
-- use: near_episodes
worded AS (
    SELECT matching.id
    FROM (
        SELECT found.id, found.rank FROM unnest(%(subjects)s::text[]) AS asked (subject)
        CROSS JOIN LATERAL (
            SELECT observation_id AS id, ts_rank_cd(search,
                -- use: wanted
            ) AS rank FROM episode
            WHERE project = %(project)s AND episode.subject = asked.subject
                AND search @@
                -- use: wanted
                AND (%(until)s::bigint IS NULL OR said_at <= %(until)s)
            OFFSET 0
        ) AS found
        UNION ALL
        SELECT found.id, found.rank
        FROM (
            -- use: waiting
        ) AS waiting
        CROSS JOIN LATERAL (
            SELECT observation_id AS id,
                ts_rank_cd(search, (SELECT any_word FROM words)) AS rank
            FROM episode
            WHERE project = %(project)s AND observation_id = waiting.id
                AND subject = ANY(%(subjects)s)
                AND search @@ (SELECT any_word FROM words)
                AND (%(until)s::bigint IS NULL OR said_at <= %(until)s)
            OFFSET 0
        ) AS found
    ) AS matching
    ORDER BY matching.rank DESC, matching.id
    LIMIT %(per_arm)s
), found AS MATERIALIZED (
    SELECT id FROM near UNION SELECT id FROM worded
)
SELECT episode.observation_id AS id, episode.subject, episode.category AS kind,
    episode.said_at AS moment, episode.author_name AS who, episode.origin,
    left(episode.text, %(characters)s) AS text,
    1 - (embedded.vector <=> %(vector)s::halfvec) AS cosine,
    ts_rank_cd(episode.search,
    -- use: wanted
    ) AS text_rank
FROM found
JOIN episode ON episode.project = %(project)s AND episode.observation_id = found.id
    AND episode.subject = ANY(%(subjects)s)
LEFT JOIN LATERAL (
    SELECT vector FROM episode_embedding
    WHERE project = %(project)s AND subject = episode.subject AND model = %(model)s
        AND id = episode.observation_id
    OFFSET 0  -- one by one through the index, not all of the memory once more
) AS embedded ON true;
