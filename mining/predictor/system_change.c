#include "mining/predictor/system_change.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_statistics_double.h>

#include "base/compare.h"
#include "mining/predictor/config_kind.h"
#include "mining/predictor/predictor_state.h"

enum { LEAST_RUNS = 8, MOST_ROUNDS = 20 };
#define CHANGE_ALPHA 1e-4
#define LEAST_LOG_SHIFT 0.048790164169432 /* ln 1.05 */
/* A round that moves older times by less is the last. */
#define SETTLED 1e-3
#define DAY_S 86400.0
#define QUARTER_S (90 * DAY_S)
/* Levels whose chance is less than that of a day are not kept. */
#define LEAST_CHANCE 0.011
enum { LEVELS_LOOKED_AT = 32 };
/* Reruns; 10 % is 0.0953 of ln time. */
#define RERUN_LEAST_LOG 0.0953101798043249
#define LEAST_NOISE 0.01
#define DISTURBED 0.05
#define DISTURBED_LOG 0.2 /* mean deviation of ln time */
#define CHANGE_LOG_SD 0.35
#define SURE 0.9
#define SUSPECTED 0.1
#define MOST_SUSPECTED 0.99
#define SURE_OF_FASTER 2.5 /* three, but for what was disturbed of them */
enum { LEAST_DATED = 4, RERUNS_LOOKED_AT = 64 };
/* Of one run more deviations than so many of the middle count as that. */
#define MOST_OFF 6.0

struct dated_run {
	double at_s;
	size_t run;
	double off; /* ln of its time over what is predicted */
};

struct change_split {
	size_t at; /* the first run after it; 0: nowhere */
	double t;
	size_t n_tried;
};

static int by_date(const void *a, const void *b)
{
	const struct dated_run *x = a, *y = b;

	if (x->at_s != y->at_s)
		return compare_doubles(&x->at_s, &y->at_s);
	return (x->run > y->run) - (x->run < y->run);
}

static bool counts(const struct dataset *runs, size_t i, enum run_source source)
{
	return runs->status[i] == RUN_OK && runs->source[i] == source &&
	       runs->flagged[i] != FLAG_SCREENED && runs->wall_s[i] > 0;
}

/* In the order of their dates; *all: every one has a date. Returns how many there are. */
static size_t list_dated(const struct dataset *runs, const struct kb_run_dates *dates,
			 struct dated_run *out, bool *all)
{
	enum run_source best = SOURCE_MODELLED;
	size_t n = 0;

	*all = true;

	for (size_t i = 0; i < runs->n; i++) {
		if (counts(runs, i, (enum run_source)runs->source[i]) && runs->source[i] < best)
			best = (enum run_source)runs->source[i];
	}
	for (size_t i = 0; i < runs->n; i++) {
		const double at_s = kb_run_date_of(dates, runs->run_id[i]);

		if (!counts(runs, i, best))
			continue;
		if (isnan(at_s))
			*all = false;
		else
			out[n++] = (struct dated_run){.at_s = at_s, .run = i};
	}
	qsort(out, n, sizeof *out, by_date);
	return n;
}

/* ---- what the predictor is off ---- */

static double median_of(double *work, size_t n)
{
	return gsl_stats_median(work, 1, n);
}

/* What is far out counts as far, no farther. work[n]. */
static void clamp(struct dated_run *d, size_t n, double *work)
{
	double middle, most;

	for (size_t i = 0; i < n; i++)
		work[i] = d[i].off;
	middle = median_of(work, n);
	for (size_t i = 0; i < n; i++)
		work[i] = fabs(d[i].off - middle);
	most = MOST_OFF * 1.4826 * median_of(work, n);
	for (size_t i = 0; i < n; i++)
		d[i].off = fmin(fmax(d[i].off, middle - most), middle + most);
}

/* Too few runs, or none that can be fitted: *fitted is false. */
static enum err_code find_off(const struct fit_input *in, const struct dataset *runs,
			      struct dated_run *d, size_t n, double *work, bool *fitted,
			      struct err *e)
{
	const struct predictor_kind *kind = NULL;
	struct config_table *t = NULL;
	struct err why = {0};
	void *state = NULL;
	enum err_code rc;

