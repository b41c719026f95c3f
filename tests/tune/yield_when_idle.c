/* MPICH waits without ever giving its processor away: with more processes than processors each
 * waits for one that cannot run, and a second's work takes minutes. All its waiting goes through
 * this function of UCX; where nothing came, another process may have the processor. Under an MPI
 * without UCX nobody calls it. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): RTLD_NEXT */
#include <dlfcn.h>
#include <sched.h>

__attribute__((visibility("default"))) unsigned ucp_worker_progress(void *worker);

unsigned ucp_worker_progress(void *worker)
{
	static unsigned (*progress)(void *);
	unsigned n_events;

	if (!progress)
		*(void **)&progress = dlsym(RTLD_NEXT, "ucp_worker_progress");
	n_events = progress(worker);
	if (n_events == 0)
		sched_yield();
	return n_events;
}
