-- Judgement: what people decided and what they were told. Never rebuilt, never lost.

-- Runs that somebody took out of consideration. The run itself stays.
CREATE TABLE exclusion (
	run_id       INTEGER PRIMARY KEY,   -- a run of any run table
	application  TEXT NOT NULL,
	content_hash INTEGER NOT NULL,      -- of the run
	excluded_by  TEXT NOT NULL,
	excluded_at  TEXT NOT NULL,         -- UTC
	why          TEXT NOT NULL
) STRICT;

-- Exclusions whose run is gone because its import was undone; they take effect again when a run of
-- the same content comes back.
CREATE TABLE exclusion_waiting (
	application  TEXT NOT NULL,
	content_hash INTEGER NOT NULL,
	excluded_by  TEXT NOT NULL,
	excluded_at  TEXT NOT NULL,         -- UTC
	why          TEXT NOT NULL
) STRICT;
CREATE INDEX exclusion_waiting_by_content ON exclusion_waiting (content_hash);

-- The base's defaults: the application and the machine meant when none is named.
CREATE TABLE setting (
	name  TEXT PRIMARY KEY,
	value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Recommendations given.
CREATE TABLE advice (
	advice_id TEXT PRIMARY KEY CHECK (advice_id <> ''), -- hash of request and snapshot
	given_at  TEXT NOT NULL,                            -- UTC
	request   TEXT NOT NULL,                            -- JSON
	answer    TEXT NOT NULL,                            -- JSON
	snapshot  TEXT NOT NULL                             -- of the facts it was based on
) STRICT, WITHOUT ROWID;