	*fitted = false;
	if (!(rc = predictor_kind_choose(NULL, runs->app, &kind, &why)) &&
	    !(rc = config_table_make(runs, &t, &why)) &&
	    !(rc = kind->fit(t, in, NULL, &state, &why))) {
		for (size_t i = 0; i < n; i++) {
			double time_s;

			kind->predict(state, dataset_row(runs, d[i].run), 1, runs->n_columns,
				      &time_s);
			d[i].off = log(runs->wall_s[d[i].run] / time_s);
		}
		clamp(d, n, work);
		*fitted = true;
	}
	if (state)
		kind->free(state);
	config_table_free(t);
	return rc == ERR_NOMEM || rc == ERR_INTERRUPTED ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

/* ---- where it changes ---- */

struct change_sums {
	double n, sum, sum2;
};

static struct change_sums add_up(const struct dated_run *d, size_t from, size_t to)
{
	struct change_sums s = {0};

	for (size_t i = from; i < to; i++) {
		s.n++;
		s.sum += d[i].off;
		s.sum2 += d[i].off * d[i].off;
	}
	return s;
}

/* Sum of squares about the mean. */
static double about_mean(struct change_sums s)
{
	return fmax(0, s.sum2 - s.sum * s.sum / s.n);
}

/* Of d[from..to-1] the split that two means explain best. */
static void find_split(const struct dated_run *d, size_t from, size_t to, struct change_split *out)
{
	const struct change_sums all = add_up(d, from, to);
	struct change_sums before = {0};

	*out = (struct change_split){.at = 0};
	for (size_t i = from; i < to; i++) {
		const struct change_sums after = {all.n - before.n, all.sum - before.sum,
						  all.sum2 - before.sum2};
		double shift, s, t;

		if (before.n >= LEAST_RUNS && after.n >= LEAST_RUNS && d[i - 1].at_s < d[i].at_s) {
			shift = after.sum / after.n - before.sum / before.n;
			s = sqrt((about_mean(before) + about_mean(after)) / (all.n - 2));
			t = s > 0 ? fabs(shift) / (s * sqrt(1 / before.n + 1 / after.n)) : 0;
			out->n_tried++;
			if (t > out->t) {
				out->t = t;
				out->at = i;
			}
		}
		before.n++;
		before.sum += d[i].off;
		before.sum2 += d[i].off * d[i].off;
	}
}

static bool is_told(const struct change_split *s, size_t n)
{
	return s->at > 0 &&
	       2 * gsl_cdf_tdist_Q(s->t, (double)n - 2) * (double)s->n_tried < CHANGE_ALPHA;
}

/* ---- older times as what they would be now ---- */

static enum err_code copy_runs(const struct dataset *runs, struct dataset **out, struct err *e)
{
	unsigned char *all = malloc(runs->n + 1);
	enum err_code rc;

	if (!all)
		return err_set(e, ERR_NOMEM, "%zu runs", runs->n);
	for (size_t i = 0; i < runs->n; i++)
		all[i] = 1;
	rc = dataset_subset(runs, all, out, e);
	free(all);
	return rc;
}

struct change {
	size_t at; /* in d */
	double since_s, log_ratio;
};

struct change_search {
	const struct fit_input *in;
	const struct kb_run_dates *dates;
	size_t n;
	struct dated_run *d;
	double *work;
	struct dataset *runs; /* with times as the changes have them */
	size_t n_changes;
	struct change change[SYSTEM_CHANGES]; /* by date */
};

static void multiply(struct change_search *s)
{
	for (size_t i = 0; i < s->runs->n; i++) {
		const double at_s = kb_run_date_of(s->dates, s->runs->run_id[i]);
		double sum = 0;

		for (size_t k = 0; k < s->n_changes; k++)
			sum += at_s < s->change[k].since_s ? s->change[k].log_ratio : 0;
		s->runs->wall_s[i] = s->in->runs->wall_s[i] * exp(sum);
	}
}

/* Move each change by what the runs before and after it differ by, to the changes beside it.
 * Returns the largest. */
static double move(struct change_search *s)
{
	double most = 0;

	for (size_t k = 0; k < s->n_changes; k++) {
		const size_t from = k > 0 ? s->change[k - 1].at : 0;
		const size_t to = k + 1 < s->n_changes ? s->change[k + 1].at : s->n;
		const struct change_sums before = add_up(s->d, from, s->change[k].at);
		const struct change_sums after = add_up(s->d, s->change[k].at, to);
		const double moved = after.sum / after.n - before.sum / before.n;

		s->change[k].log_ratio += moved;
		most = fmax(most, fabs(moved));
	}
	return most;
}

/* Multiply what is older than the changes until nothing moves. */
static enum err_code settle(struct change_search *s, bool *fitted, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (int round = 0; round < MOST_ROUNDS && *fitted && !rc; round++) {
		const double moved = move(s);

		multiply(s);
		if (moved <= SETTLED)
			break;
		rc = find_off(s->in, s->runs, s->d, s->n, s->work, fitted, e);
	}
	return rc;
}

/* Where it was in the order of dates. */
static size_t insert(struct change_search *s, size_t at)
{
	size_t k = s->n_changes++;

	for (; k > 0 && s->change[k - 1].at > at; k--)
		s->change[k] = s->change[k - 1];
	s->change[k] = (struct change){.at = at, .since_s = s->d[at].at_s};
	return k;
}

/* One more change, if there is one: *found. */
static enum err_code find_next(struct change_search *s, bool *found, struct err *e)
{
	const struct change_search before = *s;
	const double left = about_mean(add_up(s->d, 0, s->n));
	struct change_split split;
	size_t k;
	bool fitted = true;
	enum err_code rc;

