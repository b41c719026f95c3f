#ifndef MODELS_PARALLEL_FILES_H
#define MODELS_PARALLEL_FILES_H
#include "base/err.h"
#include "domain/storage_shape.h"

/* What a program writes at once. */
struct file_amount {
	double bytes;	  /* of all processes together, >= 0 */
	double procs;	  /* that have as much each; a whole number >= 1 */
	double pieces;	  /* in which the bytes of one of them lie in a shared file; >= 1 */
	double between_s; /* of other work since the last write; >= 0 */
};

/* Where the time of one write goes. */
struct file_system_time {
	double time_s;
	double open_s;			      /* until the last process has opened its file */
	double exchange_s;		      /* collective: until those that write have the data */
	double link_s;			      /* for the data to leave a process that writes */
	double target_s;		      /* for the busiest target to take them, meanwhile */
	double target_bytes, target_requests; /* of that target */
};

/* A write of B bytes by P processes to a parallel file system, again and again with computation
 * between. w processes write (P; collective: the aggregators) F files (1, or P) of b bytes:
 *
 *   time = w * open + exchange + max((B / w) / link rate, target)
 *   exchange = (B / w - B / P) / link rate, when collective
 *   target = disk_write_time() of the busiest target's bytes (disk_cache.h), `request` for each of
 *	      its requests
 *
 * A file of b bytes has floor(b / (S C)) S + min(S, b mod (S C)) of them on the first of its C
 * targets, S the stripe. The targets of F files are dealt out in turn, so the busiest of T has
 * ceil(F C / T) such parts. A request is a piece that is not cut by a stripe: one for each stripe,
 * or for each of a process's pieces of a shared file if that is more; the busiest target gets its
 * share by bytes.
 *
 * Source: ours. Collecting before writing is two-phase I/O (Thakur, Gropp and Lusk, "Data Sieving
 * and Collective I/O in ROMIO", Frontiers 1999). POEMS (WOSP 1998, sections 2 and 4.3) names
 * parallel file systems and collective I/O among its components and gives no model. Limits: no
 * locks, no other user, no reading; one rate for a process's link. */
enum err_code file_system_write_time(const struct file_system_shape *f,
				     const struct file_amount *amount, struct file_system_time *out,
				     struct err *e);

/* "shared", "collective", "per-process". */
const char *file_layout_name(enum file_layout layout);

#endif
