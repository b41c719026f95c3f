#include "tests/support/failing_allocations.h"
#include "tests/support/check.h"

#include "mining/predictor/trend_posterior.h"

FREEABLE(config_table)

/* Priors of exponents by the role of a column (docs/models.md lists them), and what they make of
 * columns that never varied. */

enum { SIZE, STEPS, NODES, PPN, PROCS, BLOCK, EFFICIENCY, N_COLUMNS };

static struct column column[N_COLUMNS];
static struct application app;
static struct log_polynomial columns;
static const struct posynomial power_law = {.n_terms = 1};

static int set_up(void **state)
{
	static const enum column_role role[N_COLUMNS] = {COL_PROBLEM,  COL_WORKLOAD, COL_RESOURCE,
							 COL_RESOURCE, COL_RESOURCE, COL_TUNABLE,
							 COL_DERIVED};

	app = (struct application){.column = column,
				   .n_columns = N_COLUMNS,
				   .i_nodes = NODES,
				   .i_ppn = PPN,
				   .i_procs = PROCS};
	for (size_t c = 0; c < N_COLUMNS; c++)
		column[c] = (struct column){.role = role[c], .type = COL_REAL};
	columns = (struct log_polynomial){.app = &app};
	return 0;
}

static void check_prior(size_t c, bool shifted, double mean, double sd)
{
	const struct log_range r = {.column = c, .shift = shifted};
	const struct exponent_prior p = exponent_prior_of(&app, &r);

	check_abs(p.mean, mean, 0);
	check_abs(p.sd, sd, 0);
}

TEST_WITH(a_prior_follows_the_role_of_a_column, set_up, NULL)
{
	check_prior(SIZE, false, 1.5, 1);
	check_prior(STEPS, false, 1, 0.5);
	check_prior(PROCS, false, -0.7, 0.5);
	check_prior(BLOCK, false, 0, 0.5);
	check_prior(EFFICIENCY, false, 0, 1);
	for (size_t c = 0; c < N_COLUMNS; c++)
		check_prior(c, true, 0, 1);
}

TEST_WITH(processes_do_not_count_twice, set_up, NULL)
{
	check_prior(NODES, false, 0, 0.15);
	check_prior(PPN, false, 0, 0.15);
	/* where processes follow from others, nodes are what is paid for */
	column[PROCS].role = COL_DERIVED;
	check_prior(NODES, false, -0.7, 0.5);
	check_prior(PPN, false, -0.7, 0.5);
	column[PROCS].role = COL_RESOURCE;
	app.i_procs = SIZE_MAX;
	check_prior(NODES, false, -0.7, 0.5);
}

static void add_range(size_t c, double lo, double hi)
{
	columns.range[columns.n_ranges++] =
		(struct log_range){.column = c, .lo = log(lo), .hi = log(hi)};
}

/* The size was 100, steps 10, nodes 4 to 8; nodes vary, but are no input. */
TEST_WITH(what_never_varied_shifts_by_the_mean_of_its_prior, set_up, NULL)
{
	double row[N_COLUMNS] = {100, 10, 4, 1, 4, 2, 0.5};

	add_range(SIZE, 100, 100);
	add_range(STEPS, 10, 10);
	add_range(NODES, 4, 8);
	check_abs(trend_prior_shift(&columns, row, false, NULL), 0, 1e-12);
	row[SIZE] = 200;
	check_rel(trend_prior_shift(&columns, row, false, NULL), 1.5 * log(2), 1e-12);
	row[STEPS] = 5;
	check_rel(trend_prior_shift(&columns, row, false, NULL), 1.5 * log(2) - log(2), 1e-12);
	row[NODES] = 64;
	check_rel(trend_prior_shift(&columns, row, false, NULL), 0.5 * log(2), 1e-12);
	row[STEPS] = NAN;
	check_rel(trend_prior_shift(&columns, row, false, NULL), 1.5 * log(2), 1e-12);
	columns.n_inputs = 1; /* the size is an input: its exponent is fitted */
	check_abs(trend_prior_shift(&columns, row, false, NULL), 0, 1e-12);
}

/* Of processes -0.7. */
TEST_WITH(what_resources_shift_is_told_apart, set_up, NULL)
{
	double row[N_COLUMNS] = {200, 10, 1, 1, 16}, of_resources = NAN;

	add_range(SIZE, 100, 100);
	add_range(PROCS, 4, 4);
	check_rel(trend_prior_shift(&columns, row, false, &of_resources),
		  1.5 * log(2) - 0.7 * log(4), 1e-12);
	check_rel(of_resources, -0.7 * log(4), 1e-12);
}

