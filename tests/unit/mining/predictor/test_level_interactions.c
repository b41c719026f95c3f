#include "tests/unit/mining/qr_runs.h"
#include "tests/unit/mining/shared_qr.h"
#include "tests/support/failing_allocations.h"

#include "mining/predictor/level_interactions.h"
#include "mining/predictor/predictor.h"

FREEABLE(config_table)
FREEABLE(predictor)

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
	FREED(dataset) *d = made_runs(time_s);
	FREED(config_table) *t = NULL;
	struct fitted f = {0};

	must(config_table_make(d, &t, &err));
	must(log_polynomial_fit(t, 1, &f.columns, &err));
	must(level_interactions_make(t, f.columns, &f.found, &err));
	return f;
}

static void fitted_release(struct fitted *f)
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
TEST(levels_that_are_alike_leave_less_than_the_prior)
{
	const double one_quadrupling = pow(0.5 / sqrt(3) * log(4), 2);
	RELEASED(fitted) f = fit(qr_power_law);

	check_rel(variance_at(&f, 16000, 0), one_quadrupling, 0.02);
	check_rel(variance_at(&f, 8000, 0), one_quadrupling / 4, 0.02);
	check_abs(variance_at(&f, 4000, 0), 0, 0);
	check_abs(variance_at(&f, 16000, 1), 0, 0);
	/* beyond all runs it is the trend that drifts */
	check_rel(variance_at(&f, 64000, 0), one_quadrupling, 0.02);
	check_abs(variance_at(&f, 64000, 1), 0, 0);
}

static double linear_and_square(struct qr c)
{
	return 1e-4 * (c.layout > 0 ? c.m : c.m * c.m / 1000) / c.procs;
}

/* Exponents of 2 and 1, the pooled one between: the slopes of what it leaves differ by 1, so that
 * the sum of their squares is 0.5 at least, whatever the pooled one is. Far more than the prior:
 * sd^2
 * >= (0.25 + 0.5) / 3, but for the standard errors of straight lines, which are small. */
TEST(levels_that_differ_leave_more)
{
	RELEASED(fitted) f = fit(linear_and_square);

	assert_true(variance_at(&f, 16000, 0) > 0.9 * 0.25 * log(4) * log(4));
}

TEST(a_missing_value_or_an_unknown_level_adds_nothing)
{
	RELEASED(fitted) f = fit(qr_power_law);

	check_abs(variance_at(&f, NAN, 0), 0, 0);
	check_abs(variance_at(&f, 16000, 2), 0, 0);
	check_abs(variance_at(&f, 16000, NAN), 0, 0);
}

TEST(it_is_said_and_stored)
{
	struct fitted f = fit(qr_power_law), back = {.columns = f.columns};
	struct strbuf text = STRBUF_INIT;
	struct kb_fit stored = {0};

	/* 1000 to 4000 is half of the range of logs, not less */
	level_interactions_explain(&f.found, f.columns, &text);
	assert_int_equal(text.len, 0);
	must(level_interactions_store(&f.found, f.columns, &stored, &err));
	/* of layout 0 and m alone: all others had the whole range */
	assert_int_equal(stored.n_param, 3);
	must(level_interactions_load(&stored, f.columns, &back.found, &err));
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
	fitted_release(&f);
}

/* ---- all numbers, by sums over the runs ---- */

/* Slopes of their own in m for each of three layouts, the second never on the largest m, the third
 * on 4 processors only; noise of 10 %. */
static struct dataset *sloping_runs(void)
{
	static const double slope[] = {0.3, 0, -0.4};
	struct dataset *d = dataset_new(app);
	uint64_t seed = 19;

	for (int i = 0; i < QR_DESIGN_N; i++) {
		struct qr c = qr_design(i);

		c.layout = i % 5 == 4 ? 2 : c.layout;
		if ((c.layout == 1 && c.m > 4000) || (c.layout == 2 && c.procs != 4))
			continue;
		qr_add(d, c,
		       qr_power_law(c) * pow(c.m, slope[(int)c.layout]) *
			       exp(uniform_draw(&seed, -0.1, 0.1)));
	}
	return d;
}

