-- name: facts
-- Facts near the query by meaning and by rare words, and those that mention one of the names.
WITH scope AS MATERIALIZED (
    SELECT id, documents, length FROM lexical_scope
    WHERE project = %(project)s AND subject = ANY(%(subjects)s) AND kind = 'fact'
), average AS MATERIALIZED (
    SELECT sum(documents)::float8 AS documents,
        sum(length)::float8 / sum(documents)::float8 AS length
    FROM scope HAVING sum(documents) > 0
), scored AS MATERIALIZED (
    SELECT occurring.document AS id, sum(rarity.weight * occurring.frequency / (occurring.frequency
        + %(saturation)s::float8 * (1 - %(length_share)s::float8
            + %(length_share)s::float8 * occurring.length / average.length))) AS words
    FROM average
    CROSS JOIN unnest(%(terms)s::text[]) AS asked (term)
    CROSS JOIN LATERAL (
        SELECT count(*)::float8 AS documents FROM posting
        WHERE scope = ANY(ARRAY(SELECT id FROM scope)) AND term = asked.term
    ) AS known
    CROSS JOIN LATERAL (
        SELECT ln(1 + (average.documents - known.documents + float8 '0.5')
            / (known.documents + float8 '0.5')) * (%(saturation)s::float8 + 1) AS weight
    ) AS rarity
    CROSS JOIN LATERAL (
        SELECT document, frequency::float8 AS frequency, length::float8 AS length FROM posting
        WHERE scope = ANY(ARRAY(SELECT id FROM scope)) AND term = asked.term
    ) AS occurring
    GROUP BY occurring.document
), centre AS MATERIALIZED (
    SELECT avg(vector) AS vector FROM (
        SELECT sampled.vector FROM unnest(%(subjects)s::text[]) AS asked (subject)
        CROSS JOIN LATERAL (
            SELECT vector FROM fact_embedding
            WHERE project = %(project)s AND fact_embedding.subject = asked.subject
                AND model = %(model)s
            ORDER BY id LIMIT %(sampled)s
        ) AS sampled
        UNION ALL
        SELECT %(nothing)s::halfvec
    ) AS vectors
), near AS (
    SELECT live.id
    FROM (
        SELECT id, vector <=> %(vector)s::halfvec AS distance FROM fact_embedding
        WHERE project = %(project)s AND subject = ANY(%(subjects)s) AND model = %(model)s
            AND (%(about)s::text IS NULL OR id IN (
                SELECT fact.id FROM fact
                WHERE fact.project = %(project)s AND fact.subject = ANY(%(subjects)s)
                    AND fact.about = %(about)s
            ))
        ORDER BY distance, id
        OFFSET 0
    ) AS nearest
    CROSS JOIN LATERAL (
        SELECT fact.id FROM fact
        WHERE fact.project = %(project)s AND fact.id = nearest.id
            AND fact.subject = ANY(%(subjects)s)
            AND (fact.status IN ('active', 'scheduled')
                OR fact.status = 'candidate' AND fact.conflict_id IS NOT NULL)
    ) AS live
    ORDER BY nearest.distance, nearest.id
    LIMIT %(per_arm)s
), worded AS (
    SELECT id FROM scored
    WHERE %(about)s::text IS NULL OR EXISTS (
        SELECT FROM fact WHERE fact.project = %(project)s AND fact.id = scored.id
            AND fact.about = %(about)s
    )
    ORDER BY words DESC, id
    LIMIT %(per_arm)s
), named AS (
    SELECT mentioning.id
    FROM unnest(%(names)s::text[]) AS follow (name)
    CROSS JOIN LATERAL (
        SELECT fact.id FROM fact
        WHERE fact.project = %(project)s AND fact.subject = ANY(%(subjects)s)
            AND fact.search @@ plainto_tsquery('simple', follow.name)
            AND (%(about)s::text IS NULL OR fact.about = %(about)s)
            AND (fact.status IN ('active', 'scheduled')
                OR fact.status = 'candidate' AND fact.conflict_id IS NOT NULL)
        ORDER BY ts_rank_cd(fact.search, plainto_tsquery('simple', follow.name)) DESC, fact.id
        LIMIT %(per_name)s
    ) AS mentioning
), found AS MATERIALIZED (
    SELECT id FROM near UNION SELECT id FROM worded UNION SELECT id FROM named
), held AS MATERIALIZED (
    SELECT fact.* FROM found
    CROSS JOIN LATERAL (
        SELECT id, subject, about, predicate, value, qualifiers, status, conflict_id, authority,
            volatility, confidence, valid_from, valid_until, last_confirmed_at, recorded_at
        FROM fact
        WHERE fact.project = %(project)s AND fact.id = found.id
            AND fact.subject = ANY(%(subjects)s)
        OFFSET 0  -- one by one through the index, however small the table
    ) AS fact
), called AS (
    SELECT DISTINCT ON (identifier.entity) identifier.entity,
        coalesce(mention.name, identifier.value) AS name
    FROM identifier
    LEFT JOIN mention
        ON mention.project = identifier.project AND mention.identifier = identifier.id
    WHERE identifier.project = %(project)s AND identifier.entity = ANY(ARRAY(
        SELECT DISTINCT about FROM held
    ))
    ORDER BY identifier.entity, mention.observations DESC NULLS LAST, 2
)
SELECT held.id, held.subject, held.about, called.name AS about_name, held.predicate, held.value,
    held.qualifiers, held.status, held.conflict_id, held.authority, held.volatility,
    held.confidence, held.valid_from, held.valid_until, held.last_confirmed_at AS last_confirmed,
    (extract(epoch FROM held.recorded_at) * 1000)::bigint AS recorded_from,
    ARRAY(
        SELECT DISTINCT fact_source.observation_id FROM fact_source
        WHERE fact_source.project = %(project)s AND fact_source.fact_id = held.id
        ORDER BY fact_source.observation_id
    ) AS sources,
    1 - (embedded.vector <=> %(vector)s::halfvec) AS cosine,
    1 - ((embedded.vector - centre.vector) <=> (%(vector)s::halfvec - centre.vector)) AS meaning,
    coalesce(scored.words, 0) AS words,
    coalesce((SELECT ln(1 + (documents - float8 '0.5') / float8 '1.5') FROM average), 0) AS rarest
