-- name: facts
-- Facts near the query by meaning and by rare words, and those that mention one of the names.
WITH
-- use: rare_words
-- use: centre
-- use: near_facts
worded AS (
    SELECT id FROM scored
    WHERE %(about)s::text IS NULL OR EXISTS (
        SELECT FROM fact WHERE fact.project = %(project)s AND fact.id = scored.id
            AND fact.about = %(about)s
    )
    ORDER BY words DESC, id
    LIMIT %(per_arm)s
),
-- use: named_facts
-- use: held_facts
SELECT
    -- use: fact_columns
    1 - (embedded.vector <=> %(vector)s::halfvec) AS cosine,
    1 - ((embedded.vector - centre.vector) <=> centre.asked) AS meaning,
    coalesce(scored.words, 0) AS words,
    coalesce((SELECT ln(1 + (documents - float8 '0.5') / float8 '1.5') FROM average), 0) AS rarest
FROM held
-- use: beside_facts
CROSS JOIN centre
LEFT JOIN scored ON scored.id = held.id;

-- name: episodes
-- Episodes near the query by meaning, by rare words and in the times it names, with those said
-- around the nearest of them.
WITH
-- use: rare_words
-- use: centre
-- use: near_episodes
worded AS MATERIALIZED (
    SELECT id, words FROM scored
    WHERE %(until)s::bigint IS NULL OR EXISTS (
        SELECT FROM episode WHERE episode.project = %(project)s
            AND episode.observation_id = scored.id AND episode.said_at <= %(until)s
    )
    ORDER BY words DESC, id
    LIMIT %(per_arm)s
), dated AS (
    SELECT measured.id FROM unnest(%(subjects)s::text[]) AS memory (subject)
    CROSS JOIN LATERAL (
        SELECT id, vector <=> %(vector)s::halfvec AS distance FROM episode_embedding
        WHERE cardinality(%(since)s::bigint[]) > 0 AND project = %(project)s
            AND episode_embedding.subject = memory.subject AND model = %(model)s AND id IN (
                SELECT observation_id FROM episode
                JOIN unnest(%(since)s::bigint[], %(before)s::bigint[]) AS span (since, before)
                    ON episode.said_at >= span.since AND episode.said_at < span.before
                WHERE project = %(project)s AND subject = ANY(%(subjects)s)
                    AND (%(until)s::bigint IS NULL OR said_at <= %(until)s)
            )
        OFFSET 0
    ) AS measured
    ORDER BY measured.distance, measured.id
    LIMIT %(per_arm)s
), surrounded AS (
    (SELECT id FROM near ORDER BY distance, id LIMIT %(surrounded)s)
    UNION
    (SELECT id FROM worded ORDER BY words DESC, id LIMIT %(surrounded)s)
), hit AS MATERIALIZED (
    SELECT episode.* FROM surrounded
    CROSS JOIN LATERAL (
        SELECT observation_id AS id, subject, trace, said_at FROM episode
        WHERE project = %(project)s AND observation_id = surrounded.id
        OFFSET 0
    ) AS episode
), linked AS MATERIALIZED (
    SELECT later.id, later.follows
    FROM hit
    CROSS JOIN LATERAL (
        SELECT observation_id AS id,
            lag(observation_id, 1, hit.id) OVER (ORDER BY said_at, observation_id) AS follows
        FROM (
            SELECT observation_id, said_at FROM episode
            WHERE project = %(project)s AND subject = hit.subject AND trace = hit.trace
                AND (said_at, observation_id) > (hit.said_at, hit.id)
                AND (%(until)s::bigint IS NULL OR said_at <= %(until)s)
            ORDER BY said_at, observation_id LIMIT %(reach)s
        ) AS after
    ) AS later
    UNION
    SELECT earlier.id, earlier.follows
    FROM hit
    CROSS JOIN LATERAL (
        SELECT lag(observation_id, 1, hit.id)
                OVER (ORDER BY said_at DESC, observation_id DESC) AS id,
            observation_id AS follows
        FROM (
            SELECT observation_id, said_at FROM episode
            WHERE project = %(project)s AND subject = hit.subject AND trace = hit.trace
                AND (said_at, observation_id) < (hit.said_at, hit.id)
            ORDER BY said_at DESC, observation_id DESC LIMIT %(reach)s
        ) AS before
    ) AS earlier
), found AS MATERIALIZED (
    SELECT id FROM near UNION SELECT id FROM worded UNION SELECT id FROM dated
    UNION SELECT id FROM linked UNION SELECT follows FROM linked
)
SELECT episode.*, linked.follows, 1 - (embedded.vector <=> %(vector)s::halfvec) AS cosine,
    1 - ((embedded.vector - centre.vector) <=> centre.asked) AS meaning,
    coalesce(scored.words, 0) AS words,
    coalesce((SELECT ln(1 + (documents - float8 '0.5') / float8 '1.5') FROM average), 0) AS rarest
FROM found
CROSS JOIN LATERAL (
    SELECT observation_id AS id, subject, category AS kind, said_at AS moment, trace,
        author_name AS who, origin, left(text, %(characters)s) AS text
    FROM episode
    WHERE project = %(project)s AND observation_id = found.id AND subject = ANY(%(subjects)s)
        AND text <> ''
    OFFSET 0  -- one by one through the index, however small the table
) AS episode
CROSS JOIN centre
LEFT JOIN linked ON linked.id = found.id
LEFT JOIN scored ON scored.id = found.id
LEFT JOIN LATERAL (
    SELECT vector FROM episode_embedding
    WHERE project = %(project)s AND subject = episode.subject AND model = %(model)s
        AND id = episode.id
    OFFSET 0
) AS embedded ON true;
