#include "mining/training/circumstance.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mining/training/config_table.h"
#include "mining/training/time_law.h"

enum { LEAST_RUNS = 12, LEAST_OF_LEVEL = 3, MOST_ROUNDS = 30, NO_LEVEL = CIRCUMSTANCE_LEVELS };
#define LEAST_SHARE 0.05
#define MET_SHARE 0.5
#define LEAST_LOG_RATIO 0.0953101798043249	/* ln 1.1 */
#define CIRCUMSTANCE_LOG_ODDS 9.210340371976184 /* ln 10^4 */
/* A round that moves the levels by less is the last. */
#define SETTLED 1e-3
/* What explains less before it is fitted in turns is not looked at further. */
#define LEAST_GAIN 2.0
#define EVEN_ODDS 0.5
/* Of levels that go with an amount: the least runs below a bound; how much less than their law
 * says, ln; and what that may be off beyond them, in its deviations and for each ln of the amount.
 * Choices. */
enum { LEAST_BELOW = 8, MOST_BOUNDS = 64 };
#define LEAST_LOG_LESS 0.1823215567939546 /* ln 1.2 */
#define LAW_DEVIATIONS 2.0
#define LAW_DRIFT 0.25

struct circumstance_search {
	const struct dataset *runs;
	struct dataset *copy; /* whose times are less the levels' */
	uint32_t *run, *ref;
	size_t n;
	unsigned char *level; /* of each that counts */
	double *off;
	size_t n_columns; /* that may be looked at */
};

/* A column beside the runs as levels. */
struct circumstance_levels {
	const struct kb_extra_column *column;
	size_t n;
	double number[CIRCUMSTANCE_LEVELS]; /* NaN: a word */
	size_t word[CIRCUMSTANCE_LEVELS];
	size_t count[CIRCUMSTANCE_LEVELS];
	double effect[CIRCUMSTANCE_LEVELS + 1]; /* ln time; none of NO_LEVEL */
	double gain;
};

/* ---- levels ---- */

/* NO_LEVEL: nothing stands there. n is beyond CIRCUMSTANCE_LEVELS where there are too many. */
static size_t find_level(const struct kb_extra_column *c, size_t run, struct circumstance_levels *l)
{
	const double number = c->number[run];
	const size_t word = c->word[run];

	if (isnan(number) && word == 0)
		return NO_LEVEL;
	for (size_t k = 0; k < l->n; k++) {
		if (isnan(number) ? isnan(l->number[k]) && l->word[k] == word
				  : l->number[k] == number)
			return k;
	}
	if (l->n == CIRCUMSTANCE_LEVELS)
		return SIZE_MAX;
	l->number[l->n] = number;
	l->word[l->n] = word;
	return l->n++;
}

static bool put_levels(struct circumstance_search *s, const struct kb_extra_column *c,
		       struct circumstance_levels *l)
{
	size_t n_known = 0;

	if (c->many_words)
		return false;
	for (size_t i = 0; i < s->n; i++) {
		const size_t k = find_level(c, s->run[i], l);

		if (k == SIZE_MAX)
			return false;
		s->level[i] = (unsigned char)k;
		if (k == NO_LEVEL)
			continue;
		l->count[k]++;
		n_known++;
	}
	for (size_t k = 0; k < l->n; k++) {
		if (l->count[k] < LEAST_OF_LEVEL ||
		    (double)l->count[k] < LEAST_SHARE * (double)s->n)
			return false;
	}
	return l->n >= 2 && (double)n_known >= (1 - LEAST_SHARE) * (double)s->n;
}

/* Of the runs that share their value in a column, were two levels met by most? */
static bool is_met_everywhere(const struct circumstance_search *s, size_t column)
{
	size_t n_met = 0;

	for (size_t i = 0; i < s->n; i++) {
		const double v = dataset_row(s->runs, s->run[i])[column];

		for (size_t k = 0; k < s->n; k++) {
			const double w = dataset_row(s->runs, s->run[k])[column];

			if ((v == w || (isnan(v) && isnan(w))) && s->level[k] != s->level[i]) {
				n_met++;
				break;
			}
		}
	}
	return (double)n_met >= MET_SHARE * (double)s->n;
}