/* Of what one power law leaves, in ln, at a configuration: its inputs stand between -1 and 1. */
static double left_of(const struct log_polynomial *columns, const double *row, double time_s)
{
	double sum = columns->coefficient[0];

	for (size_t i = 0; i < columns->n_inputs; i++) {
		const struct log_range *r = &columns->range[i];

		sum += columns->coefficient[1 + i] *
		       (2 * (log(row[r->column]) - r->lo) / (r->hi - r->lo) - 1);
	}
	for (size_t l = 0; l < columns->n_levels; l++)
		sum += row[columns->level[l].column] == columns->level[l].code
			       ? columns->coefficient[1 + columns->n_inputs + l]
			       : 0;
	return log(time_s) - sum;
}

struct line {
	double lo, hi, slope, se;
};

/* The straight line through what is left of a level, by means first and squares then. */
static struct line line_of(const struct config_table *t, const struct log_polynomial *columns,
			   size_t level, size_t input)
{
	const size_t column = columns->range[input].column;
	struct line f = {INFINITY, -INFINITY, 0, INFINITY};
	double n = 0, mx = 0, my = 0, xx = 0, xy = 0, off = 0;

	for (int pass = 0; pass < 3; pass++) {
		for (size_t k = 0; k < t->n; k++) {
			const double *row = config_table_row(t, k);
			const double x = log(row[column]), y = left_of(columns, row, t->time_s[k]);

			if (row[columns->level[level].column] != columns->level[level].code)
				continue;
			if (pass == 0) {
				f.lo = fmin(f.lo, x);
				f.hi = fmax(f.hi, x);
				mx += x;
				my += y;
				n++;
			} else if (pass == 1) {
				xx += pow(x - mx / n, 2);
				xy += (x - mx / n) * (y - my / n);
			} else if (xx > 1e-9) {
				off += pow(y - my / n - xy / xx * (x - mx / n), 2);
			}
		}
	}
	if (xx > 1e-9) {
		f.slope = xy / xx;
		f.se = sqrt(off / (n - 2) / xx);
	}
	return f;
}

TEST(deviations_are_those_of_straight_lines)
{
	/* half of the prior deviation of an exponent: 1 of m and n, 0.5 of b and procs */
	static const char *const name[] = {"m", "n", "b", "procs"};
	static const double prior[] = {0.5, 0.5, 0.25, 0.25};
	FREED(dataset) *d = sloping_runs();
	FREED(config_table) *t = NULL;
	RELEASED(fitted) f = {0};
	size_t n_untold = 0;

	must(config_table_make(d, &t, &err));
	must(log_polynomial_fit(t, 1, &f.columns, &err));
	failing_each_allocation (level_interactions_make(t, f.columns, &f.found, &err), &err)
		assert_null(f.found.cell);
	assert_int_equal(f.columns->n_levels, 3);
	assert_int_equal(f.columns->n_inputs, 4);
	assert_int_equal(f.found.n, 12);
	for (size_t i = 0; i < 4; i++) {
		double sum = 0, n = 1, p = 0;

		for (size_t k = 0; k < 4; k++)
			p += application_column(app, name[k]) == f.columns->range[i].column
				     ? prior[k]
				     : 0;
		sum = p * p;
		for (size_t l = 0; l < 3; l++) {
			const struct line own = line_of(t, f.columns, l, i);
			const double w = p * p / (p * p + own.se * own.se);

			check_abs(f.found.cell[4 * l + i].lo, own.lo, 1e-12);
			check_abs(f.found.cell[4 * l + i].hi, own.hi, 1e-12);
			sum += w > 0 ? w * fmax(own.slope * own.slope - own.se * own.se, 0) : 0;
			n += w;
			n_untold += w == 0;
		}
		for (size_t l = 0; l < 3; l++)
			check_rel(f.found.cell[4 * l + i].sd, sqrt(sum / n), 1e-6);
	}
	assert_int_equal(n_untold, 1); /* the third layout's slope in procs */
}

