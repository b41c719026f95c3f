#include "mining/training/short_runs.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "mining/numerics/group_by.h"
#include "mining/numerics/order_statistics.h"
#include "mining/training/run_screen.h"
#include "mining/training/time_law.h"

enum { MIN_RUNS = 8, MAX_SETS = 64, MAX_LAW_RUNS = 1000, MIN_RANKED = 3, MIN_CHOSEN = 4 };

#define LEVEL 1e-3
#define MOST_OF_TIME (2.0 / 3)
#define LESS_OF_TIME 0.8
#define USUAL_SHARE (2.0 / 3)
#define TIME_SHARE 0.2
#define LEAST_SPREAD 1e-3
#define NEARLY 0.1   /* whole numbers that agree */
#define HUGE_GAP 1e3 /* residuals of runs that ended well differ by less from each other */

enum set_kind { SET_LESS, SET_HUGE, SET_WORD };

/* The runs of which a column says that they did less. */
struct short_set {
	enum set_kind kind;
	size_t column;	       /* of the extras */
	size_t n;	       /* members */
	bool says_no;	       /* by itself */
	unsigned char *member; /* by place in run[] */
	double median;	       /* ln of the share of the expected time that they take */
	bool fires;
	double *usual; /* by place: the number that was to be expected; of SET_LESS */
};

struct looked {
	struct dataset *runs;
	const struct kb_run_extras *extras;
	uint32_t *run; /* those that ended */
	size_t n;
	struct short_set set[MAX_SETS];
	size_t n_sets;
	uint32_t *group;
	double *value, *work;
	uint32_t *ref; /* places in run[] of those that a law is made of */
	size_t n_ref;
	double *off; /* by place: ln of time over what the law says; of ref held out */
	double sd;   /* of off of ref */
};

static double number_at(const struct looked *l, size_t column, size_t i)
{
	return l->extras->column[column].number[l->run[i]];
}

/* NULL: none */
static const char *word_at(const struct looked *l, size_t column, size_t i)
{
	const struct kb_extra_column *c = &l->extras->column[column];
	const size_t k = c->word[l->run[i]];

	return k > 0 ? c->text[k - 1] : NULL;
}

/* ---- words ---- */

static bool has_one_of(const char *text, const char *const *part)
{
	for (; *part; part++) {
		for (const char *from = text; *from; from++) {
			size_t k = 0;

			while ((*part)[k] && tolower((unsigned char)from[k]) == (*part)[k])
				k++;
			if (!(*part)[k])
				return true;
		}
	}
	return false;
}

static bool is_one_of(const char *text, const char *const *word)
{
	for (; *word; word++) {
		if (strlen(text) == strlen(*word) &&
		    has_one_of(text, (const char *const[]){*word, NULL}))
			return true;
	}
	return false;
}

static bool says_no(const char *text)
{
	static const char *const no[] = {"no", "n", "false", "f", "off", "none", "0", NULL};
	static const char *const wrong[] = {"diverg", "unstab", "blow",	  "blew",   "nan",
					    "abort",  "fail",	"kill",	  "crash",  "partial",
					    "early",  "stop",	"not ",	  "broke",  "incomplete",
					    "err",    "cancel", "interr", "exceed", NULL};

	return is_one_of(text, no) || has_one_of(text, wrong);
}

/* What a program prints of a number that is none. */
static bool is_no_number(const char *text)
{
	static const char *const printed[] = {"nan",  "-nan",	  "+nan",     "inf",
					      "-inf", "+inf",	  "infinity", "-infinity",
					      "ind",  "overflow", NULL};

	return is_one_of(text, printed) || strncmp(text, "**", 2) == 0 ||
	       has_one_of(text, (const char *const[]){"1.#", "nan(", NULL});
}

/* Two kinds of node, or two builds, take different times, and both do all. */
static bool is_of_kind(const char *name)
{
	static const char *const part[] = {
		"node",	     "gpu",	"cpu",	   "core",    "thread",	 "procs",    "processes",
		"nproc",     "rank",	"task",	   "host",    "socket",	 "device",   "queue",
		"partition", "clust",	"machine", "system",  "site",	 "compiler", "mpi",
		"build",     "version", "commit",  "hash",    "release", "branch",   "module",
		"revision",  "user",	"account", "project", NULL};

	return has_one_of(name, part);
}

/* ---- the sets ---- */