/* No more than a factor e^1000 of what no power law can mean. */
TEST_WITH(a_wild_shift_is_cut, set_up, NULL)
{
	double row[N_COLUMNS] = {1e300, 1e300};

	add_range(SIZE, 1e-300, 1e-300);
	check_abs(trend_prior_shift(&columns, row, false, NULL), 1000, 0);
	row[SIZE] = 1e-300;
	columns.range[0].lo = columns.range[0].hi = log(1e300);
	check_abs(trend_prior_shift(&columns, row, false, NULL), -1000, 0);
}

/* ---- what two runs on a line leave open ---- */

enum { N_TERMS = 6 };

/* 1, two logs, their squares' halves and their product, each times its prior deviation: an exponent
 * of the size 1, of processes 0.5. Second derivatives: of parts of exponents (a, b), (a', b') and
 * shares s, 1 - s, in the root of the mean s (1 - s) is 1 / sqrt(30), (a - a')^2 is sqrt(12) * 1^2,
 * (a - a') (b - b') is 2 * 1 * 0.5. No more than what an exponent changes from
 * part to part, sqrt(2) times its deviation, over the range. */
static void put_terms(double size, double procs, double range, double *u)
{
	const double straight = 1 / sqrt(30), all = sqrt(2) / range;

	u[0] = 5;
	u[1] = size;
	u[2] = 0.5 * procs;
	u[3] = fmin(straight * sqrt(12), all) * size * size / 2;
	u[4] = fmin(straight, 0.5 * all) * size * procs;
	u[5] = fmin(straight * sqrt(12) * 0.25, 0.5 * all) * procs * procs / 2;
}

static double covariance(const double *u, const double *v)
{
	double sum = 0;

	for (int j = 0; j < N_TERMS; j++)
		sum += u[j] * v[j];
	return sum;
}

/* The same law as covariances of functions (Rasmussen and Williams, eq. 2.12): of a question, given
 * two runs, noise 0.5. */
static double sd_given(const double *low, const double *high, const double *at)
{
	const double aa = covariance(low, low) + 0.25, bb = covariance(high, high) + 0.25;
	const double ab = covariance(low, high), ka = covariance(at, low),
		     kb = covariance(at, high);

	return sqrt(covariance(at, at) -
		    (ka * ka * bb - 2 * ka * kb * ab + kb * kb * aa) / (aa * bb - ab * ab));
}

/* Of runs at both ends of the diagonal. */
static double sd_by_covariances(double h, double size, double procs)
{
	double low[N_TERMS], high[N_TERMS], at[N_TERMS];

	put_terms(-h, -h, 2 * h, low);
	put_terms(h, h, 2 * h, high);
	put_terms(size, procs, 2 * h, at);
	return sd_given(low, high, at);
}

/* Runs at (e^-h, e^-h) and (e^h, e^h). */
static struct config_table *two_on_a_line(double h)
{
	struct config_table *t = config_table_alloc(&app, 2, 2, 0);

	assert_non_null(t);
	add_range(SIZE, exp(-h), exp(h));
	add_range(PROCS, exp(-h), exp(h));
	columns.n_inputs = 2;
	columns.n_terms = 3;
	for (size_t i = 0; i < 2; i++) {
		for (size_t c = 0; c < N_COLUMNS; c++)
			t->x[i * t->n_columns + c] = 1;
		t->x[i * t->n_columns + SIZE] = t->x[i * t->n_columns + PROCS] =
			exp(i == 0 ? -h : h);
		t->time_s[i] = 1;
		t->n_repeats[i] = 1;
		t->first[i + 1] = i + 1;
	}
	t->n = 2;
	t->weight[t->source[0]] = 1;
	return t;
}

static void check_off_the_line(double h)
{
	double row[N_COLUMNS] = {exp(h), 1, 1, 1, exp(-h), 1, 1};
	FREED(config_table) *t = two_on_a_line(h);
	RELEASED(trend_posterior) m;

	must(trend_posterior_make(t, &columns, 0.5, &m, &err));
	check_rel(trend_posterior_sd(&m, &columns, &power_law, row), sd_by_covariances(h, h, -h),
		  1e-9);
	row[SIZE] = row[PROCS] = exp(h / 2);
	check_rel(trend_posterior_sd(&m, &columns, &power_law, row),
		  sd_by_covariances(h, h / 2, h / 2), 1e-9);
}

