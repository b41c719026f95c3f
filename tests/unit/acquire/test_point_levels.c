#include "acquire/point_levels.h"

#include "tests/support/failing_allocations.h"
#include "tests/unit/acquire/tile_application.h"

static size_t factor_of(const struct point_levels *p, const char *column)
{
	for (size_t f = 0; f < p->n_factors; f++) {
		if (p->column[f] == application_column(tiles.app, column))
			return f;
	}
	fail_msg("%s is no factor", column);
	return 0;
}

TEST(columns_that_vary_are_factors_and_their_values_levels_in_order)
{
	RELEASED(point_levels) p;

	must(point_levels_init(&p, tiles.app, tiles.row, TILE_POINTS, &err));
	assert_int_equal(p.n_factors, 4);
	assert_int_equal(p.n_levels[factor_of(&p, "n")], TILE_SIZES);
	assert_int_equal(p.n_levels[factor_of(&p, "tile")], TILES);
	assert_int_equal(p.n_levels[factor_of(&p, "nodes")], TILE_NODES);
	assert_int_equal(p.n_levels[factor_of(&p, "alg")], TILE_ALGORITHMS);
	assert_true(p.nominal[factor_of(&p, "alg")]);
	assert_false(p.nominal[factor_of(&p, "tile")]);
	for (size_t i = 0; i < TILE_POINTS; i++) { /* as tile_application.h counts */
		assert_int_equal(p.level[i * 4 + factor_of(&p, "n")], i % TILE_SIZES);
		assert_int_equal(p.level[i * 4 + factor_of(&p, "tile")], i / TILE_SIZES % TILES);
	}
}

/* The first four points differ in n alone. */
TEST(a_missing_value_is_the_last_level_and_what_does_not_vary_is_no_factor)
{
	double row[TILE_SIZES * TILE_COLUMNS];
	struct point_levels p;

	memcpy(row, tiles.row, TILE_SIZES * tiles.app->n_columns * sizeof *row);
	row[application_column(tiles.app, "n")] = NAN; /* of the first */
	must(point_levels_init(&p, tiles.app, row, TILE_SIZES, &err));
	assert_int_equal(p.n_factors, 1);
	assert_int_equal(p.n_levels[0], 4);
	for (size_t i = 0; i < TILE_SIZES; i++)
		assert_int_equal(p.level[i], (i + 3) % 4);
	point_levels_release(&p);
	must(point_levels_init(&p, tiles.app, row, 1, &err));
	assert_int_equal(p.n_factors, 0);
	point_levels_release(&p);
}

static enum err_code make_levels(struct err *e)
{
	struct point_levels p;
	enum err_code rc = point_levels_init(&p, tiles.app, tiles.row, TILE_POINTS, e);

	if (!rc)
		point_levels_release(&p);
	return rc;
}

TEST(without_memory_there_is_an_error)
{
	failing_each_allocation (make_levels(&err), &err)
		;
}

TEST_GROUP(make_tiles, free_tiles)
