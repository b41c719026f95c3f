#include "tests/support/made_runs.h"
#include "tests/support/shared_app.h"
#include "tests/support/check.h"
#include "tests/support/failing_allocations.h"
#include "tests/support/uniform.h"
#include "tests/unit/mining/qr_runs.h"

#include <gsl/gsl_randist.h>

#include "base/compare.h"
#include "domain/configuration.h"
#include "domain/dataset.h"
#include "mining/numerics/mining_init.h"
#include "mining/predictor/cv_residuals.h"
#include "mining/predictor/predictor.h"
#include "mining/predictor/predictor_state.h"
#include "mining/predictor/time_limits.h"
#include "mining/training/predictor_kind.h"

/* What is learned from held-out runs, with kinds of predictors that learn nothing themselves: every
 * fit is the same law, so that what is off where is known beforehand. */

static size_t i_size, i_b, i_procs;

static int set_up(void **state)
{
	mining_init();
	app = made_application("stub", "size", "b", "", "procs");
	i_size = application_column(app, "size");
	i_b = application_column(app, "b");
	i_procs = application_column(app, "procs");
	return 0;
}

/* ---- the kinds ---- */

/* It fits tables of so many configurations and more. */
static size_t n_least;
static int n_fits;

static enum err_code fit(const struct config_table *t, const struct fit_input *in, const void *like,
			 void **state, struct err *e)
{
	if (t->n < n_least)
		return err_set(e, ERR_NODATA, "too few");
	n_fits++;
	*state = &n_least;
	return ERR_OK;
}

static double law_s(const double *row)
{
	return row[i_size] / row[i_procs] + row[i_b];
}

static void predict(const void *state, const double *x, size_t n, size_t n_columns, double *time_s)
{
	for (size_t k = 0; k < n; k++)
		time_s[k] = law_s(x + k * n_columns);
}

/* Less is known of large b. */
static double sd_of(const double *row)
{
	return 0.01 * row[i_b];
}

static double predict_with_sd(const void *state, const double *row, double *epistemic_sd)
{
	*epistemic_sd = sd_of(row);
	return law_s(row);
}

/* 0 for b = 2. */
static double correction(const void *state, const double *row, double *epistemic_sd)
{
	if (epistemic_sd)
		*epistemic_sd = sd_of(row);
	return 0.05 * (row[i_b] - 2) * (row[i_size] > 300 ? -1 : 1);
}

static double trend_sd(const void *state, const double *row)
{
	return 0.002 * row[i_procs];
}

static double few_runs_noise(const void *state)
{
	return 0.5;
}

static size_t features(const void *state, const double *row, double *out)
{
	out[0] = row[i_size];
	out[1] = row[i_procs];
	return 2;
}

static void forget(void *state)
{
}

static const struct predictor_kind corrects = {.fit = fit,
					       .predict = predict,
					       .correction = correction,
					       .features = features,
					       .free = forget},
				   doubts = {.fit = fit,
					     .predict = predict,
					     .predict_with_sd = predict_with_sd,
					     .trend_sd = trend_sd,
					     .features = features,
					     .free = forget},
				   built = {.structural = true,
					    .fit = fit,
					    .predict = predict,
					    .predict_with_sd = predict_with_sd,
					    .trend_sd = trend_sd,
					    .few_runs_noise = few_runs_noise,
					    .features = features,
					    .free = forget};

/* ---- the runs ---- */

struct runs {
	struct dataset *d;
	struct config_table *t;
	struct predictor p;
	struct fit_input in;
	struct residuals all; /* hold_out() */
	bool in_sample;
};

static void add(struct dataset *d, double size, double b, double procs, double factor,
		enum run_source source, enum run_status status)
{
	double row[16];

	configuration_clear(app, row);
	row[i_size] = size;
	row[i_b] = b;
	row[i_procs] = procs;
	configuration_derive(app, row);
	runs_add_as(d, row, law_s(row) * factor, source, status);
}

/* So many times as long as they would be. */
static double all_off = 1;

/* By how much each size is off (log); NULL: none. */
static const double *size_off;

/* n_sizes sizes, b 1, 2, 4 and 8, 1 to 64 processors; two repeats, a tenth of which was cut. Times
 * are off by 0.4 of what `corrects` says, and by noise that grows with b. */
