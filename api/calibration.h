#ifndef API_CALIBRATION_H
#define API_CALIBRATION_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "api/pingpong_import.h"
#include "api/session.h"
#include "base/err.h"
#include "domain/machine.h"

/* Ping-pong measurements of a machine, and what its messages cost by them. */
struct json_t;

enum { CALIBRATION_LOGGP = 5 };

/* A parameter of LogGP, as in Table 1 of Sundaram-Stukel and Vernon, PPoPP 1999. */
struct calibration_loggp {
	const char *name; /* "L", "o_small", "o_large", "G_small", "G_large" */
	const char *key;  /* of the JSON form */
	bool known;	  /* the measurements determine it */
	double value;	  /* L, o: [s]; G: [s/byte] */
	double std_error; /* likewise */
};

struct machine_calibration {
	struct machine *machine;
	int64_t machine_id;
	bool new_machine;	       /* the base did not know it before */
	struct pingpong_import import; /* n_rows 0: no file was given */
	size_t n_rows;		       /* round trips that the base holds of it, all fitted */
	bool nothing_measured;	       /* the error is NODATA because that is none */
	bool inside_node;	       /* all of it is between processes of one node */

	/* One-way costs, by ascending sizes; segment[0].from_bytes is the smallest size measured.
	 */
	struct cost_segment *segment;
	size_t n_segment;
	size_t n_size;		/* distinct sizes fitted */
	size_t n_disturbed;	/* sizes left out: their cost fits with no neighbours' */
	double relative_error;	/* of one size's cost about its line (0.01: 1 %) */
	double threshold_bytes; /* where the cost jumps most; 0: it jumps nowhere */
	struct calibration_loggp loggp[CALIBRATION_LOGGP];
	bool has_overheads; /* L and both o are known */
	char why_not[256];  /* a sentence where they are not, else "" */
};

/* Keep the ping-pong file (NULL: none) as facts about the machine, fit its message costs to all
 * that the base holds of it, and store them; all or nothing. machine: as for session_machine();
 * with a file, one that the base does not know is made. The base is open for writing. *out must be
 * released in any case. Errors: USAGE, NOTFOUND, those of pingpong_read(), NODATA (nothing
 * was measured, or too little to fit), those of kb. */
enum err_code calibrate_machine(struct session *session, const char *machine, const char *pingpong,
				struct machine_calibration *out, struct err *e);
/* Calibration from files that were read already; those without rows are passed over. definition: of a
 * machine that the base does not know; NULL: of which only the name is known. */
enum err_code calibrate_with_files(struct session *session, const char *machine,
				   const struct pingpong_file *const *file, size_t n,
				   const char *definition, struct machine_calibration *out,
				   struct err *e);
void machine_calibration_release(struct machine_calibration *k);

/* {"machine", "segments": [{"from_bytes", "to_bytes" (null: no end), "intercept_s",
 *  "se_intercept_s", "s_per_byte", "se_s_per_byte"}], "L_s", "o_s", "o_large_s", "G_s_per_byte",
 *  "G_large_s_per_byte" (each null: not known), "identifiable": [names], "why_not",
 *  "threshold_bytes" (null: none), "rows", "sizes", "disturbed", "relative_error", "pairs" ("inside
 * a node", or null: between nodes, or nobody said)}. NULL: out of memory. */
struct json_t *machine_calibration_json(const struct machine_calibration *k);
/* "segments" of it. NULL: out of memory. */
struct json_t *cost_segments_json(const struct cost_segment *segment, size_t n);

#endif
