#ifndef BASE_CREW_H
#define BASE_CREW_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"

/* Jobs that are done while the caller prepares the next ones, by threads of the crew's and by the
 * caller itself when it has to wait. They begin in the order in which they were given, and touch
 * nothing of each other. Only the thread that made the crew calls what is below. */
struct crew;

/* What a job is part of begins with it, or leads to it by arg; it is the caller's, who leaves it
 * alone until it is finished. */
struct crew_job {
	void (*run)(void *arg);
	void *arg;
	/* the crew's own: */
	enum { CREW_IDLE, CREW_WAITING, CREW_RUNNING, CREW_DONE } state;
	struct crew_job *next;
};

/* At most max_helpers threads beside the caller, no more than processors that are left, and started
 * not before a second job waits: one job alone is done by the caller. Without any it takes longer,
 * that is all. Errors: NOMEM. */
enum err_code crew_new(size_t max_helpers, struct crew **out, struct err *e);
void crew_give(struct crew *c, struct crew_job *job);
/* Returns when the job is done; one that was never given is. */
void crew_finish(struct crew *c, struct crew_job *job);
/* Jobs that nobody has begun are not done any more; those that run are waited for. */
void crew_free(struct crew *c);

#endif
