-- part: findable
-- A fact that may be served, or that a rule will hide and count.
(fact.status IN ('active', 'scheduled')
    OR fact.status = 'candidate' AND fact.conflict_id IS NOT NULL)

-- part: words
-- The query as full text, of which any word will do.
words AS MATERIALIZED (
    SELECT string_agg('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''', ' | ')
        ::tsquery AS any_word
    FROM unnest(to_tsvector('simple', %(query)s))
),

-- part: wanted
-- The words that are wanted of a text: all, or any where the meaning of the query is not known.
CASE WHEN %(model)s::smallint IS NULL THEN (SELECT any_word FROM words)
    ELSE websearch_to_tsquery('simple', %(query)s) END

-- part: waiting
-- The newest that have no vector yet, where others have one.
SELECT id FROM embedding_backlog
WHERE %(model)s::smallint IS NOT NULL
    AND project = %(project)s AND subject = ANY(%(subjects)s) AND kind = %(kind)s
ORDER BY said_at DESC, id LIMIT %(waiting)s

-- part: rare_words
-- How near every text of one kind is by words, the rarer the more (BM25).
scope AS MATERIALIZED (
    SELECT id, documents, length FROM lexical_scope
    WHERE project = %(project)s AND subject = ANY(%(subjects)s) AND kind = %(kind)s
), average AS MATERIALIZED (
    SELECT documents, %(saturation)s::float8 * (1 - %(length_share)s::float8) AS damping,
        %(saturation)s::float8 * %(length_share)s::float8 * documents / length AS damping_by_length
    FROM (
        SELECT sum(documents)::float8 AS documents, sum(length)::float8 AS length FROM scope
        HAVING sum(documents) > 0
    ) AS whole
), scored AS MATERIALIZED (
    SELECT occurring.document AS id, sum(rarity.weight * occurring.frequency
        / (occurring.frequency + average.damping + average.damping_by_length * occurring.length)
    ) AS words
    FROM average
    CROSS JOIN unnest(%(terms)s::text[]) AS asked (term)
    CROSS JOIN LATERAL (
        SELECT ln(1 + (average.documents - known.documents + float8 '0.5')
            / (known.documents + float8 '0.5')) * (%(saturation)s::float8 + 1) AS weight
        FROM (
            SELECT count(*)::float8 AS documents FROM posting
            WHERE scope = ANY(ARRAY(SELECT id FROM scope)) AND term = asked.term
        ) AS known
        OFFSET 0  -- once a term, and not for every text
    ) AS rarity
    CROSS JOIN LATERAL (
        SELECT document, frequency::float8 AS frequency, length::float8 AS length FROM posting
        WHERE scope = ANY(ARRAY(SELECT id FROM scope)) AND term = asked.term
    ) AS occurring
    GROUP BY occurring.document
),

-- part: centre
-- The middle of the memories asked, and the query as seen from there.
centre AS MATERIALIZED (
    SELECT middle.vector, %(vector)s::halfvec - middle.vector AS asked
    FROM (
        SELECT avg(vector) AS vector FROM (
            SELECT sampled.vector FROM unnest(%(subjects)s::text[]) AS memory (subject)
            CROSS JOIN LATERAL (
                (
                    SELECT vector FROM fact_embedding
                    WHERE %(kind)s = 'fact' AND project = %(project)s
                        AND fact_embedding.subject = memory.subject AND model = %(model)s
                    ORDER BY subject, model, id LIMIT %(sampled)s
                )
                UNION ALL
                (
                    SELECT vector FROM episode_embedding
                    WHERE %(kind)s = 'episode' AND project = %(project)s
                        AND episode_embedding.subject = memory.subject AND model = %(model)s
                    ORDER BY subject, model, id LIMIT %(sampled)s
                )
            ) AS sampled
            UNION ALL
            SELECT %(nothing)s::halfvec
        ) AS vectors
    ) AS middle
),

-- part: fact_distances
-- How far the vectors of facts are from the query: one memory at a time, through its own index.
SELECT measured.id, measured.distance FROM unnest(%(subjects)s::text[]) AS memory (subject)
CROSS JOIN LATERAL (
    SELECT id, vector <=> %(vector)s::halfvec AS distance FROM fact_embedding
    WHERE project = %(project)s AND fact_embedding.subject = memory.subject
        AND model = %(model)s
        AND (%(about)s::text IS NULL OR id IN (
            SELECT fact.id FROM fact
            WHERE fact.project = %(project)s AND fact.subject = ANY(%(subjects)s)
                AND fact.about = %(about)s
        ))
    OFFSET 0
) AS measured

