#include "tests/support/shared_runs.h"
#include "tests/support/check.h"
#include "tests/support/made_runs.h"
#include "tests/support/failing_allocations.h"

#include "domain/configuration.h"
#include "mining/numerics/mining_init.h"
#include "mining/predictor/applicability_domain.h"

FREEABLE(config_table)

/* ---- ranges and pairs of features ---- */

/* One feature seen from 8 to 64. A quarter further is 80, a quarter less 6.4. */
TEST(one_feature_is_judged_by_its_range)
{
	static const double seen[] = {8, 64, 16};
	static const struct {
		double f;
		enum support want;
		double beyond; /* log2 of the factor outside */
	} row[] = {
		{8, SUPPORT_INSIDE, 0},		{40, SUPPORT_INSIDE, 0},
		{64, SUPPORT_INSIDE, 0},	{79.9, SUPPORT_EDGE, 0.3201},
		{6.5, SUPPORT_EDGE, 0.2996},	{80.1, SUPPORT_OUTSIDE, 0.3237},
		{6.3, SUPPORT_OUTSIDE, 0.3447}, {256, SUPPORT_OUTSIDE, 2},
		{1, SUPPORT_OUTSIDE, 3},
	};
	struct seen_ranges m;

	seen_ranges_make(seen, 3, 1, &m);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		double beyond = -1;

		assert_int_equal(seen_ranges_judge(&m, &row[i].f, &beyond), row[i].want);
		check_abs(beyond, row[i].beyond, 1e-4);
		assert_int_equal(seen_ranges_judge(&m, &row[i].f, NULL), row[i].want);
	}
}

/* Two features, each seen from 1 to 1024, but only growing together: the other corners of the box
 * were never near a run. Buckets are a factor 2 wide and each run covers its own and the next ones,
 * so (8, 16) and (8, 4) are covered by the run (8, 8), while (8, 32) is two buckets from it and one
 * from (16, 16), and (8, 64) is at least two from all. */
TEST(a_pair_never_seen_together_is_an_edge)
{
	double seen[11][2];
	struct seen_ranges m;

	for (int i = 0; i < 11; i++)
		seen[i][0] = seen[i][1] = exp2(i);
	seen_ranges_make(seen[0], 11, 2, &m);
	assert_int_equal(seen_ranges_judge(&m, (double[]){8, 8}, NULL), SUPPORT_INSIDE);
	assert_int_equal(seen_ranges_judge(&m, (double[]){8, 16}, NULL), SUPPORT_INSIDE);
	assert_int_equal(seen_ranges_judge(&m, (double[]){8, 4}, NULL), SUPPORT_INSIDE);
	assert_int_equal(seen_ranges_judge(&m, (double[]){8, 32}, NULL), SUPPORT_INSIDE);
	assert_int_equal(seen_ranges_judge(&m, (double[]){8, 64}, NULL), SUPPORT_EDGE);
	assert_int_equal(seen_ranges_judge(&m, (double[]){1, 1024}, NULL), SUPPORT_EDGE);
	assert_int_equal(seen_ranges_judge(&m, (double[]){1024, 1}, NULL), SUPPORT_EDGE);
	assert_int_equal(seen_ranges_judge(&m, (double[]){1024, 1024}, NULL), SUPPORT_INSIDE);
}

/* Every pair of several features is looked at, not only the first. */
TEST(each_pair_counts)
{
	enum { N = PREDICTOR_KIND_MAX_FEATURES };
	double seen[2 * N][N];
	struct seen_ranges m;

	/* All 1, all 1024, and each one alone at 1024: no two of them without the others. */
	for (int i = 0; i < 2 * N; i++) {
		for (int j = 0; j < N; j++)
			seen[i][j] = i == j || i == N ? 1024 : 1;
	}
	seen_ranges_make(seen[0], N + 2, N, &m);
	for (int j = 0; j < N; j++)
		assert_int_equal(seen_ranges_judge(&m, seen[j], NULL), SUPPORT_INSIDE);
	seen_ranges_make(seen[0], N, N, &m); /* only those with one at 1024 */
	for (int j = 0; j < N; j++) {
		for (int k = 0; k < j; k++) {
			double f[N];

			for (int i = 0; i < N; i++)
				f[i] = i == j || i == k ? 1024 : 1;
			assert_int_equal(seen_ranges_judge(&m, f, NULL), SUPPORT_EDGE);
		}
	}
}