TEST_WITH(curvature_off_a_line_keeps_its_prior, set_up, NULL)
{
	check_off_the_line(0.5);
}

TEST_WITH(over_a_wide_range_exponents_change_no_more_than_from_part_to_part, set_up, NULL)
{
	check_off_the_line(3);
}

/* ---- what two runs on a line leave open of the parts of a sum ---- */

/* A start-up of 1 and work of 0.05 size^2 / procs. */
static struct posynomial start_and_work(double h)
{
	return (struct posynomial){
		.n_terms = 2, .p = 3, .scale = 0.5, .b = {0, 0, 0, log(0.05), 2 * h, -h}};
}

/* Of each part its share of the time, times 1 and two logs, each times its prior deviation. */
static void put_parts(double size, double procs, double *u)
{
	const double work = 0.05 * exp(2 * size - procs),
		     share[] = {1 / (1 + work), work / (1 + work)};

	for (int k = 0; k < 2; k++) {
		u[3 * k] = share[k] * 5;
		u[3 * k + 1] = share[k] * size;
		u[3 * k + 2] = share[k] * 0.5 * procs;
	}
}

/* Coefficients of parts count where they leave more open than those of one power law; drift and
 * what was never tried count besides. */
TEST_WITH(a_part_that_was_a_small_share_is_hardly_known_where_it_rules, set_up, NULL)
{
	static const double asked[][2] = {{1, 1}, {0, 0.5}, {1.5, 0}, {2, 0}};
	const double h = 1;
	const struct posynomial sum = start_and_work(h);
	FREED(config_table) *t = two_on_a_line(h);
	RELEASED(trend_posterior) m;
	double before[4], untried[4];
	size_t n_more = 0;

	must(trend_posterior_make(t, &columns, 0.5, &m, &err));
	for (int k = 0; k < 4; k++) {
		const double row[N_COLUMNS] = {exp(asked[k][0]), 1, 1, 1, exp(asked[k][1]), 1, 1};

		before[k] = trend_posterior_sd(&m, &columns, &power_law, row);
		untried[k] = trend_posterior_untried_sd(&m, &columns, row);
	}
	must(trend_posterior_add_parts(t, &columns, &sum, &m, &err));
	for (int k = 0; k < 4; k++) {
		const double row[N_COLUMNS] = {exp(asked[k][0]), 1, 1, 1, exp(asked[k][1]), 1, 1};
		double low[N_TERMS], high[N_TERMS], at[N_TERMS], parts;

		put_parts(-h, -h, low);
		put_parts(h, h, high);
		put_parts(asked[k][0], asked[k][1], at);
		parts = sd_given(low, high, at);
		n_more += hypot(parts, untried[k]) > before[k];
		check_rel(trend_posterior_sd(&m, &columns, &sum, row),
			  fmax(before[k], hypot(parts, untried[k])), 1e-9);
	}
	assert_int_equal(n_more, 2);
	/* fitted anew, as one power law */
	must(trend_posterior_add_parts(t, &columns, &power_law, &m, &err));
	for (int k = 0; k < 4; k++) {
		const double row[N_COLUMNS] = {exp(asked[k][0]), 1, 1, 1, exp(asked[k][1]), 1, 1};

		check_rel(trend_posterior_sd(&m, &columns, &power_law, row), before[k], 1e-15);
	}
}

/* ---- what many runs leave open, by covariances ---- */

enum { N_RUNS = 30, N_U = 9, KIND = BLOCK };

static const struct {
	double size, procs;
	int kind;
} many_runs[6] = {{2, 1, 0}, {2, 4, 1}, {8, 2, 2}, {32, 16, 0}, {16, 32, 1}, {128, 32, 2}};

/* Inputs are size and procs, a text is of three kinds; steps were always 10, nodes 4 to 8. */
static struct config_table *many(void)
{
	struct config_table *t = config_table_alloc(&app, N_RUNS, N_RUNS, 0);

