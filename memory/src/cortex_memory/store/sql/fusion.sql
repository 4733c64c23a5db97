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
), called AS (
    SELECT DISTINCT ON (identifier.entity) identifier.entity,
        coalesce(mention.name, identifier.value) AS name
    FROM identifier
    LEFT JOIN mention
        ON mention.project = identifier.project AND mention.identifier = identifier.id
    WHERE identifier.project = %(project)s AND identifier.entity = ANY(ARRAY(
        SELECT DISTINCT fact.about FROM found
        JOIN fact ON fact.project = %(project)s AND fact.id = found.id
    ))
    ORDER BY identifier.entity, mention.observations DESC NULLS LAST, 2
)
SELECT fact.id, fact.subject, fact.about, called.name AS about_name, fact.predicate, fact.value,
    fact.qualifiers, fact.status, fact.conflict_id, fact.authority, fact.volatility,
    fact.confidence, fact.valid_from, fact.valid_until, fact.last_confirmed_at AS last_confirmed,
    (extract(epoch FROM fact.recorded_at) * 1000)::bigint AS recorded_from,
    ARRAY(
        SELECT DISTINCT fact_source.observation_id FROM fact_source
        WHERE fact_source.project = fact.project AND fact_source.fact_id = fact.id
        ORDER BY fact_source.observation_id
    ) AS sources,
    1 - (fact_embedding.vector <=> %(vector)s::halfvec) AS cosine,
    1 - ((fact_embedding.vector - centre.vector) <=> (%(vector)s::halfvec - centre.vector))
        AS meaning,
    coalesce(scored.words, 0) AS words,
    coalesce((SELECT ln(1 + (documents - float8 '0.5') / float8 '1.5') FROM average), 0) AS rarest
FROM found
JOIN fact ON fact.project = %(project)s AND fact.id = found.id
    AND fact.subject = ANY(%(subjects)s)
CROSS JOIN centre
LEFT JOIN scored ON scored.id = found.id
LEFT JOIN called ON called.entity = fact.about
LEFT JOIN fact_embedding ON fact_embedding.project = fact.project
    AND fact_embedding.subject = fact.subject AND fact_embedding.model = %(model)s
    AND fact_embedding.id = fact.id;

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
    JOIN episode AS hit ON hit.project = %(project)s AND hit.observation_id = surrounded.id
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
    JOIN episode AS hit ON hit.project = %(project)s AND hit.observation_id = surrounded.id
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
SELECT episode.observation_id AS id, episode.subject, episode.category AS kind,
    episode.said_at AS moment, episode.trace, episode.author_name AS who, episode.origin,
    left(episode.text, %(characters)s) AS text,
    (SELECT linked.follows FROM linked WHERE linked.id = found.id LIMIT 1) AS follows,
    1 - (episode_embedding.vector <=> %(vector)s::halfvec) AS cosine,
    1 - ((episode_embedding.vector - centre.vector) <=> (%(vector)s::halfvec - centre.vector))
        AS meaning,
    coalesce(scored.words, 0) AS words,
    coalesce((SELECT ln(1 + (documents - float8 '0.5') / float8 '1.5') FROM average), 0) AS rarest
FROM found
JOIN episode ON episode.project = %(project)s AND episode.observation_id = found.id
    AND episode.subject = ANY(%(subjects)s)
CROSS JOIN centre
LEFT JOIN scored ON scored.id = found.id
LEFT JOIN episode_embedding ON episode_embedding.project = episode.project
    AND episode_embedding.subject = episode.subject AND episode_embedding.model = %(model)s
    AND episode_embedding.id = episode.observation_id
WHERE episode.text <> '';