/* Over 300 doublings, buckets are as wide as 50 of them need to be; both ends are still inside. */
TEST(a_huge_range_still_fits_the_buckets)
{
	static const double seen[][2] = {{1e-45, 1}, {1e45, 1}};
	struct seen_ranges m;

	seen_ranges_make(seen[0], 2, 2, &m);
	assert_int_equal(seen_ranges_judge(&m, seen[0], NULL), SUPPORT_INSIDE);
	assert_int_equal(seen_ranges_judge(&m, seen[1], NULL), SUPPORT_INSIDE);
	assert_int_equal(seen_ranges_judge(&m, (double[]){1, 1}, NULL), SUPPORT_EDGE);
	assert_int_equal(seen_ranges_judge(&m, (double[]){1e46, 1}, NULL), SUPPORT_OUTSIDE);
}

TEST(what_is_no_positive_number_is_outside)
{
	static const double seen[][2] = {{1, 1}, {2, 2}};
	static const double bad[] = {0, -1, INFINITY};
	struct seen_ranges m;

	seen_ranges_make(seen[0], 2, 2, &m);
	for (size_t i = 0; i < 3; i++) {
		double beyond = 0;

		assert_int_equal(seen_ranges_judge(&m, (double[]){1, bad[i]}, &beyond),
				 SUPPORT_OUTSIDE);
		assert_true(beyond > 100);
	}
}

/* A free value is judged by the best it could become: here that is a run's own. */
TEST(a_missing_feature_is_given_the_best_support)
{
	static const double seen[][2] = {{1, 1}, {1024, 1024}, {8, (double)NAN}};
	struct seen_ranges m;
	double beyond = -1;

	seen_ranges_make(seen[0], 3, 2, &m);
	assert_int_equal(seen_ranges_judge(&m, (double[]){1, NAN}, NULL), SUPPORT_INSIDE);
	assert_int_equal(seen_ranges_judge(&m, (double[]){NAN, NAN}, NULL), SUPPORT_INSIDE);
	assert_int_equal(seen_ranges_judge(&m, (double[]){NAN, 4096}, &beyond), SUPPORT_OUTSIDE);
	check_abs(beyond, 2, 1e-12);
	/* the run without its second feature tells nothing of pairs */
	assert_int_equal(seen_ranges_judge(&m, (double[]){8, 8}, NULL), SUPPORT_EDGE);
}

/* An application whose columns never vary has one known point. */
TEST(a_single_run_supports_itself)
{
	static const double seen[] = {100, 4};
	struct seen_ranges m;

	seen_ranges_make(seen, 1, 2, &m);
	assert_int_equal(seen_ranges_judge(&m, seen, NULL), SUPPORT_INSIDE);
	assert_int_equal(seen_ranges_judge(&m, (double[]){110, 4}, NULL), SUPPORT_EDGE);
	assert_int_equal(seen_ranges_judge(&m, (double[]){100, 8}, NULL), SUPPORT_OUTSIDE);
	seen_ranges_make(seen, 1, 0, &m);
	assert_int_equal(seen_ranges_judge(&m, seen, NULL), SUPPORT_INSIDE);
}

/* ---- all measures ---- */

/* Where runs were: by the workload on its own, and the worst of all measures. One problem column n,
 * its only feature, and two columns of the workload, whose product counts. */

static struct config_table *table;

static void make_row(double n, double iterations, double steps, double *row)
{
	configuration_clear(app, row);
	row[application_column(app, "n")] = n;
	row[application_column(app, "iterations")] = iterations;
	row[application_column(app, "steps")] = steps;
	configuration_derive(app, row);
}

static size_t features(const void *state, const double *row, double *out)
{
	out[0] = row[application_column(app, "n")];
	return 1;
}

static const struct predictor_kind kind = {.name = "of a test", .features = features};

/* Workloads of 20 = 4 * 5 to 1000 = 10 * 100, n from 8 to 64. */
static int set_up(void **state)
{
	static const double run[][3] = {{8, 4, 5},    {16, 10, 10}, {32, 10, 100},
					{64, 5, 100}, {64, 20, 20}, {8, 10, 40}};
	double row[16];

	mining_init();
	must(application_parse("application = { name = \"w\";"
			       "  problem = ( { name = \"n\"; min = 1; } );"
			       "  workload = ( { name = \"iterations\"; min = 1; },"
			       "               { name = \"steps\"; min = 1; } );"
			       "  resources = ( { name = \"procs\"; min = 1; } );"
			       "  target = { name = \"time\"; unit = \"s\"; }; };",
			       "w.conf", &app, &err));
	runs = dataset_new(app);
	for (size_t i = 0; i < sizeof run / sizeof run[0]; i++) {
		make_row(run[i][0], run[i][1], run[i][2], row);
		row[application_column(app, "procs")] = 1;
		runs_add(runs, row, 1);
	}
	must(config_table_make(runs, &table, &err));
	return 0;
}

