-- Knowledge: what was concluded from facts and judgement. `lemnos mine` drops and rebuilds it; each
-- row names the snapshot that it came from.

-- The predictor fitted to the runs of one application on one machine.
CREATE TABLE fit (
	application_id INTEGER NOT NULL REFERENCES application,
	machine_id  INTEGER NOT NULL REFERENCES machine,
	predictor   TEXT NOT NULL,                              -- wavefront, log-linear, ...
	snapshot    TEXT NOT NULL CHECK (length(snapshot) = 64), -- of the facts it was fitted to
	explanation TEXT NOT NULL,                              -- one paragraph for people
	n_runs      INTEGER NOT NULL CHECK (n_runs >= 0),       -- runs it was fitted to
	PRIMARY KEY (application_id, machine_id)
) STRICT, WITHOUT ROWID;

-- Its numbers.
CREATE TABLE fit_parameter (
	application_id INTEGER NOT NULL,
	machine_id INTEGER NOT NULL,
	position   INTEGER NOT NULL,  -- from 0, the order they were stored in
	name       TEXT NOT NULL,
	value      REAL NOT NULL CHECK (abs(value) <= 1.7976931348623157e308), -- in unit
	std_error  REAL CHECK (std_error >= 0),                               -- in unit; NULL: not known
	unit       TEXT NOT NULL,     -- '' for a pure number
	meaning    TEXT NOT NULL,     -- one line for people
	PRIMARY KEY (application_id, machine_id, position),
	FOREIGN KEY (application_id, machine_id) REFERENCES fit ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- One-way message cost of a machine, fitted to its ping-pong rows: intercept_s + s_per_byte * bytes
-- from from_bytes up to the next segment.
CREATE TABLE message_cost (
	machine_id     INTEGER NOT NULL REFERENCES machine,
	position       INTEGER NOT NULL,                       -- from 0
	from_bytes     REAL NOT NULL CHECK (from_bytes >= 0),  -- [bytes]
	intercept_s    REAL NOT NULL,                          -- [s]
	s_per_byte     REAL NOT NULL,                          -- [s/byte]
	se_intercept_s REAL NOT NULL CHECK (se_intercept_s >= 0), -- standard error [s]
	se_s_per_byte  REAL NOT NULL CHECK (se_s_per_byte >= 0),  -- standard error [s/byte]
	PRIMARY KEY (machine_id, position)
) STRICT, WITHOUT ROWID;