static struct runs make(const struct predictor_kind *kind, int n_sizes, bool with_cut)
{
	struct runs r = {.d = dataset_new(app), .p = {.app = app, .kind = kind, .noise = 0.1}};
	uint64_t seed = 7;

	assert_non_null(r.d);
	for (int i = 0; i < n_sizes * 4 * 4 * 2; i++) {
		const int k = i / 2;
		double row[16] = {0}, noise;

		row[i_size] = 100 * (1 + k % n_sizes);
		row[i_b] = 1 << k / n_sizes % 4;
		row[i_procs] = 1 << 2 * (k / n_sizes / 4);
		noise = uniform_draw(&seed, -1, 1) * (0.02 + 2 * sd_of(row)) +
			(size_off ? size_off[k % n_sizes] : 0);
		add(r.d, row[i_size], row[i_b], row[i_procs],
		    all_off * exp(0.4 * correction(NULL, row, NULL) + noise), SOURCE_MEASURED,
		    with_cut && i % 20 == 19 ? RUN_TIMEOUT : RUN_OK);
	}
	must(config_table_make(r.d, &r.t, &err));
	r.in.runs = r.d;
	n_least = 0;
	must(kind->fit(r.t, &r.in, NULL, &r.p.state, &err));
	must(applicability_domain_make(kind, r.p.state, r.t, &r.p.map, &err));
	return r;
}

static void hold_out(struct runs *r)
{
	must(held_out_residuals(&r->p, r->t, &r->in, &r->all, &r->in_sample, &err));
}

static void runs_release(struct runs *r)
{
	residuals_release(&r->all);
	config_table_free(r->t);
	dataset_free(r->d);
}

/* ---- which residuals there are ---- */

static struct residual expected_of(const struct runs *r, const struct applicability_domain *map,
				   enum holdout way, const double *row)
{
	const struct predictor_kind *kind = r->p.kind;
	struct residual want = {.way = way, .behind = NAN};
	double f[PREDICTOR_KIND_MAX_FEATURES], beyond, weight;

	features(NULL, row, f);
	want.support = applicability_domain_judge(
		map, &(struct support_point){app, row, f, kind->structural}, &beyond);
	want.extrapolation_inflation = predictor_kind_extrapolation_inflation(kind, beyond);
	want.trend_sd = predictor_kind_trend_sd(kind, NULL, row, beyond);
	if (want.trend_sd > PREDICTOR_OUTSIDE_TREND_SD)
		want.support = SUPPORT_OUTSIDE;
	weight = predictor_kind_locality_weight(beyond);
	want.epistemic_sd = weight > 0 ? sd_of(row) : (double)INFINITY;
	if (kind->correction)
		want.correction = weight * correction(NULL, row, NULL);
	return want;
}

static void check_residual(const struct residual *got, const struct residual *want)
{
	check_abs(got->off, want->off, 1e-14);
	assert_true(got->correction == want->correction);
	assert_true(got->epistemic_sd == want->epistemic_sd);
	assert_true(got->trend_sd == want->trend_sd);
	assert_true(got->extrapolation_inflation == want->extrapolation_inflation);
	assert_int_equal(got->support, want->support);
	assert_int_equal(got->way, want->way);
	assert_int_equal(got->is_bound, want->is_bound);
	assert_int_equal(isnan(got->behind) != 0, isnan(want->behind) != 0);
	if (!isnan(want->behind))
		check_abs(got->behind, want->behind, 1e-14);
}

/* The settings of the tunables are the four b: with the least, 1, all would be fastest. */
static double behind_least_b(const double *row)
{
	return log(law_s(row) / (law_s(row) - row[i_b] + 1));
}

