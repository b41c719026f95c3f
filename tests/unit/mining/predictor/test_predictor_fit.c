#include "tests/support/check.h"
#include "tests/support/made_runs.h"
#include "tests/support/failing_allocations.h"
#include "tests/unit/mining/qr_runs.h"
#include "tests/unit/mining/shared_qr.h"

#include "mining/predictor/predictor_state.h"

FREEABLE(config_table)
FREEABLE(predictor)

/* What a predictor says of its fit, what it refuses, and what it promises at most. */

static const struct machine machine = {.name = (char *)(uintptr_t) "m"};

static struct dataset *some_runs(int n)
{
	struct dataset *d = dataset_new(app);

	for (int i = 0; i < n; i++)
		qr_add(d, qr_design(i), qr_power_law(qr_design(i)) * (1 + 0.01 * (i * 5 % 7)));
	return d;
}

static enum err_code fit_of(const struct dataset *d, const struct run_screen *screen,
			    const char *name, struct predictor **out, struct err *e)
{
	struct fit_input in = {.runs = d, .machine = &machine};

	if (screen)
		in.screen = *screen;
	return predictor_fit(name, &in, out, e);
}

static struct predictor *fit(const struct dataset *d, const char *name)
{
	struct predictor *p = NULL;

	must(fit_of(d, NULL, name, &p, &err));
	return p;
}

/* ---- too few ---- */

TEST(too_few_runs_say_where_the_others_are)
{
	static const enum run_status ended[] = {RUN_OK, RUN_FAILED, RUN_FAILED, RUN_TIMEOUT,
						RUN_FAILED};
	static const char *const want[] = {NULL, "; 1 run failed", "; 2 runs failed",
					   "; 2 runs failed; 1 met a time limit",
					   "; 3 runs failed; 1 met a time limit"};
	FREED(dataset) *d = dataset_new(app);
	struct predictor *p = NULL;

	for (int i = 0; i < 5; i++) {
		qr_add_as(d, qr_design(0), 1, ended[i]);
		must_fail(fit_of(d, NULL, "power-law", &p, &err), ERR_NODATA, "");
		if (i == 0)
			assert_null(strstr(err.msg, ";"));
		else
			assert_string_equal(strchr(err.msg, ';'), want[i]);
	}
	/* what was screened out was left out by us: it is told by the screen */
	d->flagged[1] = d->flagged[3] = FLAG_SCREENED;
	must_fail(fit_of(d, NULL, "power-law", &p, &err), ERR_NODATA, "");
	assert_string_equal(strchr(err.msg, ';'), "; 2 runs failed");
	assert_null(p);
}

TEST(the_screen_is_told_after_a_full_stop)
{
	static const struct run_screen screen = {.n_slow = 2, .n_cut = 0};
	FREED(dataset) *d = some_runs(1);
	RELEASED(strbuf) told = STRBUF_INIT;
	struct predictor *p = NULL;

	run_screen_explain(&screen, &told);
	must_fail(fit_of(d, &screen, "power-law", &p, &err), ERR_NODATA, "");
	assert_true(strlen(strbuf_text(&told)) > 0);
	assert_non_null(strstr(err.msg, strbuf_text(&told)));
	assert_int_equal(strstr(err.msg, strbuf_text(&told))[-1], '.');
}

TEST(a_predictor_that_is_for_other_applications_is_refused)
{
	FREED(dataset) *d = some_runs(30);
	struct predictor *p = NULL;

	must_fail(fit_of(d, NULL, "wavefront", &p, &err), ERR_ARG,
		  "predictor wavefront does not fit application qr");
	must_fail(fit_of(d, NULL, "oracle", &p, &err), ERR_ARG, "oracle");
	assert_null(p);
}

/* ---- explanations ---- */

TEST(runs_that_were_cut_are_counted)
{
	FREED(dataset) *d = some_runs(54);
	struct predictor *p;

	p = fit(d, "power-law");
	assert_null(strstr(predictor_explanation(p), "cut by a time limit"));
	predictor_free(p);
	qr_add_as(d, (struct qr){64000, 2000, 16, 0, 1}, 1000, RUN_TIMEOUT);
	p = fit(d, "power-law");
	assert_non_null(strstr(predictor_explanation(p),
			       " 1 run cut by a time limit counts as at least that."));
	predictor_free(p);
	qr_add_as(d, (struct qr){64000, 2000, 64, 0, 1}, 1000, RUN_TIMEOUT);
	p = fit(d, "power-law");
	assert_non_null(strstr(predictor_explanation(p),
			       " 2 runs cut by a time limit count as at least that."));
	predictor_free(p);
}

