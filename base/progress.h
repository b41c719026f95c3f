#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How long work reports where it is and learns that it should stop. Library code calls
 * progress_step() every few thousand items; cli/ supplies the function that draws a bar or, when
 * piped, draws nothing. */
struct progress {
	/* done of total (0: unknown) units of `what` (NULL: nothing to tell, only asking); false:
	 * stop now. */
	bool (*step)(void *arg, const char *what, uint64_t done, uint64_t total);
	void *arg;
};

/* p may be NULL (go on in silence). On false the caller undoes its work and returns
 * ERR_INTERRUPTED. */
static inline bool progress_step(const struct progress *p, const char *what, uint64_t done,
				 uint64_t total)
{
	return !p || !p->step || p->step(p->arg, what, done, total);
}

static inline bool progress_ask(void *p, const char *what, uint64_t done, uint64_t total)
{
	(void)what;
	(void)done;
	(void)total;
	return progress_step((const struct progress *)p, NULL, 0, 0);
}

/* For work that is a part of larger work which reports itself: asks p (may be NULL) whether to go
 * on and tells it nothing. p must outlive what is returned. */
static inline struct progress progress_within(const struct progress *p)
{
	return (struct progress){progress_ask, (void *)(uintptr_t)p};
}

#endif
