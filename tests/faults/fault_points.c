#include "tests/faults/fault_points.h"

#include <stdlib.h>
#include <string.h>

/* Uniform in [0, 1): splitmix64 (Steele, Lea, Flood, OOPSLA 2014), so that a seed is all it takes
 * to do a sweep once more. */
static uint64_t next(uint64_t *seed)
{
	uint64_t z = (*seed += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static double uniform(uint64_t *seed)
{
	return (double)(next(seed) >> 11) * 0x1p-53;
}

static void *allocate(long n, size_t size)
{
	void *p = calloc((size_t)n + 1, size);

	if (!p)
		fault_die("points");
	return p;
}

static void add(struct fault_points *p, long at, bool serial)
{
	p->item[p->n++] = (struct fault_point){.at = at, .serial = serial};
}

struct call {
	uint64_t hash;
	long n;
};

static int by_site_and_number(const void *left, const void *right)
{
	const struct call *l = left, *r = right;

	if (l->hash != r->hash)
		return l->hash < r->hash ? -1 : 1;
	return (l->n > r->n) - (l->n < r->n);
}

static int by_number(const void *left, const void *right)
{
	const struct fault_point *l = left, *r = right;

	return (l->at > r->at) - (l->at < r->at);
}

/* calls[from..to-1] come from one place. The one at random is tried with threads: with them, the
 * n-th call comes from there only by chance anyway. */
static void add_site(struct fault_points *p, const struct call *calls, long from, long to,
		     bool first_only, uint64_t *seed)
{
	long between = to - from - 2;

	add(p, calls[from].n, true);
	p->n_sites++;
	if (first_only || to - from < 2)
		return;
	add(p, calls[to - 1].n, true);
	if (between > 0)
		add(p, calls[from + 1 + (long)(uniform(seed) * (double)between)].n, false);
}

static void add_sites(struct fault_points *p, const uint64_t *hash, long n_calls, bool first_only,
		      uint64_t *seed)
{
	struct call *calls = allocate(n_calls, sizeof *calls);

	for (long i = 0; i < n_calls; i++)
		calls[i] = (struct call){.hash = hash[i], .n = i + 1};
	qsort(calls, (size_t)n_calls, sizeof *calls, by_site_and_number);
	for (long from = 0, to = 0; from < n_calls; from = to) {
		while (to < n_calls && calls[to].hash == calls[from].hash)
			to++;
		add_site(p, calls, from, to, first_only, seed);
	}
	qsort(p->item, (size_t)p->n, sizeof *p->item, by_number);
	free(calls);
}

struct drawn {
	uint64_t lot;
	struct fault_point point;
};

static int by_lot(const void *left, const void *right)
{
	const struct drawn *l = left, *r = right;

	if (l->lot != r->lot)
		return l->lot < r->lot ? -1 : 1;
	return (l->point.at > r->point.at) - (l->point.at < r->point.at);
}

/* n of them, drawn by the place they come from: the lot of a place depends on its hash and the seed
 * alone, whatever other places there are. */
static void sample(struct fault_points *p, const uint64_t *hash, long n, uint64_t seed)
{
	struct drawn *drawn = allocate(p->n, sizeof *drawn);

	for (long i = 0; i < p->n; i++) {
		uint64_t mixed = hash[p->item[i].at - 1] ^ seed;

		drawn[i] = (struct drawn){.lot = next(&mixed), .point = p->item[i]};
	}
	qsort(drawn, (size_t)p->n, sizeof *drawn, by_lot);
	if (n < p->n)
		p->n = n;
	for (long i = 0; i < p->n; i++)
		p->item[i] = drawn[i].point;
	qsort(p->item, (size_t)p->n, sizeof *p->item, by_number);
	free(drawn);
}

void fault_points_choose(const char *how, const uint64_t *hash, long n_calls, uint64_t *seed,
			 struct fault_points *out)
{
	bool all_of_site = !strcmp(how, "sites");

	*out = (struct fault_points){.item = allocate(n_calls, sizeof *out->item)};
	if (!strcmp(how, "every")) {
		for (long at = 1; at <= n_calls; at++)
			add(out, at, false);
		return;
	}
	add_sites(out, hash, n_calls, !all_of_site, seed);
	if (!all_of_site)
		sample(out, hash, atol(how), *seed);
}

void fault_points_times(long n, double wall_s, uint64_t *seed, struct fault_points *out)
{
	*out = (struct fault_points){.item = allocate(n, sizeof *out->item)};
	for (long i = 0; i < n; i++)
		add(out, 1 + (long)(uniform(seed) * wall_s * 1e6), false);
}

void fault_points_release(struct fault_points *p)
{
	free(p->item);
}
