-- Knowledge: rules and findings, mined from the runs of an application on one machine or on all of
-- its machines. A number that is not NOT NULL is NULL where it is not known or means nothing for the
-- row; an infinite one is stored as such (the sqlite3 shell shows Inf). Intervals are 95 %, p values
-- adjusted within their table (Benjamini-Hochberg), unless said otherwise.

-- What was mined at once. All other tables of knowledge below belong to a row of this one.
CREATE TABLE rule_set (
	rule_set_id    INTEGER PRIMARY KEY,
	application_id INTEGER NOT NULL REFERENCES application,
	machine_id     INTEGER REFERENCES machine,                  -- NULL: all machines
	snapshot       TEXT NOT NULL CHECK (length(snapshot) = 64), -- of the facts it was mined from
	version        INTEGER NOT NULL                             -- of the program's way of mining
) STRICT;
CREATE UNIQUE INDEX rule_set_by_target ON rule_set (application_id, ifnull(machine_id, 0));

-- Rules: if condition then statement. A case is one problem on one number of processors (one
-- machine, one source). Effects are time ratios.
CREATE TABLE rule (
	rule_set_id INTEGER NOT NULL REFERENCES rule_set ON DELETE CASCADE,
	position    INTEGER NOT NULL,  -- from 0, most useful first
	rule_id     TEXT NOT NULL CHECK (length(rule_id) = 12), -- of its content; survives mining
	kind        TEXT NOT NULL CHECK (kind IN ('choice', 'setting', 'time')),
	machine     TEXT,              -- name; NULL: holds on every machine of the application
	condition   TEXT NOT NULL,     -- the if-part; '' holds always
	setting     TEXT,              -- setting rules: what to choose; else NULL
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

-- The factors column_name ^ exponent of the formulas of time rules.
CREATE TABLE rule_term (
	rule_set_id INTEGER NOT NULL,
	position    INTEGER NOT NULL, -- from 0, over all terms of the set
	rule_id     TEXT NOT NULL,
	column_name TEXT NOT NULL,
	exponent    REAL,
	PRIMARY KEY (rule_set_id, position),
	FOREIGN KEY (rule_set_id, rule_id) REFERENCES rule (rule_set_id, rule_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- The runs as a whole: one row for each rule set.
CREATE TABLE data_profile (
	rule_set_id      INTEGER PRIMARY KEY REFERENCES rule_set ON DELETE CASCADE,
	n_runs           INTEGER NOT NULL CHECK (n_runs >= 0), -- all but excluded ones
	n_configurations INTEGER NOT NULL CHECK (n_configurations >= 0), -- status ok, not flagged
	n_problems       INTEGER NOT NULL CHECK (n_problems >= 0),
	n_cases          INTEGER NOT NULL CHECK (n_cases >= 0),
	n_failed         INTEGER NOT NULL CHECK (n_failed >= 0),
	n_timeout        INTEGER NOT NULL CHECK (n_timeout >= 0),
	n_flagged        INTEGER NOT NULL CHECK (n_flagged >= 0),
	n_aggregates     INTEGER NOT NULL CHECK (n_aggregates >= 0), -- rows that stand for several repeats
	n_repeated       INTEGER NOT NULL CHECK (n_repeated >= 0),   -- configurations run more than once
	noise            REAL,   -- typical standard deviation of log time among repeats
	noise_p90        REAL,   -- its 90th percentile over configurations
	n_outliers       INTEGER NOT NULL CHECK (n_outliers >= 0), -- repeats far above their like
	n_regimes        INTEGER NOT NULL CHECK (n_regimes >= 0),  -- stretches of time that differ
	regime_shift     REAL,   -- largest time ratio between neighbouring stretches; 1: steady
	design_coverage  REAL,   -- combinations run over combinations of the values seen
	remarks          TEXT NOT NULL -- sentences, one a line
) STRICT;

-- Each column of the runs.
CREATE TABLE column_profile (
	rule_set_id  INTEGER NOT NULL REFERENCES rule_set ON DELETE CASCADE,
	position     INTEGER NOT NULL, -- from 0
	column_name  TEXT NOT NULL,
	role         TEXT NOT NULL,    -- problem, workload, tunable, resource or derived
	n            INTEGER NOT NULL CHECK (n >= 0),         -- runs that have a value
	n_missing    INTEGER NOT NULL CHECK (n_missing >= 0), -- runs that have none
	n_levels     INTEGER NOT NULL CHECK (n_levels >= 0),  -- different values
	value_min    REAL,             -- in the unit of the column, as the next four; NULL for text
	value_q25    REAL,             -- a quarter of the values is below
	value_median REAL,
	value_q75    REAL,
	value_max    REAL,
	levels       TEXT NOT NULL,    -- text columns: values and how often; else ''
	remark       TEXT NOT NULL,    -- 'constant', 'a copy of x', ...; else ''
	PRIMARY KEY (rule_set_id, position)
) STRICT, WITHOUT ROWID;

-- How a column goes with time, and with slow-down against the best known of the same case.
CREATE TABLE column_effect (
	rule_set_id INTEGER NOT NULL REFERENCES rule_set ON DELETE CASCADE,
	position    INTEGER NOT NULL, -- from 0
	column_name TEXT NOT NULL,
	time_rho    REAL,             -- Spearman's rank correlation with time, -1 .. 1
	time_lo     REAL,             -- its interval
	time_hi     REAL,
	time_p      REAL CHECK (time_p BETWEEN 0 AND 1),
	slow_rho    REAL,             -- the same with slow-down, within cases
	slow_lo     REAL,
	slow_hi     REAL,
	slow_p      REAL CHECK (slow_p BETWEEN 0 AND 1),
	effect      REAL,             -- slow-down of its worst level over its best, a time ratio
	effect_lo   REAL,
	effect_hi   REAL,
	best        TEXT NOT NULL,    -- that level or range
	worst       TEXT NOT NULL,
	PRIMARY KEY (rule_set_id, position)
) STRICT, WITHOUT ROWID;

-- Two columns of which the effect of one on slow-down depends on the other.
CREATE TABLE column_interaction (
	rule_set_id INTEGER NOT NULL REFERENCES rule_set ON DELETE CASCADE,
	position    INTEGER NOT NULL, -- from 0
	column_a    TEXT NOT NULL,
	column_b    TEXT NOT NULL,
	share       REAL,             -- of the variance of log slow-down, beyond both alone
	p           REAL CHECK (p BETWEEN 0 AND 1),
	text        TEXT NOT NULL,    -- what it means, for people
	PRIMARY KEY (rule_set_id, position)
) STRICT, WITHOUT ROWID;

-- Attribute hypotheses (ADCL): configurations that differ in one attribute only vote for its best
-- value.
CREATE TABLE hypothesis (
	rule_set_id INTEGER NOT NULL REFERENCES rule_set ON DELETE CASCADE,
	position    INTEGER NOT NULL,  -- from 0
	attribute   TEXT NOT NULL,
	value       TEXT NOT NULL,     -- that the votes favour
	n_sets      INTEGER NOT NULL CHECK (n_sets >= 0),  -- sets that differ in the attribute only
	n_agree     INTEGER NOT NULL CHECK (n_agree >= 0), -- in which this value is the fastest
	confidence  INTEGER NOT NULL,  -- +1 for each that agrees, -1 for each that does not
	gain        REAL,              -- time of the other values over its, Hodges-Lehmann
	gain_lo     REAL,
	gain_hi     REAL,
	p           REAL CHECK (p BETWEEN 0 AND 1), -- Wilcoxon signed rank
	PRIMARY KEY (rule_set_id, position)
) STRICT, WITHOUT ROWID;

-- Choices ranked by Friedman rank sums over the cases in which all of them were run.
CREATE TABLE ranking (
	rule_set_id INTEGER PRIMARY KEY REFERENCES rule_set ON DELETE CASCADE,
	n_cases     INTEGER NOT NULL CHECK (n_cases >= 0),
	chi2        REAL,                            -- Friedman's statistic, corrected for ties
	p           REAL CHECK (p BETWEEN 0 AND 1),  -- not adjusted
	alpha       REAL CHECK (alpha BETWEEN 0 AND 1) -- level of the multiple comparison
) STRICT;
CREATE TABLE ranked_choice (
	rule_set_id INTEGER NOT NULL REFERENCES ranking ON DELETE CASCADE,
	position    INTEGER NOT NULL, -- from 0, best first
	choice      TEXT NOT NULL,    -- 'mk=10,mmi=3'
	rank_sum    REAL,
	mean_rank   REAL,             -- 1: the fastest in every case
	ties        TEXT NOT NULL,    -- letters; choices that share one are not told apart
	PRIMARY KEY (rule_set_id, position)
) STRICT, WITHOUT ROWID;

-- Judgement: decisions about rules. Rows are only ever added. They are keyed on the rule's content,
-- and stay when mining loses the rule.
CREATE TABLE rule_decision (
	decision_id INTEGER PRIMARY KEY,
	application TEXT NOT NULL CHECK (application <> ''),
	rule_id     TEXT NOT NULL CHECK (length(rule_id) = 12),
	kind        TEXT NOT NULL CHECK (kind IN ('accept', 'refuse', 'note', 'undo')),
	undoes      INTEGER REFERENCES rule_decision, -- undo: the decision that it takes back
	rule_text   TEXT NOT NULL, -- as it read when it was decided upon
	rule_shape  TEXT NOT NULL, -- the rule without its numbers: equal for forms of one rule
	why         TEXT NOT NULL, -- '': nobody said
	decided_by  TEXT NOT NULL,
	decided_at  TEXT NOT NULL, -- UTC
	CHECK ((kind = 'undo') = (undoes IS NOT NULL))
) STRICT;
CREATE INDEX rule_decision_by_rule ON rule_decision (rule_id);
CREATE INDEX rule_decision_by_undone ON rule_decision (undoes) WHERE undoes IS NOT NULL;

-- The decisions, oldest first, each with whether it was taken back.
CREATE VIEW rule_decisions AS
SELECT decision_id, application, rule_id, kind, rule_text, rule_shape, why, decided_by, decided_at,
	EXISTS (SELECT 1 FROM rule_decision AS u WHERE u.undoes = d.decision_id) AS undone
FROM rule_decision AS d ORDER BY decided_at, decision_id;

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
