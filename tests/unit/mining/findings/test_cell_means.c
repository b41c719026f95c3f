#include "tests/unit/mining/qr_application.h"
#include "tests/support/failing_allocations.h"
#include "tests/support/shared_app.h"

#include "mining/findings/findings_private.h"

/* Times by case and choice, of configurations made by hand: column b is the choice, layout says how
 * else it was run. */

enum { MOST = 20, MOST_COLUMNS = 16 };

static size_t b, layout;
static double x[MOST * MOST_COLUMNS], log_time[MOST], log_slowdown[MOST];
static uint32_t first_run[MOST], stratum[MOST];
static uint32_t row_of[MOST];
static struct dataset runs;
static struct slowdown_table table;

static int set_up(void **state)
{
	app = qr_application();
	assert_true(app->n_columns <= MOST_COLUMNS);
	b = application_column(app, "b");
	layout = application_column(app, "layout");
	memset(x, 0, sizeof x);
	for (uint32_t i = 0; i < MOST; i++)
		row_of[i] = i;
	runs = (struct dataset){
		.app = app, .n_columns = app->n_columns, .rows = x, .row_of = row_of};
	table = (struct slowdown_table){.app = app,
					.runs = &runs,
					.n_columns = app->n_columns,
					.log_time = log_time,
					.log_slowdown = log_slowdown,
					.first_run = first_run,
					.stratum = stratum};
	return 0;
}

static void add(uint32_t its_case, double its_b, double its_layout, double its_log_time)
{
	size_t i = table.n++;

	x[i * app->n_columns + b] = its_b;
	x[i * app->n_columns + layout] = its_layout;
	first_run[i] = (uint32_t)i;
	stratum[i] = its_case;
	log_time[i] = its_log_time;
	log_slowdown[i] = 0;
	if (its_case >= table.n_strata)
		table.n_strata = its_case + 1;
}

static struct cell_means make(size_t n_columns)
{
	const size_t column[] = {b, layout};
	struct cell_means c;

	must(cell_means_make(&table, column, n_columns, &c, &err));
	return c;
}

#define IN_FIXTURE(name) TEST_WITH(name, set_up, free_app)

/* Of case 0 b 8 was run in three ways, of median 2; of case 1 in two, of mean 5. */
IN_FIXTURE(a_cell_is_the_median_of_the_ways_it_was_run)
{
	static const struct cell_mean want[] = {{0, 0, 2}, {0, 1, 7}, {1, 0, 5}};
	struct cell_means c;

	add(0, 8, 0, 3);
	add(1, 8, 0, 6);
	add(0, 8, 1, 1);
	add(0, 4, 0, 7);
	add(1, 8, 2, 4);
	add(0, 8, 2, 2);
	c = make(1);
	assert_int_equal(c.n_choices, 2);
	assert_int_equal(c.n, 3);
	for (size_t k = 0; k < c.n; k++) {
		assert_int_equal(c.cell[k].stratum, want[k].stratum);
		assert_int_equal(c.cell[k].choice, want[k].choice);
		check_abs(c.cell[k].log_time, want[k].log_time, 1e-12);
	}
	check_abs(x[c.choice_run[0] * app->n_columns + b], 8, 0);
	check_abs(x[c.choice_run[1] * app->n_columns + b], 4, 0);
	cell_means_release(&c);
	c = make(2); /* by layout, too, all are choices of their own: 0 1 and 2 of b 8, 0 of b 4 */
	assert_int_equal(c.n_choices, 4);
	assert_int_equal(c.n, 6);
	cell_means_release(&c);
}

/* One has no slow-down, one no b; where b alone is asked for the layout may be missing. */
IN_FIXTURE(what_cannot_be_compared_is_left_out)
{
	struct cell_means c;

	add(0, 8, 0, 3);
	add(0, 8, 0, 1);
	log_slowdown[1] = NAN;
	add(0, NAN, 0, 2);
	add(0, 4, NAN, 5);
	c = make(1);
	assert_int_equal(c.n, 2);
	check_abs(c.cell[0].log_time, 3, 0);
	check_abs(c.cell[1].log_time, 5, 0);
	cell_means_release(&c);
	c = make(2);
	assert_int_equal(c.n, 1);
	check_abs(c.cell[0].log_time, 3, 0);
	cell_means_release(&c);
}

IN_FIXTURE(without_memory_there_are_no_cells)
{
	const size_t column[] = {b};
	RELEASED(cell_means) c = {.n = 0};

	add(0, 8, 0, 3);
	add(0, 4, 0, 1);
	failing_each_allocation (cell_means_make(&table, column, 1, &c, &err), &err)
		assert_int_equal(c.n, 0);
	assert_int_equal(c.n, 2);
}