/* NULL: out of memory, or of room. */
static struct short_set *open_set(struct looked *l, enum set_kind kind, size_t column)
{
	struct short_set *s = &l->set[l->n_sets];

	if (l->n_sets == MAX_SETS)
		return NULL;
	*s = (struct short_set){.kind = kind, .column = column};
	s->member = calloc(l->n + 1, 1);
	if (kind == SET_LESS)
		s->usual = calloc(l->n + 1, sizeof *s->usual);
	if (s->member && (s->usual || kind != SET_LESS))
		return s;
	free(s->member);
	free(s->usual);
	return NULL;
}

/* Of n_known runs the column says anything. */
static void close_set(struct looked *l, struct short_set *s, size_t n_known)
{
	s->n = 0;
	for (size_t i = 0; i < l->n; i++)
		s->n += s->member[i];
	if (s->n > 0 && n_known >= MIN_RUNS && 3 * s->n <= n_known) {
		l->n_sets++;
		return;
	}
	free(s->member);
	free(s->usual);
}

static enum err_code no_set(const struct looked *l, struct err *e)
{
	return l->n_sets == MAX_SETS ? ERR_OK
				     : err_set(e, ERR_NOMEM, "columns beside %zu runs", l->runs->n);
}

/* ---- numbers beyond all others ---- */

/* The least of those far beyond more than half of sorted value[n]; INFINITY: none. */
static double find_gap(const double *value, size_t n)
{
	for (size_t i = n / 2; i + 1 < n; i++) {
		if (value[i] > 0 && value[i + 1] >= HUGE_GAP * value[i])
			return value[i + 1];
	}
	return INFINITY;
}

static enum err_code look_for_huge(struct looked *l, size_t column, struct err *e)
{
	struct short_set *s;
	size_t n = 0, n_known = 0;
	double huge;

	for (size_t i = 0; i < l->n; i++) {
		const double v = fabs(number_at(l, column, i));

		if (isfinite(v))
			l->work[n++] = v;
	}
	if (n < MIN_RUNS)
		return ERR_OK;
	if (!(s = open_set(l, SET_HUGE, column)))
		return no_set(l, e);
	order_sort(l->work, n);
	huge = find_gap(l->work, n);
	for (size_t i = 0; i < l->n; i++) {
		const double v = fabs(number_at(l, column, i));
		const char *word = word_at(l, column, i);

		s->member[i] = v >= huge || (word && is_no_number(word));
		n_known += s->member[i] || isfinite(v);
	}
	s->says_no = true;
	close_set(l, s, n_known);
	return ERR_OK;
}

/* ---- numbers that are less than was asked ---- */

/* Runs by the columns of the application that counts[] has, of those with a number. */
static enum err_code group_runs(struct looked *l, size_t column, const size_t *key, size_t n_key,
				uint32_t **start, uint32_t **member, size_t *n_groups,
				struct err *e)
{
	struct row_key rows = row_key_of(l->runs, key);
	uint32_t *group = calloc(l->n + 1, sizeof *group);
	size_t n = 0;
	enum err_code rc = group ? ERR_OK : err_set(e, ERR_NOMEM, "groups of %zu runs", l->n);

	rows.n_key = n_key;
	for (size_t i = 0; i < l->n; i++) {
		if (isfinite(number_at(l, column, i)))
			l->ref[n++] = (uint32_t)i;
	}
	for (size_t k = 0; k < n; k++)
		l->group[k] = l->run[l->ref[k]];
	if (!rc && !(rc = group_by(&rows, l->group, n, group, NULL, n_groups, e)))
		rc = group_members(group, n, *n_groups, start, member, e);
	free(group);
	return rc;
}

/* Of sorted value[n]: what most have; *tolerance: below it by so much is still that. NaN: nothing
 * is usual. */
static double find_usual(const double *value, size_t n, double *tolerance)
{
	size_t most = 0, at = 0;
	bool whole = true;

	*tolerance = 0;
	for (size_t i = 0, from = 0; i < n; i++) {
		whole = whole && value[i] == floor(value[i]);
		if (value[i] > value[from])
			from = i;
		if (i - from + 1 > most) {
			most = i - from + 1;
			at = i;
		}
	}
	if (2 * most >= n && most > 1)
		return value[at];
	*tolerance = NEARLY;
	return whole && n > MIN_RANKED && value[n / 2] > 0 ? value[n / 2] : (double)NAN;
}