static int tear_down(void **state)
{
	config_table_free(table);
	return free_runs(state);
}

static struct applicability_domain map_of(const struct config_table *t)
{
	struct applicability_domain m;

	must(applicability_domain_make(&kind, NULL, t, &m, &err));
	return m;
}

/* Of n = 16 or so, which was seen, and a workload. */
static enum support judge(const struct applicability_domain *m, double n, double iterations,
			  double steps, bool structural)
{
	double row[16], feature[1];
	const struct support_point point = {app, row, feature, structural};
	double beyond;
	enum support s;

	make_row(n, iterations, steps, row);
	features(NULL, row, feature);
	s = applicability_domain_judge(m, &point, &beyond);
	/* what is less sure looks at less */
	assert_true(applicability_domain_best(m, &point, &beyond) <= s);
	return s;
}

TEST(the_workload_is_the_product_of_its_columns)
{
	struct applicability_domain m = map_of(table);

	check_rel(m.work_lo, log(20), 1e-15);
	check_rel(m.work_hi, log(1000), 1e-15);
}

/* 3 % of a doubling, a factor 1.021, is no step beyond; 0.1 of ln is 0.25 at e^2.5 = 12.18. */
TEST(a_structure_is_at_its_edge_and_then_outside_by_the_workload)
{
	static const struct {
		double iterations, steps;
		enum support want;
	} asked[] = {
		{10, 100, SUPPORT_INSIDE},   {1020, 1, SUPPORT_INSIDE},
		{1022, 1, SUPPORT_EDGE},     {12180, 1, SUPPORT_EDGE},
		{1, 12190, SUPPORT_OUTSIDE}, {20, 1, SUPPORT_INSIDE},
		{1, 19.6, SUPPORT_INSIDE},   {1, 19.5, SUPPORT_EDGE},
		{1, 1.65, SUPPORT_EDGE},     {1, 1.64, SUPPORT_OUTSIDE},
		{NAN, 5, SUPPORT_INSIDE},    {1e300, 1e300, SUPPORT_OUTSIDE},
	};
	struct applicability_domain m = map_of(table);

	for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
		assert_int_equal(judge(&m, 16, asked[i].iterations, asked[i].steps, true),
				 asked[i].want);
		/* without a structure it is a column like others, and here no feature */
		assert_int_equal(judge(&m, 16, asked[i].iterations, asked[i].steps, false),
				 SUPPORT_INSIDE);
	}
}

TEST(the_worst_measure_counts)
{
	struct applicability_domain m = map_of(table);

	assert_int_equal(judge(&m, 79, 10, 10, true), SUPPORT_EDGE); /* 64 and less than 1.25 */
	assert_int_equal(judge(&m, 79, 1e6, 10, true), SUPPORT_OUTSIDE);
	assert_int_equal(judge(&m, 800, 10, 10, true), SUPPORT_OUTSIDE);
	assert_int_equal(judge(&m, 800, 1022, 1, true), SUPPORT_OUTSIDE);
}

/* Where the workload was never told, nothing is said of it, and nothing is stored. */
TEST(a_map_comes_back_with_or_without_a_workload)
{
	struct applicability_domain was = map_of(table), is;
	struct kb_fit stored = {0};

	must(applicability_domain_store(&was, app, &stored, &err));
	must(applicability_domain_load(&stored, app, &is, &err));
	assert_true(is.work_lo == was.work_lo && is.work_hi == was.work_hi);
	check_abs(kb_fit_value(&stored, "support_work_lo"), was.work_lo, 0);
	kb_fit_release(&stored);

	was.work_lo = was.work_hi = NAN;
	assert_int_equal(judge(&was, 16, 1e9, 1e9, true), SUPPORT_INSIDE);
	must(applicability_domain_store(&was, app, &stored, &err));
	assert_true(isnan(kb_fit_value(&stored, "support_work_lo")));
	for (size_t i = 0; i < stored.n_param; i++)
		assert_null(strstr(stored.param[i].name, "work"));
	must(applicability_domain_load(&stored, app, &is, &err));
	assert_true(isnan(is.work_lo) && isnan(is.work_hi));
	kb_fit_release(&stored);
}

