-- Facts: what was told, measured, simulated or modelled. Migrated, never rewritten.
-- Times in seconds, sizes in bytes, dates in UTC as ISO 8601, hashes as 64 hex digits of SHA-256.
-- A name is matched without regard to case, and is unique so.

-- The run tables (run_NAME, one per application) and the views runs_NAME and run are not here: they
-- are generated from the definitions (see docs/schema.md).

CREATE TABLE application (
	application_id INTEGER PRIMARY KEY,
	name       TEXT NOT NULL CHECK (name <> ''),
	title      TEXT NOT NULL,                           -- one line for people
	run_table  TEXT NOT NULL,                           -- name of its table of runs
	definition TEXT NOT NULL,                           -- the libconfig text it is made from
	sha256     TEXT NOT NULL CHECK (length(sha256) = 64), -- of definition
	ad_hoc     INTEGER NOT NULL CHECK (ad_hoc IN (0, 1))  -- 1: made from flags at import
) STRICT;
CREATE UNIQUE INDEX application_by_name ON application (name COLLATE NOCASE);
CREATE UNIQUE INDEX application_by_table ON application (run_table COLLATE NOCASE);

-- Other values of an "app" column that mean this application.
CREATE TABLE application_alias (
	alias          TEXT NOT NULL CHECK (alias <> ''),
	application_id INTEGER NOT NULL REFERENCES application
) STRICT;
CREATE UNIQUE INDEX application_alias_by_name ON application_alias (alias COLLATE NOCASE);

-- What the columns of a run table mean.
CREATE TABLE application_column (
	application_id INTEGER NOT NULL REFERENCES application,
	name     TEXT NOT NULL CHECK (name <> ''),
	position INTEGER,          -- from 0, in the order of the definition; NULL: no longer in it
	role     TEXT NOT NULL,    -- problem, workload, tunable, resource or derived
	type     TEXT NOT NULL CHECK (type IN ('INTEGER', 'REAL', 'TEXT')),
	unit     TEXT NOT NULL,    -- '' for a count
	doc      TEXT NOT NULL     -- one line for people
) STRICT;
CREATE UNIQUE INDEX application_column_by_name
	ON application_column (application_id, name COLLATE NOCASE);

-- The values seen in the text columns of the runs.
CREATE TABLE application_level (
	application_id INTEGER NOT NULL REFERENCES application,
	column_name    TEXT NOT NULL,
	level          TEXT NOT NULL,
	PRIMARY KEY (application_id, column_name, level)
) STRICT, WITHOUT ROWID;

CREATE TABLE machine (
	machine_id INTEGER PRIMARY KEY,
	name       TEXT NOT NULL CHECK (name <> ''),
	title      TEXT NOT NULL,                            -- one line for people
	simulated  INTEGER NOT NULL CHECK (simulated IN (0, 1)), -- 1: invented or simulated
	definition TEXT NOT NULL,                            -- the libconfig text it is made from
	sha256     TEXT NOT NULL CHECK (length(sha256) = 64)   -- of definition
) STRICT;
CREATE UNIQUE INDEX machine_by_name ON machine (name COLLATE NOCASE);

-- One row per imported file. Names, not ids: an import stays on record when it was undone and its
-- application or machine was removed.
CREATE TABLE import (
	import_id   INTEGER PRIMARY KEY,
	file_name   TEXT NOT NULL,
	sha256      TEXT NOT NULL CHECK (length(sha256) = 64), -- of the uncompressed content as read
	mapping     TEXT NOT NULL,             -- how its columns were matched
	application TEXT,                      -- NULL: a ping-pong file
	machine     TEXT,                      -- as given for the whole file; NULL: from a column of it
	imported_at TEXT NOT NULL,             -- UTC
	undone_at   TEXT,                      -- UTC; NULL: not undone
	n_taken     INTEGER NOT NULL DEFAULT 0 CHECK (n_taken >= 0),   -- rows that are its own
	n_refused   INTEGER NOT NULL DEFAULT 0 CHECK (n_refused >= 0), -- invalid rows of the file
	n_known     INTEGER NOT NULL DEFAULT 0 CHECK (n_known >= 0),   -- rows another import had brought
	n_flagged   INTEGER NOT NULL DEFAULT 0 CHECK (n_flagged >= 0)  -- suspicious rows among n_taken
) STRICT;
-- The same content, read in the same way, is imported once.
CREATE UNIQUE INDEX import_identity
	ON import (sha256, mapping, ifnull(application, ''), ifnull(machine, ''))
	WHERE undone_at IS NULL;

-- The machines an import has to do with, and how many of the runs are its own (0: all were known).
CREATE TABLE import_machine (
	import_id  INTEGER NOT NULL REFERENCES import,
	machine_id INTEGER NOT NULL REFERENCES machine,
	n_runs     INTEGER NOT NULL CHECK (n_runs >= 0),
	PRIMARY KEY (import_id, machine_id)
) STRICT, WITHOUT ROWID;

-- Rows that a file has in common with an earlier import are stored once, there. This remembers
-- them, so that undoing the earlier import hands them over instead of losing them.
CREATE TABLE known_run (
	import_id INTEGER NOT NULL REFERENCES import, -- the import that brought the row again
	run_id    INTEGER NOT NULL,                   -- the stored run, of another import
	line      INTEGER NOT NULL,                   -- line in the file of import_id
	PRIMARY KEY (import_id, run_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX known_run_by_run ON known_run (run_id);

-- Message round trips between two processes of a machine.
CREATE TABLE pingpong (
	pingpong_id   INTEGER PRIMARY KEY,
	import_id     INTEGER NOT NULL REFERENCES import,
	machine_id    INTEGER NOT NULL REFERENCES machine,
	message_bytes REAL NOT NULL CHECK (message_bytes >= 0 AND message_bytes < 9e99), -- [bytes]
	roundtrip_s   REAL NOT NULL CHECK (roundtrip_s > 0 AND roundtrip_s < 9e99) -- there and back [s]
) STRICT;
CREATE INDEX pingpong_by_machine ON pingpong (machine_id);

-- Run ids are unique over all run tables and never used twice.
CREATE TABLE counter (
	name TEXT PRIMARY KEY,
	next INTEGER NOT NULL CHECK (next > 0)
) STRICT;
INSERT INTO counter VALUES ('run_id', 1);