/* Adds those of one fold to *n; all->n at least so many. */
static void check_fold(const struct runs *r, enum holdout way, int fold,
		       const struct residuals *all, size_t *n, size_t n_bounds[3], size_t n_of[3])
{
	const struct config_table *t = r->t;
	unsigned char *test = zeroed(t->n, 1), *keep = zeroed(t->n, 1);
	struct config_table *train = NULL;
	struct holdout_fold f;
	struct applicability_domain map;
	int possible = 0;

	must(holdout_split(way, fold, 0, t, test, &possible, &err));
	for (size_t i = 0; i < t->n; i++)
		keep[i] = !test[i];
	if (!possible)
		goto done;
	must(holdout_fold_make(way, fold, 0, t, &f, &err));
	must(config_table_subset(t, keep, &train, &err));
	must(applicability_domain_make(r->p.kind, NULL, train, &map, &err));
	for (size_t i = 0; i < t->n; i++) {
		const double *row = config_table_row(t, i);
		struct residual want = expected_of(r, &map, way, row);

		if (!test[i])
			continue;
		if (way == HOLDOUT_CONFIGS && !r->p.kind->correction)
			want.behind = behind_least_b(row);
		for (size_t k = t->first[i]; k < t->first[i + 1]; k++) {
			struct residual got;

			assert_true(*n < all->n);
			got = residuals_at(all, (*n)++);
			want.off = log(t->run_s[k]) - log(law_s(row));
			check_residual(&got, &want);
			n_of[want.support]++;
		}
	}
	for (size_t k = 0; k < t->n_cut; k++) {
		const double *row = config_table_cut_row(t, k);
		struct residual want = expected_of(r, &map, way, row), got;

		if (!holdout_fold_takes(&f, app, row))
			continue;
		assert_true(*n < all->n);
		got = residuals_at(all, (*n)++);
		want.off = log(t->cut[k].limit_s) - log(law_s(row));
		want.is_bound = true;
		check_residual(&got, &want);
		n_bounds[want.support]++;
	}
done:
	config_table_free(train);
	free(test);
	free(keep);
}

static void check_held_out(const struct predictor_kind *kind, bool with_cut)
{
	RELEASED(runs) r = make(kind, 6, with_cut);
	size_t n = 0, n_of[3] = {0}, n_bounds[3] = {0};

	r.in_sample = true;
	hold_out(&r);
	assert_false(r.in_sample);
	for (int way = 0; way < HOLDOUT_COUNT; way++) {
		for (int fold = 0; fold < holdout_info[way].n_folds; fold++)
			check_fold(&r, (enum holdout)way, fold, &r.all, &n, n_bounds, n_of);
	}
	assert_int_equal(r.all.n, n);
	for (int s = 0; s < 3; s++) {
		assert_int_equal(r.all.n_of[s], n_of[s]);
		assert_int_equal(r.all.n_bounds[s], n_bounds[s]);
		assert_true(n_of[s] > 20); /* else nothing is said of it here */
	}
	assert_int_equal(n_bounds[0] + n_bounds[1] + n_bounds[2] > 0, with_cut);
	residuals_release(&r.all);
	assert_int_equal(r.all.n, 0);
}

TEST(residuals_are_those_of_all_folds_in_turn)
{
	check_held_out(&corrects, false);
	check_held_out(&corrects, true);
	check_held_out(&doubts, true);
	check_held_out(&built, true);
}

/* Where no fold leaves enough to fit, the fit's own runs have to do, and the support is that of its
 * own map. */
TEST(a_fit_is_asked_about_its_own_runs_where_none_can_be_held_out)
{
	RELEASED(runs) r = make(&doubts, 6, true);
	size_t n = 0;

	n_least = r.t->n;
	hold_out(&r);
	assert_true(r.in_sample);
	assert_int_equal(r.all.n, r.t->first[r.t->n] + r.t->n_cut);
	for (size_t i = 0; i < r.t->n; i++) {
		const double *row = config_table_row(r.t, i);
		struct residual want = expected_of(&r, &r.p.map, HOLDOUT_CONFIGS, row), got;

		for (size_t k = r.t->first[i]; k < r.t->first[i + 1]; k++) {
			got = residuals_at(&r.all, n++);
			want.off = log(r.t->run_s[k] / law_s(row));
			check_residual(&got, &want);
		}
	}
	for (size_t k = 0; k < r.t->n_cut; k++)
		assert_true(residuals_at(&r.all, n + k).is_bound);
}

/* Simulated runs are 3 times as long as measured ones; with 8 residuals of the better source those
 * of the lesser do not count, with fewer all do. */