/* What is said of where n and the workload leave the runs, after having been stored. */
static void check_said(double n, double iterations, double steps, const char *want)
{
	struct applicability_domain was = map_of(table), is;
	RELEASED(kb_fit) stored = {0};
	RELEASED(strbuf) text = STRBUF_INIT;
	double row[16];

	must(applicability_domain_store(&was, app, &stored, &err));
	must(applicability_domain_load(&stored, app, &is, &err));
	make_row(n, iterations, steps, row);
	row[application_column(app, "procs")] = 1;
	applicability_domain_explain(&is, app, row, &text);
	assert_string_equal(strbuf_text(&text), want);
}

TEST(where_a_row_leaves_the_runs_is_said)
{
	check_said(16, 10, 10, "");
	check_said(8, 4, 100, "");
	check_said(64.5, 10, 10, "n 8 to 64");
	check_said(7, 21, NAN, "n 8 to 64, iterations 4 to 20");
}

static enum err_code there_and_back(struct err *e)
{
	struct applicability_domain m, back;
	RELEASED(kb_fit) stored = {0};
	enum err_code rc = applicability_domain_make(&kind, NULL, table, &m, e);

	if (!rc && !(rc = applicability_domain_store(&m, app, &stored, e)))
		rc = applicability_domain_load(&stored, app, &back, e);
	return rc;
}

TEST(a_map_needs_memory)
{
	failing_each_allocation (there_and_back(&err), &err)
		;
}

/* ---- sizes of levels ---- */

/* cpu ran with n from 8 to 64 on 1 to 4 nodes; gpu with n from 8 to 16, on 2 nodes alone; fat once.
 */
static struct application *leveled_app;

static void leveled_row(const char *partition, double n, double nodes, double *row)
{
	struct levels *l =
		&leveled_app->column[application_column(leveled_app, "partition")].levels;

	configuration_clear(leveled_app, row);
	row[application_column(leveled_app, "n")] = n;
	row[application_column(leveled_app, "nodes")] = nodes;
	row[application_column(leveled_app, "partition")] =
		partition ? (double)levels_add(l, partition) : NAN;
}

static struct level_ranges leveled_ranges(void)
{
	static const struct {
		const char *partition;
		double n, nodes;
	} run[] = {{"cpu", 8, 1},  {"cpu", 16, 2}, {"cpu", 64, 4}, {"gpu", 8, 2},
		   {"gpu", 16, 2}, {"fat", 32, 4}, {"cpu", 64, 1}};
	FREED(config_table) *t = NULL;
	struct level_ranges m;
	FREED(dataset) *d;
	double row[16];

	must(application_parse("application = { name = \"l\";"
			       "  problem = ( { name = \"n\"; min = 1; } );"
			       "  tunables = ( { name = \"partition\"; type = \"text\"; } );"
			       "  resources = ( { name = \"nodes\"; min = 1; } );"
			       "  target = { name = \"time\"; unit = \"s\"; }; };",
			       "l.conf", &leveled_app, &err));
	d = dataset_new(leveled_app);
	for (size_t i = 0; i < sizeof run / sizeof run[0]; i++) {
		leveled_row(run[i].partition, run[i].n, run[i].nodes, row);
		runs_add(d, row, 1);
	}
	must(config_table_make(d, &t, &err));
	must(level_ranges_make(t, &m, &err));
	return m;
}

static double beyond_of(const struct level_ranges *m, const char *partition, double n, double nodes)
{
	double row[16];

	leveled_row(partition, n, nodes, row);
	return level_ranges_beyond(m, leveled_app, row);
}

