#ifndef API_MACHINE_MEASUREMENT_H
#define API_MACHINE_MEASUREMENT_H
#include <stdbool.h>
#include <stddef.h>
#include "api/calibration.h"
#include "api/pingpong_import.h"
#include "api/session.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "mining/block_fit.h"

/* A machine measured by the programs that come with Lemnos, on the machine itself: what messages
 * cost inside a node and between nodes (kernels/pingpong), and Wg(it, jt, mk, mmi), the computation
 * of a wavefront's block per cell and angle (kernels/sweep_task). */

struct measurement_question {
	const char *machine; /* its name; not NULL */
	const char *launch;  /* what starts MPI programs, as a command line; NULL: below */
	const char *keep;    /* folder for what the programs print; NULL: a temporary one */
	bool busy;	     /* also where others compute, which is an error (IO) otherwise */
};
#define MEASUREMENT_LAUNCH "mpirun -np 2"

struct machine_measurement {
	struct pingpong_measured messages;
	bool has_wg; /* never of a simulated machine: sweep_task computes here */
	struct block_fit wg;
	struct block_time *block; /* [wg.n]: medians of what was measured */
	/* The base's calibration of the machine now: its facts are the round trips of both kinds.
	 */
	struct machine_calibration calibration;
	struct strbuf definition; /* a machine file with all of this */
	struct strbuf launch;	  /* what was used */
};

/* Run, fit, and keep the round trips as facts: all or nothing. A machine that the base does not
 * know is made, with its nodes and what is known inside of them; the definition of one that it
 * knows stays. The base is open for writing, and locked only after everything has run. *out must be
 * released in any case.
 * Errors: USAGE (launch is no command line; a simulated machine's name for a real one, or the other
 * way round), NOTFOUND (no such launcher: says what to install or type), IO (a program is not here,
 * or failed: says how), PARSE (what it printed), NODATA, ARG, those of calibrate_machine(),
 * INTERRUPTED, NOMEM. */
enum err_code machine_measure(struct session *session, const struct measurement_question *q,
			      struct machine_measurement *out, struct err *e);
void machine_measurement_release(struct machine_measurement *m);

/* machine_calibration_json() and besides: "launch", "simulated", "node": {"cores", "memory_bytes"}
 * (null: not known), "inside_node", "between_nodes" (null: no such pair was measured): {"rows",
 * "sizes", "disturbed", "relative_error", "segments", "L_s", "se_L_s", "o_s", "se_o_s", "o_send_s",
 * "o_receive_s", "blocking_bytes", "identifiable", "why_not"}, "wg" (null: not measured):
 * {"cell_s", "line_s", "plane_s", "block_s" (null: not identifiable), "se_...", "blocks",
 * "relative_error", "worst", "measured": [{"it", "jt", "mk", "mmi", "wg_s", "fitted_s"}]}. NULL:
 * out of memory. */
struct json_t *machine_measurement_json(const struct machine_measurement *m);

#endif
