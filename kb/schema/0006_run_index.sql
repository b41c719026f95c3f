-- Knowledge: the runs of one application on one machine, arranged so that a question reads those near
-- it and no others; and digests, by which knowledge that a disk has damaged is told from what was
-- mined.

CREATE TABLE index_of_runs (
	index_id     INTEGER PRIMARY KEY,
	application_id   INTEGER NOT NULL REFERENCES application,
	machine_id       INTEGER NOT NULL REFERENCES machine,
	identity         TEXT NOT NULL CHECK (length(identity) = 64), -- of the runs, and of their numbers
	n_configurations INTEGER NOT NULL CHECK (n_configurations >= 0), -- that ended, told apart
	sha256           TEXT NOT NULL CHECK (length(sha256) = 64) -- of this row and the runs of its sample
) STRICT;
CREATE UNIQUE INDEX index_of_runs_by_target ON index_of_runs (application_id, machine_id);

-- Configurations in boxes: a box is halved until few are left in it.
CREATE TABLE index_node (
	index_id INTEGER NOT NULL REFERENCES index_of_runs ON DELETE CASCADE,
	node         INTEGER NOT NULL CHECK (node >= 1), -- 1: all; the halves of k are 2 k and 2 k + 1
	n            INTEGER NOT NULL CHECK (n >= 0),    -- configurations listed for it; 0: it has halves
	box          TEXT NOT NULL, -- 'least:most' of each stored column, in their order; '-': not bounded
	contents     TEXT NOT NULL, -- SHA-256 of the configurations listed and their runs; '': none
	sha256       TEXT NOT NULL CHECK (length(sha256) = 64), -- of this row
	PRIMARY KEY (index_id, node)
) STRICT, WITHOUT ROWID;

-- The configurations of a box.
CREATE TABLE index_configuration (
	index_id INTEGER NOT NULL,
	node         INTEGER NOT NULL,
	position     INTEGER NOT NULL, -- from 0
	run_id       INTEGER NOT NULL, -- its run of median time, which says what it is
	n_runs       INTEGER NOT NULL CHECK (n_runs >= 1), -- of it that ended
	PRIMARY KEY (index_id, node, position),
	FOREIGN KEY (index_id, node) REFERENCES index_node ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- A run for each combination of resources that occurs, and of whatever else candidates are taken from.
CREATE TABLE index_sample (
	index_id INTEGER NOT NULL REFERENCES index_of_runs ON DELETE CASCADE,
	run_id       INTEGER NOT NULL,
	PRIMARY KEY (index_id, run_id)
) STRICT, WITHOUT ROWID;

-- Of the row and all that belongs to it. NULL: mined before there were digests.
ALTER TABLE fit ADD COLUMN sha256 TEXT CHECK (length(sha256) = 64);
ALTER TABLE rule_set ADD COLUMN sha256 TEXT CHECK (length(sha256) = 64);
-- Of all message costs of the machine together, in each of its rows.
ALTER TABLE message_cost ADD COLUMN sha256 TEXT CHECK (length(sha256) = 64);
