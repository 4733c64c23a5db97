-- Search by words: the terms of every fact and episode, and where each term occurs. Terms are made
-- from the text by the service; what follows from them is kept right here, whoever writes the rows.

ALTER TABLE episode ADD COLUMN terms text;
ALTER TABLE fact ADD COLUMN terms text;
COMMENT ON COLUMN episode.terms IS
    'Separated by spaces, as often as they occur; null: the text is not read yet.';
COMMENT ON COLUMN fact.terms IS 'As of an episode; empty: no search looks for it.';
CREATE INDEX episode_unread ON episode (project, subject) WHERE terms IS NULL;
CREATE INDEX fact_unread ON fact (project, subject) WHERE terms IS NULL;
CREATE INDEX episode_by_trace ON episode (project, subject, trace, said_at, observation_id);

CREATE TABLE lexical_scope (
    id bigint GENERATED ALWAYS AS IDENTITY,
    project text NOT NULL,
    subject text NOT NULL,
    kind text NOT NULL,
    documents bigint NOT NULL,
    length bigint NOT NULL,
    CONSTRAINT lexical_scope_key PRIMARY KEY (id),
    CONSTRAINT lexical_scope_once UNIQUE (project, subject, kind),
    CONSTRAINT lexical_scope_kind CHECK (kind IN ('fact', 'episode'))
);
COMMENT ON TABLE lexical_scope IS 'Texts of one kind in one memory: a term is rare among these.';
COMMENT ON COLUMN lexical_scope.length IS 'Of all its documents together, in terms.';

CREATE TABLE posting (
    scope bigint NOT NULL,
    term text NOT NULL,
    document text NOT NULL,
    frequency smallint NOT NULL,
    length smallint NOT NULL,
    CONSTRAINT posting_key PRIMARY KEY (scope, term, document) INCLUDE (frequency, length)
);
COMMENT ON TABLE posting IS 'How often a term occurs in a document, and how long that is.';

CREATE FUNCTION add_postings(
    its_kind text, projects text[], subjects text[], documents text[], terms text[]
) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    INSERT INTO lexical_scope (project, subject, kind, documents, length)
    SELECT added.project, added.subject, its_kind, count(*),
        sum(cardinality(string_to_array(added.words, ' ')))
    FROM unnest(projects, subjects, terms) AS added (project, subject, words)
    GROUP BY added.project, added.subject ORDER BY added.project, added.subject
    ON CONFLICT ON CONSTRAINT lexical_scope_once DO UPDATE
        SET documents = lexical_scope.documents + excluded.documents,
            length = lexical_scope.length + excluded.length;
    INSERT INTO posting (scope, term, document, frequency, length)
    SELECT read.scope, occurring.term, read.document, least(count(*), 32767), read.length
    FROM (
        SELECT lexical_scope.id AS scope, added.document,
            string_to_array(added.words, ' ') AS words,
            cardinality(string_to_array(added.words, ' ')) AS length
        FROM unnest(projects, subjects, documents, terms)
            AS added (project, subject, document, words)
        JOIN lexical_scope ON lexical_scope.project = added.project
            AND lexical_scope.subject = added.subject AND lexical_scope.kind = its_kind
    ) AS read
    CROSS JOIN LATERAL unnest(read.words) AS occurring (term)
    GROUP BY read.scope, occurring.term, read.document, read.length;
END $$;

CREATE FUNCTION remove_postings(
    its_kind text, projects text[], subjects text[], documents text[], terms text[]
) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    DELETE FROM posting
    USING unnest(projects, subjects, documents, terms)
        AS removed (project, subject, document, words)
    JOIN lexical_scope ON lexical_scope.project = removed.project
        AND lexical_scope.subject = removed.subject AND lexical_scope.kind = its_kind
    CROSS JOIN LATERAL unnest(string_to_array(removed.words, ' ')) AS occurring (term)
    WHERE posting.scope = lexical_scope.id AND posting.term = occurring.term
        AND posting.document = removed.document;
    UPDATE lexical_scope
    SET documents = lexical_scope.documents - gone.documents,
        length = lexical_scope.length - gone.length
    FROM (
        SELECT removed.project, removed.subject, count(*) AS documents,
            sum(cardinality(string_to_array(removed.words, ' '))) AS length
        FROM unnest(projects, subjects, terms) AS removed (project, subject, words)
        GROUP BY removed.project, removed.subject
    ) AS gone
    WHERE lexical_scope.project = gone.project AND lexical_scope.subject = gone.subject
        AND lexical_scope.kind = its_kind;
END $$;

-- Its arguments: the kind of document, and the column that names one.
CREATE FUNCTION keep_postings() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    columns text := format('project, subject, %I AS document, terms', TG_ARGV[1]);
    former text := format('SELECT %s FROM removed', columns);
    present text := format('SELECT %s FROM added', columns);
    call text := 'SELECT %s(%L, array_agg(project), array_agg(subject), array_agg(document), '
        'array_agg(terms)) FROM (%s) AS changing WHERE terms <> '''' HAVING count(*) > 0';
BEGIN
    CASE TG_OP
    WHEN 'INSERT' THEN
        EXECUTE format(call, 'add_postings', TG_ARGV[0], present);
    WHEN 'DELETE' THEN
        EXECUTE format(call, 'remove_postings', TG_ARGV[0], former);
    WHEN 'UPDATE' THEN
        EXECUTE format(call, 'remove_postings', TG_ARGV[0], former || ' EXCEPT ' || present);
        EXECUTE format(call, 'add_postings', TG_ARGV[0], present || ' EXCEPT ' || former);
    END CASE;
    RETURN NULL;
END $$;

CREATE TRIGGER episode_added AFTER INSERT ON episode REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION keep_postings('episode', 'observation_id');
CREATE TRIGGER episode_removed AFTER DELETE ON episode REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION keep_postings('episode', 'observation_id');
CREATE TRIGGER episode_changed AFTER UPDATE ON episode
    REFERENCING OLD TABLE AS removed NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION keep_postings('episode', 'observation_id');
CREATE TRIGGER fact_added AFTER INSERT ON fact REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION keep_postings('fact', 'id');
CREATE TRIGGER fact_removed AFTER DELETE ON fact REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION keep_postings('fact', 'id');
CREATE TRIGGER fact_changed AFTER UPDATE ON fact
    REFERENCING OLD TABLE AS removed NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION keep_postings('fact', 'id');

-- The vector of what somebody said is of their name, too: those that are stored are made anew.
INSERT INTO embedding_backlog (project, subject, kind, id, said_at)
SELECT project, subject, 'episode', observation_id, said_at FROM episode
WHERE embeddable AND author_name IS NOT NULL
ON CONFLICT ON CONSTRAINT embedding_backlog_key DO NOTHING;

ALTER TABLE posting SET (autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- Statistics would keep terms that are erased.
ALTER TABLE posting ALTER COLUMN term SET STATISTICS 0;
ALTER TABLE lexical_scope SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