/* Was some configuration run with several levels? */
static bool is_repeated(const struct circumstance_search *s)
{
	const size_t n_columns = s->runs->app->n_columns;

	for (size_t i = 0; i < s->n; i++) {
		const double *x = dataset_row(s->runs, s->run[i]);

		for (size_t k = 0; k < i; k++) {
			if (s->level[k] != s->level[i] &&
			    !memcmp(x, dataset_row(s->runs, s->run[k]), n_columns * sizeof *x))
				return true;
		}
	}
	return false;
}

static bool is_circumstance(const struct circumstance_search *s,
			    const struct circumstance_levels *l)
{
	const struct application *app = s->runs->app;

	for (size_t c = 0; c < app->n_columns; c++) {
		if (app->column[c].role != COL_DERIVED && !is_met_everywhere(s, c))
			return false;
	}
	return isnan(l->number[0]) || is_repeated(s);
}

/* ---- what they explain ---- */

/* Residuals of a law of the times less the levels'; *ss: their sum of squares. */
static enum err_code find_residuals(struct circumstance_search *s, const double *effect, double *ss,
				    struct err *e)
{
	double sd;
	enum err_code rc;

	for (size_t i = 0; i < s->n; i++)
		s->copy->wall_s[s->run[i]] =
			s->runs->wall_s[s->run[i]] / (effect ? exp(effect[s->level[i]]) : 1);
	if ((rc = time_law_residuals(s->copy, s->run, s->n, s->ref, s->n, s->off, &sd, e)))
		return rc;
	*ss = 0;
	for (size_t i = 0; i < s->n; i++)
		*ss += s->off[i] * s->off[i];
	return ERR_OK;
}

/* Moves the levels by the means of what is left. Returns by how much at most. */
static double move_levels(const struct circumstance_search *s, struct circumstance_levels *l)
{
	double sum[CIRCUMSTANCE_LEVELS + 1] = {0}, most = 0;

	for (size_t i = 0; i < s->n; i++)
		sum[s->level[i]] += s->off[i];
	for (size_t k = 0; k < l->n; k++) {
		l->effect[k] += sum[k] / (double)l->count[k];
		most = fmax(most, fabs(sum[k] / (double)l->count[k]));
	}
	return most;
}

static double gain_of(const struct circumstance_search *s, const struct circumstance_levels *l,
		      double ss_before, double ss)
{
	const double n = (double)s->n, least = n * MIN_MISFIT * MIN_MISFIT;

	return n / 2 * log(fmax(ss_before, least) / fmax(ss, least)) -
	       (double)(l->n - 1) / 2 * log(n);
}

/* What the means of the levels would explain of the residuals as they are. */
static double first_gain(const struct circumstance_search *s, const struct circumstance_levels *l,
			 double ss)
{
	double sum[CIRCUMSTANCE_LEVELS + 1] = {0}, explained = 0;

	for (size_t i = 0; i < s->n; i++)
		sum[s->level[i]] += s->off[i];
	for (size_t k = 0; k < l->n; k++)
		explained += sum[k] * sum[k] / (double)l->count[k];
	return (double)s->n / 2 * log(ss / fmax(ss - explained, 1e-12 * ss));
}

static enum err_code fit_levels(struct circumstance_search *s, double ss_before,
				struct circumstance_levels *l, struct err *e)
{
	double ss, moved = INFINITY;

	for (int round = 0; round < MOST_ROUNDS && moved > SETTLED; round++) {
		enum err_code rc;

		moved = move_levels(s, l);
		if ((rc = find_residuals(s, l->effect, &ss, e)))
			return rc;
		l->gain = gain_of(s, l, ss_before, ss);
	}
	return ERR_OK;
}

/* 10^4 to 1, whichever of the columns it is. */
static double least_gain(size_t n_columns)
{
	return CIRCUMSTANCE_LOG_ODDS + log((double)n_columns);
}

