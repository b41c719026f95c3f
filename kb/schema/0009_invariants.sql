-- Knowledge: a fourth kind of rule, what held in every run that ended well. SQLite changes no CHECK of
-- a table: it is made anew, with what was mined, and so is the table that refers to it.
DROP VIEW rules;

CREATE TABLE new_rule (
	rule_set_id INTEGER NOT NULL REFERENCES rule_set ON DELETE CASCADE,
	position    INTEGER NOT NULL,  -- from 0, most useful first
	rule_id     TEXT NOT NULL CHECK (length(rule_id) = 12), -- of its content; survives mining
	kind        TEXT NOT NULL CHECK (kind IN ('choice', 'setting', 'time', 'invariant')),
	machine     TEXT,              -- name; NULL: holds on every machine of the application
	condition   TEXT NOT NULL,     -- the if-part; '' holds always
	setting     TEXT,              -- setting rules: what to choose; invariants: what held; else NULL
	within      REAL,              -- setting rules: 0.03: within 3 % of the best known
	text        TEXT NOT NULL,     -- the whole rule as one sentence
	-- time rules: time = coefficient * the product of the rows of rule_term, kept between
	-- formula_min and formula_max [s], or with on_model = 1 its ratio to the model's prediction
	on_model    INTEGER NOT NULL CHECK (on_model IN (0, 1)),
	coefficient REAL,
	formula_min REAL,
	formula_max REAL,
	weight      REAL CHECK (weight BETWEEN 0 AND 1), -- how far predictions follow it, 0: not at all
	-- the evidence
	n_runs           INTEGER NOT NULL CHECK (n_runs >= 0), -- for which the condition holds
	n_configurations INTEGER NOT NULL CHECK (n_configurations >= 0), -- distinct ones among them
	n_cases          INTEGER NOT NULL CHECK (n_cases >= 0),
	n_problems       INTEGER NOT NULL CHECK (n_problems >= 0),
	n_machines       INTEGER NOT NULL CHECK (n_machines >= 0),
	n_measured       INTEGER NOT NULL CHECK (n_measured >= 0),  -- of n_runs
	n_simulated      INTEGER NOT NULL CHECK (n_simulated >= 0), -- of n_runs
	n_modelled       INTEGER NOT NULL CHECK (n_modelled >= 0),  -- of n_runs
	coverage       REAL CHECK (coverage BETWEEN 0 AND 1),   -- n_runs over all runs looked at
	effect         REAL,   -- on held-out problems; choice, setting: time over the best known
	effect_lo      REAL,   -- of a 90 % interval
	effect_hi      REAL,   -- of a 90 % interval
	versus_others  REAL,   -- choice, setting: time over the other choices of the same cases
	confidence     REAL CHECK (confidence BETWEEN 0 AND 1), -- share of held-out cases in which true
	p_value        REAL CHECK (p_value BETWEEN 0 AND 1),    -- adjusted for all rules tried
	held_out_error REAL,   -- median |log error| of effect or formula on what was held out
	usefulness     REAL,   -- sorts: share of all log slow-down or error that it explains
	overlaps       TEXT,   -- rule_id of the rule it shares most runs with; NULL: none
	overlap        REAL CHECK (overlap BETWEEN 0 AND 1),    -- runs in both over runs in either
	covers         TEXT,   -- rule_ids of rules of one machine that it says, too; NULL: none
	caveat         TEXT,   -- one sentence; NULL: none
	PRIMARY KEY (rule_set_id, position),
	UNIQUE (rule_set_id, rule_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE new_rule_term (
	rule_set_id INTEGER NOT NULL,
	position    INTEGER NOT NULL, -- from 0, over all terms of the set
	rule_id     TEXT NOT NULL,
	column_name TEXT NOT NULL,
	exponent    REAL,
	PRIMARY KEY (rule_set_id, position),
	FOREIGN KEY (rule_set_id, rule_id) REFERENCES new_rule (rule_set_id, rule_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

INSERT INTO new_rule SELECT * FROM rule;
INSERT INTO new_rule_term SELECT * FROM rule_term;
DROP TABLE rule_term;
DROP TABLE rule;
ALTER TABLE new_rule RENAME TO rule;
ALTER TABLE new_rule_term RENAME TO rule_term;

-- The rules for people, most useful first, each with what was decided about it.
CREATE VIEW rules AS
SELECT a.name AS application, m.name AS machine, r.rule_id, r.kind, r.text,
	ifnull((SELECT CASE d.kind WHEN 'accept' THEN 'accepted' ELSE 'refused' END
		FROM rule_decisions AS d
		WHERE d.application = a.name COLLATE NOCASE AND d.rule_id = r.rule_id
			AND d.kind IN ('accept', 'refuse') AND NOT d.undone
		ORDER BY d.decided_at DESC, d.decision_id DESC LIMIT 1), 'new') AS state,
	r.usefulness, r.effect, r.effect_lo, r.effect_hi, r.confidence, r.p_value, r.n_runs,
	r.n_cases, r.n_problems, r.n_machines, r.condition, r.setting, r.caveat
FROM rule_set AS s
JOIN rule AS r USING (rule_set_id)
JOIN application AS a USING (application_id)
LEFT JOIN machine AS m ON m.machine_id = s.machine_id
ORDER BY a.name, m.name, r.position;