/* Of gpu two sizes are known, n alone: one number of nodes is no range, nor is what ran once. */
TEST(a_level_has_the_range_that_it_was_run_with)
{
	struct level_ranges m = leveled_ranges(), back;
	RELEASED(strbuf) text = STRBUF_INIT;
	RELEASED(kb_fit) stored = {0};
	double row[16];

	assert_int_equal(m.n, 1);
	must(level_ranges_store(&m, leveled_app, &stored, &err));
	level_ranges_load(&stored, leveled_app, &back);
	assert_memory_equal(&m.item[0], &back.item[0], sizeof back.item[0]);
	for (int i = 0; i < 2; i++) {
		const struct level_ranges *r = i ? &back : &m;

		check_abs(beyond_of(r, "gpu", 64, 2), 2, 1e-12);
		check_abs(beyond_of(r, "gpu", 4, 2), 1, 1e-12);
		check_abs(beyond_of(r, "gpu", 16, 4), 0, 0);
		check_abs(beyond_of(r, "cpu", 640, 40), 0, 0); /* the ranges of all say that */
		check_abs(beyond_of(r, "fat", 64, 1), 0, 0);
		check_abs(beyond_of(r, NULL, 64, 1), 0, 0);
		check_abs(beyond_of(r, "gpu", NAN, 1), 0, 0);
	}
	level_ranges_explain(&m, leveled_app, &text);
	assert_string_equal(strbuf_text(&text), " partition gpu was run with n from 8 to 16 only.");
	strbuf_clear(&text);
	leveled_row("gpu", 16, 2, row);
	level_ranges_explain_row(&back, leveled_app, row, "; ", &text);
	assert_int_equal(text.len, 0);
	leveled_row("gpu", 64, 2, row);
	level_ranges_explain_row(&back, leveled_app, row, "; ", &text);
	assert_string_equal(strbuf_text(&text), "; partition gpu was run with n from 8 to 16 only");
	application_free(leveled_app);
}

/* A column that is gone, a level that nobody has any more, and bounds the wrong way round. */
TEST(what_a_range_was_of_may_be_gone)
{
	struct level_ranges m = leveled_ranges(), back;

	for (int gone = 0; gone < 4; gone++) {
		static const char *const what[] = {"column", "level", "lo", "hi"};
		struct kb_fit stored = {0};
		char name[64];

		must(level_ranges_store(&m, leveled_app, &stored, &err));
		snprintf(name, sizeof name, "level_range_%s_0", what[gone]);
		for (size_t i = 0; i < stored.n_param; i++) {
			if (strcmp(stored.param[i].name, name))
				continue;
			free(stored.param[i].meaning);
			stored.param[i].meaning = strdup("nobody");
			if (gone == 3)
				stored.param[i].value = 1;
		}
		level_ranges_load(&stored, leveled_app, &back);
		assert_int_equal(back.n, 0);
		kb_fit_release(&stored);
	}
	application_free(leveled_app);
}

/* ---- what is on a node ---- */

static void packed_row(const struct application *a, double n, double ppn, double threads,
		       double gpus, double *row)
{
	configuration_clear(a, row);
	row[application_column(a, "n")] = n;
	row[application_column(a, "nodes")] = 1;
	row[application_column(a, "ppn")] = ppn;
	row[application_column(a, "threads")] = threads;
	row[application_column(a, "gpus")] = gpus;
}

static double packed_beyond(const struct level_ranges *m, const struct application *a, double n,
			    double ppn, double threads, double gpus)
{
	double row[16];

	packed_row(a, n, ppn, threads, gpus, row);
	return level_ranges_beyond(m, a, row);
}

