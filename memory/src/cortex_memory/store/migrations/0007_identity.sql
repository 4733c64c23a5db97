-- What an actor states of their own keys joins nothing: it is a candidate for a person.

CREATE OR REPLACE VIEW known_link AS
    SELECT project, id, first, second, relation, status, rule, rule_version, evidence, linked_at
    FROM identity_link
    UNION ALL
    SELECT project, id, first, second, 'same',
        CASE WHEN rule = 'self_declared' THEN 'candidate' ELSE 'auto' END,
        rule, rule_version, NULL, 0
    FROM automatic_link;

CREATE INDEX identity_link_by_rule ON identity_link (project, rule);
CREATE INDEX automatic_link_by_rule ON automatic_link (project, rule);