	*found = false;
	find_split(s->d, 0, s->n, &split);
	if (!is_told(&split, s->n))
		return ERR_OK;
	k = insert(s, split.at);
	if ((rc = settle(s, &fitted, e)))
		return rc;
	*found = fitted && fabs(s->change[k].log_ratio) >= LEAST_LOG_SHIFT &&
		 (double)s->n / 2 * log(left / about_mean(add_up(s->d, 0, s->n))) >
			 log((double)split.n_tried / CHANGE_ALPHA);
	if (!*found) {
		*s = before;
		multiply(s);
	}
	return ERR_OK;
}

/* ---- reruns ---- */

/* A configuration that was run on several days. */
struct rerun {
	double last_s, before_s;
	double off;    /* ln of the mean time of the last day over that of those before */
	double spread; /* sqrt(1 / n_last + 1 / n_before) */
};

struct dated_row {
	uint64_t hash;
	size_t i; /* in d, by date */
};

static int by_row(const void *a, const void *b)
{
	const struct dated_row *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->i > y->i) - (x->i < y->i);
}

/* Levels may have other codes in another base, and rows other hashes: those are no order. */
static int newest_first(const void *a, const void *b)
{
	const struct rerun *x = a, *y = b;

	if (x->last_s != y->last_s)
		return x->last_s > y->last_s ? -1 : 1;
	if (x->off != y->off)
		return compare_doubles(&x->off, &y->off);
	return compare_doubles(&x->spread, &y->spread);
}

/* FNV-1a of the values. */
static uint64_t hash_of_row(const struct dataset *runs, size_t i)
{
	const unsigned char *byte = (const unsigned char *)dataset_row(runs, i);
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t k = 0; k < runs->n_columns * sizeof(double); k++)
		h = (h ^ byte[k]) * UINT64_C(0x100000001b3);
	return h;
}

static void add_to(struct change_sums *s, double x)
{
	s->n++;
	s->sum += x;
	s->sum2 += x * x;
}

/* Runs of one row, by date; *scatter: the squares about the mean of the last day, and how many they
 * tell of. false: all are of one day. */
static bool compare_days(const struct change_search *s, const struct dated_row *r, size_t n,
			 struct rerun *out, struct change_sums *scatter)
{
	struct change_sums last = {0}, before = {0};

	out->last_s = s->d[r[n - 1].i].at_s;
	for (size_t k = 0; k < n; k++) {
		const struct dated_run *d = &s->d[r[k].i];
		struct change_sums *of = d->at_s > out->last_s - DAY_S ? &last : &before;

		add_to(of, log(s->runs->wall_s[d->run]));
		if (of == &before)
			out->before_s = d->at_s;
	}
	*scatter = (struct change_sums){.n = last.n - 1, .sum2 = about_mean(last)};
	if (before.n == 0)
		return false;
	out->off = last.sum / last.n - before.sum / before.n;
	out->spread = sqrt(1 / last.n + 1 / before.n);
	return true;
}

