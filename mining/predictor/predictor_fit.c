#include <math.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "mining/predictor/predictor_state.h"
#include "mining/predictor/system_change.h"
#include "mining/training/run_screen.h"
#include "mining/training/outcome_column.h"

/* Fitting: the kind's own fit, where it was fitted, and how far off it is on runs held out. */

/* Fewer residuals have no middle 90 %: two of them may agree by chance to any number of digits. */
enum { MIN_TOLD = 8 };

static void put_residuals(const struct predictor *p, enum support s, struct strbuf *text)
{
	const struct predictor_error *error = &p->error[s];

	strbuf_printf(text, "%s %s ", s ? "," : "", support_name(s));
	if (error->n < MIN_TOLD)
		strbuf_printf(text, "not told (%zu run%s: too few)", error->n,
			      error->n == 1 ? "" : "s");
	else
		strbuf_printf(text, "x%.2f..x%.2f (%zu runs)", error->lo, error->hi, error->n);
}

static enum err_code write_explanation(struct predictor *p, const struct fit_input *in,
				       size_t n_cut, struct err *e)
{
	struct strbuf text = STRBUF_INIT;

	p->kind->explain(p->state, &text);
	source_weights_explain(p->source, &text);
	short_runs_explain(&in->did_less, &text);
	run_screen_explain(&in->screen, &text);
	system_changes_explain(&p->changes, p->app, &text);
	circumstance_explain(&p->beside, p->app, &text);
	failing_demands_explain(&p->demands, &text);
	if (n_cut > 0)
		strbuf_printf(&text, " %zu run%s cut by a time limit count%s as at least that.",
			      n_cut, n_cut == 1 ? "" : "s", n_cut == 1 ? "s" : "");
	if (p->kind->correction)
		strbuf_printf(
			&text,
			" Of a correction %.0f %% is believed inside of what was seen, %.0f %% "
			"at its edge, %.0f %% outside, as held-out runs bear out.",
			100 * p->shrinkage[SUPPORT_INSIDE], 100 * p->shrinkage[SUPPORT_EDGE],
			100 * p->shrinkage[SUPPORT_OUTSIDE]);
	number_kinds_explain(&p->numbers, p->app, &text);
	level_shifts_explain(&p->shifts, p->app, &text);
	if (p->optimism > 0)
		strbuf_printf(
			&text,
			" What is predicted to be the best takes %.1f %% longer than that, or "
			"more where doubt is larger, as held-out choices show: advice allows "
			"for it.",
			100 * expm1(p->optimism * p->residual_sd));
	slow_runs_explain(&p->slow, &text);
	level_ranges_explain(&p->map.levels, p->app, &text);
	chance_failures_explain(&p->failures, &text);
	if (p->tick_s > 0)
		strbuf_printf(&text,
			      " All times are whole multiples of %g s, which is coarse for the "
			      "shortest: whether they were rounded or cut off nothing tells, and "
			      "predictions lie between.",
			      p->tick_s);
	batch_effect_explain(&p->batches, &text);
	noise_group_explain(&p->noisy, p->app, &text);
	strbuf_puts(&text, " Held-out runs (measured over predicted, middle 90 %):");
	for (int s = 0; s < 3; s++)
		put_residuals(p, (enum support)s, &text);
	strbuf_putc(&text, '.');
	if (text.failed) {
		strbuf_release(&text);
		return err_set(e, ERR_NOMEM, "explanation");
	}
	p->explanation = text.buf;
	return ERR_OK;
}

/* Of more configurations these, evenly: predictions take time. */
enum { MOST_LOOKED_AT = 10000 };

/* A structure is a factor off here and there; of other kinds a run that is far off is no ordinary
 * one: the process bends to runs that agree, so what it leaves stands alone. */
static enum err_code find_slow_runs(struct predictor *p, const struct config_table *t,
				    struct err *e)
{
	struct config_table *some = NULL;
	double *off;
	enum err_code rc = ERR_OK;

	if (p->kind->structural || !p->kind->trend_sd)
		return ERR_OK;
	if (t->n > MOST_LOOKED_AT && (rc = config_table_sample(t, MOST_LOOKED_AT, &some, e)))
		return rc;
	t = some ? some : t;
	if ((off = calloc(t->n + 1, sizeof *off))) {
		p->kind->predict(p->state, t->x, t->n, t->n_columns, off);
		for (size_t i = 0; i < t->n; i++)
			off[i] = log(t->time_s[i] / off[i]);
		rc = slow_runs_make(t, off, &p->slow, e);
	} else {
		rc = err_set(e, ERR_NOMEM, "%zu configurations", t->n);
	}
	free(off);
	config_table_free(some);
	return rc;
}