TEST(lesser_sources_count_where_the_best_has_few)
{
	n_least = 0;
	for (int n_measured = 1; n_measured <= 12; n_measured += 11) {
		RELEASED(runs) r = {.d = dataset_new(app), .p = {.app = app, .kind = &doubts}};
		size_t n_long = 0;

		assert_non_null(r.d);
		for (int i = 0; i < 64; i++)
			add(r.d, 100 * (1 + i % 4), 1 << i / 4 % 4, 1 << i / 16,
			    i < n_measured ? 1 : 3,
			    i < n_measured ? SOURCE_MEASURED : SOURCE_SIMULATED, RUN_OK);
		must(config_table_make(r.d, &r.t, &err));
		r.in.runs = r.d;
		hold_out(&r);
		for (size_t i = 0; i < r.all.n; i++)
			n_long += r.all.off[i] > 0.5;
		if (n_measured == 1) {
			assert_true(n_long > 0);
		} else {
			assert_int_equal(n_long, 0);
			assert_true(r.all.n >= 8);
			assert_int_equal(r.all.n, r.all.n_of[0] + r.all.n_of[1] + r.all.n_of[2]);
		}
	}
}

/* ---- what they teach ---- */

struct ratio {
	double ratio, weight;
};

static int by_ratio(const void *a, const void *b)
{
	return compare_doubles(&((const struct ratio *)a)->ratio,
			       &((const struct ratio *)b)->ratio);
}

/* The weighted median of off / correction, by sorting; of bounds only what they prove. */
static double share_of(const struct residuals *all, enum support s)
{
	struct ratio *x = zeroed(all->n + 1, sizeof *x);
	double total = 0, sum = 0, at = 0;
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct residual r = residuals_at(all, i);
		const double c = r.correction;

		if (r.support != s || c == 0 || (r.is_bound && c > 0 && r.off < c) ||
		    (r.is_bound && c < 0 && r.off < 0))
			continue;
		x[n++] = (struct ratio){r.off / c, fabs(c)};
		total += fabs(c);
	}
	qsort(x, n, sizeof *x, by_ratio);
	for (size_t i = 0; i < n && 2 * sum < total; i++) {
		sum += x[i].weight;
		at = x[i].ratio;
	}
	free(x);
	return fmin(fmax(at, 0), 1);
}

static double median_of(double *x, size_t n)
{
	assert_true(n > 0);
	qsort(x, n, sizeof *x, compare_doubles);
	return (x[(n - 1) / 2] + x[n / 2]) / 2;
}

/* Residuals of a support and way (HOLDOUT_COUNT: any), in units of their spread. */
static struct residual_table table_of(const struct predictor *p, const struct residuals *all,
				      enum support s, enum holdout way, double sign, double widened)
{
	HEAP struct at_least *x = zeroed(all->n + 1, sizeof *x);
	HEAP double *r = zeroed(all->n + 1, sizeof *r);
	struct residual_table t = {.n = 0};
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct residual one = residuals_at(all, i);
		const double doubt = fmin(one.epistemic_sd, p->max_epistemic_sd);
		const double spread =
			hypot(one.extrapolation_inflation *
				      hypot(p->residual_sd * noise_group_factor(&p->noisy, one.row),
					    doubt),
			      one.trend_sd);

		if (one.support != s || (way != HOLDOUT_COUNT && one.way != way))
			continue;
		x[n].value = (one.off - p->shrinkage[s] * one.correction) / spread;
		x[n++].is_bound = one.is_bound;
	}
	if (n >= (way == HOLDOUT_COUNT ? 1 : 20)) {
		censored_sample(x, n, r);
		for (size_t i = 0; i < n; i++)
			r[i] *= sign;
		residual_table_make(r, n, widened, &t);
	}
	return t;
}

static void check_table(const struct residual_table *got, const struct residual_table *want)
{
	assert_int_equal(got->n, want->n);
	assert_int_equal(got->n_kept, want->n_kept);
	assert_true(got->n > 0);
	check_rel(got->widened, want->widened, 1e-15);
	for (size_t i = 0; i < want->n_kept; i++)
		check_abs(got->r[i], want->r[i], 1e-12);
}

/* Repeats over the time that stands for them, in units of the scale there; two of each are as far
 * from their middle as half their difference, which sqrt(2) makes that of one. */
static struct residual_table repeats_of(const struct runs *r, double *off, size_t *n)
{
	struct residual_table t;

	*n = 0;
	for (size_t i = 0; i < r->t->n; i++) {
		const size_t first = r->t->first[i];
		struct prediction at;

		predictor_predict(&r->p, config_table_row(r->t, i), 1, &at);
		if (r->t->first[i + 1] - first != 2)
			continue;
		for (size_t k = 0; k < 2; k++)
			off[(*n)++] =
				sqrt(2) * log(r->t->run_s[first + k] / r->t->time_s[i]) / at.scale;
	}
	residual_table_make(off, *n, 1, &t);
	return t;
}