/* n from 8 to 64 with up to 16 processes and threads, 32 with n = 8 alone; GPUs up to n = 16. */
TEST(more_on_a_node_has_the_sizes_that_it_was_run_with)
{
	static const struct {
		double n, ppn, threads, gpus;
	} run[] = {{8, 1, 1, 0},   {64, 1, 1, 0}, {8, 4, 4, 0},	 {64, 4, 4, 0}, {64, 16, 1, 0},
		   {64, 1, 16, 0}, {8, 2, 16, 0}, {8, 16, 2, 0}, {8, 1, 1, 1},	{16, 1, 1, 2}};
	struct level_ranges made, back;
	RELEASED(strbuf) text = STRBUF_INIT;
	FREED(config_table) *t = NULL;
	RELEASED(kb_fit) stored = {0};
	FREED(application) *a = NULL;
	FREED(dataset) *d;
	double row[16];

	must(application_parse("application = { name = \"l\";"
			       "  problem = ( { name = \"n\"; min = 1; } );"
			       "  resources = ( { name = \"nodes\"; min = 1; },"
			       "    { name = \"ppn\"; min = 1; }, { name = \"threads\"; min = 1; },"
			       "    { name = \"gpus\"; min = 0; } );"
			       "  target = { name = \"time\"; unit = \"s\"; }; };",
			       "l.conf", &a, &err));
	d = dataset_new(a);
	for (size_t i = 0; i < sizeof run / sizeof run[0]; i++) {
		packed_row(a, run[i].n, run[i].ppn, run[i].threads, run[i].gpus, row);
		runs_add(d, row, 1);
	}
	must(config_table_make(d, &t, &err));
	must(level_ranges_make(t, &made, &err));
	must(level_ranges_store(&made, a, &stored, &err));
	level_ranges_load(&stored, a, &back);
	for (int i = 0; i < 2; i++) {
		const struct level_ranges *m = i ? &back : &made;

		check_abs(packed_beyond(m, a, 64, 8, 2, 0), 0, 0);
		check_abs(packed_beyond(m, a, 64, 8, 4, 0), 3, 1e-12);
		check_abs(packed_beyond(m, a, 16, 3, 6, 0), 1, 1e-12);
		check_abs(packed_beyond(m, a, 8, 16, 2, 0), 0, 0);
		check_abs(packed_beyond(m, a, 4, 16, 4, 0), 0, 0); /* smaller: no more is needed */
		check_abs(packed_beyond(m, a, 64, NAN, 4, 0), 0, 0);
		check_abs(packed_beyond(m, a, 64, 1, 1, 1), 2, 1e-12);
		check_abs(packed_beyond(m, a, 64, 1, 1, 4), 2, 1e-12);
	}
	level_ranges_explain(&made, a, &text);
	assert_string_equal(strbuf_text(&text),
			    " More than 16 processes and threads on a node were run with n up to "
			    "8 only. More than 0 gpus was run with n up to 16 only.");
}

/* ---- two settings together ---- */

static void paired_row(struct application *a, const char *solver, double tile, double n,
		       double nodes, double *row)
{
	struct column *c = &a->column[application_column(a, "solver")];

	configuration_clear(a, row);
	row[application_column(a, "solver")] = (double)levels_add(&c->levels, solver);
	row[application_column(a, "tile")] = tile;
	row[application_column(a, "n")] = n;
	row[application_column(a, "nodes")] = nodes;
}

static double paired_beyond(const struct level_ranges *m, struct application *a, const char *solver,
			    double tile, double n)
{
	double row[16];

	paired_row(a, solver, tile, n, 1, row);
	return level_ranges_beyond(m, a, row);
}

/* Each on 1 to n_nodes nodes: solver b with tile 2 was run with n = 10 alone, c with it never. */
static struct level_ranges paired_ranges(struct application *a, int n_nodes)
{
	static const struct {
		const char *solver;
		double tile, n;
	} run[] = {{"a", 1, 10}, {"a", 2, 10}, {"b", 1, 10}, {"b", 2, 10}, {"c", 1, 10},
		   {"a", 1, 20}, {"a", 2, 20}, {"b", 1, 20}, {"c", 1, 20}};
	struct dataset *d = dataset_new(a);
	struct config_table *t = NULL;
	struct level_ranges m;
	double row[16];

	for (size_t i = 0; i < sizeof run / sizeof run[0]; i++) {
		for (int nodes = 1; nodes <= n_nodes; nodes++) {
			paired_row(a, run[i].solver, run[i].tile, run[i].n, nodes, row);
			must(dataset_add(d, row, 1, (int64_t)i + 1, 1, SOURCE_MEASURED, RUN_OK, 1,
					 &err));
		}
	}
	must(config_table_make(d, &t, &err));
	must(level_ranges_make(t, &m, &err));
	config_table_free(t);
	dataset_free(d);
	return m;
}

/* On k nodes each: with n = 20, k have solver b, k tile 2 and 2 k neither, so k^2 / (2 k + 1) are
 * expected to have both: 1.8 for 4, 2.3 for 5. In all 2 k have c, 3 k tile 2 and 4 k neither:
 * 6 k^2 / (4 k + 1), 1.2 for 1, 5.6 for 4. */
