#include "mining/training/short_sets.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mining/numerics/group_by.h"
#include "mining/numerics/order_statistics.h"
#include "mining/training/config_table.h"

enum { MIN_TOLD = 3, MIN_CHOSEN = 4, MIN_EXPLAINED = 3 };

#define USUAL_SHARE (2.0 / 3)
#define TIME_SHARE 0.2
#define LEAST_SPREAD 1e-3
#define NEARLY 0.1   /* whole numbers that agree */
#define HUGE_GAP 1e3 /* residuals of runs that ended well differ by less from each other */

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

static bool says_not(const char *text)
{
	static const char *const no[] = {"no", "n", "false", "f", "off", "none", "0", NULL};

	return is_one_of(text, no);
}

static bool says_wrong(const char *text)
{
	static const char *const wrong[] = {"diverg", "unstab", "blow",	  "blew",   "nan",
					    "abort",  "fail",	"kill",	  "crash",  "partial",
					    "early",  "stop",	"not ",	  "broke",  "incomplete",
					    "err",    "cancel", "interr", "exceed", NULL};

	return has_one_of(text, wrong);
}

/* Columns that say of a run that it came to its end. */
static bool is_of_success(const char *name)
{
	static const char *const part[] = {"converge", "success", "succeed", "passed", NULL};

	return (has_one_of(name, part) && !says_wrong(name)) ||
	       is_one_of(name, (const char *const[]){"ok", NULL});
}

static bool says_yes(const char *text)
{
	static const char *const yes[] = {"yes", "y", "true", "t", "on", "ok", "1", NULL};

	return is_one_of(text, yes);
}