struct less_count {
	size_t n_usual, n_less, n_more;
};

/* One group: its runs that are less become members. */
static void compare_group(struct looked *l, struct short_set *s, const uint32_t *member, size_t n,
			  struct less_count *c)
{
	double usual, tolerance;

	for (size_t k = 0; k < n; k++)
		l->work[k] = number_at(l, s->column, l->ref[member[k]]);
	order_sort(l->work, n);
	usual = find_usual(l->work, n, &tolerance);
	if (isnan(usual))
		return;
	for (size_t k = 0; k < n; k++) {
		const uint32_t i = l->ref[member[k]];
		const double v = number_at(l, s->column, i);

		s->usual[i] = usual;
		s->member[i] = v < usual * (1 - tolerance);
		c->n_less += s->member[i];
		c->n_more += v > usual * (1 + tolerance);
		c->n_usual += fabs(v - usual) <= tolerance * fabs(usual);
	}
}

/* Standard deviation, of the runs that are no members, of ln number, and, with_time, of what is
 * left of it beside ln time (and ln of one column of the application; SIZE_MAX: none). */
static double spread_of(const struct looked *l, const struct short_set *s, bool with_time, size_t c)
{
	double sum = 0, sum2 = 0, n = 0;

	for (size_t i = 0; i < l->n; i++) {
		const uint32_t r = l->run[i];
		double v = log(number_at(l, s->column, i));

		if (with_time)
			v -= log(l->runs->wall_s[r]);
		if (c != SIZE_MAX)
			v -= log(dataset_row(l->runs, r)[c]);
		if (s->member[i] || !isfinite(v))
			continue;
		sum += v;
		sum2 += v * v;
		n++;
	}
	return n > 1 ? sqrt(fmax(sum2 - sum * sum / n, 0) / n) : 0;
}

/* Seconds of another clock, node-hours, joules: less of these is no less work. */
static bool is_time(const struct looked *l, const struct short_set *s)
{
	const struct application *app = l->runs->app;
	const double all = spread_of(l, s, false, SIZE_MAX);
	bool is = spread_of(l, s, true, SIZE_MAX) <= TIME_SHARE * all;

	for (size_t c = 0; c < app->n_columns && !is; c++)
		is = app->column[c].role == COL_RESOURCE && app->column[c].type != COL_TEXT &&
		     spread_of(l, s, true, c) <= TIME_SHARE * all;
	return is && all > LEAST_SPREAD;
}

/* *found: the numbers are told by these columns of the application in most runs. */
static enum err_code look_for_less(struct looked *l, size_t column, const size_t *key, size_t n_key,
				   bool *found, struct err *e)
{
	struct less_count c = {0};
	uint32_t *start = NULL, *member = NULL;
	size_t n_groups = 0, n_known = 0;
	struct short_set *s = open_set(l, SET_LESS, column);
	enum err_code rc;

	if (!s)
		return no_set(l, e);
	rc = group_runs(l, column, key, n_key, &start, &member, &n_groups, e);
	for (size_t g = 0; g < n_groups && !rc; g++)
		compare_group(l, s, member + start[g], start[g + 1] - start[g], &c);
	if (!rc)
		n_known = n_groups > 0 ? start[n_groups] : 0;
	if (rc || (double)c.n_usual < USUAL_SHARE * (double)n_known || 4 * c.n_more > c.n_less ||
	    is_time(l, s))
		memset(s->member, 0, l->n);
	*found = c.n_less > 0 && (double)c.n_usual >= USUAL_SHARE * (double)n_known;
	close_set(l, s, n_known);
	free(start);
	return rc;
}

static bool is_amount_of_work(const struct column *c)
{
	return c->role == COL_PROBLEM || c->role == COL_WORKLOAD ||
	       (c->role == COL_TUNABLE && c->candidates != CAND_GRID);
}

/* Has nearly every run a number of its own, and are they no counts? */
static bool is_measured(struct looked *l, size_t column)
{
	size_t n = 0, n_other = 1;
	bool whole = true;

	for (size_t i = 0; i < l->n; i++) {
		const double v = number_at(l, column, i);

		if (isfinite(v))
			l->work[n++] = v;
		whole = whole && (!isfinite(v) || v == floor(v));
	}
	order_sort(l->work, n);
	for (size_t i = 1; i < n; i++)
		n_other += l->work[i] > l->work[i - 1];
	return n < MIN_RUNS || (!whole && 2 * n_other > n);
}

