-- Judgement: jobs that were submitted for recommendations, and what became of them. Kept from before
-- sbatch is called, so that a job that nobody heard of any more is found again by its name.
CREATE TABLE advice_job (
	job_name      TEXT PRIMARY KEY CHECK (job_name <> ''), -- its name in Slurm: unique, part of it is random
	advice_id     TEXT NOT NULL REFERENCES advice (advice_id),
	submitted_at  TEXT NOT NULL,  -- UTC: when it was handed to sbatch
	folder        TEXT NOT NULL,  -- where it was submitted: absolute
	limit_s       REAL NOT NULL CHECK (limit_s > 0), -- its time limit
	slurm_id      TEXT,           -- Slurm's number; NULL: sbatch's answer was not heard
	cluster       TEXT,           -- named to sbatch; NULL: the default one
	state         TEXT NOT NULL CHECK (state IN ('unknown', 'pending', 'running', 'completed', 'failed', 'timeout',
	                                             'out-of-memory', 'cancelled', 'node-fail', 'preempted', 'gone')),
	words         TEXT,           -- Slurm's own for it; NULL: none
	asked_at      TEXT,           -- UTC: when Slurm was asked last; NULL: never
	ran_on        TEXT,           -- the cluster, as the accounting calls it; NULL: not known
	queued_at     TEXT,           -- UTC: Slurm's time of submission; NULL: not known
	started_at    TEXT,           -- UTC; NULL: not yet, or not known
	ended_at      TEXT,           -- UTC; NULL: not yet, or not known
	elapsed_s     REAL CHECK (elapsed_s >= 0), -- of the whole job, in whole seconds; NULL: not known
	command_s     REAL CHECK (command_s > 0),  -- of the command in it, as the script measured it; NULL: it did not
	nodes         INTEGER,        -- that it had; NULL: not known
	exit_status   INTEGER,        -- of the script; NULL: not known
	exit_signal   INTEGER,        -- that ended the script, 0: none; NULL: not known
	wall_s        REAL CHECK (wall_s > 0), -- the time that was imported, of a timeout a lower bound; NULL: none
	timed_by      TEXT CHECK (timed_by IN ('application', 'command', 'job')), -- whose time that is; NULL: none
	import_sha256 TEXT,           -- of the import that brought its run (table import); NULL: there is no run
	settled       INTEGER NOT NULL CHECK (settled IN (0, 1)), -- 1: there is nothing more to ask or to import
	note          TEXT            -- what else is to be said: why no run came of it; NULL: nothing
) STRICT, WITHOUT ROWID;
CREATE INDEX advice_job_by_advice ON advice_job (advice_id);
