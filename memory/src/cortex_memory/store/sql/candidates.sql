-- name: facts
-- Facts near the query by meaning, by all its words, by any word where no vector is known yet, and
-- by the names given: those that may be served, and those that rules will hide.
WITH words AS MATERIALIZED (
    SELECT string_agg('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''', ' | ')
        ::tsquery AS any_word
    FROM unnest(to_tsvector('simple', %(query)s))
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
    SELECT matching.id
    FROM (
        SELECT fact.id, ts_rank_cd(fact.search, websearch_to_tsquery('simple', %(query)s)) AS rank
        FROM fact
        WHERE %(model)s::smallint IS NOT NULL
            AND fact.project = %(project)s AND fact.subject = ANY(%(subjects)s)
            AND fact.search @@ websearch_to_tsquery('simple', %(query)s)
            AND (%(about)s::text IS NULL OR fact.about = %(about)s)
            AND (fact.status IN ('active', 'scheduled')
                OR fact.status = 'candidate' AND fact.conflict_id IS NOT NULL)
        UNION ALL
        SELECT fact.id, ts_rank_cd(fact.search, (SELECT any_word FROM words)) AS rank
        FROM fact
        WHERE fact.project = %(project)s AND fact.subject = ANY(%(subjects)s)
            AND (%(model)s::smallint IS NULL OR fact.id = ANY(ARRAY(
                SELECT id FROM embedding_backlog
                WHERE project = %(project)s AND subject = ANY(%(subjects)s) AND kind = 'fact'
                ORDER BY said_at DESC, id LIMIT %(waiting)s
            )))
            AND fact.search @@ (SELECT any_word FROM words)
            AND (%(about)s::text IS NULL OR fact.about = %(about)s)
            AND (fact.status IN ('active', 'scheduled')
                OR fact.status = 'candidate' AND fact.conflict_id IS NOT NULL)
    ) AS matching
    ORDER BY matching.rank DESC, matching.id
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
    ts_rank_cd(fact.search, CASE WHEN %(model)s::smallint IS NULL
        THEN (SELECT any_word FROM words)
        ELSE websearch_to_tsquery('simple', %(query)s) END) AS text_rank
FROM found
JOIN fact ON fact.project = %(project)s AND fact.id = found.id
LEFT JOIN called ON called.entity = fact.about
LEFT JOIN fact_embedding ON fact_embedding.project = fact.project
    AND fact_embedding.subject = fact.subject AND fact_embedding.model = %(model)s
    AND fact_embedding.id = fact.id;

-- name: episodes
-- Episodes near the query by meaning, by all its words, and by any word where no vector is known.
WITH words AS MATERIALIZED (
    SELECT string_agg('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''', ' | ')
        ::tsquery AS any_word
    FROM unnest(to_tsvector('simple', %(query)s))
), near AS (
    SELECT id FROM episode_embedding
    WHERE project = %(project)s AND subject = ANY(%(subjects)s) AND model = %(model)s
        AND (%(until)s::bigint IS NULL OR id IN (
            SELECT observation_id FROM episode
            WHERE project = %(project)s AND subject = ANY(%(subjects)s) AND said_at <= %(until)s
        ))
    ORDER BY vector <=> %(vector)s::halfvec, id
    LIMIT %(per_arm)s
), worded AS (
    SELECT matching.id
    FROM (
        SELECT observation_id AS id,
            ts_rank_cd(search, websearch_to_tsquery('simple', %(query)s)) AS rank
        FROM episode
        WHERE %(model)s::smallint IS NOT NULL
            AND project = %(project)s AND subject = ANY(%(subjects)s)
            AND search @@ websearch_to_tsquery('simple', %(query)s)
            AND (%(until)s::bigint IS NULL OR said_at <= %(until)s)
        UNION ALL
        SELECT observation_id AS id, ts_rank_cd(search, (SELECT any_word FROM words)) AS rank
        FROM episode
        WHERE project = %(project)s AND subject = ANY(%(subjects)s)
            AND (%(model)s::smallint IS NULL OR observation_id = ANY(ARRAY(
                SELECT id FROM embedding_backlog
                WHERE project = %(project)s AND subject = ANY(%(subjects)s) AND kind = 'episode'
                ORDER BY said_at DESC, id LIMIT %(waiting)s
            )))
            AND search @@ (SELECT any_word FROM words)
            AND (%(until)s::bigint IS NULL OR said_at <= %(until)s)
    ) AS matching
    ORDER BY matching.rank DESC, matching.id
    LIMIT %(per_arm)s
), found AS MATERIALIZED (
    SELECT id FROM near UNION SELECT id FROM worded
)
SELECT episode.observation_id AS id, episode.subject, episode.category AS kind,
    episode.said_at AS moment, episode.author_name AS who, episode.origin,
    left(episode.text, %(characters)s) AS text,
    1 - (episode_embedding.vector <=> %(vector)s::halfvec) AS cosine,
    ts_rank_cd(episode.search, CASE WHEN %(model)s::smallint IS NULL
        THEN (SELECT any_word FROM words)
        ELSE websearch_to_tsquery('simple', %(query)s) END) AS text_rank
FROM found
JOIN episode ON episode.project = %(project)s AND episode.observation_id = found.id
    AND episode.subject = ANY(%(subjects)s)
LEFT JOIN episode_embedding ON episode_embedding.project = episode.project
    AND episode_embedding.subject = episode.subject AND episode_embedding.model = %(model)s
    AND episode_embedding.id = episode.observation_id;