-- part: live
-- Only those that can be found.
CROSS JOIN LATERAL (
    SELECT FROM fact
    WHERE fact.project = %(project)s AND fact.id = nearest.id
        AND fact.subject = ANY(%(subjects)s) AND
        -- use: findable
    OFFSET 0  -- one by one through the index, however small the table
) AS live

-- part: enough
-- Whether the proposals hold the nearest of each memory: all that it has, or at least as many as
-- are wanted are still there and as they were.
enough AS MATERIALIZED (
    SELECT %(proposed)s::text[] IS NOT NULL AND NOT EXISTS (
        SELECT FROM proposal GROUP BY subject
        HAVING count(*) >= %(proposals)s AND count(*) FILTER (
            WHERE distance IS NULL OR id IN (SELECT id FROM written)
        ) > %(proposals)s - %(wanted)s
    ) AS proposed
),

-- part: near_facts
-- The nearest facts: of those proposed and those written since, or of all. Few of the nearest are
-- retired, as a rule; where too many are, all are looked through.
proposal AS MATERIALIZED (
    SELECT proposed.id, proposed.subject, kept.distance
    FROM unnest(%(proposed)s::text[], %(proposed_of)s::text[]) AS proposed (id, subject)
    LEFT JOIN LATERAL (
        SELECT vector <=> %(vector)s::halfvec AS distance FROM fact_embedding
        WHERE project = %(project)s AND fact_embedding.subject = proposed.subject
            AND model = %(model)s AND id = proposed.id
        OFFSET 0
    ) AS kept ON true
),
written AS MATERIALIZED (
    SELECT later.id, later.distance
    FROM unnest(%(subjects)s::text[], %(horizons)s::text[]::xid8[]) AS memory (subject, horizon)
    CROSS JOIN LATERAL (
        SELECT id, vector <=> %(vector)s::halfvec AS distance FROM fact_embedding
        WHERE project = %(project)s AND fact_embedding.subject = memory.subject
            AND model = %(model)s AND written >= memory.horizon
        OFFSET 0
    ) AS later
),
-- use: enough
nearest AS MATERIALIZED (
    SELECT measured.id, measured.distance FROM (
        SELECT id, distance FROM proposal
        WHERE (SELECT proposed FROM enough) AND distance IS NOT NULL
        UNION
        SELECT id, distance FROM written WHERE (SELECT proposed FROM enough)
        UNION ALL
        SELECT everywhere.id, everywhere.distance FROM (
            -- use: fact_distances
        ) AS everywhere
        WHERE NOT (SELECT proposed FROM enough)
    ) AS measured
    ORDER BY measured.distance, measured.id
    LIMIT %(wanted)s
), near AS MATERIALIZED (
    SELECT nearest.id FROM nearest
    -- use: live
    ORDER BY nearest.distance, nearest.id
    LIMIT %(per_arm)s
), farther AS (
    SELECT nearest.id FROM (
        SELECT measured.id, measured.distance FROM (
            -- use: fact_distances
        ) AS measured
        WHERE (SELECT count(*) FROM near) < %(per_arm)s
            AND (SELECT count(*) FROM nearest) = %(wanted)s
        ORDER BY measured.distance, measured.id
        OFFSET 0
    ) AS nearest
    -- use: live
    ORDER BY nearest.distance, nearest.id
    LIMIT %(per_arm)s
),

