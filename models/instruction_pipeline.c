#include "models/instruction_pipeline.h"

#include <stdlib.h>

/* So many iterations beyond those that fill the window are not counted; counted are at least the
 * one number of iterations and as many more as take about the other number of instructions. */
enum {
	WARM_ITERATIONS = 16,
	COUNTED_LEAST = 64,
	COUNTED_MOST = 2048,
	COUNTED_INSTRUCTIONS = 50000
};

/* Not yet. */
static const int64_t NEVER = INT64_MAX;

/* Instructions are numbered through all iterations: k is number k mod n of the loop. */
struct instruction_run {
	const struct instruction_loop *l;
	size_t n_all;
	int64_t *done_at; /* [n_all]: when complete; NEVER: not started */
	size_t *waiting;  /* [window]: in it and not started, oldest first */
	size_t n_waiting;
	size_t left, entered;			   /* the window holds left .. entered - 1 */
	int64_t (*free_at)[INSTRUCTION_MAX_WIDTH]; /* [n_units]: of each place */
};

/* The number of the instruction that makes source s of k; n_all: one before the first iteration. */
static size_t source_of(const struct instruction_run *r, size_t k, size_t s)
{
	const size_t i = k % r->l->n, maker = r->l->body[i].source[s];

	if (maker < i)
		return k - i + maker;
	return k - i >= r->l->n ? k - i - r->l->n + maker : r->n_all;
}

static bool is_ready(const struct instruction_run *r, size_t k, int64_t now)
{
	const struct instruction *in = &r->l->body[k % r->l->n];

	for (size_t s = 0; s < in->n_sources; s++) {
		const size_t from = source_of(r, k, s);

		if (from < r->n_all && r->done_at[from] > now)
			return false;
	}
	return true;
}

static bool start(struct instruction_run *r, size_t k, int64_t now)
{
	const struct instruction_kind *kind = &r->l->kind[r->l->body[k % r->l->n].kind];
	int64_t *place = r->free_at[kind->unit];

	if (!is_ready(r, k, now))
		return false;
	for (int64_t p = 0; p < r->l->unit[kind->unit].per_cycle; p++) {
		if (place[p] <= now) {
			place[p] = now + kind->occupies;
			r->done_at[k] = now + kind->latency;
			return true;
		}
	}
	return false;
}

static bool start_all(struct instruction_run *r, int64_t now)
{
	size_t kept = 0;
	bool any = false, stopped = false;

	for (size_t w = 0; w < r->n_waiting; w++) {
		const size_t k = r->waiting[w];

		if (!stopped && start(r, k, now)) {
			any = true;
			continue;
		}
		stopped = r->l->in_order;
		r->waiting[kept++] = k;
	}
	r->n_waiting = kept;
	return any;
}

/* Returns whether anything happened. */
static bool cycle(struct instruction_run *r, int64_t now)
{
	const size_t width = (size_t)r->l->issue_width, window = (size_t)r->l->window;
	const size_t left = r->left, entered = r->entered;

	while (r->left < r->entered && r->left - left < width && r->done_at[r->left] <= now)
		r->left++;
	while (r->entered < r->n_all && r->entered - entered < width &&
	       r->entered - r->left < window)
		r->waiting[r->n_waiting++] = r->entered++;
	return start_all(r, now) || r->left != left || r->entered != entered;
}

/* The next cycle in which something may happen, when nothing did. */
static int64_t next_change(const struct instruction_run *r, int64_t now)
{
	int64_t next = NEVER;

	for (size_t k = r->left; k < r->entered; k++) {
		if (r->done_at[k] > now && r->done_at[k] < next)
			next = r->done_at[k];
	}
	for (size_t u = 0; u < r->l->n_units; u++) {
		for (int64_t p = 0; p < r->l->unit[u].per_cycle; p++) {
			if (r->free_at[u][p] > now && r->free_at[u][p] < next)
				next = r->free_at[u][p];
		}
	}
	return next;
}

/* From when `warm` instructions have left until all have. */
static int64_t follow(struct instruction_run *r, size_t warm)
{
	int64_t now = 0, warm_at = 0;

	for (;;) {
		const size_t left = r->left;
		const bool any = cycle(r, now);

		if (left < warm && r->left >= warm)
			warm_at = now;
		if (r->left == r->n_all)
			return now - warm_at;
		now = any ? now + 1 : next_change(r, now);
	}
}

enum err_code instruction_loop_cycles(const struct instruction_loop *l, double *cycles,
				      struct err *e)
{
	const size_t warm = (size_t)l->window / l->n + WARM_ITERATIONS;
	size_t counted = COUNTED_INSTRUCTIONS / l->n;
	struct instruction_run r = {.l = l};
	enum err_code rc = ERR_OK;

	counted = counted > COUNTED_MOST ? COUNTED_MOST : counted;
	counted = counted < COUNTED_LEAST ? COUNTED_LEAST : counted;
	r.n_all = (warm + counted) * l->n;
	r.done_at = calloc(r.n_all, sizeof *r.done_at);
	r.waiting = calloc((size_t)l->window, sizeof *r.waiting);
	r.free_at = calloc(l->n_units, sizeof *r.free_at);
	if (r.done_at && r.waiting && r.free_at) {
		for (size_t k = 0; k < r.n_all; k++)
			r.done_at[k] = NEVER;
		*cycles = (double)follow(&r, warm * l->n) / (double)counted;
	} else {
		rc = err_set(e, ERR_NOMEM, "a loop of %zu instructions", l->n);
	}
	free(r.done_at);
	free(r.waiting);
	free(r.free_at);
	return rc;
}
