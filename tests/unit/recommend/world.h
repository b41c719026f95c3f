#ifndef TESTS_RECOMMEND_WORLD_H
#define TESTS_RECOMMEND_WORLD_H
#include "tests/support/check.h"
#include "tests/support/made_runs.h"

#include "domain/configuration.h"
#include "mining/numerics/mining_init.h"
#include "recommend/space/recommend.h"

FREEABLE(predictor)
FREEABLE(advice)

/* Sweep3D on an invented cluster with a predictor fitted to invented runs, for the tests of this
 * room. Times come from a formula of our own with noise, so that the predictor is a real one: it
 * has residuals, a spread, and places that it never saw. */

enum { WORLD_COLUMNS = 32 };

struct world {
	struct application *app;
	struct machine machine;
	struct dataset *runs;
	struct predictor *predictor;
};

static inline double world_uniform(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (double)(*state >> 11) / 9007199254740992.0;
}

static inline int64_t world_pick(uint64_t *state, int64_t from, int64_t to)
{
	return from + (int64_t)(world_uniform(state) * (double)(to - from + 1));
}

/* A problem, its first two sizes from..to, the third step times from_k..to_k. One draw after
 * another: in which order a compiler takes arguments is its choice. */
static inline void world_problem(uint64_t *state, int64_t from, int64_t to, int64_t from_k,
				 int64_t to_k, int step, char problem[64])
{
	int k = step * (int)world_pick(state, from_k, to_k);
	int j = (int)world_pick(state, from, to), i = (int)world_pick(state, from, to);

	snprintf(problem, 64, "%dx%dx%d", i, j, k);
}

static inline size_t world_column(const struct world *w, const char *name)
{
	size_t i = application_column(w->app, name);

	assert_true(i != SIZE_MAX);
	return i;
}

static inline double world_get(const struct world *w, const double *row, const char *name)
{
	return row[world_column(w, name)];
}

/* Problem and workload set, the rest free; then "mk=10,npe_i=4" if given. */
static inline void world_row(const struct world *w, double *row, const char *problem,
			     const char *fixed)
{
	configuration_clear(w->app, row);
	must(configuration_set_problem(w->app, problem, true, row, &err));
	configuration_default_workload(w->app, row);
	if (fixed && *fixed)
		must(configuration_set(w->app, fixed, row, &err));
}

/* 0.2 us a cell and angle, 30 us and 20 ns/B a message; blocks one after another. */
static inline double world_time_s(const struct world *w, const double *row)
{
	double cells = world_get(w, row, "it") * world_get(w, row, "jt") * world_get(w, row, "mk") *
		       world_get(w, row, "mmi");
	double bytes = world_get(w, row, "ew_bytes") + world_get(w, row, "ns_bytes");
	double block_s = 2e-7 * cells;

	if (world_get(w, row, "procs") > 1)
		block_s += 6e-5 + 2e-8 * bytes;
	return world_get(w, row, "iterations") *
	       (world_get(w, row, "blocks") + world_get(w, row, "fill_blocks")) * block_s;
}

static inline void world_add_runs(struct world *w)
{
	static const char *const problem[] = {"20x20x20", "50x50x50", "40x80x100"};
	static const int mk[] = {1, 5, 10}, mmi[] = {1, 3, 6};
	uint64_t seed = 1;

	for (int i = 0; i < 3 * 3 * 3; i++) {
		for (int side = 0; side < 9; side++) {
			double row[WORLD_COLUMNS], procs = (1 << side % 3) * (1 << side / 3);
			char fixed[100];

			snprintf(fixed, sizeof fixed, "npe_i=%d,npe_j=%d,mk=%d,mmi=%d,nodes=%.0f",
				 1 << side % 3, 1 << side / 3, mk[i / 3 % 3], mmi[i % 3],
				 ceil(procs / 4));
			world_row(w, row, problem[i / 9], fixed);
			configuration_derive(w->app, row);
			if (!configuration_legal(w->app, row, NULL))
				continue;
			for (int repeat = 0; repeat < 2; repeat++) {
				double noise = 1 + 0.1 * (world_uniform(&seed) - 0.5);

				runs_add_as(w->runs, row, world_time_s(w, row) * noise,
					    SOURCE_SIMULATED, RUN_OK);
			}
		}
	}
}

static inline void world_fit(struct world *w, const char *predictor)
{
	must(predictor_fit(predictor, &(struct fit_input){.runs = w->runs, .machine = &w->machine},
			   &w->predictor, &err));
}

/* 64 nodes of 4 cores with 1 GiB. */
static inline void world_open(struct world *w)
{
	static char name[] = "testbed";

	*w = (struct world){.machine = {.name = name,
					.nodes = 64,
					.cores_per_node = 4,
					.memory_bytes_per_node = 0x1p30}};
	mining_init();
	must(application_read("data/applications/sweep3d.conf", &w->app, &err));
	assert_true(w->app->n_columns <= WORLD_COLUMNS);
	w->runs = dataset_new(w->app);
	assert_non_null(w->runs);
	world_add_runs(w);
	world_fit(w, "wavefront");
}

static inline void world_close(struct world *w)
{
	predictor_free(w->predictor);
	dataset_free(w->runs);
	application_free(w->app);
}

static inline struct advice_request world_request(const struct world *w, const double *row,
						  double deadline_s)
{
	return (struct advice_request){
		.app = w->app,
		.machine = &w->machine,
		.predictor = w->predictor,
		.runs = w->runs,
		.row = row,
		.deadline_s = deadline_s,
		.confidence = 0.9,
		.fastest_of_ties = true, /* robustness has tests of its own */
		.soonest = true,
		.objective = isnan(deadline_s) ? OBJECTIVE_TIME : OBJECTIVE_NODES,
	};
}

static inline struct advice *world_find(const struct advice_request *q)
{
	struct advice *a = NULL;

	must(advice_find(q, &a, &err));
	return a;
}

#endif