/* P(late or more of n) below 0.05, term by term. */
static bool many_late(const double *off, size_t n, double from, double share)
{
	double p = 0;
	unsigned late = 0;

	for (size_t i = 0; i < n; i++)
		late += off[i] > from;
	for (unsigned k = late; k <= n; k++)
		p += gsl_ran_binomial_pdf(k, share, (unsigned)n);
	return p < 0.05;
}

static void cover_late_repeats(const struct runs *r, struct residual_table *t)
{
	HEAP double *off = zeroed(r->t->first[r->t->n] + 1, sizeof *off);
	size_t n;
	const struct residual_table repeats = repeats_of(r, off, &n);

	assert_true(n >= 8);
	if (many_late(off, n, residual_table_quantile(t, 0.9), 0.1) ||
	    many_late(off, n, residual_table_quantile(t, 0.95), 0.05))
		residual_table_cover(t, &repeats);
}

static void check_sure(const struct predictor *p, const struct residuals *all)
{
	double *work = zeroed(all->n + 1, sizeof *work), most = 0, median;
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct residual r = residuals_at(all, i);

		if (isfinite(r.epistemic_sd))
			most = fmax(most, r.epistemic_sd);
		if (!r.is_bound || r.off > 0)
			work[n++] = r.epistemic_sd;
	}
	check_rel(p->max_epistemic_sd, most, 1e-15);
	median = median_of(work, n);
	n = 0;
	for (size_t i = 0; i < all->n; i++) {
		const struct residual r = residuals_at(all, i);

		if (r.epistemic_sd <= median && (!r.is_bound || r.off > 0))
			work[n++] = fabs(r.off) / noise_group_factor(&p->noisy, r.row);
	}
	check_rel(p->residual_sd, 1.4826 * median_of(work, n), 1e-12);
	free(work);
}

static void check_learned(const struct predictor_kind *kind, bool with_cut)
{
	RELEASED(runs) r = make(kind, 6, with_cut);
	struct residual_table want;

	hold_out(&r);
	must(predictor_learn_residuals(&r.p, r.t, &r.in, &err));
	for (int s = 0; s < 3; s++)
		check_abs(r.p.shrinkage[s], share_of(&r.all, (enum support)s), 1e-14);
	if (kind->predict_with_sd)
		check_sure(&r.p, &r.all);
	else
		check_abs(r.p.residual_sd, 1, 0);
	for (int s = 0; s < 3; s++) {
		want = table_of(&r.p, &r.all, (enum support)s, HOLDOUT_COUNT, 1, 1);
		for (int way = 0; way < HOLDOUT_COUNT && s == SUPPORT_OUTSIDE; way++) {
			const struct residual_table up = table_of(&r.p, &r.all, SUPPORT_OUTSIDE,
								  (enum holdout)way, 1, 1),
						    down = table_of(&r.p, &r.all, SUPPORT_OUTSIDE,
								    (enum holdout)way, -1, 1);

			if (up.n == 0)
				continue;
			residual_table_cover(&want, &up);
			if (!kind->structural)
				residual_table_cover(&want, &down);
		}
		if (kind->few_runs_noise)
			residual_table_cover_normal(&want, 0.5 / r.p.residual_sd);
		cover_late_repeats(&r, &want);
		check_table(&r.p.table[s], &want);
	}
}

TEST(shares_spread_and_tables_are_those_of_the_residuals)
{
	check_learned(&corrects, false);
	check_learned(&corrects, true);
	check_learned(&doubts, false);
	check_learned(&doubts, true);
	check_learned(&built, false);
	check_learned(&built, true);
}

/* Three times as fast or as slow as the fit to others says, all of them: what is predicted of runs
 * that nobody has made may be right all the same, or wrong on the other side. */
