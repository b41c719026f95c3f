-- Facts: measurement campaigns, their plans and the state of each of their runs. What was measured came
-- through an import, one of each run that ended; undoing that leaves the campaign's record.

-- Names, not ids, of application and machine: the record stays when these are removed.
CREATE TABLE campaign (
	campaign_id INTEGER PRIMARY KEY,
	uid         TEXT NOT NULL UNIQUE CHECK (length(uid) = 16), -- of this campaign, in whatever base
	name        TEXT NOT NULL CHECK (name <> ''),
	application TEXT NOT NULL,
	machine     TEXT NOT NULL,
	plan        TEXT NOT NULL,          -- the libconfig text
	sha256      TEXT NOT NULL CHECK (length(sha256) = 64), -- of plan
	folder      TEXT NOT NULL,          -- of the plan's file: relative programs are looked for there
	seed        TEXT NOT NULL,          -- of the order of the runs: a decimal number
	created_at  TEXT NOT NULL,          -- UTC
	state       TEXT NOT NULL CHECK (state IN ('running', 'stopping', 'stopped', 'done')),
	why         TEXT                    -- why it stopped; NULL: it did not
) STRICT;
CREATE UNIQUE INDEX campaign_by_name ON campaign (name COLLATE NOCASE);

-- The configurations that were chosen together: of an adaptive campaign one after another, else one.
CREATE TABLE campaign_batch (
	campaign_id   INTEGER NOT NULL REFERENCES campaign ON DELETE CASCADE,
	batch         INTEGER NOT NULL CHECK (batch >= 0), -- from 0
	chosen_at     TEXT NOT NULL,        -- UTC
	expected_loss REAL,                 -- before it ran: mean of ln(time or cost of the answer / of the best);
	                                    -- NULL: not known
	PRIMARY KEY (campaign_id, batch)
) STRICT, WITHOUT ROWID;

CREATE TABLE campaign_run (
	campaign_id   INTEGER NOT NULL REFERENCES campaign ON DELETE CASCADE,
	position      INTEGER NOT NULL CHECK (position > 0), -- from 1, the order in which they are run
	batch         INTEGER NOT NULL,
	repeat        INTEGER NOT NULL CHECK (repeat > 0),   -- from 1
	levels        TEXT NOT NULL,        -- of each factor of the plan, from 0: "0 3 1"
	configuration TEXT NOT NULL,        -- for people: "mk=5 npe_i=2"
	state         TEXT NOT NULL CHECK (state IN
		('planned', 'running', 'done', 'failed', 'timed-out', 'refused')),
	attempt       INTEGER NOT NULL CHECK (attempt >= 0), -- how often it was started
	predicted_s   REAL,                 -- median, when it was chosen [s]; NULL: nothing could be
	quantile_s    REAL,                 -- likewise the plan's quantile [s]
	limit_s       REAL,                 -- the run was stopped after [s]; NULL: no limit
	job           TEXT,                 -- number in Slurm; NULL: not there
	started_at    TEXT,                 -- UTC
	ended_at      TEXT,                 -- UTC
	elapsed_s     REAL,                 -- of the command [s]
	wall_s        REAL,                 -- the result [s]; NULL: there was none
	import_id     INTEGER REFERENCES import, -- brought the result; NULL: nothing was imported
	message       TEXT,                 -- how it ended, with the last lines of output; NULL: well
	PRIMARY KEY (campaign_id, position),
	FOREIGN KEY (campaign_id, batch) REFERENCES campaign_batch
) STRICT, WITHOUT ROWID;
CREATE INDEX campaign_run_by_import ON campaign_run (import_id);