/* out[s->n], from the newest on; *of_repeats: how runs of one row differ on one day. */
static enum err_code list_reruns(const struct change_search *s, struct rerun *out, size_t *n,
				 double *of_repeats, struct err *e)
{
	struct dated_row *r = calloc(s->n + 1, sizeof *r);
	size_t n_rows = 0;
	double n_free = 0, squares = 0;

	if (!r)
		return err_set(e, ERR_NOMEM, "reruns among %zu runs", s->n);
	for (size_t i = 0; i < s->n; i++)
		r[i] = (struct dated_row){hash_of_row(s->runs, s->d[i].run), i};
	qsort(r, s->n, sizeof *r, by_row);
	*n = 0;
	for (size_t from = 0, to; from < s->n; from = to) {
		struct change_sums scatter;

		for (to = from + 1; to < s->n && r[to].hash == r[from].hash;)
			to++;
		*n += compare_days(s, r + from, to - from, &out[*n], &scatter);
		n_free += scatter.n;
		s->work[n_rows++] = scatter.sum2;
	}
	free(r);
	qsort(s->work, n_rows, sizeof *s->work, compare_doubles);
	for (size_t i = 0; i < n_rows; i++)
		squares += s->work[i];
	*of_repeats = n_free > 0 ? sqrt(squares / n_free) : 0;
	qsort(out, *n, sizeof *out, newest_first);
	return ERR_OK;
}

/* Of what the predictor is off by, or of runs of one row on one day, whichever is more. */
static double noise_of(const struct change_search *s, double of_repeats)
{
	for (size_t i = 0; i < s->n; i++)
		s->work[i] = fabs(s->d[i].off);
	return fmax(fmax(1.4826 * median_of(s->work, s->n), of_repeats), LEAST_NOISE);
}

/* Those of the newest reruns that a change between two dates would be seen by. */
struct rerun_group {
	const struct rerun *r; /* from the newest on */
	size_t n;
	double noise;
};

/* Of a rerun that differs by off, where the system changed by log_ratio: as_changed is the part of
 * those that were not disturbed. */
static double density(const struct rerun *r, double noise, double log_ratio, double *as_changed)
{
	*as_changed = (1 - DISTURBED) * gsl_ran_gaussian_pdf(r->off - log_ratio, noise * r->spread);
	return *as_changed + DISTURBED * gsl_ran_laplace_pdf(r->off, DISTURBED_LOG);
}

static double log_likelihood(const struct rerun_group *g, double log_ratio)
{
	double sum = 0, part;

	for (size_t i = 0; i < g->n; i++)
		sum += log(density(&g->r[i], g->noise, log_ratio, &part));
	return sum;
}

/* What explains them best, by the differences that there are, and then as the mean of those that
 * were not disturbed; *n: how many these are. Returns its standard error. */
static double best_ratio(const struct rerun_group *g, double *log_ratio, double *n)
{
	double best = -INFINITY, start = 0, sum = 0, weights = 0;

	for (size_t i = 0; i < g->n; i++) {
		const double l = log_likelihood(g, g->r[i].off);

		if (l > best) {
			best = l;
			start = g->r[i].off;
		}
	}
	*n = 0;
	for (size_t i = 0; i < g->n; i++) {
		const double sd = g->noise * g->r[i].spread;
		double part;
		const double all = density(&g->r[i], g->noise, start, &part);

		*n += part / all;
		sum += part / all * g->r[i].off / (sd * sd);
		weights += part / all / (sd * sd);
	}
	*log_ratio = sum / weights;
	return 1 / sqrt(weights);
}

/* The odds of a change to none, but for those of one in the time between. */
static double log_bayes_factor(const struct rerun_group *g, double *log_ratio, double *n)
{
	const double se = best_ratio(g, log_ratio, n);

	return log_likelihood(g, *log_ratio) - log_likelihood(g, 0) +
	       log(gsl_ran_gaussian_pdf(*log_ratio, CHANGE_LOG_SD) / gsl_ran_gaussian_pdf(0, se));
}

