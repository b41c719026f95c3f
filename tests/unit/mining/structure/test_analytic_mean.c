#include "tests/support/failing_allocations.h"
#include "tests/support/check.h"

#include "domain/configuration.h"
#include "mining/numerics/mining_init.h"
#include "mining/structure/analytic_mean.h"
#include "tests/support/synthetic_runs.h"
#include "tests/support/uniform.h"

/* Every model of the list that can be a structural part: what a search may rely on. */

static struct synthetic world;
enum { MAX_MODELS = 8 };
static struct analytic_mean *model[MAX_MODELS];
static size_t n_models;

/* From the smallest message on: eager, a range that costs less than the one before it (as fits of
 * ping-pongs do), and handshakes. */
static const struct cost_segment segment[] = {
	{0, 50e-6, 20e-9, 0, 0}, {1000, 60e-6, 5e-9, 0, 0}, {20000, 400e-6, 2e-9, 0, 0}};

static int set_up(void **state)
{
	struct dataset *runs;
	struct config_table *t = NULL;
	size_t n_listed;
	const struct model *list = model_list(&n_listed);

	mining_init();
	if (synthetic_open(&world) || !(runs = synthetic_runs(&world, 8, 1, 0.02, 0, 41)) ||
	    config_table_make(runs, &t, &err))
		return -1;
	world.machine.blocking_bytes = 20000;
	for (size_t k = 0; k < n_listed; k++) {
		const struct fit_input in = {.machine = &world.machine,
					     .segment = segment,
					     .n_segment = sizeof segment / sizeof *segment};
		void *formula = NULL;

		if (!analytic_mean_wants(&list[k]))
			continue;
		if (n_models == MAX_MODELS ||
		    predictor_kind_wavefront.fit(t, &in, NULL, &formula, &err) ||
		    analytic_mean_fit(&list[k], t, NULL, formula, &model[n_models++], &err))
			return -1;
	}
	config_table_free(t);
	dataset_free(runs);
	return 0;
}

static int tear_down(void **state)
{
	for (size_t k = 0; k < n_models; k++)
		predictor_kind_analytic_mean.free(model[k]);
	synthetic_close(&world);
	return 0;
}

static double *at(double *row, const char *name)
{
	return &row[application_column(world.app, name)];
}

static double whole_log(uint64_t *seed, double lo, double hi)
{
	return floor(exp(uniform_draw(seed, log(lo), log(hi + 1))));
}

static double time_of(const struct analytic_mean *m, const double *row)
{
	double time_s;

	predictor_kind_analytic_mean.predict(m, row, 1, world.app->n_columns, &time_s);
	return time_s;
}

/* A legal row: any divisor of 6 as mmi, more iterations than are free of fix-ups now and then. */
static void random_row(uint64_t *seed, double *row)
{
	static const double mmi[] = {1, 2, 3, 6};

	do {
		double angles = mmi[(int)uniform_draw(seed, 0, 4)], npe_j = whole_log(seed, 1, 900);
		double npe_i = whole_log(seed, 1, 900), cube = whole_log(seed, 2, 900);

		synthetic_row(&world, row, cube, npe_i, npe_j, 1, angles);
		*at(row, "jt_g") = whole_log(seed, 1, 900);
		*at(row, "kt") = whole_log(seed, 1, 900);
		*at(row, "mk") =
			*at(row, "procs") > 1 ? whole_log(seed, 1, *at(row, "kt")) : *at(row, "kt");
		*at(row, "iterations") = whole_log(seed, 1, 30);
		configuration_derive(world.app, row);
	} while (!configuration_legal(world.app, row, NULL));
}

TEST(there_are_six_and_each_answers_every_legal_row)
{
	static const char *const names[] = {"loggp", "loggp-printed",	 "logp",
					    "lopc",  "lopc-coprocessor", "plug-sweep3d"};
	uint64_t seed = 51;

	assert_int_equal(n_models, 6);
	for (size_t k = 0; k < n_models; k++)
		assert_string_equal(model[k]->model->name, names[k]);
	for (int trial = 0; trial < 3000; trial++) {
		double row[64];

		random_row(&seed, row);
		for (size_t k = 0; k < n_models; k++) {
			struct sweep_time time;

			assert_true(analytic_mean_ask(model[k], row, &time));
			assert_true(isfinite(time.time_s) && time.time_s > 0);
			check_rel(breakdown_total_s(&time.parts), time.time_s, 1e-9);
			assert_true(time.parts.compute_s > 0 && time.parts.fill_s >= 0 &&
				    time.parts.comm_s >= 0 && time.parts.sync_s >= 0);
		}
	}
}