/* diverged: yes; or of another column, no. */
static bool says_no(const char *name, const char *text)
{
	return says_wrong(text) || (says_wrong(name) ? says_yes(text) : says_not(text));
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
static struct short_set *open_set(struct short_sets *l, enum set_kind kind, size_t column)
{
	struct short_set *s = &l->set[l->n_sets];

	l->full = l->full || l->n_sets == SHORT_MAX_SETS;
	if (l->full)
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
static void close_set(struct short_sets *l, struct short_set *s, size_t n_known)
{
	s->n = 0;
	for (size_t i = 0; i < l->n; i++)
		s->n += s->member[i];
	if (s->n > 0 && n_known >= SHORT_MIN_RUNS && 3 * s->n <= n_known) {
		l->n_sets++;
		return;
	}
	free(s->member);
	free(s->usual);
}

static enum err_code no_set(const struct short_sets *l, struct err *e)
{
	return l->full ? ERR_OK : err_set(e, ERR_NOMEM, "columns beside %zu runs", l->runs->n);
}

/* ---- what the configuration explains ---- */

static bool is_same_configuration(const struct dataset *runs, uint32_t a, uint32_t b)
{
	return config_rows_equal(dataset_row(runs, a), dataset_row(runs, b), runs->n_columns);
}

static bool is_amount_of_work(const struct column *c)
{
	return c->role == COL_PROBLEM || c->role == COL_WORKLOAD ||
	       (c->role == COL_TUNABLE && c->candidates != CAND_GRID);
}

/* Are the members all runs of some values of column c, each run in several ways? */
static enum err_code is_told_by(const struct short_sets *l, const struct short_set *s, size_t c,
				bool *told, struct err *e)
{
	const struct row_key key = {.x = l->runs->rows,
				    .row_of = l->runs->row_of,
				    .n_columns = l->runs->n_columns,
				    .column = &c,
				    .n_key = 1};
	uint32_t *group = calloc(l->n + 1, sizeof *group), *start = NULL, *member = NULL;
	size_t n_groups = 0;
	enum err_code rc = group ? ERR_OK : err_set(e, ERR_NOMEM, "groups of %zu runs", l->n);

	*told = true;
	if (!rc && !(rc = group_by(&key, l->run, l->n, group, NULL, &n_groups, e)))
		rc = group_members(group, l->n, n_groups, &start, &member, e);
	for (size_t g = 0; g < n_groups && *told && !rc; g++) {
		size_t n = 0, n_ways = 0, last = SIZE_MAX;

		for (uint32_t k = start[g]; k < start[g + 1]; k++) {
			const size_t i = member[k];

			n += s->member[i];
			n_ways += last == SIZE_MAX ||
				  !is_same_configuration(l->runs, l->run[last], l->run[i]);
			last = i;
		}
		*told = n == 0 || (n == start[g + 1] - start[g] && n_ways >= MIN_EXPLAINED);
	}
	free(group);
	free(start);
	return rc;
}

/* A solver that needs fewer iterations than all others: what one column of the problem, or of what
 * is chosen, tells of each run is no failure. No members are left then. */
static enum err_code drop_explained(const struct short_sets *l, struct short_set *s, bool *dropped,
				    struct err *e)
{
	const struct application *app = l->runs->app;
	enum err_code rc = ERR_OK;
	bool told = false;

	for (size_t c = 0; c < app->n_columns && !told && !s->says_no && !rc; c++) {
		if (is_amount_of_work(&app->column[c]))
			rc = is_told_by(l, s, c, &told, e);
	}
	*dropped = told && !rc && memchr(s->member, 1, l->n);
	if (*dropped)
		memset(s->member, 0, l->n);
	return rc;
}

/* Was it run in full as well? Runs are in the order of their content, alike ones side by side. */
static bool has_twin(const struct short_sets *l, const struct short_set *s, size_t i)
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

/* One and the same number of several configurations, or of several runs half of which were done in
 * full as well. One configuration that is repeated may diverge at the same step each time. */
bool short_set_was_chosen(const struct short_sets *l, const struct short_set *s)
{
	size_t n = 0, n_ways = 0, n_twins = 0, last = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (!s->member[i])
			continue;
		if (n > 0 &&
		    short_set_number(l, s->column, i) != short_set_number(l, s->column, last))
			return false;
		n_ways += n == 0 || !is_same_configuration(l->runs, l->run[last], l->run[i]);
		n_twins += has_twin(l, s, i);
		n++;
		last = i;
	}
	return n_ways >= MIN_CHOSEN || (n >= MIN_CHOSEN && 2 * n_twins >= n);
}

/* Those that converged, as another column says, have not failed. */
static void drop_converged(const struct short_sets *l, struct short_set *s)
{
	for (size_t c = 0; c < l->extras->n_columns; c++) {
		if (!is_of_success(l->extras->column[c].name))
			continue;
		for (size_t i = 0; i < l->n; i++) {
			const char *word = short_set_word(l, c, i);

			if (short_set_number(l, c, i) == 1 || (word && says_yes(word)))
				s->member[i] = 0;
		}
	}
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

static enum err_code look_for_huge(struct short_sets *l, size_t column, struct err *e)
{
	struct short_set *s;
	size_t n = 0, n_known = 0;
	double huge;

	for (size_t i = 0; i < l->n; i++) {
		const double v = fabs(short_set_number(l, column, i));

		if (isfinite(v))
			l->work[n++] = v;
	}
	if (n < SHORT_MIN_RUNS)
		return ERR_OK;
	if (!(s = open_set(l, SET_HUGE, column)))
		return no_set(l, e);
	order_sort(l->work, n);
	huge = find_gap(l->work, n);
	for (size_t i = 0; i < l->n; i++) {
		const double v = fabs(short_set_number(l, column, i));
		const char *word = short_set_word(l, column, i);

		s->member[i] = v >= huge || (word && is_no_number(word));
		n_known += s->member[i] || isfinite(v);
	}
	s->says_no = true;
	close_set(l, s, n_known);
	return ERR_OK;
}

/* ---- numbers that are less than was asked ---- */

/* Runs by the columns of the application that counts[] has, of those with a number. */
static enum err_code group_runs(struct short_sets *l, size_t column, const size_t *key,
				size_t n_key, uint32_t **start, uint32_t **member, size_t *n_groups,
				struct err *e)
{
	struct row_key rows = row_key_of(l->runs, key);
	uint32_t *group = calloc(l->n + 1, sizeof *group);
	size_t n = 0;
	enum err_code rc = group ? ERR_OK : err_set(e, ERR_NOMEM, "groups of %zu runs", l->n);

	rows.n_key = n_key;
	for (size_t i = 0; i < l->n; i++) {
		if (isfinite(short_set_number(l, column, i)))
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
	return whole && n > MIN_TOLD && value[n / 2] > 0 ? value[n / 2] : (double)NAN;
}

struct less_count {
	size_t n_usual, n_less, n_more;
};

/* One group: its runs that are less become members. */
static void compare_group(struct short_sets *l, struct short_set *s, const uint32_t *member,
			  size_t n, struct less_count *c)
{
	double usual, tolerance;

	for (size_t k = 0; k < n; k++)
		l->work[k] = short_set_number(l, s->column, l->ref[member[k]]);
	order_sort(l->work, n);
	usual = find_usual(l->work, n, &tolerance);
	if (isnan(usual))
		return;
	for (size_t k = 0; k < n; k++) {
		const uint32_t i = l->ref[member[k]];
		const double v = short_set_number(l, s->column, i);

		s->usual[i] = usual;
		s->member[i] = v < usual * (1 - tolerance);
		c->n_less += s->member[i];
		c->n_more += v > usual * (1 + tolerance);
		c->n_usual += fabs(v - usual) <= tolerance * fabs(usual);
	}
}

/* Standard deviation, of the runs that are no members, of ln number, and, with_time, of what is
 * left of it beside ln time (and ln of one column of the application; SIZE_MAX: none). */
static double spread_of(const struct short_sets *l, const struct short_set *s, bool with_time,
			size_t c)
{
	double sum = 0, sum2 = 0, n = 0;

	for (size_t i = 0; i < l->n; i++) {
		const uint32_t r = l->run[i];
		double v = log(short_set_number(l, s->column, i));

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
static bool is_time(const struct short_sets *l, const struct short_set *s)
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
static enum err_code look_for_less(struct short_sets *l, size_t column, const size_t *key,
				   size_t n_key, bool *found, struct err *e)
{
	struct less_count c = {0};
	uint32_t *start = NULL, *member = NULL;
	size_t n_groups = 0, n_known = 0;
	bool explained = false;
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
	s->says_no = is_of_success(l->extras->column[column].name);
	if (!rc)
		rc = drop_explained(l, s, &explained, e);
	if (!rc && !s->says_no && !short_set_was_chosen(l, s))
		drop_converged(l, s);
	*found = c.n_less > 0 && (double)c.n_usual >= USUAL_SHARE * (double)n_known && !explained;
	close_set(l, s, n_known);
	free(start);
	return rc;
}

/* Has nearly every run a number of its own, and are they no counts? */
static bool is_measured(struct short_sets *l, size_t column)
{
	size_t n = 0, n_other = 1;
	bool whole = true;

	for (size_t i = 0; i < l->n; i++) {
		const double v = short_set_number(l, column, i);

		if (isfinite(v))
			l->work[n++] = v;
		whole = whole && (!isfinite(v) || v == floor(v));
	}
	order_sort(l->work, n);
	for (size_t i = 1; i < n; i++)
		n_other += l->work[i] > l->work[i - 1];
	return n < SHORT_MIN_RUNS || (!whole && 2 * n_other > n);
}

/* As they are told by nothing, by one column of the application, or by all. */
static enum err_code look_for_less_by_any(struct short_sets *l, size_t column, struct err *e)
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

/* Members are known. */
static enum err_code close_words(struct short_sets *l, struct short_set *s, size_t n_known,
				 struct err *e)
{
	bool dropped;
	const enum err_code rc = drop_explained(l, s, &dropped, e);

	close_set(l, s, rc ? 0 : n_known);
	return rc;
}

/* 1 among 0, or a count of what most runs have none of: restarts, retries, errors. */
static enum err_code look_for_flag(struct short_sets *l, size_t column, struct err *e)
{
	const bool wrong = says_wrong(l->extras->column[column].name);
	struct short_set *s;
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		const double v = short_set_number(l, column, i);

		if (isnan(v))
			continue;
		if (!(v >= 0) || v != floor(v))
			return ERR_OK;
		n++;
	}
	if (n < SHORT_MIN_RUNS || wrong == l->others)
		return ERR_OK;
	if (!(s = open_set(l, SET_WORD, column)))
		return no_set(l, e);
	for (size_t i = 0; i < l->n; i++)
		s->member[i] = short_set_number(l, column, i) > 0;
	s->says_no = wrong;
	return close_words(l, s, n, e);
}

/* ---- words ---- */

/* The most used word of a column by place in its text[], and how many runs have a word; count[]: of
 * each, of none first. */
static size_t count_words(const struct short_sets *l, size_t column, size_t *count, size_t *n_known)
{
	const struct kb_extra_column *c = &l->extras->column[column];
	size_t usual = 1;

	for (size_t i = 0; i < l->n; i++)
		count[c->word[l->run[i]]]++;
	for (size_t k = 1; k <= c->n_words; k++)
		usual = count[k] > count[usual] ? k : usual;
	*n_known = l->n - count[0];
	return usual;
}

/* The runs whose word is in in[]. */
static enum err_code look_at_word(struct short_sets *l, size_t column, const bool *in,
				  size_t n_known, struct err *e)
{
	struct short_set *s = open_set(l, SET_WORD, column);

	if (!s)
		return no_set(l, e);
	for (size_t i = 0; i < l->n; i++)
		s->member[i] = in[l->extras->column[column].word[l->run[i]]];
	s->says_no = !l->others;
	return close_words(l, s, n_known, e);
}

/* Each but the usual one that says no (of others: that does not), and these together. */
static enum err_code look_at_words(struct short_sets *l, size_t column, struct err *e)
{
	const struct kb_extra_column *c = &l->extras->column[column];
	size_t count[KB_EXTRA_WORDS + 1] = {0}, n_known, n = 0;
	const size_t usual = count_words(l, column, count, &n_known);
	bool all[KB_EXTRA_WORDS + 1] = {false};
	enum err_code rc = ERR_OK;

	if (c->n_words < 2 || (double)count[usual] < USUAL_SHARE * (double)n_known)
		return ERR_OK;
	for (size_t k = 1; k <= c->n_words && !rc; k++) {
		bool in[KB_EXTRA_WORDS + 1] = {false};

		if (k == usual || count[k] == 0 || says_no(c->name, c->text[k - 1]) == l->others)
			continue;
		in[k] = all[k] = true;
		n++;
		rc = look_at_word(l, column, in, n_known, e);
	}
	if (n > 1 && !rc)
		rc = look_at_word(l, column, all, n_known, e);
	return rc;
}

static enum err_code look_at_column(struct short_sets *l, size_t column, struct err *e)
{
	enum err_code rc = l->others ? ERR_OK : look_for_huge(l, column, e);

	if (rc || is_of_kind(l->extras->column[column].name))
		return rc;
	if (!l->others && !is_measured(l, column))
		rc = look_for_less_by_any(l, column, e);
	if (!rc && !(rc = look_for_flag(l, column, e)))
		rc = look_at_words(l, column, e);
	return rc;
}

void short_sets_drop(struct short_sets *l, size_t from)
{
	for (size_t k = from; k < l->n_sets; k++) {
		free(l->set[k].member);
		free(l->set[k].usual);
	}
	l->n_sets = from;
}

/* What does not say no is looked at last, and all of it or nothing: which columns there is room for
 * must not be a matter of their names. */
enum err_code short_sets_find(struct short_sets *l, struct err *e)
{
	enum err_code rc = ERR_OK;
	size_t n_saying = 0;

	for (int pass = 0; pass < 2 && !l->full; pass++) {
		l->others = pass > 0;
		n_saying = l->n_sets;
		for (size_t c = 0; c < l->extras->n_columns && !rc; c++)
			rc = look_at_column(l, c, e);
	}
	if (l->full && l->others)
		short_sets_drop(l, n_saying);
	return rc;
}