/* What others let those take that were set aside, of a predictor that is learned; NULL: none was.
 */
static enum err_code expect_set_aside(const struct predictor *p, const struct dataset *runs,
				      double **out, struct err *e)
{
	double *expected_s;
	bool any = false;

	*out = NULL;
	for (size_t i = 0; i < runs->n && !any; i++)
		any = runs->flagged[i] == FLAG_SCREENED && runs->status[i] == RUN_FAILED;
	if (!any || p->kind->structural)
		return ERR_OK;
	if (!(expected_s = calloc(runs->n, sizeof *expected_s)))
		return err_set(e, ERR_NOMEM, "%zu runs", runs->n);
	for (size_t i = 0; i < runs->n; i++) {
		if (runs->flagged[i] == FLAG_SCREENED)
			expected_s[i] = predictor_kind_time_s(p, dataset_row(runs, i));
	}
	*out = expected_s;
	return ERR_OK;
}

static enum err_code find_failing_demands(struct predictor *p, const struct fit_input *in,
					  const struct config_table *t, struct err *e)
{
	double *expected_s;
	enum err_code rc = expect_set_aside(p, in->runs, &expected_s, e);

	if (rc)
		return rc;
	rc = failing_demands_make(in->runs, in->failures, t, expected_s, &p->demands, e);
	free(expected_s);
	return rc;
}

/* A clock that is coarse for the shortest runs: a tick of over a twentieth of the least time. Of
 * fewer runs times may be whole numbers by chance. */
#define COARSE_SHARE 0.05
enum { TICK_LEAST_RUNS = 8 };

static double find_tick(const struct config_table *t)
{
	static const double ticks_s[] = {3600, 60, 1, 0.1, 0.01, 1e-3, 1e-4};
	const size_t n = t->first[t->n];
	double least_s = INFINITY, most_s = 0;

	for (size_t i = 0; i < n; i++) {
		least_s = fmin(least_s, t->run_s[i]);
		most_s = fmax(most_s, t->run_s[i]);
	}
	if (n < TICK_LEAST_RUNS || !(most_s > least_s))
		return 0;
	for (size_t k = 0; k < sizeof ticks_s / sizeof *ticks_s; k++) {
		size_t i = 0;

		while (i < n && fabs(t->run_s[i] / ticks_s[k] - round(t->run_s[i] / ticks_s[k])) <
					1e-9 * (1 + t->run_s[i] / ticks_s[k]))
			i++;
		if (i == n)
			return ticks_s[k] > COARSE_SHARE * least_s ? ticks_s[k] : 0;
	}
	return 0;
}

/* From here on t's times are those without the shifts. */
static enum err_code take_shifts_off(struct predictor *p, struct config_table *t, struct err *e)
{
	enum err_code rc;

	if (p->kind->structural || !p->kind->trend_sd)
		return ERR_OK;
	if (!(rc = level_shifts_find(t, &p->shifts, e)))
		level_shifts_take_off(&p->shifts, t);
	return rc;
}

static double fitted_time_s(const void *fitted, const double *row)
{
	return predictor_kind_time_s(fitted, row);
}

static enum err_code fit(struct predictor *p, const char *name, const struct fit_input *in,
			 struct err *e)
{
	struct config_table *t = NULL;
	enum err_code rc;

	if ((rc = predictor_kind_choose(name, p->app, &p->kind, e)) ||
	    (rc = outcome_column_refuse(in->runs, e)) ||
	    (rc = config_table_make(in->runs, &t, e)) ||
	    (rc = source_weights_learn(p->kind, in, t, p->source, e)))
		goto done;
	p->n_runs = t->first[t->n];
	p->noise = t->noise;
	p->changes = in->changes;
	p->beside = in->beside;
	if (p->kind->trend_sd && !p->kind->structural)
		p->tick_s = find_tick(t);
	if ((rc = batch_effect_find(in->runs, t, &p->batches, e)) ||
	    (rc = time_limits_make(t, &p->limits, e)) || (rc = take_shifts_off(p, t, e)) ||
	    (rc = p->kind->fit(t, in, NULL, &p->state, e)) ||
	    (rc = applicability_domain_make(p->kind, p->state, t, &p->map, e)) ||
	    (rc = find_slow_runs(p, t, e)) || (rc = find_failing_demands(p, in, t, e)) ||
	    (rc = chance_failures_make(in->runs, in->failures, &p->demands.falling, fitted_time_s,
				       p, &p->failures, e)) ||
	    (rc = predictor_learn_residuals(p, t, in, e)))
		goto done;
	rc = write_explanation(p, in, t->n_cut, e);
done:
	config_table_free(t);
	return rc;
}