FROM held
CROSS JOIN centre
LEFT JOIN scored ON scored.id = held.id
LEFT JOIN called ON called.entity = held.about
LEFT JOIN LATERAL (
    SELECT vector FROM fact_embedding
    WHERE project = %(project)s AND subject = held.subject AND model = %(model)s AND id = held.id
    OFFSET 0
) AS embedded ON true;

-- name: episodes
-- Episodes near the query by meaning, by rare words and in the times it names, with those said
-- around the nearest of them.
WITH scope AS MATERIALIZED (
    SELECT id, documents, length FROM lexical_scope
    WHERE project = %(project)s AND subject = ANY(%(subjects)s) AND kind = 'episode'
), average AS MATERIALIZED (
    SELECT sum(documents)::float8 AS documents,
        sum(length)::float8 / sum(documents)::float8 AS length
    FROM scope HAVING sum(documents) > 0
), scored AS MATERIALIZED (
    SELECT occurring.document AS id, sum(rarity.weight * occurring.frequency / (occurring.frequency
        + %(saturation)s::float8 * (1 - %(length_share)s::float8
            + %(length_share)s::float8 * occurring.length / average.length))) AS words
    FROM average
    CROSS JOIN unnest(%(terms)s::text[]) AS asked (term)
    CROSS JOIN LATERAL (
        SELECT count(*)::float8 AS documents FROM posting
        WHERE scope = ANY(ARRAY(SELECT id FROM scope)) AND term = asked.term
    ) AS known
    CROSS JOIN LATERAL (
        SELECT ln(1 + (average.documents - known.documents + float8 '0.5')
            / (known.documents + float8 '0.5')) * (%(saturation)s::float8 + 1) AS weight
    ) AS rarity
    CROSS JOIN LATERAL (
        SELECT document, frequency::float8 AS frequency, length::float8 AS length FROM posting
        WHERE scope = ANY(ARRAY(SELECT id FROM scope)) AND term = asked.term
    ) AS occurring
    GROUP BY occurring.document
), centre AS MATERIALIZED (
    SELECT avg(vector) AS vector FROM (
        SELECT sampled.vector FROM unnest(%(subjects)s::text[]) AS asked (subject)
        CROSS JOIN LATERAL (
            SELECT vector FROM episode_embedding
            WHERE project = %(project)s AND episode_embedding.subject = asked.subject
                AND model = %(model)s
            ORDER BY id LIMIT %(sampled)s
        ) AS sampled
        UNION ALL
        SELECT %(nothing)s::halfvec
    ) AS vectors
), near AS MATERIALIZED (
    SELECT id, vector <=> %(vector)s::halfvec AS distance FROM episode_embedding
    WHERE project = %(project)s AND subject = ANY(%(subjects)s) AND model = %(model)s
        AND (%(until)s::bigint IS NULL OR id IN (
            SELECT observation_id FROM episode
            WHERE project = %(project)s AND subject = ANY(%(subjects)s) AND said_at <= %(until)s
        ))
    ORDER BY distance, id
    LIMIT %(per_arm)s
), worded AS MATERIALIZED (
    SELECT id, words FROM scored
    WHERE %(until)s::bigint IS NULL OR EXISTS (
        SELECT FROM episode WHERE episode.project = %(project)s
            AND episode.observation_id = scored.id AND episode.said_at <= %(until)s
    )
    ORDER BY words DESC, id
    LIMIT %(per_arm)s
), dated AS (
    SELECT id FROM episode_embedding
    WHERE project = %(project)s AND subject = ANY(%(subjects)s) AND model = %(model)s
        AND cardinality(%(since)s::bigint[]) > 0 AND id IN (
            SELECT observation_id FROM episode
            JOIN unnest(%(since)s::bigint[], %(before)s::bigint[]) AS span (since, before)
                ON episode.said_at >= span.since AND episode.said_at < span.before
            WHERE project = %(project)s AND subject = ANY(%(subjects)s)
                AND (%(until)s::bigint IS NULL OR said_at <= %(until)s)
        )
    ORDER BY vector <=> %(vector)s::halfvec, id
    LIMIT %(per_arm)s
), surrounded AS (
    (SELECT id FROM near ORDER BY distance, id LIMIT %(surrounded)s)
    UNION
    (SELECT id FROM worded ORDER BY words DESC, id LIMIT %(surrounded)s)
), linked AS MATERIALIZED (
    SELECT later.id, later.follows
    FROM surrounded
    CROSS JOIN LATERAL (
        SELECT observation_id, subject, trace, said_at FROM episode
        WHERE project = %(project)s AND observation_id = surrounded.id
        OFFSET 0
    ) AS hit
    CROSS JOIN LATERAL (
        SELECT observation_id AS id,
            lag(observation_id, 1, hit.observation_id) OVER (ORDER BY said_at, observation_id)
                AS follows
        FROM (
            SELECT observation_id, said_at FROM episode
            WHERE project = %(project)s AND subject = hit.subject AND trace = hit.trace
                AND (said_at, observation_id) > (hit.said_at, hit.observation_id)
                AND (%(until)s::bigint IS NULL OR said_at <= %(until)s)
            ORDER BY said_at, observation_id LIMIT %(reach)s
        ) AS after
    ) AS later
    UNION
    SELECT earlier.id, earlier.follows
    FROM surrounded
    CROSS JOIN LATERAL (
        SELECT observation_id, subject, trace, said_at FROM episode
        WHERE project = %(project)s AND observation_id = surrounded.id
        OFFSET 0
    ) AS hit
    CROSS JOIN LATERAL (
        SELECT lag(observation_id, 1, hit.observation_id)
                OVER (ORDER BY said_at DESC, observation_id DESC) AS id,
            observation_id AS follows
        FROM (
            SELECT observation_id, said_at FROM episode
            WHERE project = %(project)s AND subject = hit.subject AND trace = hit.trace
                AND (said_at, observation_id) < (hit.said_at, hit.observation_id)
            ORDER BY said_at DESC, observation_id DESC LIMIT %(reach)s
        ) AS before
    ) AS earlier
), found AS MATERIALIZED (
    SELECT id FROM near UNION SELECT id FROM worded UNION SELECT id FROM dated
    UNION SELECT id FROM linked UNION SELECT follows FROM linked
)
SELECT episode.*, linked.follows, 1 - (embedded.vector <=> %(vector)s::halfvec) AS cosine,
    1 - ((embedded.vector - centre.vector) <=> (%(vector)s::halfvec - centre.vector)) AS meaning,
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