static double slowest(const struct circumstance_levels *l, size_t *at)
{
	size_t fast = 0;

	*at = 0;
	for (size_t k = 1; k < l->n; k++) {
		fast = l->effect[k] < l->effect[fast] ? k : fast;
		*at = l->effect[k] > l->effect[*at] ? k : *at;
	}
	return l->effect[*at] - l->effect[fast];
}

static enum err_code look_at(struct circumstance_search *s, const struct kb_extra_column *c,
			     struct circumstance_levels *best, struct err *e)
{
	struct circumstance_levels l = {.column = c};
	double ss;
	size_t slow;
	enum err_code rc;

	if (!put_levels(s, c, &l) || !is_circumstance(s, &l))
		return ERR_OK;
	if ((rc = find_residuals(s, NULL, &ss, e)) || first_gain(s, &l, ss) < LEAST_GAIN)
		return rc;
	if ((rc = fit_levels(s, ss, &l, e)))
		return rc;
	if (l.gain > fmax(best->gain, least_gain(s->n_columns)) &&
	    slowest(&l, &slow) >= LEAST_LOG_RATIO)
		*best = l;
	return ERR_OK;
}

/* ---- hours and days ---- */

#define HOUR_S 3600.0
#define DAY_S (24 * HOUR_S)

enum { HALVES = 6, CALENDAR = HALVES + 1 };

/* Columns of two words that dates tell. */
struct calendar {
	struct kb_extra_column column[CALENDAR];
	char text[CALENDAR][2][CIRCUMSTANCE_TEXT];
};

/* half: in which half of the day from 2 half o'clock on; HALVES: on a Saturday or Sunday (the first
 * day of 1970 was a Thursday). */
static bool is_second(double at_s, int half)
{
	if (half == HALVES)
		return fmod(floor(at_s / DAY_S) + 3, 7) >= 5;
	return fmod(at_s / HOUR_S - 2 * half + 24, 24) >= 12;
}

static void put_words(struct calendar *c, int half)
{
	struct kb_extra_column *column = &c->column[half];

	column->name =
		(char *)(uintptr_t)(half == HALVES ? "the day of the week" : "the hour of the day");
	column->n_words = 2;
	for (int k = 0; k < 2; k++) {
		const int from = (2 * half + 12 * k) % 24;

		if (half == HALVES)
			snprintf(c->text[half][k], CIRCUMSTANCE_TEXT, "%s",
				 k ? "Saturday and Sunday" : "Monday to Friday");
		else
			snprintf(c->text[half][k], CIRCUMSTANCE_TEXT, "%02d:00 to %02d:00", from,
				 (from + 12) % 24);
		column->text[k] = c->text[half][k];
	}
}

static enum err_code make_calendar(const struct dataset *runs, const struct kb_run_dates *dates,
				   struct calendar *out, struct err *e)
{
	double *none = calloc(runs->n + 1, sizeof *none);
	bool has_hours = false;

	for (int half = 0; half < CALENDAR; half++) {
		struct kb_extra_column *c = &out->column[half];

		c->number = none;
		if (!none || !(c->word = calloc(runs->n + 1, 1)))
			return err_set(e, ERR_NOMEM, "dates of %zu runs", runs->n);
		put_words(out, half);
	}
	for (size_t i = 0; i < runs->n; i++) {
		const double at_s = kb_run_date_of(dates, runs->run_id[i]);

		none[i] = NAN;
		has_hours = has_hours || fmod(at_s, DAY_S) > 0;
		for (int half = 0; half < CALENDAR && at_s >= 0; half++)
			out->column[half].word[i] = 1 + is_second(at_s, half);
	}
	for (int half = 0; half < HALVES && !has_hours; half++)
		memset(out->column[half].word, 0, runs->n);
	return ERR_OK;
}

static void release_calendar(struct calendar *c)
{
	free(c->column[0].number);
	for (int half = 0; half < CALENDAR; half++)
		free(c->column[half].word);
}

/* ---- what follows ---- */

