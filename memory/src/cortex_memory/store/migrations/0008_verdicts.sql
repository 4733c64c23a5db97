-- Verdicts on names: found by their pair, and of a person's, who decided and why.

ALTER TABLE predicate_verdict ADD COLUMN decided_by text;
ALTER TABLE predicate_verdict ADD COLUMN reason text;
COMMENT ON COLUMN predicate_verdict.decided_by IS 'Of a person''s verdict, which names no model.';
COMMENT ON COLUMN predicate_verdict.reason IS 'In the person''s own words; no fact depends on it.';
CREATE INDEX predicate_verdict_by_pair ON predicate_verdict (project, first, second);
CREATE INDEX predicate_verdict_joining ON predicate_verdict (project) WHERE same;

COMMENT ON TABLE group_due IS
    'Groups to be folded anew: when time changes them, or at 0 since names are joined or parted.';
