#include "tests/support/failing_allocations.h"
#include "tests/support/made_runs.h"

#include <gsl/gsl_cdf.h>

#include "mining/cases/rule_miners.h"
#include "mining/cases/slowdown_table.h"
#include "mining/numerics/rank_tests.h"
#include "mining/rules/plain_cost.h"

FREEABLE(slowdown_table)

/* Runs in which algorithm b takes exactly 1.3 times as long as algorithm a, whatever else is
 * chosen, are told so, although b's runs are far from the best for other reasons as well. */

enum { N_PROBLEMS = 12 };

static struct application *make_application(void)
{
	return made_application("choices", "n", "alg,nb,tile,width", "alg", "procs");
}

static uint64_t random_state;

/* Uniform in [0, 1), the same on every machine. */
static double uniform(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double)(*state >> 11) * 0x1p-53;
}

/* Of a normal distribution, nearly. */
static double normal(uint64_t *state)
{
	double sum = 0;

	for (int i = 0; i < 12; i++)
		sum += uniform(state);
	return sum - 6;
}

/* Which runs there are. */
enum spread { EVERYTHING, UNEVEN, AT_RANDOM };

static double set(struct dataset *d, double *row, const char *column, double value)
{
	row[application_column(d->app, column)] = value;
	return value;
}

static void add_run(struct dataset *d, int p, int alg, double nb, double tile, double time_s)
{
	struct application *app = (struct application *)d->app;
	size_t i_alg = application_column(app, "alg");
	double row[16] = {0};

	set(d, row, "n", 1000 + 100 * p);
	set(d, row, "nb", nb);
	set(d, row, "tile", tile);
	set(d, row, "width", 4 * tile);
	set(d, row, "procs", 4);
	row[i_alg] = (double)levels_add(&app->column[i_alg].levels, alg == 1 ? "b" : "a");
	runs_add(d, row, time_s);
}

/* As a search draws them: hardly two runs differ in one choice alone. */
static void add_random_runs(struct dataset *d, double noise)
{
	for (int p = 0; p < N_PROBLEMS; p++) {
		for (int k = 0; k < 40; k++) {
			int alg = uniform(&random_state) < 0.5;
			double nb = floor((alg ? 60 : 16) + 140 * uniform(&random_state));
			double tile = floor(1 + 30 * uniform(&random_state));

			add_run(d, p, alg, nb, tile,
				(p + 1) * (alg ? 1.3 : 1) * pow(nb / 16, 0.3) * pow(tile, -0.1) *
					exp(noise * normal(&random_state)));
		}
	}
}

/* nb and tile cost something themselves; width moves with tile in all runs. */
static void add_runs(struct dataset *d, enum spread spread, double noise)
{
	for (int p = 0; p < N_PROBLEMS; p++) {
		for (int k = 0; k < 24; k++) {
			int alg = k % 2;
			double nb = 16 << k / 2 % 4, tile = 4 << k / 8;
			/* a mostly with small blocks, b with large ones */
			double chance = (nb <= 32) == (alg == 0) ? 0.9 : 0.3;
			double time_s = (p + 1) * (alg == 1 ? 1.3 : 1) * pow(nb / 16, 0.2) *
					(tile == 8 ? 1 : 1.1);

			if (spread == UNEVEN && uniform(&random_state) > chance)
				continue;
			add_run(d, p, alg, nb, tile, time_s * exp(noise * normal(&random_state)));
		}
	}
}

/* What these runs say that a part of a condition costs, and the rule that says so. */
static const struct rule_cost *find_cost(const struct rule_list *l, const char *part,
					 const struct rule **r)
{
	for (size_t i = 0; i < l->n; i++) {
		for (size_t k = 0; k < l->item[i].n_cost; k++) {
			*r = &l->item[i];
			if (!strcmp((*r)->cost[k].part, part))
				return &(*r)->cost[k];
		}
	}
	return NULL;
}