/* The first run after the longest pause between two dates. */
static size_t after_longest_pause(const struct change_search *s, double from_s, double to_s)
{
	size_t at = 0;
	double longest_s = 0;

	for (size_t i = 1; i < s->n; i++) {
		const double pause_s = s->d[i].at_s - s->d[i - 1].at_s;

		if (s->d[i - 1].at_s >= from_s && s->d[i].at_s <= to_s && pause_s > longest_s) {
			longest_s = pause_s;
			at = i;
		}
	}
	return at;
}

/* What the newest reruns tell, beside the changes that are known: of all pauses that they may have
 * been divided by, the likeliest. */
static void judge_reruns(struct change_search *s, struct rerun_group *g, size_t n,
			 struct suspected_change *suspected)
{
	double before_s = -INFINITY, most = 0, log_ratio = 0, n_as_changed = 0, from_s = 0,
	       to_s = 0;
	size_t at, n_reruns = 0;

	for (g->n = 1; g->n <= n; g->n++) {
		const struct rerun *oldest = &g->r[g->n - 1];
		double by_system, odds, ratio, count;

		before_s = fmax(before_s, oldest->before_s);
		if ((g->n < n && g->r[g->n].last_s == oldest->last_s) || oldest->last_s <= before_s)
			continue;
		by_system = -expm1(-(oldest->last_s - before_s) / QUARTER_S);
		odds = by_system / (1 - by_system) * exp(log_bayes_factor(g, &ratio, &count));
		if (fabs(ratio) < RERUN_LEAST_LOG || !(odds / (1 + odds) > most))
			continue;
		most = odds / (1 + odds);
		log_ratio = ratio;
		n_as_changed = count;
		n_reruns = g->n;
		from_s = before_s;
		to_s = oldest->last_s;
	}
	if (most < SUSPECTED)
		return;
	at = after_longest_pause(s, from_s, to_s);
	if (most >= SURE && (log_ratio > 0 || n_as_changed > SURE_OF_FASTER) &&
	    s->n_changes < SYSTEM_CHANGES) {
		s->change[insert(s, at)].log_ratio = log_ratio;
		multiply(s);
	} else if (log_ratio > 0) {
		*suspected = (struct suspected_change){fmin(most, MOST_SUSPECTED), exp(log_ratio),
						       s->d[at].at_s, n_reruns};
	}
}

static enum err_code look_at_reruns(struct change_search *s, struct suspected_change *suspected,
				    struct err *e)
{
	struct rerun *r = calloc(s->n + 1, sizeof *r);
	double of_repeats = 0;
	size_t n = 0;
	enum err_code rc = r ? list_reruns(s, r, &n, &of_repeats, e)
			     : err_set(e, ERR_NOMEM, "reruns among %zu runs", s->n);

	if (!rc && n > 0)
		judge_reruns(s, &(struct rerun_group){.r = r, .noise = noise_of(s, of_repeats)},
			     n < RERUNS_LOOKED_AT ? n : RERUNS_LOOKED_AT, suspected);
	free(r);
	return rc;
}

static enum err_code find_all(struct change_search *s, struct system_changes *out, struct err *e)
{
	bool fitted = false, found;
	enum err_code rc = find_off(s->in, s->runs, s->d, s->n, s->work, &fitted, e);

	found = fitted;
	while (!rc && found && s->n_changes < SYSTEM_CHANGES)
		rc = find_next(s, &found, e);
	if (!rc && fitted)
		rc = look_at_reruns(s, &out->suspected, e);
	for (size_t k = 0; k < s->n_changes && !rc; k++) {
		const size_t from = k > 0 ? s->change[k - 1].at : 0;
		const size_t to = k + 1 < s->n_changes ? s->change[k + 1].at : s->n;

		out->item[out->n++] = (struct system_change){.since_s = s->change[k].since_s,
							     .ratio = exp(s->change[k].log_ratio),
							     .n_before = s->change[k].at - from,
							     .n_after = to - s->change[k].at};
	}
	return rc;
}

/* ---- what nothing tells apart ---- */

/* Levels of a setting, in the order of their first runs. */
struct level_dates {
	size_t n;
	struct confounded_level level[LEVELS_LOOKED_AT];
};