/* The middle 90 % of a support, and how many runs tell it. */
TEST(residuals_are_told_for_each_support)
{
	FREED(dataset) *d = some_runs(108);
	FREED(predictor) *p = fit(d, "power-law");
	char want[128];
	int n_told = 0;

	for (int s = 0; s < 3; s++) {
		const struct predictor_error error = predictor_error(p, (enum support)s);

		if (error.n < 8) {
			snprintf(want, sizeof want, " %s not told (%zu run%s: too few)",
				 support_name((enum support)s), error.n, error.n == 1 ? "" : "s");
		} else {
			n_told++;
			snprintf(want, sizeof want, " %s x%.2f..x%.2f (%zu runs)",
				 support_name((enum support)s), error.lo, error.hi, error.n);
		}
		assert_non_null(strstr(predictor_explanation(p), want));
	}
	/* a power law has no doubt of its own: inside, where nothing widens, residuals are errors
	 */
	check_rel(predictor_error(p, SUPPORT_INSIDE).lo,
		  exp(residual_table_quantile(&p->table[SUPPORT_INSIDE], 0.05)), 1e-12);
	assert_true(n_told > 0);
}

/* ---- another machine ---- */

TEST(what_has_no_structure_is_not_carried_over)
{
	FREED(dataset) *d = some_runs(54);
	struct predictor *p = fit(d, "power-law"), *other = NULL;

	must_fail(predictor_transfer(p, &machine, 2, &other, &err), ERR_ARG,
		  "predictor power-law has no structure to carry over");
	assert_null(other);
	predictor_free(p);
}

static enum err_code no_transfer(const void *state, const struct machine *to, double wg_factor,
				 void **out, struct err *e)
{
	return err_set(e, ERR_NODATA, "not to %s, not times %g", to->name, wg_factor);
}

static enum err_code empty_transfer(const void *state, const struct machine *to, double wg_factor,
				    void **out, struct err *e)
{
	*out = NULL;
	return ERR_OK;
}

static void free_nothing(void *state)
{
}

TEST(a_factor_on_computation_is_a_number_above_0)
{
	static const double bad[] = {0, -1, (double)NAN, (double)INFINITY};
	struct predictor_kind kind = {.name = "k", .transfer = no_transfer, .free = free_nothing};
	char known[] = "Known.";
	const struct predictor from = {
		.app = app, .kind = &kind, .explanation = known, .n_runs = 7, .residual_sd = 0.25};
	FREED(predictor) *other = NULL;

	for (size_t i = 0; i < 4; i++)
		must_fail(predictor_transfer(&from, &machine, bad[i], &other, &err), ERR_ARG,
			  "a number > 0");
	must_fail(predictor_transfer(&from, &machine, 0.5, &other, &err), ERR_NODATA,
		  "not to m, not times 0.5");
	assert_null(other);
	kind.transfer = empty_transfer;
	failing_each_allocation (predictor_transfer(&from, &machine, 0.5, &other, &err), &err)
		assert_null(other);
	assert_true(other->transferred);
	assert_int_equal(other->n_runs, 7);
	check_abs(other->residual_sd, 0.25, 0);
	assert_int_equal(
		strncmp(predictor_explanation(other), "WHAT IF: machine m has no runs", 30), 0);
	assert_non_null(strstr(predictor_explanation(other),
			       "(times 0.5). "
			       "Its message costs are its own. Known."));
	assert_null(strstr(predictor_explanation(other), "Time rules"));
}

/* ---- promises ---- */

/* Of n residuals none is surer than 1 - 1 / (2 n + 2). */
TEST(no_more_is_promised_than_residuals_bear)
{
	FREED(dataset) *d = some_runs(54);
	FREED(predictor) *p = fit(d, "power-law");
	struct prediction at;
	double row[16], most;

	qr_row(app, qr_design(7), row);
	predictor_predict(p, row, 1, &at);
	most = 1 - 1 / (2 * (double)p->table[at.support].n + 2);
	check_abs(prediction_max_confidence(p, &at), most, 0);
	check_abs(prediction_deadline_s(p, &at, most), prediction_quantile_s(p, &at, most), 0);
	check_abs(prediction_deadline_s(p, &at, 0.5), prediction_quantile_s(p, &at, 0.5), 0);
	assert_true(isinf(prediction_deadline_s(p, &at, nextafter(most, 1))));
	assert_true(prediction_deadline_s(p, &at, nextafter(most, 1)) > 0);
}

