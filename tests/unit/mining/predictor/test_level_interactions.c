#include "tests/unit/mining/qr_runs.h"
#include "tests/unit/mining/shared_qr.h"

#include <string.h>

#include "mining/predictor/level_interactions.h"
#include "mining/predictor/predictor.h"

/* Layout 0 was run with m up to 4000 only, layout 1 up to 16000. */

static struct dataset *made_runs(double (*time_s)(struct qr c))
{
	struct dataset *d = dataset_new(app);

	for (int i = 0; i < QR_DESIGN_N; i++) {
		struct qr c = qr_design(i);

		if (c.layout > 0 || c.m < 16000)
			qr_add(d, c, time_s(c));
	}
	return d;
}

struct fitted {
	struct log_polynomial *columns;
	struct level_interactions found;
};

static struct fitted fit(double (*time_s)(struct qr c))
{
	struct dataset *d = made_runs(time_s);
	struct config_table *t = NULL;
	struct fitted f = {0};
	struct err e = {0};

	check_ok(config_table_make(d, &t, &e), &e);
	check_ok(log_polynomial_fit(t, 1, &f.columns, &e), &e);
	check_ok(level_interactions_make(t, f.columns, &f.found, &e), &e);
	config_table_free(t);
	dataset_free(d);
	return f;
}

static void release(struct fitted *f)
{
	level_interactions_release(&f->found);
	free(f->columns);
}

static double variance_at(const struct fitted *f, double m, double layout)
{
	const struct qr c = {m, 1000, 64, layout, 4};
	double row[16];

	qr_row(app, c, row);
	return level_interactions_variance(&f->found, f->columns, row);
}

/* Both levels have the exponents of all, to the penalty of the pooled fit: no slope, no error of
 * it. So sd = prior / sqrt(1 + 2), the prior of m, a problem column, being 0.5. */
static void levels_that_are_alike_leave_less_than_the_prior(void **state)
{
	const double one_quadrupling = pow(0.5 / sqrt(3) * log(4), 2);
	struct fitted f = fit(qr_power_law);

	check_rel(variance_at(&f, 16000, 0), one_quadrupling, 0.02);
	check_rel(variance_at(&f, 8000, 0), one_quadrupling / 4, 0.02);
	check_abs(variance_at(&f, 4000, 0), 0, 0);
	check_abs(variance_at(&f, 16000, 1), 0, 0);
	/* beyond all runs it is the trend that drifts */
	check_rel(variance_at(&f, 64000, 0), one_quadrupling, 0.02);
	check_abs(variance_at(&f, 64000, 1), 0, 0);
	release(&f);
}

static double linear_and_square(struct qr c)
{
	return 1e-4 * (c.layout > 0 ? c.m : c.m * c.m / 1000) / c.procs;
}

/* Exponents of 2 and 1, the pooled one between: the slopes of what it leaves differ by 1, so that
 * the sum of their squares is 0.5 at least, whatever the pooled one is. Far more than the prior:
 * sd^2
 * >= (0.25 + 0.5) / 3, but for the standard errors of straight lines, which are small. */
static void levels_that_differ_leave_more(void **state)
{
	struct fitted f = fit(linear_and_square);

	assert_true(variance_at(&f, 16000, 0) > 0.9 * 0.25 * log(4) * log(4));
	release(&f);
}

static void a_missing_value_or_an_unknown_level_adds_nothing(void **state)
{
	struct fitted f = fit(qr_power_law);

	check_abs(variance_at(&f, NAN, 0), 0, 0);
	check_abs(variance_at(&f, 16000, 2), 0, 0);
	check_abs(variance_at(&f, 16000, NAN), 0, 0);
	release(&f);
}

static void it_is_said_and_stored(void **state)
{
	struct fitted f = fit(qr_power_law), back = {.columns = f.columns};
	struct strbuf text = STRBUF_INIT;
	struct kb_fit stored = {0};
	struct err e = {0};

	/* 1000 to 4000 is half of the range of logs, not less */
	level_interactions_explain(&f.found, f.columns, &text);
	assert_int_equal(text.len, 0);
	check_ok(level_interactions_store(&f.found, f.columns, &stored, &e), &e);
	/* of layout 0 and m alone: all others had the whole range */
	assert_int_equal(stored.n_param, 3);
	check_ok(level_interactions_load(&stored, f.columns, &back.found, &e), &e);
	check_abs(variance_at(&back, 16000, 0), variance_at(&f, 16000, 0), 0);
	check_abs(variance_at(&back, 16000, 1), 0, 0);
	/* one layout with one m; then both, each with one of everything */
	f.found.cell[0].hi = f.found.cell[0].lo;
	level_interactions_explain(&f.found, f.columns, &text);
	assert_non_null(strstr(strbuf_text(&text), "layout row ran with m 1000 only"));
	strbuf_clear(&text);
	f.found.cell[0].hi = f.found.cell[0].lo + log(1.5);
	level_interactions_explain(&f.found, f.columns, &text);
	assert_non_null(strstr(strbuf_text(&text), "layout row ran with m up to 1500 only"));
	strbuf_clear(&text);
	for (size_t i = 0; i < f.found.n; i++)
		f.found.cell[i].hi = f.found.cell[i].lo;
	level_interactions_explain(&f.found, f.columns, &text);
	assert_non_null(strstr(strbuf_text(&text), " had one value for each layout"));
	assert_null(strstr(strbuf_text(&text), " ran with "));
	strbuf_release(&text);
	kb_fit_release(&stored);
	level_interactions_release(&back.found);
	release(&f);
}

/* The whole predictor: layout 0 takes 16 times what layout 1 does at 16000, and was never there. */
static void a_prediction_there_is_not_inside_and_holds_the_truth(void **state)
{
	const struct qr c = {16000, 1000, 64, 0, 4}, seen = {16000, 1000, 64, 1, 4};
	struct dataset *d = made_runs(linear_and_square);
	const struct machine machine = {.name = (char *)(uintptr_t) "m"};
	struct fit_input in = {.runs = d, .machine = &machine};
	struct predictor *p = NULL;
	struct prediction at;
	struct err e = {0};
	double row[16];

	check_ok(predictor_fit(NULL, &in, &p, &e), &e);
	qr_row(app, c, row);
	predictor_predict(p, row, 1, &at);
	assert_int_equal(at.support, SUPPORT_OUTSIDE);
	assert_true(prediction_quantile_s(p, &at, 0.95) > linear_and_square(c));
	qr_row(app, seen, row);
	predictor_predict(p, row, 1, &at);
	assert_int_equal(at.support, SUPPORT_INSIDE);
	predictor_free(p);
	dataset_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels_that_are_alike_leave_less_than_the_prior),
		cmocka_unit_test(levels_that_differ_leave_more),
		cmocka_unit_test(a_missing_value_or_an_unknown_level_adds_nothing),
		cmocka_unit_test(it_is_said_and_stored),
		cmocka_unit_test(a_prediction_there_is_not_inside_and_holds_the_truth),
	};

	return cmocka_run_group_tests(tests, qr_set_up, qr_tear_down);
}