/* The pooled power law as a trend. */
static struct posynomial pooled(const struct log_polynomial *columns)
{
	struct posynomial m = {.n_terms = 1, .p = columns->n_terms};

	memcpy(m.b, columns->coefficient, m.p * sizeof *m.b);
	return m;
}

TEST(beyond_all_runs_a_level_goes_on_with_its_own_slope)
{
	FREED(dataset) *d = sloping_runs();
	FREED(config_table) *t = NULL;
	RELEASED(fitted) f = {0};
	struct fitted back;
	RELEASED(kb_fit) stored = {0};
	struct posynomial trend;
	size_t n_sloping = 0;

	must(config_table_make(d, &t, &err));
	must(log_polynomial_fit(t, 1, &f.columns, &err));
	must(level_interactions_make(t, f.columns, &f.found, &err));
	trend = pooled(f.columns);
	failing_each_allocation (
		level_interactions_add_slopes(t, f.columns, &trend, &f.found, &err), &err)
		check_abs(f.found.cell[0].slope_sd, 0, 0);
	must(level_interactions_store(&f.found, f.columns, &stored, &err));
	back = (struct fitted){.columns = f.columns};
	must(level_interactions_load(&stored, f.columns, &back.found, &err));
	for (size_t l = 0; l < 3; l++) {
		double row[16], variance, shift = 0, squares = 0;

		/* the least of all twice over, but the most of the last */
		memcpy(row, config_table_row(t, 0), app->n_columns * sizeof *row);
		row[f.columns->level[l].column] = f.columns->level[l].code;
		for (size_t i = 0; i < 4; i++) {
			const struct log_range *r = &f.columns->range[i];
			const struct line own = line_of(t, f.columns, l, i);
			const double sd = f.found.cell[4 * l + i].sd;
			const double told =
				isinf(own.se) ? 0 : sd * sd / (sd * sd + own.se * own.se);
			const double beyond = i == 3 ? log(3) : -log(2);

			row[r->column] = exp(i == 3 ? r->hi : r->lo) * exp(beyond);
			if (r->column != application_column(app, "procs"))
				shift += told * own.slope * beyond;
			squares += sd * sd * (1 - told) * beyond * beyond;
			n_sloping += told * fabs(own.slope) > 0.1;
		}
		check_rel(level_interactions_shift(&f.found, f.columns, row, &variance), shift,
			  1e-6);
		check_rel(variance, squares, 1e-6);
		check_rel(level_interactions_shift(&back.found, f.columns, row, NULL), shift, 1e-6);
		memcpy(row, config_table_row(t, 0), app->n_columns * sizeof *row);
		check_abs(level_interactions_shift(&f.found, f.columns, row, &variance), 0, 0);
		check_abs(variance, 0, 0);
	}
	assert_true(n_sloping > 0);
	level_interactions_release(&back.found);
}

/* Of m alone, from 1000 to 16000: how often and of which words. */
static size_t n_said(const struct fitted *f, struct strbuf *text)
{
	size_t n = 0;

	strbuf_clear(text);
	level_interactions_explain(&f->found, f->columns, text);
	for (const char *at = strbuf_text(text); (at = strstr(at, " ran with ")); at++)
		n++;
	return n;
}

TEST(a_part_of_the_range_is_said_by_its_ends)
{
	RELEASED(fitted) f = fit(qr_power_law);
	RELEASED(strbuf) text = STRBUF_INIT;
	struct level_interaction *c = f.found.cell;

	assert_int_equal(f.columns->range[0].column, application_column(app, "m"));
	c[0].lo = log(8000);
	c[0].hi = log(16000);
	assert_int_equal(n_said(&f, &text), 1);
	assert_string_equal(strbuf_text(&text), "layout row ran with m from 8000 only");
	c[0].lo = log(2000);
	c[0].hi = log(7999);
	assert_int_equal(n_said(&f, &text), 1);
	assert_string_equal(strbuf_text(&text), "layout row ran with m 2000 to 7999 only");
	c[0].hi = log(8001); /* half of the range or more */
	assert_int_equal(n_said(&f, &text), 0);
	c[0].lo = INFINITY; /* never ran */
	c[0].hi = -INFINITY;
	assert_int_equal(n_said(&f, &text), 0);
	/* three of four, one to a comma; none of a level whose runs are gone */
	for (size_t i = 0; i < 4; i++) {
		c[4 + i].lo = f.columns->range[i].lo;
		c[4 + i].hi = f.columns->range[i].lo + 0.1;
	}
	assert_int_equal(n_said(&f, &text), 3);
	assert_non_null(strstr(strbuf_text(&text), "layout column ran with m up to 1105.17 only, "
						   "layout column ran with "));
	f.columns->level[1].code = -1;
	assert_int_equal(n_said(&f, &text), 0);
}