static size_t only_m(const void *state, const double *row, double *out)
{
	out[0] = row[application_column(app, "m")];
	return 1;
}

static double no_correction(const void *state, const double *row, double *epistemic_sd)
{
	return 0;
}

/* m was seen from 8 to 64: 16 is inside, 70 at the edge, 128 a doubling outside, where nothing of
 * what runs say is left after two. In less time the best trust of any support is told that is as
 * good or worse. */
TEST(trust_at_best_is_that_of_any_worse_support)
{
	static const double seen[] = {8, 16, 32, 64}, m[] = {16, 70, 128};
	static const double trust[][3] = {{0.1, 0.2, 0.3}, {0.3, 0.2, 0.1}, {0.1, 0.3, 0.2}};
	static const double best[][3] = {{0.3, 0.3, 0.3}, {0.3, 0.2, 0.1}, {0.3, 0.3, 0.2}};
	const struct predictor_kind kind = {
		.name = "k", .features = only_m, .correction = no_correction};
	double row[16];

	for (size_t k = 0; k < 3; k++) {
		struct predictor p = {.app = app, .kind = &kind};

		memcpy(p.shrinkage, trust[k], sizeof p.shrinkage);
		seen_ranges_make(seen, 4, 1, &p.map.ranges);
		p.map.work_lo = p.map.work_hi = NAN;
		for (size_t s = 0; s < 3; s++) {
			struct predictor_place at;

			qr_row(app, (struct qr){.m = m[s], .n = 1, .b = 1, .procs = 1}, row);
			at = predictor_best_place(&p, row);
			assert_int_equal(at.support, s);
			check_rel(at.shrinkage, at.locality_weight * best[k][s], 1e-15);
			assert_true(at.locality_weight > 0);
			assert_int_equal(at.n_missing, 0);
			p.transferred = true;
			at = predictor_best_place(&p, row);
			assert_int_equal(at.support, SUPPORT_OUTSIDE);
			check_abs(at.shrinkage, 0, 0);
			p.transferred = false;
		}
	}
}

/* ---- without memory, and when told to stop ---- */

/* 54 configurations of two sources, the better of which has 36, with repeats and a time limit. */
static struct dataset *mixed_runs(void)
{
	struct dataset *d = some_runs(54);

	for (int i = 0; i < 54; i++)
		d->source[i] = (unsigned char)(i % 3 ? SOURCE_MEASURED : SOURCE_SIMULATED);
	for (int i = 1; i < 20; i += 3)
		qr_add(d, qr_design(i), 1.01 * qr_power_law(qr_design(i)));
	qr_add_as(d, (struct qr){64000, 2000, 16, 0, 1}, 1000, RUN_TIMEOUT);
	return d;
}

static enum err_code fit_store_load(const struct dataset *d, const char *name, struct err *e)
{
	FREED(predictor) *p = NULL, *back = NULL;
	RELEASED(kb_fit) stored = {0};
	enum err_code rc = fit_of(d, NULL, name, &p, e);

	if (!rc && !(rc = predictor_store(p, &stored, e)))
		rc = predictor_load(&stored, app, &back, e);
	assert_int_equal(back != NULL, rc == ERR_OK);
	return rc;
}

TEST(a_fit_needs_memory)
{
	FREED(dataset) *d = mixed_runs();

	failing_each_place_repeated(fit_store_load(d, "power-law", &err), &err);
}

static enum err_code process_of(const struct config_table *t, struct err *e)
{
	const struct predictor_kind *kind = &predictor_kind_gaussian_process;
	const struct fit_input in = {.machine = &machine};
	void *fitted = NULL, *back = NULL;
	RELEASED(kb_fit) stored = {0};
	enum err_code rc = kind->fit(t, &in, NULL, &fitted, e);

	if (!rc && !(rc = kind->store(fitted, &stored, e)))
		rc = kind->load(&stored, app, &back, e);
	assert_int_equal(back != NULL, rc == ERR_OK);
	if (fitted)
		kind->free(fitted);
	if (back)
		kind->free(back);
	return rc;
}

