-- name: groups
-- The groups in which anything was said about anyone, or about one entity, in these memories.
SELECT DISTINCT project, subject, about, predicate FROM assertion
WHERE project = %(project)s AND subject = ANY(%(subjects)s)
    AND (%(about)s::text IS NULL OR about = %(about)s);

-- name: closeness
-- How near given facts are to the query, by meaning and by words, and how many words they share.
WITH
-- use: words
-- use: centre
given AS (
    SELECT id, text FROM unnest(%(ids)s::text[], %(texts)s::text[]) AS given (id, text)
)
SELECT given.id, 1 - (fact_embedding.vector <=> %(vector)s::halfvec) AS cosine,
    1 - ((fact_embedding.vector - centre.vector) <=> centre.asked) AS meaning,
    ts_rank_cd(to_tsvector('simple', given.text),
    -- use: wanted
    ) AS text_rank,
    ts_rank_cd(to_tsvector('simple', given.text), (SELECT any_word FROM words)) AS word_rank
FROM given
CROSS JOIN centre
LEFT JOIN fact_embedding ON fact_embedding.project = %(project)s
    AND fact_embedding.subject = ANY(%(subjects)s) AND fact_embedding.model = %(model)s
    AND fact_embedding.id = given.id;

-- name: named
-- Of given facts, the few for each name that mention it most.
SELECT DISTINCT mentioning.id
FROM unnest(%(names)s::text[]) AS follow (name)
CROSS JOIN LATERAL (
    SELECT given.id
    FROM unnest(%(ids)s::text[], %(texts)s::text[]) AS given (id, text)
    WHERE to_tsvector('simple', given.text) @@ plainto_tsquery('simple', follow.name)
    ORDER BY ts_rank_cd(to_tsvector('simple', given.text), plainto_tsquery('simple', follow.name))
        DESC, given.id
    LIMIT %(per_name)s
) AS mentioning;