TEST(what_is_predicted_stays_possible)
{
	for (int i = 0; i < 2; i++) {
		RELEASED(runs) r;

		all_off = i ? 3 : 1 / 3.0;
		r = make(&doubts, 6, false);
		all_off = 1;
		hold_out(&r);
		must(predictor_learn_residuals(&r.p, r.t, &r.in, &err));
		for (int s = 0; s < SUPPORT_OUTSIDE; s++) {
			struct residual_table want = table_of(&r.p, &r.all, (enum support)s,
							      HOLDOUT_COUNT, 1, 1),
					      mirrored = table_of(&r.p, &r.all, (enum support)s,
								  HOLDOUT_COUNT, -1, 1);

			assert_true((want.r[0] > 0) == (i == 1));
			assert_true((want.r[want.n_kept - 1] > 0) == (i == 1));
			residual_table_cover(&want, &mirrored);
			check_table(&r.p.table[s], &want);
			assert_true(residual_table_quantile(&want, 0.05) < -0.5);
			assert_true(residual_table_quantile(&want, 0.95) > 0.5);
		}
	}
}

/* With 19 residuals of a kind of support and fewer, it has half of the easier one's share, and its
 * residuals, widened by 1.5 at the edge and by 2 outside; of the fit's own runs all are widened by
 * 5. All runs are inside of their own range. */
TEST(what_is_not_known_of_a_support_is_borrowed_from_an_easier_one)
{
	RELEASED(runs) r = make(&corrects, 6, false);
	struct residual_table want;

	n_least = r.t->n;
	hold_out(&r);
	assert_int_equal(r.all.n_of[SUPPORT_INSIDE], r.all.n);
	must(predictor_learn_residuals(&r.p, r.t, &r.in, &err));
	check_abs(r.p.shrinkage[0], share_of(&r.all, SUPPORT_INSIDE), 1e-14);
	assert_true(r.p.shrinkage[0] > 0.2 && r.p.shrinkage[0] < 0.6);
	check_rel(r.p.shrinkage[1], r.p.shrinkage[0] / 2, 1e-15);
	check_rel(r.p.shrinkage[2], r.p.shrinkage[0] / 4, 1e-15);
	for (int s = 0; s < 3; s++) {
		static const double widened[] = {5, 7.5, 15};

		want = table_of(&r.p, &r.all, SUPPORT_INSIDE, HOLDOUT_COUNT, 1, widened[s]);
		check_table(&r.p.table[s], &want);
	}
}

/* Runs that were cut at 3 times what is predicted, far larger than all others: beside the residuals
 * inside they are all that is known of outside, widened by 5, 1.5 and 2. */
TEST(bounds_outside_stand_beside_residuals_inside)
{
	RELEASED(runs) r = make(&corrects, 6, false);
	struct residual_table want;
	struct at_least *x;
	double *sample;

	for (int i = 0; i < 12; i++)
		add(r.d, 1e6 + i, 1, 1, 3, SOURCE_MEASURED, RUN_TIMEOUT);
	config_table_free(r.t);
	must(config_table_make(r.d, &r.t, &err));
	n_least = r.t->n;
	must(applicability_domain_make(&corrects, r.p.state, r.t, &r.p.map, &err));
	hold_out(&r);
	assert_true(r.in_sample);
	assert_int_equal(r.all.n_of[SUPPORT_OUTSIDE], 0);
	assert_int_equal(r.all.n_bounds[SUPPORT_OUTSIDE], 12);
	must(predictor_learn_residuals(&r.p, r.t, &r.in, &err));
	x = zeroed(r.all.n + 1, sizeof *x);
	sample = zeroed(r.all.n + 1, sizeof *sample);
	for (size_t i = 0; i < r.all.n; i++) {
		const struct residual one = residuals_at(&r.all, i);

		x[i].value = (one.off - r.p.shrinkage[one.support] * one.correction) /
			     one.extrapolation_inflation;
		x[i].is_bound = one.is_bound;
	}
	censored_sample(x, r.all.n, sample);
	residual_table_make(sample, r.all.n, 15, &want);
	check_table(&r.p.table[SUPPORT_OUTSIDE], &want);
	free(x);
	free(sample);
}

static double sixteenth(const void *state, const double *row, double *epistemic_sd)
{
	return 1.0 / 16;
}

static double minus_sixteenth(const void *state, const double *row, double *epistemic_sd)
{
	return -1.0 / 16;
}

/* Of the runs of a configuration n ask for a quarter of the correction, n_more for three quarters.
 * Sums of sixteenths are exact. */
