#include "mining/training/longest_times.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>

#include "base/compare.h"
#include "mining/numerics/order_statistics.h"
#include "mining/numerics/ridge_fit.h"

#define CHANCE 1e-4

/* How near to each other the longest times are that a limit cut: it is looked at twice a minute or
 * less often, and what is killed is given some time to end. The wider the window, the more the runs
 * below have to say. */
struct limit_window {
	double same;   /* share of a time */
	double longer; /* a share of those that agree would take so many times as long ... */
	size_t one_in; /* ... one in so many */
};

static const struct limit_window limit_window[] = {
	{0.005, 1.1, 4}, /* power laws are right to some per cent between runs */
	{0.02, 1.25, 2},
	{0.05, 1.25, 2},
};

enum { N_WINDOWS = sizeof limit_window / sizeof *limit_window };

#define NEAR 10.0
#define NEARLY_ALL 0.9
#define CLEARLY 2.0  /* farther off than a power law of other runs would be in nearly all */
#define PENALTY 1e-4 /* next to nothing, so that columns that say the same are no fault */
enum { WINDOWS_BELOW = 20, MIN_CASES = 3, MIN_FREEDOM = 3, MAX_TERMS = 48, MAX_LEVELS = 8 };

/* Runs that ended; their times, sorted, and as much room again. */
struct longest_search {
	const struct dataset *runs;
	const uint32_t *run;
	size_t n;
	double *time_s, *law_s;
};

/* Do the runs differ in the problem, the workload or the resources? */
static bool is_another_case(const struct dataset *runs, uint32_t a, uint32_t b)
{
	const double *x = dataset_row(runs, a), *y = dataset_row(runs, b);

	for (size_t i = 0; i < runs->n_columns; i++) {
		const struct column *c = &runs->app->column[i];

		if (c->role != COL_DERIVED && c->role != COL_TUNABLE && !same_number(x[i], y[i]))
			return true;
	}
	return false;
}

static size_t count_cases(const struct longest_search *s, double from_s)
{
	uint32_t seen[MIN_CASES];
	size_t n = 0;

	for (size_t k = 0; k < s->n && n < MIN_CASES; k++) {
		bool is_new = s->runs->wall_s[s->run[k]] >= from_s;

		for (size_t j = 0; j < n; j++)
			is_new = is_new && is_another_case(s->runs, s->run[k], seen[j]);
		if (is_new)
			seen[n++] = s->run[k];
	}
	return n;
}

/* How well times of about the longest can agree by the clock alone, as a share of it: a window, or
 * the least that times differ by where that is more (whole seconds, whole minutes). time_s[n]:
 * sorted. */
static double window_of(const double *time_s, size_t n, double same)
{
	double tick = time_s[n - 1];

	for (size_t i = 1; i < n; i++) {
		const double gap = time_s[i] - time_s[i - 1];

		if (gap > 1e-9 * time_s[n - 1] && gap < tick)
			tick = gap;
	}
	return fmax(same, tick / time_s[n - 1]);
}

/* Of sorted times: how many of the longest agree; *most: the most that do so below them, among
 * times of a quarter of the longest or more (small ones agree as the clock is coarse). */
static size_t count_longest(const double *time_s, size_t n, double same, size_t *most)
{
	size_t from = n - 1, first = 0;

	while (from > 0 && time_s[from - 1] * (1 + same) >= time_s[n - 1])
		from--;
	*most = 1;
	for (size_t i = 0; i < from; i++) {
		while (time_s[first] * (1 + same) < time_s[i])
			first++;
		if (i - first + 1 > *most && time_s[i] * 4 >= time_s[n - 1])
			*most = i - first + 1;
	}
	return n - from;
}