/* As they are told by nothing, by one column of the application, or by all. */
static enum err_code look_for_less_by_any(struct looked *l, size_t column, struct err *e)
{
	const struct application *app = l->runs->app;
	size_t *all = calloc(app->n_columns + 1, sizeof *all), n = 0;
	bool found = false;
	enum err_code rc = all ? look_for_less(l, column, NULL, 0, &found, e)
			       : err_set(e, ERR_NOMEM, "%zu columns", app->n_columns);

	for (size_t c = 0; c < app->n_columns && !rc; c++) {
		if (is_amount_of_work(&app->column[c]))
			all[n++] = c;
	}
	for (size_t k = 0; k < n && !found && !rc; k++)
		rc = look_for_less(l, column, &all[k], 1, &found, e);
	if (n > 1 && !found && !rc)
		rc = look_for_less(l, column, all, n, &found, e);
	free(all);
	return rc;
}

/* 1 among 0. */
static enum err_code look_for_flag(struct looked *l, size_t column, struct err *e)
{
	struct short_set *s;
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		const double v = number_at(l, column, i);

		if (isnan(v))
			continue;
		if (v != 0 && v != 1)
			return ERR_OK;
		n++;
	}
	if (n < MIN_RUNS)
		return ERR_OK;
	if (!(s = open_set(l, SET_WORD, column)))
		return no_set(l, e);
	for (size_t i = 0; i < l->n; i++)
		s->member[i] = number_at(l, column, i) == 1;
	close_set(l, s, n);
	return ERR_OK;
}

/* ---- words ---- */

/* The runs of word k; 0: of all words but the usual one. */
static enum err_code look_at_word(struct looked *l, size_t column, size_t k, size_t usual,
				  size_t n_known, struct err *e)
{
	const struct kb_extra_column *c = &l->extras->column[column];
	struct short_set *s = open_set(l, SET_WORD, column);

	if (!s)
		return no_set(l, e);
	for (size_t i = 0; i < l->n; i++) {
		const size_t at = c->word[l->run[i]];

		s->member[i] = k > 0 ? at == k : at > 0 && at != usual;
	}
	s->says_no = k > 0 && says_no(c->text[k - 1]);
	close_set(l, s, n_known);
	return ERR_OK;
}

static enum err_code look_at_words(struct looked *l, size_t column, struct err *e)
{
	const struct kb_extra_column *c = &l->extras->column[column];
	size_t count[KB_EXTRA_WORDS + 1] = {0}, usual = 1, n_known, n_others = 0;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < l->n; i++)
		count[c->word[l->run[i]]]++;
	for (size_t k = 1; k <= c->n_words; k++)
		usual = count[k] > count[usual] ? k : usual;
	n_known = l->n - count[0];
	if (c->n_words < 2 || (double)count[usual] < USUAL_SHARE * (double)n_known)
		return ERR_OK;
	for (size_t k = 1; k <= c->n_words && !rc; k++) {
		if (k == usual || count[k] == 0)
			continue;
		n_others++;
		rc = look_at_word(l, column, k, usual, n_known, e);
	}
	if (n_others > 1 && !rc)
		rc = look_at_word(l, column, 0, usual, n_known, e);
	return rc;
}

static enum err_code look_at_column(struct looked *l, size_t column, struct err *e)
{
	enum err_code rc = look_for_huge(l, column, e);

	if (rc || is_of_kind(l->extras->column[column].name))
		return rc;
	if ((is_measured(l, column) || !(rc = look_for_less_by_any(l, column, e))) &&
	    !(rc = look_for_flag(l, column, e)))
		rc = look_at_words(l, column, e);
	return rc;
}

/* ---- the law of the others ---- */

/* Is run i in the set; NULL: in any? */
static bool is_in(const struct looked *l, const struct short_set *s, size_t i)
{
	bool in = s && s->member[i];

	for (size_t k = 0; k < l->n_sets && !s && !in; k++)
		in = l->set[k].member[i];
	return in;
}

static void list_reference(struct looked *l, const struct short_set *s)
{
	size_t n = 0, step;

	for (size_t i = 0; i < l->n; i++)
		n += !is_in(l, s, i);
	step = n / MAX_LAW_RUNS + 1;
	l->n_ref = n = 0;
	for (size_t i = 0; i < l->n; i++) {
		if (!is_in(l, s, i) && n++ % step == 0)
			l->ref[l->n_ref++] = (uint32_t)i;
	}
}

