#ifndef KB_KB_RUN_GROUPS_H
#define KB_KB_RUN_GROUPS_H
#include "kb/kb_run_value.h"

/* Which runs are suspicious: a run that failed early but was recorded with its tiny time would be
 * taken for the best there is. A run is suspicious when its time is below 1/20 of the median of at
 * least 5 ok runs (itself among them) of the same machine, source, problem, workload and resources,
 * a processor grid counting by its size. Tunables alone make 2 to 8 times, rarely more. */

struct run_groups;

enum { RUN_GROUP_MIN = 5, RUN_GROUP_RATIO = 20 };

struct run_groups *run_groups_new(const struct application *a); /* NULL: out of memory */
void run_groups_free(struct run_groups *g);

/* The group that a run belongs to. */
uint64_t run_groups_key(const struct run_groups *g, int64_t machine_id, const char *source,
			const struct run_value *value);
/* Count an ok run of a group; a group not seen before is watched if `watch`. Memory stays flat: at
 * most 32 768 groups are watched, runs of further ones are never suspicious. */
void run_groups_note(struct run_groups *g, uint64_t key, double wall_s, bool watch);

/* Group and time of an ok run in one number, which is not 0. */
uint64_t run_groups_pack(uint64_t key, double wall_s);
/* Count a run that is known by it, if its group is watched. */
void run_groups_note_packed(struct run_groups *g, uint64_t packed);

/* Is there any suspicious run at all? */
bool run_groups_any_suspicious(const struct run_groups *g);
/* *median_s and *n of its group when wall_s is suspicious there. The median is that of a histogram,
 * good to 20 %. */
bool run_groups_suspicious(const struct run_groups *g, uint64_t key, double wall_s,
			   double *median_s, uint32_t *n);

#endif