TEST(a_process_needs_memory)
{
	FREED(dataset) *d = some_runs(15);
	FREED(config_table) *t = NULL;

	for (size_t i = 0; i < d->n; i++)
		d->source[i] = (unsigned char)(i % 3 ? SOURCE_MEASURED : SOURCE_SIMULATED);
	qr_add_as(d, (struct qr){64000, 2000, 16, 0, 1}, 1000, RUN_TIMEOUT);
	must(config_table_make(d, &t, &err));
	failing_each_place_repeated(process_of(t, &err), &err);
}

static bool step(void *arg, const char *what, uint64_t done, uint64_t total)
{
	long *left = arg;

	assert_true(total == 0 || done <= total);
	return --*left >= 0;
}

/* Nobody is asked again who said no. */
TEST(a_fit_stops_when_told)
{
	FREED(dataset) *d = mixed_runs();
	long left = 1000000, n_asked;
	const struct progress progress = {step, &left};
	const struct fit_input in = {.runs = d, .machine = &machine, .progress = &progress};
	struct predictor *p = NULL;

	must(predictor_fit("log-quadratic", &in, &p, &err));
	predictor_free(p);
	p = NULL;
	n_asked = 1000000 - left;
	assert_true(n_asked > 0);
	for (long n = 0; n < n_asked; n++) {
		left = n;
		must_fail(predictor_fit("log-quadratic", &in, &p, &err), ERR_INTERRUPTED,
			  "interrupted");
		assert_int_equal(left, -1);
		assert_null(p);
	}
}

/* ---- what is stored ---- */

static void check_table(const struct residual_table *got, const struct residual_table *want)
{
	assert_int_equal(got->n, want->n);
	assert_int_equal(got->n_kept, want->n_kept);
	assert_true(got->n > 0);
	check_rel(got->widened, want->widened, 1e-15);
	for (size_t i = 0; i < want->n_kept; i++)
		check_abs(got->r[i], want->r[i], 1e-12);
}

static double wavy(struct qr c)
{
	return qr_power_law(c) * (1 + 0.3 * sin(3 * log(c.m)));
}

/* Six levels of m, five of n; of what was measured a part twice, the rest simulated, and one run
 * was cut at its limit. */
static struct dataset *levels_of_two_sources(const struct application *qr)
{
	struct dataset *d = dataset_new(qr);

	for (int i = 0; i < 90; i++) {
		const int k = i % 60;
		const struct qr c = {1000 << k % 6, 500 << k / 6 % 5, 64, 0, k / 30 ? 4 : 1};
		const bool simulated = k % 9 == 8;
		double row[16];

		if (i >= 60 && simulated)
			continue;
		qr_row(qr, c, row);
		runs_add_as(d, row, wavy(c) * (1 + 0.02 * (i % 7)) * (simulated ? 1.3 : 1),
			    simulated ? SOURCE_SIMULATED : SOURCE_MEASURED, RUN_OK);
	}
	qr_add_as(d, (struct qr){3000, 700, 64, 0, 2}, 1e3, RUN_TIMEOUT);
	return d;
}

static void check_level_columns(const struct level_columns *a, const struct level_columns *b)
{
	assert_int_equal(a->n, b->n);
	for (size_t k = 0; k < a->n; k++) {
		assert_int_equal(a->item[k].column, b->item[k].column);
		assert_int_equal(a->item[k].n, b->item[k].n);
		for (size_t i = 0; i < a->item[k].n; i++)
			check_abs(a->item[k].value[i], b->item[k].value[i], 0);
	}
}