static void mine(enum spread spread, double noise, struct rule_list *out)
{
	FREED(application) *app = make_application();
	FREED(dataset) *d = dataset_new(app);
	FREED(slowdown_table) *t = NULL;

	assert_non_null(d);
	if (spread == AT_RANDOM)
		add_random_runs(d, noise);
	else
		add_runs(d, spread, noise);
	must(slowdown_table_make(d, NULL, &t, &err));
	must(mine_choice_rules(t, NULL, out, &err));
}

/* b costs 1.3, and no more than `widest` is left open. */
static const struct rule_cost *check_cost(const struct rule_list *l, double widest,
					  const struct rule **r)
{
	const struct rule_cost *cost = find_cost(l, "alg = 'b'", r);

	assert_non_null(cost);
	assert_string_equal(cost->against, "alg = 'a'");
	assert_true(cost->lo <= 1.3 && 1.3 <= cost->hi);
	assert_true(cost->lo <= cost->ratio && cost->ratio <= cost->hi);
	assert_true(cost->hi - cost->lo <= widest);
	return cost;
}

TEST(an_exact_cost_is_told_exactly)
{
	RELEASED(rule_list) l = {0};
	const struct rule_cost *cost;
	const struct rule *r;

	mine(EVERYTHING, 0, &l);
	cost = check_cost(&l, 0.0021, &r);
	check_rel(cost->ratio, 1.3, 1e-12);
	assert_true(r->evidence.effect > 1.4); /* b with any block: that says more than b costs */
	assert_true(cost->n_problems >= 3);
	assert_int_equal(cost->n_sets % cost->n_problems, 0);
}

/* Then b's runs are slow because of their blocks, too; a contrast of the runs as they are takes
 * both for the doing of b. */
TEST(uneven_runs_do_not_pass_for_the_cost_of_the_choice)
{
	RELEASED(rule_list) l = {0};
	const struct rule_cost *cost;
	const struct rule *r;

	mine(UNEVEN, 0, &l);
	cost = check_cost(&l, 0.0021, &r);
	check_rel(cost->ratio, 1.3, 1e-12);
	assert_true(r->evidence.versus_others > 1.4);
}

/* Then a regression says it, since other choices multiply time whatever the algorithm is. */
TEST(runs_at_random_tell_the_cost_by_a_fit)
{
	RELEASED(rule_list) l = {0};
	const struct rule_cost *cost;
	const struct rule *r;

	random_state = 1;
	mine(AT_RANDOM, 0, &l);
	cost = check_cost(&l, 0.0021, &r);
	assert_true(cost->fitted);
	check_rel(cost->ratio, 1.3, 1e-6);
	assert_true(r->evidence.versus_others > 1.4);
}

/* The interval is one of 90 %: of 40 such data sets each it holds the truth in 36 or so; 31 or
 * fewer would come of an honest one in 1 of 100 tries. */
TEST(the_interval_of_noisy_runs_holds_the_cost_as_often_as_it_says)
{
	const enum spread spread[] = {EVERYTHING, UNEVEN, AT_RANDOM};

	for (size_t i = 0; i < 3; i++) {
		int n_right = 0, n_narrow = 0;

		for (int seed = 0; seed < 40; seed++) {
			RELEASED(rule_list) l = {0};
			const struct rule_cost *cost;
			const struct rule *r;

			random_state = (uint64_t)seed;
			mine(spread[i], 0.05, &l);
			cost = find_cost(&l, "alg = 'b'", &r);
			assert_non_null(cost);
			n_right += cost->lo <= 1.3 && 1.3 <= cost->hi;
			n_narrow += cost->hi - cost->lo <= 0.25;
		}
		assert_in_range(n_right, 32, 40);
		assert_in_range(n_narrow, 32, 40);
	}
}