static void put_name(const struct kb_extra_column *c, const struct circumstance_levels *l, size_t k,
		     char out[CIRCUMSTANCE_TEXT])
{
	if (isnan(l->number[k]))
		snprintf(out, CIRCUMSTANCE_TEXT, "%s", c->text[l->word[k] - 1]);
	else
		snprintf(out, CIRCUMSTANCE_TEXT, "%g", l->number[k]);
}

/* Sets out, and the times of the copy to those of the slowest of the fast levels. */
static void conclude(struct circumstance_search *s, struct circumstance_levels *l,
		     struct circumstance *out)
{
	const struct kb_extra_column *c = l->column;
	size_t slow, fast = SIZE_MAX;
	const double most = slowest(l, &slow);

	for (size_t k = 0; k < l->n; k++) {
		if (l->effect[k] - l->effect[slow] + most < LEAST_LOG_RATIO &&
		    (fast == SIZE_MAX || l->effect[k] > l->effect[fast]))
			fast = k;
	}
	out->chance = EVEN_ODDS;
	out->ratio = exp(l->effect[slow] - l->effect[fast]);
	snprintf(out->column, sizeof out->column, "%s", c->name);
	put_name(c, l, slow, out->slow);
	put_name(c, l, fast, out->fast);
	for (size_t i = 0; i < s->runs->n; i++) {
		const size_t k = find_level(c, i, l);

		s->copy->wall_s[i] = s->runs->wall_s[i];
		if (k < l->n)
			s->copy->wall_s[i] *= exp(l->effect[fast] - l->effect[k]);
	}
}

/* Of the columns beside the runs and those of the calendar, if there is one; NULL: a date, which by
 * itself is a number. */
static const struct kb_extra_column *column_beside(const struct kb_run_extras *extras,
						   const struct calendar *calendar, size_t k)
{
	if (k >= extras->n_columns)
		return &calendar->column[k - extras->n_columns];
	return kb_is_date_name(extras->column[k].name) ? NULL : &extras->column[k];
}

/* ---- levels that go with the configuration ---- */

/* Do the runs above the bound have levels that none of the others has, and are there enough of
 * both? s->ref[*n_below]: those below. */
static bool is_parted(struct circumstance_search *s, size_t column, double bound, size_t *n_below)
{
	unsigned below = 0, above = 0;

	*n_below = 0;
	for (size_t i = 0; i < s->n; i++) {
		const double x = dataset_row(s->runs, s->run[i])[column];

		if (isnan(x) || s->level[i] == NO_LEVEL)
			return false;
		if (x > bound) {
			above |= 1U << s->level[i];
			continue;
		}
		below |= 1U << s->level[i];
		s->ref[(*n_below)++] = (uint32_t)i;
	}
	return !(below & above) && *n_below >= LEAST_BELOW && s->n >= *n_below + LEAST_OF_LEVEL;
}

/* How much less the runs above take than a law of those below says, ln, less what it may be off. */
static enum err_code compare_above(struct circumstance_search *s, size_t column, double bound,
				   double next, size_t n_below, double *less, double *beyond_doubt,
				   struct err *e)
{
	double sd, sum = 0;
	enum err_code rc;

	if ((rc = time_law_residuals(s->runs, s->run, s->n, s->ref, n_below, s->off, &sd, e)))
		return rc;
	for (size_t i = 0; i < s->n; i++)
		sum += dataset_row(s->runs, s->run[i])[column] > bound ? s->off[i] : 0;
	*less = -sum / (double)(s->n - n_below);
	*beyond_doubt = *less - LAW_DEVIATIONS * sd - LAW_DRIFT * log(next / bound);
	return ERR_OK;
}

/* The distinct values, ascending; 0: too many, or some are no amounts. */
static size_t find_bounds(const struct circumstance_search *s, size_t column, double *value)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		const double x = dataset_row(s->runs, s->run[i])[column];
		size_t at = n;

		while (at > 0 && value[at - 1] > x)
			at--;
		if (at > 0 && value[at - 1] == x)
			continue;
		if (!(x > 0) || n == MOST_BOUNDS)
			return 0;
		memmove(value + at + 1, value + at, (n - at) * sizeof *value);
		value[at] = x;
		n++;
	}
	return n;
}