static bool is_chance(const double *time_s, size_t n, size_t n_longest, double same)
{
	const double window = window_of(time_s, n, same);
	const double edge = time_s[n - 1] / pow(1 + window, WINDOWS_BELOW + 1);
	const double all = fmax(log(time_s[n - 1] / time_s[0]) / window, 1);
	size_t below = 0;

	for (size_t i = 0; i < n - n_longest; i++)
		below += time_s[i] >= edge;
	return gsl_cdf_poisson_Q((unsigned)n_longest - 2,
				 fmax((double)below / fmin(WINDOWS_BELOW, all), (double)n / all)) >
	       CHANCE;
}

/* A power law of the columns: ln of amounts, and a step for each level of words. */
struct law_term {
	size_t column;
	double level; /* NaN: of an amount */
	bool log;
};

static size_t list_terms(const struct longest_search *s, struct law_term *term)
{
	const struct application *app = s->runs->app;
	size_t n = 0;

	for (size_t c = 0; c < app->n_columns && n + MAX_LEVELS < MAX_TERMS; c++) {
		const size_t n_levels = app->column[c].levels.n;
		bool positive = true;

		if (app->column[c].role == COL_DERIVED)
			continue;
		for (size_t l = 0; app->column[c].type == COL_TEXT && l < n_levels; l++) {
			if (l < MAX_LEVELS)
				term[n++] = (struct law_term){c, (double)l, false};
		}
		for (size_t k = 0; k < s->n; k++)
			positive = positive && dataset_row(s->runs, s->run[k])[c] > 0;
		if (app->column[c].type != COL_TEXT)
			term[n++] = (struct law_term){c, (double)NAN, positive};
	}
	return n;
}

static void put_terms(const double *row, const struct law_term *term, size_t n, double *x)
{
	x[0] = 1;
	for (size_t j = 0; j < n; j++) {
		const double v = row[term[j].column];

		x[1 + j] = !isnan(term[j].level) ? v == term[j].level
			   : isnan(v)		 ? 0
			   : term[j].log	 ? log(v)
						 : v;
	}
}

/* What a power law of the runs below lets the longest take: s->law_s[n_longest]. *known:
 * false where these are too few for a law. */
static enum err_code ask_law(const struct longest_search *s, size_t n_longest, bool *known,
			     struct err *e)
{
	const double *time_s = s->time_s;
	const size_t n_below = s->n - n_longest;
	const double from_s = time_s[n_below];
	double least_s = from_s / NEAR;
	struct law_term term[MAX_TERMS];
	double b[MAX_TERMS + 1], penalty[MAX_TERMS + 1], scale, at[MAX_TERMS + 1];
	const size_t p = 1 + list_terms(s, term);
	double *x, *y;
	size_t n = 0, n_asked = 0;
	enum err_code rc;

	*known = n_below >= p + MIN_FREEDOM;
	if (!*known)
		return ERR_OK;
	/* Small runs take what starting takes: those near the limit say more of it. */
	if (time_s[n_below - p - MIN_FREEDOM] < least_s)
		least_s = 0;
	if (!(x = calloc(n_below * (p + 1), sizeof *x)))
		return err_set(e, ERR_NOMEM, "a law of %zu times", n_below);
	y = x + n_below * p;
	for (size_t k = 0; k < s->n; k++) {
		const double took = s->runs->wall_s[s->run[k]];

		if (took >= from_s || took < least_s)
			continue;
		put_terms(dataset_row(s->runs, s->run[k]), term, p - 1, x + n * p);
		y[n++] = log(took);
	}
	for (size_t j = 0; j < p; j++)
		penalty[j] = PENALTY;
	rc = ridge_fit(x, y, n, p, penalty, limit_window[0].same, b, &scale, e);
	for (size_t k = 0; k < s->n && !rc; k++) {
		double sum = 0;

		if (s->runs->wall_s[s->run[k]] < from_s)
			continue;
		put_terms(dataset_row(s->runs, s->run[k]), term, p - 1, at);
		for (size_t j = 0; j < p; j++)
			sum += b[j] * at[j];
		s->law_s[n_asked++] = exp(sum);
	}
	free(x);
	return rc;
}