static double share_between(bool negative, int n, int n_more)
{
	struct predictor_kind kind = corrects;
	RELEASED(runs) r = {.d = dataset_new(app), .p = {.app = app, .kind = &kind}};

	kind.correction = negative ? minus_sixteenth : sixteenth;
	assert_non_null(r.d);
	for (int i = 0; i < n + n_more; i++)
		add(r.d, 100, 8, 1, exp((i < n ? 0.25 : 0.75) / (negative ? -16 : 16)),
		    SOURCE_MEASURED, RUN_OK);
	must(config_table_make(r.d, &r.t, &err));
	r.in.runs = r.d;
	n_least = r.t->n; /* own runs, all of them inside */
	must(applicability_domain_make(&kind, NULL, r.t, &r.p.map, &err));
	must(predictor_learn_residuals(&r.p, r.t, &r.in, &err));
	return r.p.shrinkage[SUPPORT_INSIDE];
}

/* Of two halves the lesser will do. */
TEST(the_share_is_the_least_that_half_of_all_ask_for)
{
	for (int negative = 0; negative < 2; negative++) {
		check_abs(share_between(negative, 16, 16), 0.25, 1e-12);
		check_abs(share_between(negative, 10, 11), 0.75, 1e-12);
		check_abs(share_between(negative, 11, 10), 0.25, 1e-12);
	}
}

/* Sizes that are powers of ten: none of those held out is within a factor of 4 of another, so that
 * nothing is inside. Fewer than 8 residuals inside are joined by
 * those at the edge; if they still are fewer, by those outside, too. The correction of b = 2 is 0,
 * and this kind tells no doubt. */
TEST(few_residuals_inside_are_joined_by_harder_ones)
{
	size_t n_edge_alone = 0, n_all = 0;

	n_least = 0;

	for (int n_sizes = 3; n_sizes <= 12; n_sizes++) {
		RELEASED(runs) r = {.d = dataset_new(app), .p = {.app = app, .kind = &corrects}};
		struct residual_table want;
		double x[256];
		size_t n = 0;

		assert_non_null(r.d);
		for (int i = 0; i < n_sizes; i++)
			add(r.d, pow(10, i), 2, 1, exp(0.01 * i * (i % 3 - 1)), SOURCE_MEASURED,
			    RUN_OK);
		must(config_table_make(r.d, &r.t, &err));
		r.in.runs = r.d;
		must(applicability_domain_make(&corrects, NULL, r.t, &r.p.map, &err));
		hold_out(&r);
		must(predictor_learn_residuals(&r.p, r.t, &r.in, &err));
		assert_int_equal(r.all.n_of[SUPPORT_INSIDE] > 0, r.in_sample);
		for (size_t i = 0; i < r.all.n; i++) {
			const struct residual one = residuals_at(&r.all, i);

			if (one.support == SUPPORT_EDGE || r.all.n_of[SUPPORT_EDGE] < 8)
				x[n++] = one.off / one.extrapolation_inflation;
		}
		if (!r.in_sample) {
			n_edge_alone += n < r.all.n;
			n_all += n == r.all.n;
			residual_table_make(x, n, 1, &want);
			check_table(&r.p.table[SUPPORT_INSIDE], &want);
		}
	}
	assert_true(n_edge_alone > 0 && n_all > 0);
}

/* One point for each configuration: how far it stands behind the best, and its runs' mean error. */
TEST(optimism_is_that_of_configurations_held_out_at_random)
{
	RELEASED(runs) r = make(&doubts, 6, false);
	struct optimism_point *x;
	size_t n = 0, k = 0;

	hold_out(&r);
	must(predictor_learn_residuals(&r.p, r.t, &r.in, &err));
	x = zeroed(r.all.n, sizeof *x);
	while (k < r.all.n && residuals_at(&r.all, k).way == HOLDOUT_CONFIGS) {
		const struct residual a = residuals_at(&r.all, k), b = residuals_at(&r.all, k + 1);
		const double spread =
			hypot(a.extrapolation_inflation *
				      predictor_spread(&r.p, noise_group_factor(&r.p.noisy, a.row),
						       a.epistemic_sd),
			      a.trend_sd);

		x[n++] = (struct optimism_point){a.behind / spread, (a.off + b.off) / 2 / spread};
		k += 2; /* two repeats */
	}
	assert_int_equal(n, r.t->n); /* each is held out once */
	check_rel(r.p.optimism, optimism_of(x, n), 1e-12);
	free(x);
}

/* ---- new values ---- */