/* Of too few runs: where the others are. */
static enum err_code too_few(const struct fit_input *in, const struct err *why, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	size_t n_failed = 0, n_cut = 0;
	enum err_code rc;

	for (size_t i = 0; i < in->runs->n; i++) {
		const bool by_us = in->runs->flagged[i] == FLAG_SCREENED;

		n_failed += !by_us && in->runs->status[i] == RUN_FAILED;
		n_cut += !by_us && in->runs->status[i] == RUN_TIMEOUT;
	}
	if (n_failed > 0)
		strbuf_printf(&text, "; %zu run%s failed", n_failed, n_failed == 1 ? "" : "s");
	if (n_cut > 0)
		strbuf_printf(&text, "; %zu met a time limit", n_cut);
	if (in->screen.n_fast + in->screen.n_slow + in->screen.n_cut + in->did_less.n +
		    in->did_less.n_aside >
	    0)
		strbuf_putc(&text, '.');
	short_runs_explain(&in->did_less, &text);
	run_screen_explain(&in->screen, &text);
	rc = text.failed ? err_set(e, ERR_NOMEM, "a message")
			 : err_set(e, ERR_NODATA, "%s%s", why->msg, strbuf_text(&text));
	strbuf_release(&text);
	return rc;
}

enum err_code predictor_fit(const char *name, const struct fit_input *in, struct predictor **out,
			    struct err *e)
{
	struct predictor *p = calloc(1, sizeof *p);
	struct err why = {0};
	enum err_code rc;

	if (!p)
		return err_set(e, ERR_NOMEM, "predictor");
	p->app = in->runs->app;
	rc = fit(p, name, in, &why);
	if (!rc) {
		*out = p;
		return ERR_OK;
	}
	predictor_free(p);
	return rc == ERR_NODATA ? too_few(in, &why, e) : err_set(e, rc, "%s", why.msg);
}

/* ---- carried over to another machine ---- */

enum err_code predictor_transfer(const struct predictor *from, const struct machine *machine,
				 double wg_factor, struct predictor **out, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	struct predictor *p;
	enum err_code rc;

	if (!from->kind->transfer)
		return err_set(e, ERR_ARG,
			       "predictor %s has no structure to carry over to another machine",
			       from->kind->name);
	if (!(wg_factor > 0) || !isfinite(wg_factor))
		return err_set(e, ERR_ARG, "the factor on computation must be a number > 0");
	p = malloc(sizeof *p);
	if (!p)
		return err_set(e, ERR_NOMEM, "predictor");
	*p = *from;
	p->state = NULL;
	p->explanation = NULL;
	p->rules = NULL;
	p->rules_explanation = NULL;
	p->limits = (struct time_limits){.n = 0}; /* they were of the other machine */
	p->slow = (struct slow_runs){.n = 0};
	p->failures = (struct chance_failures){.n = 0};
	p->demands = (struct failing_demands){.n = 0};
	p->tick_s = 0;
	p->changes = (struct system_changes){.n = 0};
	p->beside = (struct circumstance){.of = SIZE_MAX};
	p->transferred = true;
	if ((rc = from->kind->transfer(from->state, machine, wg_factor, &p->state, e))) {
		predictor_free(p);
		return rc;
	}
	strbuf_printf(
		&text,
		"WHAT IF: machine %s has no runs, and the interval knows nothing of the doubt "
		"in the borrowed computation times (times %g). Its message costs are its own. %s%s",
		machine->name, wg_factor,
		from->rules ? "Time rules of the other machine are left out. " : "",
		from->explanation);
	p->explanation = text.buf;
	if (text.failed) {
		strbuf_release(&text);
		p->explanation = NULL;
		predictor_free(p);
		return err_set(e, ERR_NOMEM, "explanation");
	}
	*out = p;
	return ERR_OK;
}