-- part: near_episodes
-- The nearest episodes, as of facts, said before a moment or ever.
proposal AS MATERIALIZED (
    SELECT proposed.id, proposed.subject, kept.distance
    FROM unnest(%(proposed)s::text[], %(proposed_of)s::text[]) AS proposed (id, subject)
    LEFT JOIN LATERAL (
        SELECT vector <=> %(vector)s::halfvec AS distance FROM episode_embedding
        WHERE project = %(project)s AND episode_embedding.subject = proposed.subject
            AND model = %(model)s AND id = proposed.id
        OFFSET 0
    ) AS kept ON true
),
written AS MATERIALIZED (
    SELECT later.id, later.distance
    FROM unnest(%(subjects)s::text[], %(horizons)s::text[]::xid8[]) AS memory (subject, horizon)
    CROSS JOIN LATERAL (
        SELECT id, vector <=> %(vector)s::halfvec AS distance FROM episode_embedding
        WHERE project = %(project)s AND episode_embedding.subject = memory.subject
            AND model = %(model)s AND written >= memory.horizon
        OFFSET 0
    ) AS later
),
-- use: enough
near AS MATERIALIZED (
    SELECT measured.id, measured.distance FROM (
        SELECT id, distance FROM proposal
        WHERE (SELECT proposed FROM enough) AND distance IS NOT NULL
        UNION
        SELECT id, distance FROM written WHERE (SELECT proposed FROM enough)
        UNION ALL
        SELECT everywhere.id, everywhere.distance
        FROM unnest(%(subjects)s::text[]) AS memory (subject)
        CROSS JOIN LATERAL (
            SELECT id, vector <=> %(vector)s::halfvec AS distance FROM episode_embedding
            WHERE project = %(project)s AND episode_embedding.subject = memory.subject
                AND model = %(model)s
                AND (%(until)s::bigint IS NULL OR id IN (
                    SELECT observation_id FROM episode
                    WHERE project = %(project)s AND subject = ANY(%(subjects)s)
                        AND said_at <= %(until)s
                ))
            OFFSET 0
        ) AS everywhere
        WHERE NOT (SELECT proposed FROM enough)
    ) AS measured
    ORDER BY measured.distance, measured.id
    LIMIT %(wanted)s
),

-- part: named_facts
-- Those that mention one of the names, a few for each: one memory at a time, since the index of
-- words knows no list of them.
named AS (
    SELECT mentioning.id
    FROM unnest(%(names)s::text[]) AS follow (name)
    CROSS JOIN LATERAL (
        SELECT found.id FROM unnest(%(subjects)s::text[]) AS asked (subject)
        CROSS JOIN LATERAL (
            SELECT fact.id,
                ts_rank_cd(fact.search, plainto_tsquery('simple', follow.name)) AS rank
            FROM fact
            WHERE fact.project = %(project)s AND fact.subject = asked.subject
                AND fact.search @@ plainto_tsquery('simple', follow.name)
                AND NOT fact.id = ANY(%(known)s::text[])
                AND (%(about)s::text IS NULL OR fact.about = %(about)s)
                AND
                -- use: findable
            OFFSET 0
        ) AS found
        ORDER BY found.rank DESC, found.id
        LIMIT %(per_name)s
    ) AS mentioning
),

-- part: held_facts
-- All that was found, and what those are called whom it is about.
rival AS (
    SELECT fact.id FROM conflict_member AS member
    JOIN fact ON fact.project = member.project AND fact.id = member.fact_id
        AND fact.conflict_id = member.conflict_id
    WHERE member.project = %(project)s AND member.conflict_id = ANY(%(conflicts)s::text[])
), found AS MATERIALIZED (
    SELECT id FROM near UNION SELECT id FROM farther UNION SELECT id FROM worded
    UNION SELECT id FROM named UNION SELECT id FROM rival
), held AS MATERIALIZED (
    SELECT fact.* FROM found
    CROSS JOIN LATERAL (
        SELECT id, subject, about, predicate, value, qualifiers, status, conflict_id, authority,
            volatility, confidence, valid_from, valid_until, last_confirmed_at, recorded_at, search
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

-- part: fact_columns
-- What is told of a fact.
held.id, held.subject, held.about, called.name AS about_name, held.predicate, held.value,
held.qualifiers, held.status, held.conflict_id, held.authority, held.volatility, held.confidence,
held.valid_from, held.valid_until, held.last_confirmed_at AS last_confirmed,
(extract(epoch FROM held.recorded_at) * 1000)::bigint AS recorded_from,
ARRAY(
    SELECT observation_id FROM fact_source
    WHERE fact_source.project = %(project)s AND fact_source.fact_id = held.id
    ORDER BY assertion_id LIMIT %(most_sources)s
) AS sources,
(held.subject, held.about, held.predicate) IN (
    SELECT subject, about, predicate FROM group_due
    WHERE project = %(project)s AND due_at > 0 AND due_at <= %(now)s
) AS is_due,

-- part: beside_facts
-- What stands beside a fact: whom it is about, and its vector.
LEFT JOIN called ON called.entity = held.about
LEFT JOIN LATERAL (
    SELECT vector FROM fact_embedding
    WHERE project = %(project)s AND subject = held.subject AND model = %(model)s AND id = held.id
    OFFSET 0
) AS embedded ON true
