#ifndef TESTS_ACQUIRE_TILE_APPLICATION_H
#define TESTS_ACQUIRE_TILE_APPLICATION_H
#include "tests/support/check.h"
#include "tests/support/made_application.h"

#include "domain/application.h"
#include "domain/configuration.h"
#include "domain/dataset.h"

/* An application made from flags, of which all configurations and their times are known: problems
 * of size n, tiles, three algorithms, nodes. The best tile grows with the problem, the best
 * algorithm with the nodes. */

enum { TILE_SIZES = 4, TILES = 6, TILE_ALGORITHMS = 3, TILE_NODES = 4 };
enum { TILE_POINTS = TILE_SIZES * TILES * TILE_ALGORITHMS * TILE_NODES, TILE_COLUMNS = 8 };

struct tile_application {
	struct application *app;
	double row[TILE_POINTS * TILE_COLUMNS]; /* TILE_POINTS * app->n_columns */
	double time_s[TILE_POINTS];
};

static inline double tile_time_s(double n, double tile, int algorithm, double nodes)
{
	double off = log(tile / (n / 25)), p = log(nodes) / log(2);
	double message_s = algorithm == 0   ? 0.02 * nodes
			   : algorithm == 1 ? 0.06 * (1 + p)
					    : 0.1 + 0.02 * p;

	return n * n / 1e4 / nodes * (1 + 0.08 * off * off) + message_s;
}

static inline void tile_application_make(struct tile_application *c)
{
	static const char *const algorithm[] = {"ring", "tree", "hybrid"};

	*c = (struct tile_application){
		.app = made_application("tile", "n", "tile,alg", "alg", "nodes")};
	made_levels(c->app, "alg", "ring,tree,hybrid");
	assert_true(c->app->n_columns <= TILE_COLUMNS);
	for (size_t i = 0; i < TILE_POINTS; i++) {
		double n = 100 * (double)(1 + i % TILE_SIZES), tile = 2 << i / TILE_SIZES % TILES;
		int a = (int)(i / (TILE_SIZES * TILES) % TILE_ALGORITHMS);
		double nodes = 1 << i / (TILE_SIZES * TILES * TILE_ALGORITHMS);
		double *row = c->row + i * c->app->n_columns;
		char values[100];

		configuration_clear(c->app, row);
		snprintf(values, sizeof values, "n=%.0f,tile=%.0f,alg=%s,nodes=%.0f", n, tile,
			 algorithm[a], nodes);
		must(configuration_set(c->app, values, row, &err));
		c->time_s[i] = tile_time_s(n, tile, a, nodes);
	}
}

/* One of them for all tests of a file: TEST_GROUP(make_tiles, free_tiles). */
static struct tile_application tiles;

static inline int make_tiles(void **state)
{
	tile_application_make(&tiles);
	return 0;
}

static inline int free_tiles(void **state)
{
	application_free(tiles.app);
	return 0;
}

#endif
