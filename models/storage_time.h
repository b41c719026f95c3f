#ifndef MODELS_STORAGE_TIME_H
#define MODELS_STORAGE_TIME_H
#include "base/err.h"
#include "domain/storage_shape.h"

/* A disk behind a cache that writes back, as a program sees it that writes the same amount again
 * and again with computation between. The cache takes bytes at its own rate while it has clean
 * room, and the disk empties it all the time; what finds no room goes at the disk's rate.
 *
 * In the steady state the room at the start of a write of B bytes is what the disk has emptied
 * since the last one, the whole cache at most. While the cache fills by cache rate - disk rate, it
 * takes A = min(cache, disk rate * between) * cache rate / (cache rate - disk rate) bytes, and the
 * write lasts t = request + min(B, A) / cache rate + max(0, B - A) / disk rate. Ours; POEMS (WOSP
 * 1998, section 2.4) names disk caches among its components and gives no model. Limits: one disk
 * for all, no reading, nothing is written by others. */
enum err_code disk_write_time(const struct disk_shape *d, double bytes, double between_s,
			      double *time_s, struct err *e);

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
 *   target = disk_write_time() of the busiest target's bytes, `request` for each of
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