TEST(two_settings_have_the_sizes_that_they_were_run_with)
{
	static const size_t n_ranges[6] = {[1] = 0, [4] = 1, [5] = 2};
	struct application *a = NULL;

	must(application_parse("application = { name = \"l\";"
			       "  problem = ( { name = \"n\"; min = 1; } );"
			       "  tunables = ( { name = \"solver\"; type = \"text\"; },"
			       "    { name = \"tile\"; min = 1; } );"
			       "  resources = ( { name = \"nodes\"; min = 1; } );"
			       "  target = { name = \"time\"; unit = \"s\"; }; };",
			       "l.conf", &a, &err));
	for (int n_nodes = 1; n_nodes <= 5; n_nodes += n_nodes == 1 ? 3 : 1) {
		const struct level_ranges made = paired_ranges(a, n_nodes);
		struct level_ranges back;
		struct kb_fit stored = {0};

		must(level_ranges_store(&made, a, &stored, &err));
		level_ranges_load(&stored, a, &back);
		assert_int_equal(made.n, n_ranges[n_nodes]);
		assert_int_equal(back.n, n_ranges[n_nodes]);
		for (int i = 0; i < 2; i++) {
			const struct level_ranges *m = i ? &back : &made;

			check_abs(paired_beyond(m, a, "c", 2, 10), n_nodes > 1 ? 4 : 0, 0);
			check_abs(paired_beyond(m, a, "b", 2, 40), n_nodes == 5 ? 2 : 0, 1e-12);
			check_abs(paired_beyond(m, a, "b", 2, 10), 0, 0);
			check_abs(paired_beyond(m, a, "b", 2, 5), 0, 0);
			check_abs(paired_beyond(m, a, "b", 4, 40), 0, 0); /* between or beyond */
			check_abs(paired_beyond(m, a, "b", NAN, 40), 0, 0);
			check_abs(paired_beyond(m, a, "c", 1, 40), 0, 0); /* ranges of all */
		}
		if (n_nodes == 5) {
			struct strbuf text = STRBUF_INIT;

			level_ranges_explain(&back, a, &text);
			assert_string_equal(strbuf_text(&text),
					    " solver c with tile 2 was not run."
					    " solver b with tile 2 was run with n up to 10 only.");
			strbuf_release(&text);
		}
		kb_fit_release(&stored);
	}
	application_free(a);
}

/* Three switches, each two of them on in some runs and all three in none: of k each k^4 / (k + 1)^3
 * are expected, 1.3 for 3, 2.05 for 4. */
TEST(three_settings_that_never_met_are_far_from_all_runs)
{
	FREED(application) *a = NULL;

	must(application_parse("application = { name = \"l\";"
			       "  problem = ( { name = \"n\"; min = 1; } );"
			       "  tunables = ( { name = \"a\"; min = 0; },"
			       "    { name = \"b\"; min = 0; }, { name = \"c\"; min = 0; } );"
			       "  resources = ( { name = \"nodes\"; min = 1; } );"
			       "  target = { name = \"time\"; unit = \"s\"; }; };",
			       "l.conf", &a, &err));
	for (int n_nodes = 3; n_nodes <= 4; n_nodes++) {
		FREED(dataset) *d = dataset_new(a);
		FREED(config_table) *t = NULL;
		RELEASED(kb_fit) stored = {0};
		RELEASED(strbuf) text = STRBUF_INIT;
		struct level_ranges m, back;
		double row[16];

		configuration_clear(a, row);
		row[application_column(a, "n")] = 10;
		for (int i = 0; i < 7 * n_nodes; i++) {
			row[application_column(a, "a")] = i % 7 & 1;
			row[application_column(a, "b")] = i % 7 >> 1 & 1;
			row[application_column(a, "c")] = i % 7 >> 2;
			row[application_column(a, "nodes")] = floor(i / 7.) + 1;
			must(dataset_add(d, row, 1, i + 1, 1, SOURCE_MEASURED, RUN_OK, 1, &err));
		}
		must(config_table_make(d, &t, &err));
		must(level_ranges_make(t, &m, &err));
		must(level_ranges_store(&m, a, &stored, &err));
		level_ranges_load(&stored, a, &back);
		assert_int_equal(m.n, n_nodes == 4);
		assert_int_equal(back.n, m.n);
		level_ranges_explain(&back, a, &text);
		assert_string_equal(strbuf_text(&text),
				    m.n ? " a 1 with b 1 and c 1 was not run." : "");
		check_abs(level_ranges_beyond(&back, a, row), 0, 0); /* a 0, b 1, c 1 was */
		row[application_column(a, "a")] = 1;
		check_abs(level_ranges_beyond(&back, a, row), m.n ? 4 : 0, 0);
	}
}

TEST_GROUP(set_up, tear_down)