/* The level of a run that has this value. */
static size_t level_at(const struct circumstance_search *s, size_t column, double x)
{
	size_t i = 0;

	while (dataset_row(s->runs, s->run[i])[column] != x)
		i++;
	return s->level[i];
}

/* The bound of an amount above which the levels are others and the runs faster, if any; *most: by
 * how much beyond doubt, as of what was found before. */
static enum err_code look_above(struct circumstance_search *s, const struct kb_extra_column *c,
				const struct circumstance_levels *l, size_t column, double *most,
				struct circumstance *out, struct err *e)
{
	double value[MOST_BOUNDS + 1], less, beyond_doubt;
	const size_t n = find_bounds(s, column, value);
	enum err_code rc;

	for (size_t k = 0; k + 1 < n; k++) {
		size_t n_below;

		if (!is_parted(s, column, value[k], &n_below))
			continue;
		if ((rc = compare_above(s, column, value[k], value[k + 1], n_below, &less,
					&beyond_doubt, e)))
			return rc;
		if (less < LEAST_LOG_LESS || beyond_doubt <= *most)
			continue;
		*most = beyond_doubt;
		*out = (struct circumstance){
			.chance = EVEN_ODDS, .ratio = exp(less), .of = column, .above = value[k]};
		snprintf(out->column, sizeof out->column, "%s", c->name);
		put_name(c, l, level_at(s, column, value[k]), out->slow);
		put_name(c, l, level_at(s, column, value[k + 1]), out->fast);
	}
	return ERR_OK;
}

static enum err_code find_confounded(struct circumstance_search *s,
				     const struct kb_run_extras *extras,
				     const struct calendar *calendar, struct circumstance *out,
				     struct err *e)
{
	const struct application *app = s->runs->app;
	double most = 0;
	enum err_code rc = ERR_OK;

	for (size_t k = 0; k < s->n_columns && !rc && s->n >= LEAST_RUNS; k++) {
		const struct kb_extra_column *c = column_beside(extras, calendar, k);
		struct circumstance_levels l = {.column = c};

		if (!c || !put_levels(s, c, &l) || is_circumstance(s, &l))
			continue;
		for (size_t column = 0; column < app->n_columns && !rc; column++) {
			if (app->column[column].role == COL_DERIVED ||
			    app->column[column].role == COL_TUNABLE ||
			    app->column[column].type == COL_TEXT)
				continue;
			rc = look_above(s, c, &l, column, &most, out, e);
			if (rc == ERR_NUMERIC) /* there is no law */
				rc = ERR_OK;
		}
	}
	return rc;
}

/* ---- all of it ---- */

static enum err_code allocate(struct circumstance_search *s, struct err *e)
{
	const size_t n = s->runs->n;
	unsigned char *all = malloc(n + 1);
	enum err_code rc;

	s->run = calloc(n + 1, sizeof *s->run);
	s->ref = calloc(n + 1, sizeof *s->ref);
	s->level = calloc(n + 1, 1);
	s->off = calloc(n + 1, sizeof *s->off);
	if (!all || !s->run || !s->ref || !s->level || !s->off) {
		free(all);
		return err_set(e, ERR_NOMEM, "columns beside %zu runs", n);
	}
	memset(all, 1, n);
	rc = dataset_subset(s->runs, all, &s->copy, e);
	free(all);
	for (size_t i = 0; i < n; i++) {
		if (s->runs->status[i] == RUN_OK && s->runs->wall_s[i] > 0) {
			s->ref[s->n] = (uint32_t)s->n;
			s->run[s->n++] = (uint32_t)i;
		}
	}
	return rc;
}

/* Of all columns, the calendar's too. */
static enum err_code find_best(struct circumstance_search *s, const struct kb_run_extras *extras,
			       const struct calendar *calendar, struct circumstance_levels *best,
			       struct err *e)
{
	enum err_code rc = ERR_OK;