/* width is 4 tile in all runs: nothing else is equal only if it may go along. */
TEST(a_column_that_moves_along_is_not_kept_equal)
{
	RELEASED(rule_list) l = {0};
	const struct rule_cost *cost;
	const struct rule *r;

	mine(EVERYTHING, 0, &l);
	cost = find_cost(&l, "tile = 4", &r);
	if (!cost)
		cost = find_cost(&l, "tile = 16", &r);
	assert_non_null(cost);
	check_rel(cost->ratio, sqrt(1.1), 1e-12); /* 1.1 over the mean of 1 and 1.1 (of logs) */
}

/* ---- the same by hand ---- */

static struct bin_condition level_b(const struct slowdown_table *t)
{
	const size_t c = application_column(t->app, "alg");
	const size_t code = levels_find(&t->app->column[c].levels, "b");
	struct bin_condition q = {.column = c, .is_set = true};

	for (size_t i = 0; i < t->n; i++) {
		const unsigned char bin = slowdown_codes(t, c)[i];

		if (slowdown_row(t, i)[c] == (double)code)
			q.set[bin / 64] |= UINT64_C(1) << bin % 64;
	}
	return q;
}

static double value_of(const struct slowdown_table *t, size_t i, const char *column)
{
	return slowdown_row(t, i)[application_column(t->app, column)];
}

static bool is_b(const struct slowdown_table *t, size_t i)
{
	const struct bin_condition q = level_b(t);

	return bin_condition_holds(&q, slowdown_codes(t, q.column)[i]);
}

/* Each set by its first configuration: those of its case that agree in nb and tile (and with it in
 * width), and but for `alg_may` in alg, too; only those with nb within [lo, hi] or of alg b, where
 * that is the other part. */
static struct rule_cost matched_by_hand(const struct slowdown_table *t, bool about_alg, double lo,
					double hi)
{
	struct rule_cost cost = {.n_sets = 0};
	double weighted[N_PROBLEMS] = {0}, weight[N_PROBLEMS] = {0}, mean[N_PROBLEMS];
	struct mean_test test;
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		double in = 0, out = 0, n_in = 0, n_out = 0, w;
		bool first = true;

		for (size_t k = 0; k < t->n; k++) {
			const double nb = value_of(t, k, "nb");
			const bool within = nb >= lo && nb <= hi, b = is_b(t, k);

			if (t->stratum[i] != t->stratum[k] ||
			    value_of(t, i, "tile") != value_of(t, k, "tile") ||
			    (about_alg ? nb != value_of(t, i, "nb") || !within
				       : b != is_b(t, i) || !b))
				continue;
			first = first && k >= i;
			if (about_alg ? b : within) {
				in += t->log_time[k];
				n_in++;
			} else {
				out += t->log_time[k];
				n_out++;
			}
		}
		if (!first || n_in == 0 || n_out == 0)
			continue;
		w = n_in * n_out / (n_in + n_out);
		cost.n_sets++;
		weighted[t->block[i]] += w * (in / n_in - out / n_out);
		weight[t->block[i]] += w;
	}
	for (size_t p = 0; p < N_PROBLEMS; p++) {
		if (weight[p] > 0)
			mean[n++] = weighted[p] / weight[p];
	}
	cost.n_problems = (int64_t)n;
	mean_t_test(mean, n, 0.9, &test);
	cost.ratio = exp(test.mean);
	cost.lo = exp(test.lo);
	cost.hi = exp(test.hi);
	return cost;
}

/* Bounds are rounded outwards to four digits. Backfitting, which ends after 200 sweeps, is near to
 * least squares where levels and slopes nearly are the same. */
static void check_same(const struct rule_cost *got, const struct rule_cost *want)
{
	const double digits = want->lo < 1 ? 1e4 : 1e3;

	check_rel(got->ratio, want->ratio, got->fitted ? 1e-5 : 1e-9);
	assert_true(got->lo <= want->lo * (1 + 1e-9) && got->lo > want->lo * 0.999);
	assert_true(got->hi >= want->hi * (1 - 1e-9) && got->hi < want->hi * 1.001);
	check_abs(got->lo * digits, round(got->lo * digits), 1e-6);
	assert_int_equal(got->n_sets, want->n_sets);
	assert_int_equal(got->n_problems, want->n_problems);
}