/* d[n]: by date. false: there are too many levels. */
static bool date_levels(const struct dataset *runs, const struct dated_run *d, size_t n,
			size_t column, double first_s[LEVELS_LOOKED_AT], struct level_dates *out)
{
	out->n = 0;
	for (size_t i = 0; i < n; i++) {
		const double value = dataset_row(runs, d[i].run)[column];
		size_t k = 0;

		while (k < out->n && out->level[k].value != value)
			k++;
		if (k == LEVELS_LOOKED_AT || isnan(value))
			return false;
		if (k == out->n) {
			out->level[out->n] = (struct confounded_level){column, value, 0, 0, 0};
			first_s[out->n++] = d[i].at_s;
		}
		out->level[k].last_s = d[i].at_s;
	}
	return true;
}

/* A gap is between the last run of all levels that began before a level and its first. */
static void find_confounded_of(const struct dataset *runs, const struct dated_run *d, size_t n,
			       size_t column, struct system_changes *out)
{
	double first_s[LEVELS_LOOKED_AT], gaps_s = 0, next_s = 0;
	struct level_dates dates;

	if (!date_levels(runs, d, n, column, first_s, &dates))
		return;
	for (size_t k = dates.n; k-- > 0;) {
		struct confounded_level *level = &dates.level[k];
		double last_s = level->last_s;

		for (size_t j = 0; j < k; j++)
			last_s = fmax(last_s, dates.level[j].last_s);
		if (k + 1 < dates.n && last_s < first_s[k + 1]) {
			gaps_s += first_s[k + 1] - last_s;
			next_s = first_s[k + 1];
		}
		level->next_s = next_s;
		level->chance = -expm1(-gaps_s / QUARTER_S);
		if (level->chance >= LEAST_CHANCE && out->n_confounded < CONFOUNDED_LEVELS)
			out->confounded[out->n_confounded++] = *level;
	}
}

static void find_confounded(const struct dataset *runs, const struct dated_run *d, size_t n,
			    struct system_changes *out)
{
	for (size_t c = 0; c < runs->app->n_columns; c++) {
		if (config_is_setting(runs->app, c))
			find_confounded_of(runs, d, n, c, out);
	}
}

double system_changes_unseen(const struct system_changes *c, const double *row,
			     const struct confounded_level **level)
{
	double most = 0;

	for (size_t i = 0; i < c->n_confounded; i++) {
		const struct confounded_level *one = &c->confounded[i];

		if (row[one->column] == one->value && one->chance > most) {
			most = one->chance;
			if (level)
				*level = one;
		}
	}
	return most / 2;
}

enum err_code system_changes_find(const struct fit_input *in, const struct kb_run_dates *dates,
				  struct dataset **adjusted, struct system_changes *out,
				  struct err *e)
{
	struct change_search s = {.in = in, .dates = dates};
	bool all_dated = false;
	enum err_code rc = ERR_OK;

	*adjusted = NULL;
	*out = (struct system_changes){.n = 0};
	if (dates->n == 0 || in->runs->n > SYSTEM_CHANGE_RUNS)
		return ERR_OK;
	s.d = calloc(in->runs->n + 1, sizeof *s.d);
	s.work = calloc(in->runs->n + 1, sizeof *s.work);
	if (!s.d || !s.work)
		rc = err_set(e, ERR_NOMEM, "dates of %zu runs", in->runs->n);
	else
		s.n = list_dated(in->runs, dates, s.d, &all_dated);
	if (!rc && all_dated)
		find_confounded(in->runs, s.d, s.n, out);
	if (!rc && s.n >= LEAST_DATED && s.d[0].at_s < s.d[s.n - 1].at_s &&
	    !(rc = copy_runs(in->runs, &s.runs, e)))
		rc = find_all(&s, out, e);
	if (!rc && out->n > 0) {
		*adjusted = s.runs;
		s.runs = NULL;
	}
	dataset_free(s.runs);
	free(s.d);
	free(s.work);
	return rc;
}

double system_changes_factor(const struct system_changes *c, const struct kb_run_dates *dates,
			     int64_t run_id)
{
	const double at_s = kb_run_date_of(dates, run_id);
	double factor = 1;

	for (size_t i = 0; i < c->n; i++) {
		if (at_s < c->item[i].since_s)
			factor *= c->item[i].ratio;
	}
	return factor;
}
