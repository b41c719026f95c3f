#ifndef BASE_THREAD_POOL_H
#define BASE_THREAD_POOL_H
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"

/* A thread that works beside the calling one, which keeps the signals: it is the one that asks
 * whether to go on. Those that an instruction of the helper itself raises stay its own. false: none
 * could be had; do the work alone. */
bool helper_thread_start(pthread_t *thread, void *(*run)(void *), void *arg);

/* Jobs that are done while the caller prepares the next ones, by threads of the pool and by the
 * caller itself when it has to wait. They begin in the order in which they were given, and touch
 * nothing of each other. Only the thread that made the pool calls what is below. */
struct thread_pool;

/* What a job is part of begins with it, or leads to it by arg; it is the caller's, who leaves it
 * alone until it is finished. */
struct thread_pool_job {
	void (*run)(void *arg);
	void *arg;
	/* the pool's own: */
	enum { POOL_IDLE, POOL_WAITING, POOL_RUNNING, POOL_DONE } state;
	struct thread_pool_job *next;
};

/* At most max_helpers threads beside the caller, no more than processors that are left, and started
 * not before a second job waits: one job alone is done by the caller. Without any it takes longer,
 * that is all. Errors: NOMEM. */
enum err_code thread_pool_new(size_t max_helpers, struct thread_pool **out, struct err *e);
void thread_pool_submit(struct thread_pool *c, struct thread_pool_job *job);
/* Returns when the job is done; one that was never given is. */
void thread_pool_wait(struct thread_pool *c, struct thread_pool_job *job);
/* Jobs that nobody has begun are not done any more; those that run are waited for. */
void thread_pool_free(struct thread_pool *c);

#endif