	s->n_columns = extras->n_columns + (calendar ? CALENDAR : 0);
	for (size_t k = 0; k < s->n_columns && !rc && s->n >= LEAST_RUNS; k++) {
		const struct kb_extra_column *c = column_beside(extras, calendar, k);

		if (!c)
			continue;
		rc = look_at(s, c, best, e);
		if (rc == ERR_NUMERIC) /* there is no law */
			rc = ERR_OK;
	}
	return rc;
}

enum err_code circumstance_find(const struct dataset *runs, const struct kb_run_extras *extras,
				const struct kb_run_dates *dates, struct dataset **adjusted,
				struct circumstance *out, struct err *e)
{
	struct circumstance_search s = {.runs = runs};
	struct circumstance_levels best = {.gain = 0};
	struct calendar calendar = {.column = {{.name = NULL}}};
	enum err_code rc;

	*adjusted = NULL;
	*out = (struct circumstance){.of = SIZE_MAX};
	if (runs->n > CIRCUMSTANCE_RUNS || extras->n_columns + dates->n == 0)
		return ERR_OK;
	rc = allocate(&s, e);
	if (!rc && dates->n > 0)
		rc = make_calendar(runs, dates, &calendar, e);
	if (!rc)
		rc = find_best(&s, extras, dates->n > 0 ? &calendar : NULL, &best, e);
	if (!rc && best.column) {
		conclude(&s, &best, out);
		*adjusted = s.copy;
		s.copy = NULL;
	} else if (!rc) {
		rc = find_confounded(&s, extras, dates->n > 0 ? &calendar : NULL, out, e);
	}
	release_calendar(&calendar);
	dataset_free(s.copy);
	free(s.run);
	free(s.ref);
	free(s.level);
	free(s.off);
	return rc;
}

double circumstance_chance_at(const struct circumstance *c, const double *row)
{
	return c->of == SIZE_MAX || row[c->of] > c->above ? c->chance : 0;
}

void circumstance_explain(const struct circumstance *c, const struct application *app,
			  struct strbuf *out)
{
	if (!(c->chance > 0))
		return;
	if (c->of == SIZE_MAX)
		strbuf_printf(out,
			      " Nobody asks for %s: runs take %.2f times as long with %s as with "
			      "%s, which of them is to come nothing tells, and promises count with "
			      "a chance of %.2f of the former.",
			      c->column, c->ratio, c->slow, c->fast, c->chance);
	else
		strbuf_printf(
			out,
			" Nobody asks for %s: all runs with %s above %g are of %s, and those "
			"below, of %s, lead to expect %.2f times as long there, which of both "
			"tells the time is not known, and promises there count with a chance "
			"of %.2f of the longer one.",
			c->column, app->column[c->of].name, c->above, c->fast, c->slow, c->ratio,
			c->chance);
}

/* ---- in the knowledge base ---- */

enum err_code circumstance_store(const struct circumstance *c, const struct application *app,
				 struct kb_fit *fit, struct err *e)
{
	enum err_code rc;

	if (!(c->chance > 0))
		return ERR_OK;
	if ((rc = kb_fit_add(fit, "circumstance_ratio", c->ratio, NAN, c->slow, c->column, e)) ||
	    (rc = kb_fit_add(fit, "circumstance_chance", c->chance, NAN, c->fast,
			     "that a run is as slow as with the slowest level", e)) ||
	    c->of == SIZE_MAX)
		return rc;
	return kb_fit_add(fit, "circumstance_above", c->above, NAN, "", app->column[c->of].name, e);
}

void circumstance_load(const struct kb_fit *fit, const struct application *app,
		       struct circumstance *out)
{
	const double ratio = kb_fit_value(fit, "circumstance_ratio"),
		     chance = kb_fit_value(fit, "circumstance_chance");
	const struct kb_param *above = kb_fit_find(fit, "circumstance_above");

	*out = (struct circumstance){.of = SIZE_MAX};
	if (!(ratio > 1 && ratio < INFINITY && chance > 0 && chance < 1))
		return;
	if (above) {
		out->of = application_column(app, above->meaning);
		out->above = above->value;
		if (out->of == SIZE_MAX)
			return;
	}
	out->chance = chance;
	out->ratio = ratio;
}