static struct slowdown_table *table(enum spread spread, double noise, struct dataset **d)
{
	struct application *app = make_application();
	struct slowdown_table *t = NULL;

	*d = dataset_new(app);
	assert_non_null(*d);
	if (spread == AT_RANDOM)
		add_random_runs(*d, noise);
	else
		add_runs(*d, spread, noise);
	must(slowdown_table_make(*d, NULL, &t, &err));
	return t;
}

static void release_table(struct slowdown_table *t, struct dataset *d)
{
	struct application *app = (struct application *)(uintptr_t)t->app;

	slowdown_table_free(t);
	dataset_free(d);
	application_free(app);
}

/* b with blocks of lo to hi, which are codes: each part is compared where the other one holds. */
static void check_parts(double lo, double hi, unsigned char lo_code, unsigned char hi_code,
			const char *part, const char *against)
{
	struct dataset *d;
	struct slowdown_table *t = table(UNEVEN, 0.05, &d);
	struct conjunction what = {.n = 2};
	struct rule r = {.kind = RULE_CHOICE};
	struct rule_cost want;

	what.of[0] = level_b(t);
	what.of[1] = (struct bin_condition){
		.column = application_column(t->app, "nb"), .lo = lo_code, .hi = hi_code};
	must(plain_costs_add(t, &what, &r, &err));
	assert_int_equal(r.n_cost, 2);
	assert_false(r.cost[0].fitted || r.cost[1].fitted);
	assert_string_equal(r.cost[0].part, "alg = 'b'");
	assert_string_equal(r.cost[0].against, "alg = 'a'");
	want = matched_by_hand(t, true, lo, hi);
	check_same(&r.cost[0], &want);
	assert_string_equal(r.cost[1].part, part);
	assert_string_equal(r.cost[1].against, against);
	want = matched_by_hand(t, false, lo, hi);
	check_same(&r.cost[1], &want);
	rule_release(&r);
	release_table(t, d);
}

TEST(matched_costs_are_those_of_sets_by_hand)
{
	random_state = 5;
	check_parts(16, 32, 0, 1, "nb <= 32", "nb >= 64");
	check_parts(128, 128, 3, 3, "nb = 128", "nb <= 64");
	check_parts(32, 64, 1, 2, "nb between 32 and 64", "another nb");
}

static enum err_code add_costs(const struct slowdown_table *t, const struct conjunction *what,
			       struct err *e)
{
	RELEASED(rule) r = {.kind = RULE_CHOICE};
	enum err_code rc = plain_costs_add(t, what, &r, e);

	assert_int_equal(rc == ERR_OK, r.n_cost == what->n);
	return rc;
}

/* A set, and a part from the middle. */
TEST(costs_are_told_or_there_is_no_memory)
{
	struct dataset *d;
	struct slowdown_table *t = table(UNEVEN, 0.05, &d);
	struct conjunction what = {.n = 2};

	what.of[0] = level_b(t);
	what.of[1] = (struct bin_condition){
		.column = application_column(t->app, "nb"), .lo = 1, .hi = 2};
	failing_each_allocation (add_costs(t, &what, &err), &err)
		;
	release_table(t, d);
}

enum { MAX_N = 40 * N_PROBLEMS, MAX_BASIS = N_PROBLEMS + 2 * 17 };

static double dot(const double *a, const double *b, size_t n)
{
	double sum = 0;

	for (size_t k = 0; k < n; k++)
		sum += a[k] * b[k];
	return sum;
}

/* Takes out of x what lies in the basis. */
static void project_out(double basis[][MAX_N], size_t n_basis, double *x, size_t n)
{
	for (int twice = 0; twice < 2; twice++) {
		for (size_t j = 0; j < n_basis; j++) {
			const double along = dot(basis[j], x, n);

			for (size_t k = 0; k < n; k++)
				x[k] -= along * basis[j][k];
		}
	}
}