	assert_non_null(t);
	column[SIZE].name = (char *)(uintptr_t) "size";
	column[STEPS].name = (char *)(uintptr_t) "steps";
	column[NODES].name = (char *)(uintptr_t) "nodes";
	column[PROCS].name = (char *)(uintptr_t) "procs";
	column[KIND].name = (char *)(uintptr_t) "kind";
	column[KIND].type = COL_TEXT;
	add_range(SIZE, 2, 128);
	add_range(PROCS, 1, 32);
	add_range(STEPS, 10, 10);
	add_range(NODES, 4, 8);
	columns.n_inputs = 2;
	columns.n_levels = 3;
	columns.n_terms = 6;
	for (size_t k = 0; k < 3; k++)
		columns.level[k] = (struct log_level){KIND, (double)k};
	for (size_t i = 0; i < N_RUNS; i++) {
		double *x = t->x + i * N_COLUMNS;

		for (size_t c = 0; c < N_COLUMNS; c++)
			x[c] = 1;
		x[SIZE] = many_runs[i % 6].size * (i / 6 % 2 ? 1 : 1.5);
		x[PROCS] = many_runs[i % 6].procs;
		x[KIND] = many_runs[i % 6].kind;
		x[STEPS] = 10;
		x[SIZE] = fmin(x[SIZE], 128);
		t->time_s[i] = 1;
		t->n_repeats[i] = 1;
		t->first[i + 1] = i + 1;
		t->source[i] = i % 4 == 0 ? SOURCE_SIMULATED : SOURCE_MEASURED;
	}
	t->n = N_RUNS;
	t->weight[SOURCE_MEASURED] = 1;
	t->weight[SOURCE_SIMULATED] = 0.25;
	return t;
}

static double mean_log(const struct config_table *t, size_t c)
{
	double sum = 0;

	for (size_t i = 0; i < t->n; i++)
		sum += log(config_table_row(t, i)[c]) / (double)t->n;
	return sum;
}

static double excess(double x, double lo, double hi)
{
	return x > hi ? log(x / hi) : x < lo ? log(x / lo) : 0;
}

/* 1, logs about their means, kinds, squares and product, each times its prior deviation. Beyond the
 * range a square goes on along its tangent, w^2 / 2 + w b, a product along its own, and a value
 * that is missing stands at the mean. */
static void put_all(const struct config_table *t, const double *row, double *u)
{
	const double a = isnan(row[SIZE]) ? 0 : log(row[SIZE]) - mean_log(t, SIZE);
	const double b = isnan(row[PROCS]) ? 0 : log(row[PROCS]) - mean_log(t, PROCS);
	const double a_out = isnan(row[SIZE]) ? 0 : excess(row[SIZE], 2, 128);
	const double b_out = isnan(row[PROCS]) ? 0 : excess(row[PROCS], 1, 32);
	const double a_in = a - a_out, b_in = b - b_out;
	const double straight = 1 / sqrt(30), a_range = log(64), b_range = log(32);

	u[0] = 5;
	u[1] = a;
	u[2] = 0.5 * b;
	for (int k = 0; k < 3; k++)
		u[3 + k] = row[KIND] == k ? 0.7 : 0;
	u[6] = fmin(straight * sqrt(12), sqrt(2) / a_range) * (a_in * a_in / 2 + a_in * a_out);
	u[7] = fmin(straight, sqrt(2) * fmin(0.5 / a_range, 1 / b_range)) *
	       (a_in * b_in + a_in * b_out + a_out * b_in);
	u[8] = fmin(straight * sqrt(12) * 0.25, sqrt(2) * 0.5 / b_range) *
	       (b_in * b_in / 2 + b_in * b_out);
}

static double product(const double *u, const double *v)
{
	double sum = 0;

	for (int j = 0; j < N_U; j++)
		sum += u[j] * v[j];
	return sum;
}

/* k(x, x) - k(x, X) (K + noise / weight)^-1 k(X, x), by Gauss. */
static double variance_of_trend(const struct config_table *t, const double *row, double noise)
{
	static double k[N_RUNS][N_RUNS + 1];
	double u[N_RUNS][N_U], at[N_U], got;

	for (size_t i = 0; i < N_RUNS; i++)
		put_all(t, config_table_row(t, i), u[i]);
	put_all(t, row, at);
	for (size_t i = 0; i < N_RUNS; i++) {
		for (size_t j = 0; j < N_RUNS; j++)
			k[i][j] = product(u[i], u[j]);
		k[i][i] += noise * noise / config_table_weight(t, i);
		k[i][N_RUNS] = product(u[i], at);
	}
	got = product(at, at);
	for (size_t i = 0; i < N_RUNS; i++) {
		for (size_t j = i + 1; j < N_RUNS; j++) {
			const double f = k[j][i] / k[i][i];

			for (size_t c = i; c <= N_RUNS; c++)
				k[j][c] -= f * k[i][c];
		}
		/* L y = k, so that the sum of y_i^2 / d_i is k' K^-1 k */
		got -= k[i][N_RUNS] * k[i][N_RUNS] / k[i][i];
	}
	return got;
}