/* The share of residuals of so many new values that the 90 % interval holds, widened by sd. */
static double coverage(const struct predictor *p, const struct residuals *all,
		       const struct new_values *is_new, int newness, double sd, size_t *n)
{
	size_t inside = 0;

	*n = 0;
	for (size_t i = 0; i < all->n; i++) {
		const struct residual r = residuals_at(all, i);
		const struct prediction at = {
			.scale = r.extrapolation_inflation *
				 predictor_spread(p, noise_group_factor(&p->noisy, r.row),
						  r.epistemic_sd),
			.trend_sd = hypot(r.trend_sd, sd)};

		if (is_new[i].n != newness || r.support == SUPPORT_OUTSIDE)
			continue;
		++*n;
		inside += r.off >= predictor_log_quantile(&p->table[r.support], &at, 0.05) &&
			  r.off <= predictor_log_quantile(&p->table[r.support], &at, 0.95);
	}
	return (double)inside / (double)*n;
}

TEST(doubt_of_new_values_is_the_least_that_covers_them)
{
	RELEASED(runs) r = make(&doubts, 6, false);
	struct new_values *is_new = NULL;
	size_t n;

	must(predictor_learn_residuals(&r.p, r.t, &r.in, &err));
	assert_int_equal(r.p.levels.n, 1); /* six sizes; b and procs are of no problem */
	must(new_level_residuals(&r.p, r.t, &r.in, &r.all, &is_new, &err));
	/* four inner levels, each of 16 configurations with two runs */
	assert_int_equal(r.all.n, 4 * 16 * 2);
	for (size_t i = 0; i < r.all.n; i++)
		assert_int_equal(is_new[i].n, 1);
	assert_true(r.p.newness_sd[0] > 0);
	assert_true(coverage(&r.p, &r.all, is_new, 1, r.p.newness_sd[0], &n) >= 0.9);
	assert_true(n >= 20);
	assert_true(coverage(&r.p, &r.all, is_new, 1, r.p.newness_sd[0] - 2e-4, &n) < 0.9);
	check_rel(r.p.newness_sd[1], r.p.newness_sd[0], 1e-15);
	free(is_new);
}

/* Their sizes are off together, by so much (log): four that are left out, and both ends. */
static const double off_of_size[6] = {0, 0.9, -0.7, 0.5, -1.1, 0};

TEST(runs_of_a_new_value_that_are_off_together_count_as_one)
{
	RELEASED(runs) r = {0};
	struct new_values *is_new = NULL;
	double off[4] = {0}, squares = 0, width = 0;

	size_off = off_of_size;
	r = make(&doubts, 6, false);
	size_off = NULL;
	must(predictor_learn_residuals(&r.p, r.t, &r.in, &err));
	must(new_level_residuals(&r.p, r.t, &r.in, &r.all, &is_new, &err));
	for (size_t i = 0; i < r.all.n; i++) {
		const struct residual x = residuals_at(&r.all, i);
		const struct prediction at = {
			.scale = x.extrapolation_inflation *
				 predictor_spread(&r.p, noise_group_factor(&r.p.noisy, x.row),
						  x.epistemic_sd),
			.trend_sd = x.trend_sd};
		const struct residual_table *t = &r.p.table[x.support];

		/* folds leave out the sizes 200, 300, 400 and 500 in turn */
		off[(int)x.row[i_size] / 100 - 2] +=
			x.off - r.p.shrinkage[x.support] * x.correction;
		width +=
			predictor_log_quantile(t, &at, 0.95) - predictor_log_quantile(t, &at, 0.05);
		assert_int_equal(is_new[i].group, 2 * ((int)x.row[i_size] / 100 - 2));
	}
	for (int k = 0; k < 4; k++)
		squares += off[k] / 32 * off[k] / 32;
	/* Student's t, 4 degrees of freedom, 0.95: 2.132; the normal distribution: 1.645 (NIST
	 * handbook, 1.3.6.7) */
	check_rel(hypot(1.645 * r.p.newness_sd[0], width / 128 / 2), 2.132 * sqrt(squares / 4),
		  1e-3);
	free(is_new);
}

static enum err_code learn_again(struct runs *r, struct err *e)
{
	return predictor_learn_residuals(&r->p, r->t, &r->in, e);
}

TEST(it_is_learned_or_there_is_no_memory)
{
	RELEASED(runs) r = make(&doubts, 5, true);

	failing_each_place (learn_again(&r, &err), &err)
		;
}

TEST_GROUP(set_up, free_app)
