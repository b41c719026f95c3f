-- Knowledge: of choice rules what their parts cost by themselves, the rule that another one is a twin
-- of, and what speaks against a rule.
ALTER TABLE rule ADD COLUMN twin_of TEXT; -- rule_id of the more useful rule that says nearly the same; NULL: none
-- choice: configurations that it speaks of; setting: cases; NULL: not counted
ALTER TABLE rule ADD COLUMN n_checked INTEGER CHECK (n_checked >= 0);
-- of n_checked: choice: near the best all the same; setting: farther from it than `within`
ALTER TABLE rule ADD COLUMN n_counter INTEGER CHECK (n_counter >= 0);

-- Choice rules: time where a part of the condition holds over time where it does not, all else equal.
CREATE TABLE rule_cost (
	rule_set_id INTEGER NOT NULL,
	position    INTEGER NOT NULL, -- from 0, over all costs of the set
	rule_id     TEXT NOT NULL,
	part        TEXT NOT NULL,    -- of the condition
	against     TEXT NOT NULL,    -- what it was compared with
	cost        REAL,             -- a time ratio
	cost_lo     REAL,             -- of a 90 % interval
	cost_hi     REAL,             -- of a 90 % interval
	n_sets      INTEGER NOT NULL CHECK (n_sets >= 0),     -- of configurations that were compared; fitted: configurations
	n_problems  INTEGER NOT NULL CHECK (n_problems >= 0), -- that these sets are of
	fitted      INTEGER NOT NULL CHECK (fitted IN (0, 1)), -- 1: too few differ in nothing else: by a regression
	PRIMARY KEY (rule_set_id, position),
	FOREIGN KEY (rule_set_id, rule_id) REFERENCES rule (rule_set_id, rule_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- The digests of rules that were mined before say nothing of these.
UPDATE rule_set SET sha256 = NULL;