TEST(no_blocking_is_faster_than_the_bound_of_a_row_without)
{
	uint64_t seed = 52;

	for (int trial = 0; trial < 5000; trial++) {
		double row[64], time_s[MAX_MODELS] = {0};
		int open = (int)uniform_draw(&seed, 0, 4); /* mk, mmi, both or none */

		random_row(&seed, row);
		for (size_t k = 0; k < n_models; k++)
			time_s[k] = time_of(model[k], row);
		if (open & 1)
			*at(row, "mk") = NAN;
		if (open & 2)
			*at(row, "mmi") = NAN;
		for (size_t k = 0; k < n_models; k++) {
			double bound_s = predictor_kind_analytic_mean.lower_bound(model[k], row);

			assert_true(bound_s > 0 && bound_s <= time_s[k]);
		}
	}
}

enum { N_TUNINGS = 12 };

static void put_tunings(double *rows, double it_g, double jt_g, double kt)
{
	static const double mk[] = {1, 3, 10}, mmi[] = {1, 2, 3, 6};

	for (size_t i = 0; i < N_TUNINGS; i++) {
		double *row = rows + i * world.app->n_columns;

		synthetic_row(&world, row, it_g, 2, 2, mk[i % 3], mmi[i / 3]);
		*at(row, "jt_g") = jt_g;
		*at(row, "kt") = kt;
		configuration_derive(world.app, row);
	}
}

/* The grids of a problem, many to a sub-grid. Chords make it the least time itself where a time is
 * linear in the grid: all but global sums are, which plug-sweep3d alone has. */
static void check_tunings(size_t k, const double *rows, uint64_t *seed)
{
	size_t n_columns = world.app->n_columns;
	double it_g = rows[application_column(world.app, "it_g")];
	double jt_g = rows[application_column(world.app, "jt_g")];
	void *tunings = NULL;

	must(analytic_mean_tunings_new(model[k], rows, N_TUNINGS, n_columns, &tunings, &err));
	for (int trial = 0; trial < 60; trial++) {
		double npe_i = whole_log(seed, 1, it_g), npe_j = whole_log(seed, 1, jt_g);
		double least_s = INFINITY, bound_s, row[64];

		for (size_t i = 0; i < N_TUNINGS; i++) {
			memcpy(row, rows + i * n_columns, n_columns * sizeof *row);
			*at(row, "npe_i") = npe_i;
			*at(row, "npe_j") = npe_j;
			configuration_derive(world.app, row);
			least_s = fmin(least_s, time_of(model[k], row));
		}
		bound_s = analytic_mean_tunings_least_s(tunings, row);
		assert_true(bound_s <= least_s);
		if (strcmp(model[k]->model->name, "plug-sweep3d") != 0)
			check_rel(bound_s, least_s, 1e-9);
	}
	analytic_mean_tunings_free(tunings);
}

TEST(the_bound_of_a_list_of_blockings_is_below_and_near_the_best)
{
	double rows[N_TUNINGS * 64];
	uint64_t seed = 53;

	for (int problem = 0; problem < 20; problem++) {
		double kt = whole_log(&seed, 10, 1000), jt = whole_log(&seed, 1, 1000);

		put_tunings(rows, whole_log(&seed, 1, 1000), jt, kt);
		for (size_t k = 0; k < n_models; k++)
			check_tunings(k, rows, &seed);
	}
}

/* The bound of a row that no model takes is one of what is predicted instead. */
TEST(what_is_no_sweep_is_predicted_and_bounded_all_the_same)
{
	double row[64], rows[N_TUNINGS * 64];
	void *tunings = NULL;

	put_tunings(rows, 4, 4, 20);
	synthetic_row(&world, row, 4, 9, 2, 1, 1); /* 9 columns of processors, 4 of cells */
	for (size_t k = 0; k < n_models; k++) {
		struct sweep_time refused;
		double time_s = time_of(model[k], row);

		assert_false(analytic_mean_ask(model[k], row, &refused));
		check_abs(time_s, wavefront_time_at(&model[k]->formula->time, row, NULL, NULL), 0);
		assert_true(predictor_kind_analytic_mean.lower_bound(model[k], row) <= time_s);
		must(analytic_mean_tunings_new(model[k], rows, N_TUNINGS, world.app->n_columns,
					       &tunings, &err));
		check_abs(analytic_mean_tunings_least_s(tunings, row), 0, 0);
		analytic_mean_tunings_free(tunings);
	}
}

