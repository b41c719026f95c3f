-- The table and the view of runs of sweep3d as schema versions 1 to 6 made them from its definition.
CREATE TABLE "run_sweep3d" (
	run_id INTEGER PRIMARY KEY, -- unique over all run tables
	import_id INTEGER NOT NULL REFERENCES import,
	machine_id INTEGER NOT NULL REFERENCES machine,
	source TEXT NOT NULL CHECK (source = 'measured' OR source = 'simulated' OR source = 'modelled'),
	status TEXT NOT NULL CHECK (status = 'ok' OR status = 'failed' OR status = 'timeout'),
	"it_g" INTEGER, -- [cells] global grid, i direction (east-west)
	"jt_g" INTEGER, -- [cells] global grid, j direction (north-south)
	"kt" INTEGER, -- [cells] grid, k direction (not divided)
	"mm" INTEGER, -- angles per octant
	"iterations" INTEGER, -- iterations per time step; those after the 7th do flux fix-ups
	"groups" INTEGER, -- energy groups
	"timesteps" INTEGER, -- time steps
	"npe_i" INTEGER, -- processor columns, i direction
	"npe_j" INTEGER, -- processor rows, j direction
	"nodes" INTEGER, -- compute nodes
	"mk" INTEGER, -- [planes] k planes per block
	"mmi" INTEGER, -- [angles] angles per block
	"procs" ANY AS (1.0 * npe_i * npe_j) VIRTUAL, -- processors
	"it" ANY AS ((it_g / npe_i + (it_g % npe_i * npe_i > 0))) VIRTUAL, -- [cells] sub-grid, i direction (the largest)
	"jt" ANY AS ((jt_g / npe_j + (jt_g % npe_j * npe_j > 0))) VIRTUAL, -- [cells] sub-grid, j direction (the largest)
	"cells_per_proc" ANY AS (1.0 * it * jt * kt) VIRTUAL, -- [cells] cells of the largest sub-grid
	"k_blocks" ANY AS ((kt / mk + (kt % mk * mk > 0))) VIRTUAL, -- k blocks; the last may be partial
	"angle_groups" ANY AS ((mm / mmi - (mm % mmi * mmi < 0))) VIRTUAL, -- angle blocks per octant
	"blocks" ANY AS (8.0 * k_blocks * angle_groups) VIRTUAL, -- blocks through the pipeline per iteration
	"ew_bytes" ANY AS (8.0 * jt * mk * mmi) VIRTUAL, -- [bytes] message to the east or west neighbour
	"ns_bytes" ANY AS (8.0 * it * mk * mmi) VIRTUAL, -- [bytes] message to the north or south neighbour
	"fill_blocks" ANY AS (2.0 * (npe_i - 1.0) + 4.0 * (npe_j - 1.0)) VIRTUAL, -- blocks of pipeline fill per iteration
	"efficiency" ANY AS (blocks / (1.0 * blocks + fill_blocks)) VIRTUAL, -- pipeline (domain) efficiency, free communication
	wall_s REAL CHECK (wall_s > 0 AND wall_s < 9e99), -- [s] run time; of a timeout a lower bound; NULL: failed without one
	n_repeats INTEGER NOT NULL CHECK (n_repeats >= 1), -- runs this row stands for
	repeat INTEGER, -- the file's number of the repeat
	line INTEGER NOT NULL, -- line of the file
	computed TEXT, -- columns that were computed from others, not read
	flag TEXT, -- why it is suspicious
	extra TEXT, -- columns of the file that are not of the class, as JSON
	content_hash INTEGER NOT NULL, -- finds rows that came before
	CHECK (wall_s IS NOT NULL OR status = 'failed')
) STRICT;
CREATE VIEW "runs_sweep3d" AS
SELECT r.run_id, r.import_id, (SELECT m.name FROM machine AS m WHERE m.machine_id = r.machine_id) AS machine,
	r.source, r.status,
	r."it_g", -- [cells] global grid, i direction (east-west)
	r."jt_g", -- [cells] global grid, j direction (north-south)
	r."kt", -- [cells] grid, k direction (not divided)
	r."mm", -- angles per octant
	r."iterations", -- iterations per time step; those after the 7th do flux fix-ups
	r."groups", -- energy groups
	r."timesteps", -- time steps
	r."npe_i", -- processor columns, i direction
	r."npe_j", -- processor rows, j direction
	r."nodes", -- compute nodes
	r."mk", -- [planes] k planes per block
	r."mmi", -- [angles] angles per block
	CAST(r."procs" AS INTEGER) AS "procs", -- processors
	CAST(r."it" AS INTEGER) AS "it", -- [cells] sub-grid, i direction (the largest)
	CAST(r."jt" AS INTEGER) AS "jt", -- [cells] sub-grid, j direction (the largest)
	CAST(r."cells_per_proc" AS INTEGER) AS "cells_per_proc", -- [cells] cells of the largest sub-grid
	CAST(r."k_blocks" AS INTEGER) AS "k_blocks", -- k blocks; the last may be partial
	CAST(r."angle_groups" AS INTEGER) AS "angle_groups", -- angle blocks per octant
	CAST(r."blocks" AS INTEGER) AS "blocks", -- blocks through the pipeline per iteration
	CAST(r."ew_bytes" AS INTEGER) AS "ew_bytes", -- [bytes] message to the east or west neighbour
	CAST(r."ns_bytes" AS INTEGER) AS "ns_bytes", -- [bytes] message to the north or south neighbour
	CAST(r."fill_blocks" AS INTEGER) AS "fill_blocks", -- blocks of pipeline fill per iteration
	r."efficiency", -- pipeline (domain) efficiency, free communication
	r.wall_s, -- [s]
	r.n_repeats, r.repeat, r.flag, r.run_id IN (SELECT run_id FROM exclusion) AS excluded, r.computed, r.line, r.extra
FROM "run_sweep3d" AS r;
CREATE INDEX "run_sweep3d_by_content" ON "run_sweep3d" (content_hash);