static enum err_code store_again(const struct fitted *f, struct err *e)
{
	RELEASED(kb_fit) stored = {0};
	enum err_code rc = level_interactions_store(&f->found, f->columns, &stored, e);

	if (!rc)
		assert_int_equal(stored.n_param, 3);
	return rc;
}

static enum err_code load_again(const struct kb_fit *stored, struct fitted *f, struct err *e)
{
	level_interactions_release(&f->found);
	return level_interactions_load(stored, f->columns, &f->found, e);
}

/* Numbers that are none, or of a cell that there is not, are passed over. */
TEST(what_is_stored_wrongly_is_passed_over)
{
	struct fitted f = fit(qr_power_law), back = {.columns = f.columns};
	struct kb_fit stored = {0};

	failing_each_allocation (store_again(&f, &err), &err)
		;
	must(level_interactions_store(&f.found, f.columns, &stored, &err));
	must(kb_fit_add(&stored, "interaction_lo_0", NAN, NAN, "", "", &err));
	must(kb_fit_add(&stored, "interaction_hi_0", INFINITY, NAN, "", "", &err));
	must(kb_fit_add(&stored, "interaction_sd_0", -INFINITY, NAN, "", "", &err));
	must(kb_fit_add(&stored, "interaction_lo_8", 1, NAN, "", "", &err));
	must(kb_fit_add(&stored, "interaction_hi_99999", 1, NAN, "", "", &err));
	must(kb_fit_add(&stored, "interaction_sd_8", 1, NAN, "", "", &err));
	assert_int_equal(f.found.n, 8);
	failing_each_allocation (load_again(&stored, &back, &err), &err)
		assert_null(back.found.cell);
	assert_int_equal(back.found.n, 8);
	check_abs(back.found.cell[0].lo, f.found.cell[0].lo, 0);
	check_abs(back.found.cell[0].hi, f.found.cell[0].hi, 0);
	check_abs(back.found.cell[0].sd, f.found.cell[0].sd, 0);
	for (size_t i = 1; i < 8; i++)
		assert_true(back.found.cell[i].lo > back.found.cell[i].hi);
	kb_fit_release(&stored);
	level_interactions_release(&back.found);
	fitted_release(&f);
}

/* The whole predictor: layout 0 takes 16 times what layout 1 does at 16000, and was never there. */
TEST(a_prediction_there_is_not_inside_and_holds_the_truth)
{
	const struct qr c = {16000, 1000, 64, 0, 4}, seen = {16000, 1000, 64, 1, 4};
	FREED(dataset) *d = made_runs(linear_and_square);
	const struct machine machine = {.name = (char *)(uintptr_t) "m"};
	struct fit_input in = {.runs = d, .machine = &machine};
	FREED(predictor) *p = NULL;
	struct prediction at;
	double row[16];

	must(predictor_fit(NULL, &in, &p, &err));
	qr_row(app, c, row);
	predictor_predict(p, row, 1, &at);
	assert_int_equal(at.support, SUPPORT_OUTSIDE);
	assert_true(prediction_quantile_s(p, &at, 0.95) > linear_and_square(c));
	qr_row(app, seen, row);
	predictor_predict(p, row, 1, &at);
	assert_int_equal(at.support, SUPPORT_INSIDE);
}

TEST_GROUP(qr_set_up, qr_tear_down)