static enum err_code fit_law(struct looked *l, struct err *e)
{
	return time_law_residuals(l->runs, l->run, l->n, l->ref, l->n_ref, l->off, &l->sd, e);
}

/* ---- the test ---- */

/* Mann and Whitney, that members rank so low by chance; normal, with continuity correction. Sorted
 * off of the reference is in work[]. */
static double chance_of_ranks(const struct looked *l, const struct short_set *s)
{
	const double k = (double)s->n, m = (double)l->n_ref;
	double below = 0;

	for (size_t i = 0; i < l->n; i++) {
		size_t lo = 0, hi = l->n_ref;

		while (s->member[i] && lo < hi) {
			const size_t mid = lo + (hi - lo) / 2;

			if (l->work[mid] < l->off[i])
				lo = mid + 1;
			else
				hi = mid;
		}
		below += (double)(s->member[i] ? lo : 0);
	}
	return gsl_cdf_ugaussian_P((below + 0.5 - k * m / 2) / sqrt(k * m * (k + m + 1) / 12));
}

static void test_set(struct looked *l, struct short_set *s)
{
	double chance, upper;
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (s->member[i])
			l->value[n++] = l->off[i];
	}
	order_sort(l->value, n);
	s->median = order_quantile(l->value, n, 0.5);
	upper = order_quantile(l->value, n, 0.75);
	for (size_t k = 0; k < l->n_ref; k++)
		l->work[k] = l->off[l->ref[k]];
	order_sort(l->work, l->n_ref);
	chance = gsl_cdf_tdist_P(s->median / l->sd, (double)l->n_ref - 1);
	if (s->n >= MIN_RANKED)
		chance = fmin(chance, chance_of_ranks(l, s));
	s->fires = s->median <= log(MOST_OF_TIME) &&
		   (s->says_no || s->kind != SET_WORD || upper <= log(LESS_OF_TIME)) &&
		   2 * chance * (double)l->n_sets <= LEVEL;
}

/* Where sets take so many runs that too few are left for a law, each is compared with all others.
 */
static enum err_code test_sets(struct looked *l, struct err *e)
{
	struct err why = {0};
	const size_t n_most = l->n < MAX_LAW_RUNS ? l->n : MAX_LAW_RUNS;
	bool together;
	enum err_code rc = ERR_OK;