/* A limit cuts runs that would have taken longer, and by different times. Does a power law of the
 * runs below say so of a quarter of those that agree? A time that does not change, or one that
 * weak scaling keeps, is no limit. Too few runs for a law: the clock must at least be able to tell
 * the times apart. */
static enum err_code would_take_longer(const struct longest_search *s, size_t n_longest,
				       const struct limit_window *w, bool *out, struct err *e)
{
	const double from_s = s->time_s[s->n - n_longest];
	size_t n_longer = 0;
	bool known;
	const enum err_code rc = ask_law(s, n_longest, &known, e);

	*out = w == limit_window && window_of(s->time_s, s->n, w->same) <= w->same;
	if (rc || !known)
		return rc;
	for (size_t k = 0; k < n_longest; k++)
		n_longer += s->law_s[k] > w->longer * from_s;
	*out = w->one_in * n_longer >= n_longest;
	return ERR_OK;
}

/* Where there is none in this window *out stays as it was. */
static enum err_code find_limit_in(const struct longest_search *s, const struct limit_window *w,
				   struct longest_times *out, struct err *e)
{
	size_t most, n_longest = count_longest(s->time_s, s->n, w->same, &most);
	bool longer = false;
	enum err_code rc;

	if (n_longest < MIN_CASES || n_longest <= 2 * most || n_longest == s->n ||
	    is_chance(s->time_s, s->n, n_longest, w->same) ||
	    count_cases(s, s->time_s[s->n - n_longest]) < MIN_CASES)
		return ERR_OK;
	if ((rc = would_take_longer(s, n_longest, w, &longer, e)) || !longer)
		return rc;
	*out = (struct longest_times){n_longest, s->time_s[s->n - n_longest]};
	return ERR_OK;
}

static enum err_code search_begin(const struct dataset *runs, const uint32_t *run, size_t n,
				  struct longest_search *s, struct err *e)
{
	*s = (struct longest_search){.runs = runs, .run = run, .n = n};
	if (!(s->time_s = calloc(2 * n + 1, sizeof *s->time_s)))
		return err_set(e, ERR_NOMEM, "%zu times", n);
	s->law_s = s->time_s + n;
	for (size_t k = 0; k < n; k++)
		s->time_s[k] = runs->wall_s[run[k]];
	order_sort(s->time_s, n);
	return ERR_OK;
}

enum err_code longest_times_limit(const struct dataset *runs, const uint32_t *run, size_t n,
				  struct longest_times *out, struct err *e)
{
	struct longest_search s;
	enum err_code rc = search_begin(runs, run, n, &s, e);

	*out = (struct longest_times){.n = 0};
	/* The widest has those that a narrower one leaves below it. */
	for (size_t i = 0; i < N_WINDOWS && n > 0 && !rc; i++)
		rc = find_limit_in(&s, &limit_window[i], out, e);
	free(s.time_s);
	return rc;
}

enum err_code longest_times_stand_in(const struct dataset *runs, const uint32_t *run, size_t n,
				     struct longest_times *out, struct err *e)
{
	struct longest_search s;
	size_t most, n_longest, n_less = 0;
	bool known = false;
	enum err_code rc = search_begin(runs, run, n, &s, e);

	*out = (struct longest_times){.n = 0};
	n_longest = !rc && n > 0 ? count_longest(s.time_s, n, 0, &most) : 0;
	if (n_longest >= MIN_CASES && n_longest < n &&
	    !is_chance(s.time_s, n, n_longest, limit_window[0].same) &&
	    count_cases(&s, s.time_s[n - 1]) == MIN_CASES)
		rc = ask_law(&s, n_longest, &known, e);
	for (size_t k = 0; k < n_longest && known && !rc; k++)
		n_less += s.law_s[k] * CLEARLY <= s.time_s[n - 1];
	if (known && !rc && NEARLY_ALL * (double)n_longest <= (double)n_less)
		*out = (struct longest_times){n_longest, s.time_s[n - 1]};
	free(s.time_s);
	return rc;
}