/* The squared distance beyond the runs, by 0.9 times the correlation of the inputs. */
static double drift_of(const struct config_table *t, const double *row)
{
	const double a = isnan(row[SIZE]) ? 0 : excess(row[SIZE], 2, 128);
	const double b = excess(row[PROCS], 1, 32);
	double aa = 0, ab = 0, bb = 0, r;

	for (size_t i = 0; i < t->n; i++) {
		const double u = log(config_table_row(t, i)[SIZE]) - mean_log(t, SIZE);
		const double v = log(config_table_row(t, i)[PROCS]) - mean_log(t, PROCS);

		aa += u * u;
		ab += u * v;
		bb += v * v;
	}
	r = 0.9 * ab / sqrt(aa * bb);
	return (a * a - 2 * r * a * b + b * b) / (1 - r * r);
}

/* Rows within and beyond the runs, with what they have of columns that tell nothing. */
static const struct {
	double row[N_COLUMNS];	/* SIZE, STEPS, NODES, PPN, PROCS, KIND, EFFICIENCY */
	double unseen;		/* what never varied, or was never seen: a variance */
	double unseen_of_terms; /* the same if terms use steps, which then drift */
} asked[] = {
	{{8, 10, 4, 1, 8, 1, 1}, 0, 0},
	{{300, 10, 8, 1, 8, 0, 1}, 0, 0},
	{{1, 10, 5, 1, 64, 2, 1}, 0, 0},
	{{1000, 10, 6, 1, 256, 1, 1}, 0, 0},
	{{NAN, 10, 6, 1, 4, 1, 1}, 0, 0},
	{{8, 10, 4, 1, 8, 7, 1}, 0.49, 0.49},
	{{8, 20, 4, 1, 8, 1, 1}, 0.1201133, 0.0012011},	 /* (0.5 ln 2)^2, (0.05 ln 2)^2 */
	{{8, 10, 16, 1, 8, 1, 1}, 0.0108102, 0.0108102}, /* (0.15 ln 2)^2: beside processes */
	{{8, 10, 4, 1, 8, NAN, 1}, 0, 0},
};

/* Of the numbers that are stored. */
static void check_each_is_needed(struct kb_fit *stored, const struct posynomial *trend)
{
	struct trend_posterior loaded;

	for (size_t k = 0; k < stored->n_param; k++) {
		double *value = &stored->param[k].value, was = *value;

		if (strncmp(stored->param[k].name, "posterior_", 10) != 0)
			continue;
		*value = NAN;
		must_fail(trend_posterior_load(stored, &columns, trend, &loaded, &err),
			  ERR_NOTMINED, "what its trend leaves open");
		*value = was;
	}
}

TEST_WITH(the_posterior_is_that_of_covariances_with_drift_and_what_was_never_seen, set_up, NULL)
{
	struct config_table *t = many();
	bool used[N_COLUMNS] = {false};
	struct trend_posterior m, loaded;
	struct kb_fit stored = {0};

	app.terms.used = used;
	app.terms.n = 1;
	used[STEPS] = true;
	must(trend_posterior_make(t, &columns, 0.1, &m, &err));
	must(trend_posterior_add_parts(t, &columns, &power_law, &m, &err));
	check_abs(m.few_runs_noise, 0, 0); /* 30 runs are more than two for each of 6 */
	must(trend_posterior_store(&m, &columns, &stored, &err));
	must(trend_posterior_load(&stored, &columns, &power_law, &loaded, &err));
	for (size_t k = 0; k < sizeof asked / sizeof *asked; k++) {
		const double *row = asked[k].row;
		const double unknown = level_interactions_variance(&m.interactions, &columns, row);
		const double drift = drift_of(t, row);
		const double want = sqrt(variance_of_trend(t, row, 0.1) + 0.01 * drift +
					 asked[k].unseen + unknown);

		check_rel(trend_posterior_sd(&m, &columns, &power_law, row), want, 1e-5);
		check_rel(trend_posterior_sd(&loaded, &columns, &power_law, row), want, 1e-5);
		check_rel(trend_posterior_terms_sd(&m, &columns, row, 0.2),
			  sqrt(0.04 + 0.0025 * drift + asked[k].unseen_of_terms + unknown), 1e-5);
	}
	trend_posterior_release(&loaded);
	check_each_is_needed(&stored, &power_law);
	kb_fit_release(&stored);
	trend_posterior_release(&m);
	config_table_free(t);
	app.terms.used = NULL;
}