	list_reference(l, NULL);
	together = l->n_ref >= MIN_RUNS && 2 * l->n_ref >= n_most;
	if (together)
		rc = fit_law(l, &why);
	for (size_t k = 0; k < l->n_sets && !rc; k++) {
		if (!together) {
			list_reference(l, &l->set[k]);
			if (l->n_ref < MIN_RUNS || (rc = fit_law(l, &why)))
				continue;
		}
		test_set(l, &l->set[k]);
	}
	if (rc == ERR_NUMERIC) /* no law, nothing to see */
		return ERR_OK;
	return rc ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

/* ---- what becomes of them ---- */

static bool is_same_configuration(const struct dataset *runs, uint32_t a, uint32_t b)
{
	const double *x = dataset_row(runs, a), *y = dataset_row(runs, b);

	for (size_t c = 0; c < runs->n_columns; c++) {
		if (x[c] != y[c] && !(isnan(x[c]) && isnan(y[c])))
			return false;
	}
	return true;
}

/* Was it run in full as well? Runs are in the order of their content, alike ones side by side. */
static bool has_twin(const struct looked *l, const struct short_set *s, size_t i)
{
	for (size_t k = i; k-- > 0 && is_same_configuration(l->runs, l->run[k], l->run[i]);) {
		if (!s->member[k])
			return true;
	}
	for (size_t k = i + 1; k < l->n && is_same_configuration(l->runs, l->run[k], l->run[i]);
	     k++) {
		if (!s->member[k])
			return true;
	}
	return false;
}

static bool was_chosen(const struct looked *l, const struct short_set *s)
{
	double first = (double)NAN;
	size_t n_twins = 0;

	if (s->kind != SET_LESS || s->n < MIN_CHOSEN)
		return false;
	for (size_t i = 0; i < l->n; i++) {
		if (!s->member[i])
			continue;
		if (isnan(first))
			first = number_at(l, s->column, i);
		if (number_at(l, s->column, i) != first)
			return false;
		n_twins += has_twin(l, s, i);
	}
	return 2 * n_twins >= s->n;
}

static void put_cell(const struct looked *l, size_t column, size_t i, char text[DID_LESS_TEXT])
{
	const char *word = word_at(l, column, i);

	if (word)
		snprintf(text, DID_LESS_TEXT, "%s", word);
	else
		snprintf(text, DID_LESS_TEXT, "%.6g", number_at(l, column, i));
}

/* What those say that are no members, in the middle. */
static void put_usual(struct looked *l, const struct short_set *s, size_t i,
		      char text[DID_LESS_TEXT])
{
	size_t count[KB_EXTRA_WORDS + 1] = {0}, usual = 0, n = 0;
	const struct kb_extra_column *c = &l->extras->column[s->column];

	if (s->kind == SET_LESS) {
		snprintf(text, DID_LESS_TEXT, "%.6g", s->usual[i]);
		return;
	}
	for (size_t k = 0; k < l->n; k++) {
		if (s->member[k])
			continue;
		if (!isnan(number_at(l, s->column, k)))
			l->value[n++] = number_at(l, s->column, k);
		count[c->word[l->run[k]]]++;
	}
	for (size_t k = 1; k <= c->n_words; k++)
		usual = usual == 0 || count[k] > count[usual] ? k : usual;
	order_sort(l->value, n);
	if (n > 0)
		snprintf(text, DID_LESS_TEXT, "%.3g", l->value[n / 2]);
	else
		snprintf(text, DID_LESS_TEXT, "%s", usual > 0 ? c->text[usual - 1] : "");
}

/* The run that is the shortest for what was to be expected. */
static void name_example(struct looked *l, const struct short_set *s, struct short_runs *out)
{
	size_t at = l->n;

	for (size_t i = 0; i < l->n; i++) {
		if (s->member[i] && (at == l->n || l->off[i] < l->off[at]))
			at = i;
	}
	out->run_id = l->runs->run_id[l->run[at]];
	out->run_s = l->runs->wall_s[l->run[at]];
	out->expected_s = out->run_s / exp(l->off[at]);
	put_cell(l, s->column, at, out->said);
	put_usual(l, s, at, out->usual);
}

static void name_column(const struct looked *l, const struct short_set *s, struct short_runs *out)
{
	char name[DID_LESS_TEXT];

	snprintf(name, sizeof name, "%s", l->extras->column[s->column].name);
	for (size_t k = 0; k < out->n_columns; k++) {
		if (strcmp(out->column[k], name) == 0)
			return;
	}
	if (out->n_columns < DID_LESS_COLUMNS)
		memcpy(out->column[out->n_columns++], name, sizeof name);
}

static void set_aside(struct looked *l, const struct short_set *s, bool chosen)
{
	for (size_t i = 0; i < l->n; i++) {
		const uint32_t r = l->run[i];

		if (!s->member[i] || (chosen && l->runs->status[r] == RUN_FAILED))
			continue;
		l->runs->status[r] = RUN_FAILED;
		l->runs->flagged[r] = chosen ? FLAG_SCREENED : FLAG_SHORT;
	}
}

/* Of most runs first; what fires is taken off the list. NULL: none does (any more). */
static struct short_set *next_set(struct looked *l)
{
	struct short_set *best = NULL;

	for (size_t k = 0; k < l->n_sets; k++) {
		struct short_set *s = &l->set[k];

		if (s->fires &&
		    (!best || s->n > best->n || (s->n == best->n && s->median < best->median)))
			best = s;
	}
	if (best)
		best->fires = false;
	return best;
}

static void heed(struct looked *l, struct short_runs *out)
{
	const struct short_set *s;

	while ((s = next_set(l))) {
		if (out->n_columns == 0)
			name_example(l, s, out);
		name_column(l, s, out);
		set_aside(l, s, was_chosen(l, s));
	}
	for (size_t i = 0; i < l->n; i++) {
		out->n += l->runs->flagged[l->run[i]] == FLAG_SHORT;
		out->n_aside += l->runs->flagged[l->run[i]] == FLAG_SCREENED;
	}
}

/* ---- all together ---- */

static void release(struct looked *l)
{
	for (size_t k = 0; k < l->n_sets; k++) {
		free(l->set[k].member);
		free(l->set[k].usual);
	}
	free(l->run);
	free(l->group);
	free(l->ref);
	free(l->value);
	free(l->work);
	free(l->off);
}

static enum err_code prepare(struct looked *l, struct err *e)
{
	const size_t n = l->runs->n + 1;