static void check_alike(const struct analytic_mean *a, const struct analytic_mean *b)
{
	const struct predictor_kind *kind = &predictor_kind_analytic_mean;
	uint64_t seed = 77;
	double row[64];

	for (int i = 0; i < 40; i++) {
		struct breakdown x, y;

		random_row(&seed, row);
		check_rel(time_of(b, row), time_of(a, row), 1e-14);
		check_rel(kind->lower_bound(b, row), kind->lower_bound(a, row), 1e-14);
		check_rel(kind->trend_sd(b, row), kind->trend_sd(a, row), 1e-14);
		kind->breakdown(a, row, &x);
		kind->breakdown(b, row, &y);
		assert_memory_equal(&x, &y, sizeof x);
	}
}

static enum err_code load_again(const struct kb_fit *stored, struct err *e)
{
	void *loaded = NULL;
	enum err_code rc = predictor_kind_analytic_mean.load(stored, world.app, &loaded, e);

	assert_int_equal(rc == ERR_OK, loaded != NULL);
	if (!rc)
		predictor_kind_analytic_mean.free(loaded);
	return rc;
}

TEST(what_is_stored_comes_back_whole_or_not_at_all)
{
	const struct predictor_kind *kind = &predictor_kind_analytic_mean;

	for (size_t k = 0; k < n_models; k++) {
		struct kb_fit stored = {0};
		void *loaded = NULL;
		struct strbuf was = STRBUF_INIT, is = STRBUF_INIT;
		size_t n_own = 0;

		must(kind->store(model[k], &stored, &err));
		must(kind->load(&stored, world.app, &loaded, &err));
		check_alike(model[k], loaded);
		kind->explain(model[k], &was);
		kind->explain(loaded, &is);
		assert_string_equal(strbuf_text(&is), strbuf_text(&was));
		strbuf_release(&was);
		strbuf_release(&is);
		kind->free(loaded);
		failing_each_allocation (load_again(&stored, &err), &err)
			;
		/* its name, and each number of its power law */
		for (size_t i = 0; i < stored.n_param; i++) {
			double *value = &stored.param[i].value, kept = *value;

			if (strncmp(stored.param[i].name, "listed_", 7) != 0)
				continue;
			n_own++;
			*value = NAN;
			must_fail(load_again(&stored, &err), ERR_NOTMINED, "lemnos mine");
			*value = kept;
		}
		assert_true(n_own >= 1);
		kb_fit_release(&stored);
	}
}

/* That of the runs, with costs of its own. */
static struct machine with_costs(void)
{
	struct machine m = world.machine;

	m.segment = (struct cost_segment *)(uintptr_t)segment;
	m.n_segment = sizeof segment / sizeof *segment;
	return m;
}

static enum err_code transfer_again(const struct analytic_mean *m, struct err *e)
{
	const struct machine machine = with_costs();
	void *there = NULL;
	enum err_code rc = predictor_kind_analytic_mean.transfer(m, &machine, 1, &there, e);

	assert_int_equal(rc == ERR_OK, there != NULL);
	if (!rc)
		predictor_kind_analytic_mean.free(there);
	return rc;
}

/* The same machine again, and one that computes half as fast. */
TEST(a_transfer_takes_the_model_along)
{
	const struct predictor_kind *kind = &predictor_kind_analytic_mean;
	const struct machine machine = with_costs();

	for (size_t k = 0; k < n_models; k++) {
		void *slower = NULL;
		double row[64];

		must(kind->transfer(model[k], &machine, 2, &slower, &err));
		synthetic_row(&world, row, 100, 1, 1, 100, 6); /* one processor: no messages */
		check_rel(time_of(slower, row), 2 * time_of(model[k], row), 1e-6);
		kind->free(slower);
		failing_each_allocation (transfer_again(model[k], &err), &err)
			;
	}
}

TEST_GROUP(set_up, tear_down)