TEST(all_that_a_predictor_knows_comes_back)
{
	static const char *const needed[] = {
		"trust_inside", "trust_edge",	     "trust_outside",		"sure",
		"max_doubt",	"residual_inside_n", "residual_outside_widened"};
	FREED(application) *qr = qr_application();
	FREED(dataset) *d = levels_of_two_sources(qr);
	const struct fit_input in = {.runs = d, .machine = &machine};
	struct predictor *p = NULL, *q = NULL;
	RELEASED(kb_fit) stored = {0};

	must(predictor_fit("gaussian-process", &in, &p, &err));
	must(predictor_store(p, &stored, &err));
	must(predictor_load(&stored, qr, &q, &err));
	assert_string_equal(predictor_explanation(q), predictor_explanation(p));
	assert_int_equal(q->n_runs, p->n_runs);
	check_abs(q->residual_sd, p->residual_sd, 0);
	check_abs(q->max_epistemic_sd, p->max_epistemic_sd, 0);
	assert_true(p->noise > 0);
	check_abs(q->noise, p->noise, 0);
	check_abs(q->optimism, p->optimism, 0);
	assert_int_equal(p->levels.n, 2);
	check_level_columns(&p->levels, &q->levels);
	assert_true(p->newness_sd[0] > 0);
	for (int k = 0; k < 2; k++)
		check_abs(q->newness_sd[k], p->newness_sd[k], 0);
	for (int s = 0; s < 3; s++) {
		check_abs(q->shrinkage[s], p->shrinkage[s], 0);
		check_table(&q->table[s], &p->table[s]);
	}
	assert_true(p->source[SOURCE_SIMULATED].n_configs > 0);
	for (int s = 0; s < SOURCE_COUNT; s++) {
		assert_int_equal(q->source[s].n_configs, p->source[s].n_configs);
		if (p->source[s].n_configs == 0)
			continue;
		check_abs(q->source[s].weight, p->source[s].weight, 0);
	}
	assert_int_equal(q->map.ranges.n_features, p->map.ranges.n_features);
	assert_memory_equal(q->map.ranges.seen, p->map.ranges.seen, sizeof p->map.ranges.seen);
	for (size_t i = 0; i < p->map.ranges.n_features; i++) {
		check_abs(q->map.ranges.lo[i], p->map.ranges.lo[i], 0);
		check_abs(q->map.ranges.hi[i], p->map.ranges.hi[i], 0);
	}
	assert_int_equal(q->limits.n, p->limits.n);
	predictor_free(q);
	for (size_t i = 0; i < stored.n_param; i++) {
		char *name = stored.param[i].name;

		for (size_t k = 0; k < sizeof needed / sizeof *needed; k++) {
			if (strcmp(name, needed[k]) != 0)
				continue;
			name[0] ^= 1;
			must_fail(predictor_load(&stored, qr, &q, &err), ERR_NOTMINED,
				  "lemnos mine");
			name[0] ^= 1;
			break;
		}
	}
	predictor_free(p);
}

/* ---- sizes that are off together ---- */

/* Above 3000 all takes three times as long; 2200 and 3300 were run. */
static double with_jump(double m, double procs)
{
	return 1e-5 * m * m * (1 / procs + 0.02) * (m > 3000 ? 3 : 1);
}

static struct dataset *runs_with_jump(void)
{
	static const double size[] = {1000, 1500, 2200, 3300, 5000, 7500};
	struct dataset *d = dataset_new(app);
	uint64_t seed = 3;

	for (int i = 0; i < 6; i++) {
		for (double procs = 1; procs <= 16; procs *= 2)
			qr_add(d, (struct qr){size[i], 500, 64, 0, procs},
			       with_jump(size[i], procs) * (1 + uniform_draw(&seed, -0.03, 0.03)));
	}
	return d;
}

/* As the runs on either side; between them it may be slow, which is said. As loaded, to the last
 * bit, and no bound is above a prediction. */
TEST(predictions_follow_a_jump)
{
	FREED(dataset) *d = runs_with_jump();
	FREED(predictor) *p = fit(d, "gaussian-process");
	FREED(predictor) *loaded = NULL;
	RELEASED(kb_fit) stored = {0};

	assert_non_null(strstr(predictor_explanation(p),
			       " Shifts: between m 2200 and 3300 time jumps by a factor of "));
	must(predictor_store(p, &stored, &err));
	must(predictor_load(&stored, app, &loaded, &err));
	for (double m = 1200; m < 8000; m *= 1.15) {
		const bool between = m > 2200 && m < 3300;
		struct prediction at, again, bound;
		RELEASED(strbuf) text = STRBUF_INIT;
		double row[16];

		qr_row(app, (struct qr){m, 500, 64, 0, 4}, row);
		predictor_predict(p, row, 1, &at);
		predictor_predict(loaded, row, 1, &again);
		predictor_bound(p, row, &bound);
		assert_memory_equal(&at.time_s, &again.time_s, sizeof at.time_s);
		assert_true(at.other_p == again.other_p && bound.time_s <= at.time_s);
		if (!between)
			check_abs(log(at.time_s / with_jump(m, 4)), 0, 0.1);
		predictor_explain_support(p, row, &text);
		assert_true((strstr(strbuf_text(&text), "time jumps") != NULL) ==
			    (at.other_p > 0.1));
		assert_true(between || at.other_p == 0);
		if (m > 2300 && m < 2600)
			assert_true(at.other_p > 0.1 && at.support != SUPPORT_INSIDE);
	}
}

TEST_GROUP(qr_set_up, qr_tear_down)