	l->run = calloc(n, sizeof *l->run);
	l->group = calloc(n, sizeof *l->group);
	l->ref = calloc(n, sizeof *l->ref);
	l->value = calloc(n, sizeof *l->value);
	l->work = calloc(n, sizeof *l->work);
	l->off = calloc(n, sizeof *l->off);
	if (!l->run || !l->group || !l->ref || !l->value || !l->work || !l->off)
		return err_set(e, ERR_NOMEM, "a look at %zu runs", l->runs->n);
	for (size_t i = 0; i < l->runs->n; i++) {
		if (l->runs->status[i] == RUN_OK && l->runs->wall_s[i] > 0 &&
		    isfinite(l->runs->wall_s[i]))
			l->run[l->n++] = (uint32_t)i;
	}
	return ERR_OK;
}

enum err_code short_runs_find(struct dataset *runs, const struct kb_run_extras *extras,
			      struct short_runs *out, struct err *e)
{
	struct looked *l;
	enum err_code rc;

	*out = (struct short_runs){.n = 0};
	if (extras->n_columns == 0)
		return ERR_OK;
	if (!(l = calloc(1, sizeof *l)))
		return err_set(e, ERR_NOMEM, "a look at %zu runs", runs->n);
	l->runs = runs;
	l->extras = extras;
	rc = prepare(l, e);
	for (size_t c = 0; c < extras->n_columns && l->n >= MIN_RUNS && !rc; c++)
		rc = look_at_column(l, c, e);
	if (!rc && l->n_sets > 0 && !(rc = test_sets(l, e)))
		heed(l, out);
	release(l);
	free(l);
	return rc;
}

enum err_code short_runs_move(struct dataset **runs, struct dataset *failures, struct err *e)
{
	const struct dataset *all = *runs;
	unsigned char *keep = calloc(all->n + 1, 1);
	struct dataset *kept = NULL;
	size_t n = 0;
	enum err_code rc = keep ? ERR_OK : err_set(e, ERR_NOMEM, "%zu runs", all->n);

	for (size_t i = 0; i < all->n && !rc; i++) {
		keep[i] = all->flagged[i] != FLAG_SHORT;
		n += keep[i];
		if (keep[i])
			continue;
		rc = dataset_add(failures, dataset_row(all, i), all->wall_s[i], all->run_id[i],
				 all->machine_id[i], (enum run_source)all->source[i], RUN_FAILED,
				 all->n_repeats[i], e);
		if (!rc) {
			failures->import_id[failures->n - 1] = all->import_id[i];
			failures->flagged[failures->n - 1] = FLAG_SHORT;
		}
	}
	if (!rc && n < all->n && !(rc = dataset_subset(all, keep, &kept, e))) {
		dataset_free(*runs);
		*runs = kept;
	}
	free(keep);
	return rc;
}

/* ---- for people ---- */

void short_runs_put(const struct short_runs *s, struct strbuf *out)
{
	strbuf_printf(out,
		      "%s is %s of run %lld, %s of most, and it took %.4g s where others would "
		      "let it take %.3g s",
		      s->column[0], s->said, (long long)s->run_id, s->usual, s->run_s,
		      s->expected_s);
}

void short_runs_explain(const struct short_runs *s, struct strbuf *out)
{
	if (s->n + s->n_aside == 0)
		return;
	strbuf_printf(out, " Did less: %zu run%s", s->n + s->n_aside,
		      s->n + s->n_aside == 1 ? "" : "s");
	if (s->n_aside == 0)
		strbuf_printf(out, " (count%s as failed)", s->n == 1 ? "s" : "");
	else if (s->n == 0)
		strbuf_puts(out, " (left out)");
	else
		strbuf_printf(out, " (%zu of them count as failed)", s->n);
	strbuf_puts(out, ", for ");
	short_runs_put(s, out);
	for (size_t k = 1; k < s->n_columns; k++)
		strbuf_printf(out, "%s%s", k == 1 ? "; so say " : ", ", s->column[k]);
	strbuf_putc(out, '.');
}