static void check_text(const struct trend_posterior *m, bool with_terms, const char *want)
{
	RELEASED(strbuf) text = STRBUF_INIT;

	trend_posterior_explain(m, &columns, with_terms, &text);
	assert_string_equal(strbuf_text(&text), want);
}

/* At first size and processes vary by themselves, then the size is four times the processes. Levels
 * have words of their own. */
TEST_WITH(what_never_varied_by_itself_is_named, set_up, NULL)
{
	struct config_table *t = many();
	bool used[N_COLUMNS] = {false};
	struct trend_posterior m;

	app.terms.used = used;
	must(trend_posterior_make(t, &columns, 0.1, &m, &err));
	level_interactions_release(&m.interactions);
	check_text(&m, false,
		   " In these runs steps was 10: what other values would do to time cannot be "
		   "told.");
	trend_posterior_release(&m);
	for (size_t i = 0; i < t->n; i++)
		t->x[i * N_COLUMNS + SIZE] = 4 * t->x[i * N_COLUMNS + PROCS];
	columns.range[0].lo = log(4);
	must(trend_posterior_make(t, &columns, 0.1, &m, &err));
	level_interactions_release(&m.interactions);
	check_text(&m, false,
		   " In these runs size and procs never vary independently, steps was 10: what "
		   "other values would do to time cannot be told.");
	/* what terms use, terms tell */
	app.terms.n = 1;
	used[SIZE] = true;
	check_text(&m, true,
		   " In these runs steps was 10: what other values would do to time cannot be "
		   "told; and size and procs never vary independently: what other values would do "
		   "to time only the terms tell.");
	used[STEPS] = true;
	check_text(&m, true,
		   " In these runs size and procs never vary independently, steps was 10: what "
		   "other values would do to time only the terms tell.");
	trend_posterior_release(&m);
	config_table_free(t);
	app.terms.used = NULL;
}

/* A start-up, and work of about the half, levels alike. */
static struct posynomial two_parts(void)
{
	return (struct posynomial){.n_terms = 2, .p = 6, .scale = 0.1, .b[7] = 1, .b[8] = -1};
}

TEST_WITH(parts_are_stored_and_loaded, set_up, NULL)
{
	const double row[N_COLUMNS] = {1000, 10, 6, 1, 4, 1, 1};
	const struct posynomial sum = two_parts();
	FREED(config_table) *t = many();
	struct trend_posterior m, loaded;
	struct kb_fit stored = {0};

	must(trend_posterior_make(t, &columns, 0.1, &m, &err));
	must(trend_posterior_add_parts(t, &columns, &sum, &m, &err));
	must(trend_posterior_store(&m, &columns, &stored, &err));
	must(trend_posterior_load(&stored, &columns, &sum, &loaded, &err));
	check_rel(trend_posterior_sd(&loaded, &columns, &sum, row),
		  trend_posterior_sd(&m, &columns, &sum, row), 1e-12);
	trend_posterior_release(&loaded);
	check_each_is_needed(&stored, &sum);
	kb_fit_release(&stored);
	trend_posterior_release(&m);
}

static enum err_code make_and_load(const struct config_table *t, struct err *e)
{
	const struct posynomial sum = two_parts();
	struct trend_posterior m, loaded;
	struct kb_fit stored = {0};
	enum err_code rc = trend_posterior_make(t, &columns, 0.1, &m, e);

	if (rc)
		return rc;
	if (!(rc = trend_posterior_add_parts(t, &columns, &sum, &m, e)) &&
	    !(rc = trend_posterior_store(&m, &columns, &stored, e)) &&
	    !(rc = trend_posterior_load(&stored, &columns, &sum, &loaded, e)))
		trend_posterior_release(&loaded);
	kb_fit_release(&stored);
	trend_posterior_release(&m);
	return rc;
}

TEST_WITH(it_is_made_and_kept_or_there_is_no_memory, set_up, NULL)
{
	FREED(config_table) *t = many();

	failing_each_allocation (make_and_load(t, &err), &err)
		;
}