static size_t add_to_basis(double basis[][MAX_N], size_t n_basis, size_t n)
{
	const double before = dot(basis[n_basis], basis[n_basis], n);
	double norm;

	project_out(basis, n_basis, basis[n_basis], n);
	norm = sqrt(dot(basis[n_basis], basis[n_basis], n));
	if (!(norm * norm > 1e-10 * before))
		return n_basis;
	for (size_t k = 0; k < n; k++)
		basis[n_basis][k] /= norm;
	return n_basis + 1;
}

/* Sixteen levels of about equal numbers, and the logarithm. */
static size_t add_column(double basis[][MAX_N], size_t n_basis, const struct slowdown_table *t,
			 const char *column)
{
	for (size_t level = 0; level < 16; level++) {
		for (size_t i = 0; i < t->n; i++) {
			size_t below = 0;

			for (size_t k = 0; k < t->n; k++)
				below += value_of(t, k, column) < value_of(t, i, column);
			basis[n_basis][i] = below * 16 / (t->n + 1) == level;
		}
		n_basis = add_to_basis(basis, n_basis, t->n);
	}
	for (size_t i = 0; i < t->n; i++)
		basis[n_basis][i] = log(value_of(t, i, column));
	return add_to_basis(basis, n_basis, t->n);
}

/* Least squares of log time on cases, levels, slopes and "alg is b" (Frisch and Waugh), with an
 * interval clustered over problems: sum of squared scores, times k / (k - 1) of k problems of equal
 * information. */
static struct rule_cost fitted_by_hand(const struct slowdown_table *t)
{
	static double basis[MAX_BASIS + 1][MAX_N], x[MAX_N], y[MAX_N];
	double score[N_PROBLEMS] = {0}, information[N_PROBLEMS] = {0};
	double beta, xx, error = 0, squares = 0, k_effective, half;
	size_t n_basis = 0;

	for (size_t s = 0; s < t->n_strata; s++) {
		for (size_t i = 0; i < t->n; i++)
			basis[n_basis][i] = t->stratum[i] == s;
		n_basis = add_to_basis(basis, n_basis, t->n);
	}
	n_basis = add_column(basis, n_basis, t, "nb");
	n_basis = add_column(basis, n_basis, t, "tile");
	for (size_t i = 0; i < t->n; i++) {
		x[i] = is_b(t, i);
		y[i] = t->log_time[i];
	}
	project_out(basis, n_basis, x, t->n);
	project_out(basis, n_basis, y, t->n);
	xx = dot(x, x, t->n);
	beta = dot(x, y, t->n) / xx;
	for (size_t i = 0; i < t->n; i++) {
		score[t->block[i]] += x[i] * (y[i] - beta * x[i]);
		information[t->block[i]] += x[i] * x[i];
	}
	for (size_t b = 0; b < t->n_blocks; b++) {
		error += score[b] * score[b];
		squares += information[b] * information[b];
	}
	k_effective = xx * xx / squares;
	half = gsl_cdf_tdist_Pinv(0.95, k_effective - 1) *
	       sqrt(error * k_effective / (k_effective - 1)) / xx;
	return (struct rule_cost){.ratio = exp(beta),
				  .lo = exp(beta - half),
				  .hi = exp(beta + half),
				  .n_sets = (int64_t)t->n,
				  .n_problems = (int64_t)t->n_blocks};
}

TEST(a_fitted_cost_is_that_of_least_squares)
{
	struct dataset *d;
	struct slowdown_table *t;
	struct conjunction what = {.n = 1};
	struct rule r = {.kind = RULE_CHOICE};
	struct rule_cost want;

	random_state = 9;
	t = table(AT_RANDOM, 0.05, &d);
	assert_true(t->n <= MAX_N);
	what.of[0] = level_b(t);
	must(plain_costs_add(t, &what, &r, &err));
	assert_int_equal(r.n_cost, 1);
	assert_true(r.cost[0].fitted);
	want = fitted_by_hand(t);
	check_same(&r.cost[0], &want);
	rule_release(&r);
	release_table(t, d);
}
