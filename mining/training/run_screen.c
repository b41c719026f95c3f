#include "mining/training/run_screen.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "mining/numerics/group_by.h"
#include "mining/numerics/order_statistics.h"
#include "mining/training/longest_times.h"
#include "mining/training/mixed_units.h"
#include "mining/training/short_runs.h"
#include "mining/training/time_law.h"

enum { MAX_RUNS = 20000, MAX_PAIRS = 1 << 22, MAX_FOUND = 1 << 20 };

#define FAR 10.0 /* no cache and no swapping is thought to make so much */
#define FAR_OF_REPEATS 30.0
#define COST_OF_SLOW 3.0
#define AS_SHORT 1.5 /* repeats of one thing on one kind of node stay below */

/* Columns by what they say of the amount of work. */
enum work_part { NO_PART, PART_WORK, PART_RESOURCE, PART_REST };

static enum work_part part_of(const struct column *c)
{
	if ((c->role == COL_PROBLEM || c->role == COL_WORKLOAD) && c->type != COL_TEXT)
		return PART_WORK;
	if (c->role == COL_RESOURCE || (c->role == COL_TUNABLE && c->candidates == CAND_GRID))
		return PART_RESOURCE;
	return PART_REST;
}

struct contradiction {
	uint32_t fast, slow; /* runs of the data set */
};

struct screening {
	const struct dataset *runs;
	uint32_t *run; /* those that ended */
	size_t n;
	size_t n_pairs; /* looked at */
	struct contradiction *found;
	size_t n_found, cap;
	/* By column: pairs that differ in it alone and took longer, or less long, with more; those
	 * that do not contradict each other, whichever way the column goes. */
	size_t *n_up, *n_down, *n_near_up, *n_near_down;
	/* By column and run: with more in the column it took a tenth of another's time or less.
	 * Then the pairs of runs that did not, and how many did. */
	unsigned char *fell;
	size_t *n_rest_up, *n_rest_down, *n_fell;
	bool *may_be_codes; /* by column */
	bool *died;	    /* by run: set aside as too fast */
};

static bool differ(double a, double b)
{
	return a != b && !(isnan(a) && isnan(b));
}

static bool is_far(double fast, double slow, double factor)
{
	return fast * factor < slow;
}

static enum err_code note(struct screening *s, uint32_t fast, uint32_t slow, struct err *e)
{
	if (s->n_found == MAX_FOUND)
		return ERR_OK;
	if (s->n_found == s->cap) {
		const size_t cap = 2 * s->cap + 64;
		struct contradiction *grown = realloc(s->found, cap * sizeof *grown);

		if (!grown)
			return err_set(e, ERR_NOMEM, "%zu contradictions", cap);
		s->found = grown;
		s->cap = cap;
	}
	s->found[s->n_found++] = (struct contradiction){fast, slow};
	return ERR_OK;
}

/* Runs that agree in all columns but those of a part: start[n_groups + 1] and member as
 * group_members() has them. Release: free(*start). */
static enum err_code group_runs(const struct screening *s, enum work_part but, uint32_t **start,
				uint32_t **member, size_t *n_groups, struct err *e)
{
	const struct application *app = s->runs->app;
	size_t *column = calloc(app->n_columns + 1, sizeof *column);
	uint32_t *group = calloc(s->n + 1, sizeof *group);
	struct row_key key = {.x = s->runs->rows,
			      .row_of = s->runs->row_of,
			      .n_columns = app->n_columns,
			      .column = column,
			      .source = s->runs->source};
	enum err_code rc = ERR_OK;

	if (!column || !group)
		rc = err_set(e, ERR_NOMEM, "groups of %zu runs", s->n);
	for (size_t i = 0; i < app->n_columns && !rc; i++) {
		if (app->column[i].role != COL_DERIVED && part_of(&app->column[i]) != but)
			column[key.n_key++] = i;
	}
	if (!rc && !(rc = group_by(&key, s->run, s->n, group, NULL, n_groups, e)))
		rc = group_members(group, s->n, *n_groups, start, member, e);
	free(column);
	free(group);
	return rc;
}

/* ---- the pairs of runs that are alike but for one part of their columns ---- */

typedef enum err_code see_pair(struct screening *s, uint32_t a, uint32_t b, struct err *e);

static enum err_code see_pairs(struct screening *s, const uint32_t *start, const uint32_t *member,
			       size_t n_groups, see_pair *see, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t g = 0; g < n_groups && !rc; g++) {
		for (uint32_t i = start[g]; i < start[g + 1] && !rc; i++) {
			for (uint32_t k = i + 1; k < start[g + 1] && !rc; k++) {
				if (s->n_pairs++ >= MAX_PAIRS)
					return ERR_OK;
				rc = see(s, s->run[member[i]], s->run[member[k]], e);
			}
		}
	}
	return rc;
}

static enum err_code each_pair(struct screening *s, enum work_part but, see_pair *see,
			       struct err *e)
{
	uint32_t *start = NULL, *member = NULL;
	size_t n_groups = 0;
	enum err_code rc = group_runs(s, but, &start, &member, &n_groups, e);

	s->n_pairs = 0;
	if (!rc)
		rc = see_pairs(s, start, member, n_groups, see, e);
	free(start);
	return rc;
}

/* ---- more work ---- */

/* The only work column in which the two differ; SIZE_MAX: none, or several. */
static size_t only_difference(const struct application *app, const double *a, const double *b)
{
	size_t found = SIZE_MAX;

	for (size_t i = 0; i < app->n_columns; i++) {
		if (part_of(&app->column[i]) != PART_WORK || !differ(a[i], b[i]))
			continue;
		if (found != SIZE_MAX)
			return SIZE_MAX;
		found = i;
	}
	return found;
}

static enum err_code count_direction(struct screening *s, uint32_t a, uint32_t b, struct err *e)
{
	const double *x = dataset_row(s->runs, a), *y = dataset_row(s->runs, b);
	const double took = s->runs->wall_s[a], other = s->runs->wall_s[b];
	const size_t c = only_difference(s->runs->app, x, y);
	const bool near = !is_far(took, other, FAR) && !is_far(other, took, FAR);

	(void)e;
	if (c == SIZE_MAX || !differ(took, other))
		return ERR_OK;

	if ((x[c] > y[c]) == (took > other)) {
		s->n_up[c]++;
		s->n_near_up[c] += near;
	} else {
		unsigned char *fell = &s->fell[c * s->runs->n + (x[c] > y[c] ? a : b)];

		s->n_down[c]++;
		s->n_near_down[c] += near;
		if (!near && !*fell && !isnan(x[c]) && !isnan(y[c])) {
			*fell = 1;
			s->n_fell[c]++;
		}
	}
	return ERR_OK;
}

static enum err_code count_rest(struct screening *s, uint32_t a, uint32_t b, struct err *e)
{
	const double *x = dataset_row(s->runs, a), *y = dataset_row(s->runs, b);
	const double took = s->runs->wall_s[a], other = s->runs->wall_s[b];
	const size_t c = only_difference(s->runs->app, x, y);

	(void)e;
	if (c == SIZE_MAX || !differ(took, other) || isnan(x[c]) || isnan(y[c]) ||
	    s->fell[c * s->runs->n + a] || s->fell[c * s->runs->n + b])
		return ERR_OK;
	if ((x[c] > y[c]) == (took > other))
		s->n_rest_up[c]++;
	else
		s->n_rest_down[c]++;
	return ERR_OK;
}

struct fallen {
	double value;
	uint32_t run;
};

static int by_value(const void *a, const void *b)
{
	const struct fallen *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

/* Where half of the runs of a value fell all of them count: the others ended as soon, only that
 * small runs take little more on as many resources. list[s->n]: scratch. */
static void take_whole_values(struct screening *s, size_t c, struct fallen *list)
{
	unsigned char *fell = s->fell + c * s->runs->n;
	size_t n = 0;

	for (size_t k = 0; k < s->n; k++) {
		const double value = dataset_row(s->runs, s->run[k])[c];

		if (!isnan(value))
			list[n++] = (struct fallen){value, s->run[k]};
	}
	qsort(list, n, sizeof *list, by_value);
	for (size_t from = 0, to; from < n; from = to) {
		size_t n_fell = 0;

		for (to = from; to < n && list[to].value == list[from].value; to++)
			n_fell += fell[list[to].run];
		for (size_t k = from; k < to && 2 * n_fell >= to - from; k++) {
			s->n_fell[c] += !fell[list[k].run];
			fell[list[k].run] = 1;
		}
	}
}

static enum err_code count_directions(struct screening *s, struct err *e)
{
	struct fallen *list = calloc(s->n + 1, sizeof *list);
	enum err_code rc;
	bool any = false;

	if (!list)
		return err_set(e, ERR_NOMEM, "directions of %zu runs", s->n);
	rc = each_pair(s, PART_WORK, count_direction, e);
	for (size_t c = 0; c < s->runs->n_columns && !rc; c++) {
		if (s->n_fell[c] == 0)
			continue;
		any = true;
		take_whole_values(s, c, list);
	}
	free(list);
	return rc || !any ? rc : each_pair(s, PART_WORK, count_rest, e);
}

static bool says_more(size_t n_up, size_t n_down)
{
	return n_up >= 3 && n_up > 3 * n_down;
}

/* Codes may happen to take longer in most pairs: in nine of ten they are sizes. */
enum { CODE_GROWS = 9 };

/* Where what ended at once is not rare, all pairs with it go down, and far: the direction is that
 * of near pairs, if they are a quarter at least. Those of it that took about as long as small runs
 * do are near, too: the direction is also that of the pairs without what fell far below a smaller
 * run, if those are fewer than half. */
static bool means_more_work(const struct screening *s, size_t c)
{
	const size_t n_near = s->n_near_up[c] + s->n_near_down[c];

	if (s->may_be_codes[c])
		return s->n_up[c] >= 3 && s->n_up[c] >= CODE_GROWS * s->n_down[c];
	return says_more(s->n_up[c], s->n_down[c]) ||
	       (4 * n_near >= s->n_up[c] + s->n_down[c] &&
		says_more(s->n_near_up[c], s->n_near_down[c])) ||
	       (2 * s->n_fell[c] < s->n && says_more(s->n_rest_up[c], s->n_rest_down[c]));
}

/* Had a as much to do as b or more, on the same resources? */
static bool is_no_less_work(const struct screening *s, const double *a, const double *b)
{
	const struct application *app = s->runs->app;

	for (size_t i = 0; i < app->n_columns; i++) {
		if (part_of(&app->column[i]) == PART_WORK && differ(a[i], b[i]) &&
		    !(a[i] > b[i] && means_more_work(s, i)))
			return false;
	}
	return true;
}

static enum err_code compare_work(struct screening *s, uint32_t a, uint32_t b, struct err *e)
{
	const double *x = dataset_row(s->runs, a), *y = dataset_row(s->runs, b);
	const double took = s->runs->wall_s[a], other = s->runs->wall_s[b];
	const bool more = is_no_less_work(s, x, y), less = is_no_less_work(s, y, x);
	const double far = more && less ? FAR_OF_REPEATS : FAR;

	if (more && is_far(took, other, far))
		return note(s, a, b, e);
	if (less && is_far(other, took, far))
		return note(s, b, a, e);
	return ERR_OK;
}

/* ---- more resources ---- */

/* How many times the resources of b a has: the product over its columns, which is too many rather
 * than too few. 0: less of one, equal ones, or not to be told. */
static double times_resources(const struct application *app, const double *a, const double *b)
{
	double times = 1;

	for (size_t i = 0; i < app->n_columns; i++) {
		const struct column *c = &app->column[i];

		if (part_of(c) != PART_RESOURCE || !differ(a[i], b[i]))
			continue;
		if (c->type == COL_TEXT || !(a[i] > b[i]) || !(b[i] > 0))
			return 0;
		times *= a[i] / b[i];
	}
	return times > 1 ? times : 0;
}

static enum err_code compare_resources(struct screening *s, uint32_t a, uint32_t b, struct err *e)
{
	const double *x = dataset_row(s->runs, a), *y = dataset_row(s->runs, b);
	const double took = s->runs->wall_s[a], other = s->runs->wall_s[b];
	const double times =
		fmax(times_resources(s->runs->app, x, y), times_resources(s->runs->app, y, x));

	if (times > 0 && is_far(took * times, other, FAR))
		return note(s, a, b, e);
	if (times > 0 && is_far(other * times, took, FAR))
		return note(s, b, a, e);
	return ERR_OK;
}

/* ---- who is set aside ---- */

struct degree {
	size_t as_fast, as_slow;
};

static double weight_of(const struct degree *d)
{
	return (double)d->as_fast + (double)d->as_slow / COST_OF_SLOW;
}

static bool went_fast(const struct degree *d)
{
	return (double)d->as_fast >= (double)d->as_slow / COST_OF_SLOW;
}

static void set_aside(struct dataset *runs, struct run_screen *out, const struct degree *d,
		      uint32_t i, uint32_t other)
{
	if (out->n_fast + out->n_slow == 0) {
		out->run_id = runs->run_id[i];
		out->run_s = runs->wall_s[i];
		out->other_id = runs->run_id[other];
		out->other_s = runs->wall_s[other];
	}
	if (went_fast(d))
		out->n_fast++;
	else
		out->n_slow++;
	runs->status[i] = RUN_FAILED;
	runs->flagged[i] = FLAG_SCREENED;
}

/* Drop the contradictions of run i; the other run of one of them. */
static uint32_t drop_contradictions(struct screening *s, struct degree *degree, uint32_t i)
{
	uint32_t other = i;
	size_t n = 0;

	for (size_t k = 0; k < s->n_found; k++) {
		const struct contradiction c = s->found[k];

		if (c.fast != i && c.slow != i) {
			s->found[n++] = c;
			continue;
		}
		other = c.fast == i ? c.slow : c.fast;
		degree[c.fast].as_fast--;
		degree[c.slow].as_slow--;
	}
	s->n_found = n;
	return other;
}

static enum err_code resolve(struct screening *s, struct dataset *runs, struct run_screen *out,
			     struct err *e)
{
	struct degree *degree = calloc(runs->n + 1, sizeof *degree);

	if (!degree)
		return err_set(e, ERR_NOMEM, "contradictions of %zu runs", runs->n);
	for (size_t k = 0; k < s->n_found; k++) {
		degree[s->found[k].fast].as_fast++;
		degree[s->found[k].slow].as_slow++;
	}
	while (s->n_found > 0) {
		uint32_t worst = s->found[0].fast;
		struct degree of_worst;

		for (size_t k = 0; k < s->n; k++) {
			if (weight_of(&degree[s->run[k]]) > weight_of(&degree[worst]))
				worst = s->run[k];
		}
		of_worst = degree[worst];
		s->died[worst] = went_fast(&of_worst);
		set_aside(runs, out, &of_worst, worst, drop_contradictions(s, degree, worst));
	}
	free(degree);
	return ERR_OK;
}

/* What ended at once on few resources did so on more, if it took as long. By itself that may stay
 * within a tenth of what others let expect. */
static enum err_code see_as_short(struct screening *s, uint32_t a, uint32_t b, struct err *e)
{
	const struct dataset *d = s->runs;

	if (s->died[a] == s->died[b])
		return ERR_OK;
	if (s->died[b]) {
		const uint32_t other = a;

		a = b;
		b = other;
	}
	if (d->status[b] != RUN_OK || is_far(d->wall_s[b], d->wall_s[a], AS_SHORT) ||
	    is_far(d->wall_s[a], d->wall_s[b], AS_SHORT) ||
	    times_resources(d->app, dataset_row(d, b), dataset_row(d, a)) <= 0)
		return ERR_OK;
	return note(s, b, a, e);
}

static enum err_code set_as_short_aside(struct screening *s, struct dataset *runs,
					struct run_screen *out, struct err *e)
{
	const struct degree fast = {.as_fast = 1};
	enum err_code rc = each_pair(s, PART_RESOURCE, see_as_short, e);

	for (size_t k = 0; k < s->n_found && !rc; k++) {
		if (runs->status[s->found[k].fast] == RUN_OK)
			set_aside(runs, out, &fast, s->found[k].fast, s->found[k].slow);
	}
	s->n_found = 0;
	return rc;
}

static void list_ended(const struct dataset *runs, struct screening *s)
{
	s->n = 0;
	for (size_t i = 0; i < runs->n; i++) {
		if (runs->status[i] == RUN_OK && runs->wall_s[i] > 0 && isfinite(runs->wall_s[i]))
			s->run[s->n++] = (uint32_t)i;
	}
}

/* ---- two units ---- */

static enum err_code set_unit_aside(struct screening *s, struct dataset *runs,
				    struct run_screen *out, struct err *e)
{
	unsigned char *is_slow = calloc(s->n + 1, 1);
	size_t n_slow = 0, other = 0;
	bool slow_go;
	enum err_code rc;

	if (!is_slow)
		return err_set(e, ERR_NOMEM, "units of %zu runs", s->n);
	rc = mixed_units_find(runs, s->run, s->n, is_slow, &n_slow, &out->unit_factor, e);
	slow_go = COST_OF_SLOW * (double)n_slow <= (double)(s->n - n_slow);
	while (n_slow > 0 && is_slow[other] == slow_go)
		other++;
	for (size_t k = 0; k < s->n && n_slow > 0; k++) {
		const struct degree d = {.as_fast = !slow_go, .as_slow = slow_go};

		if (is_slow[k] == slow_go)
			set_aside(runs, out, &d, s->run[k], s->run[other]);
	}
	out->n_units = out->n_fast + out->n_slow;
	free(is_slow);
	return rc;
}

/* ---- the longest times ---- */

/* Those that `find` finds get a status and a flag; *n: how many, *time_s: of at least so long. */
static enum err_code mark_longest(const struct screening *s, struct dataset *runs,
				  find_longest_times *find, enum run_status status,
				  unsigned char flag, size_t *n, double *time_s, struct err *e)
{
	struct longest_times l;
	const enum err_code rc = find(runs, s->run, s->n, &l, e);

	if (rc || l.n == 0)
		return rc;
	*n = l.n;
	*time_s = l.time_s;
	for (size_t k = 0; k < s->n; k++) {
		const uint32_t i = s->run[k];

		if (runs->wall_s[i] >= l.time_s) {
			runs->status[i] = (unsigned char)status;
			runs->flagged[i] = flag;
		}
	}
	return ERR_OK;
}

/* ---- repeats that differ ---- */

enum { FEW_REPEATED = 3 };
#define MUCH 1.5 /* repeats of one thing on one kind of node stay below */

static enum err_code compare_repeats(const struct screening *s, struct run_screen *out,
				     struct err *e)
{
	uint32_t *start = NULL, *member = NULL;
	double *ratio = calloc(s->n + 1, sizeof *ratio);
	size_t n_groups = 0, n = 0;
	enum err_code rc = ratio ? group_runs(s, NO_PART, &start, &member, &n_groups, e)
				 : err_set(e, ERR_NOMEM, "repeats among %zu runs", s->n);

	for (size_t g = 0; g < n_groups && !rc; g++) {
		double least = INFINITY, most = 0;

		for (uint32_t i = start[g]; i < start[g + 1]; i++) {
			least = fmin(least, s->runs->wall_s[s->run[member[i]]]);
			most = fmax(most, s->runs->wall_s[s->run[member[i]]]);
		}
		if (start[g + 1] - start[g] > 1)
			ratio[n++] = most / least;
	}
	order_sort(ratio, n);
	if (!rc && n > FEW_REPEATED && ratio[n / 2] > MUCH) {
		out->repeats_differ = ratio[n / 2];
		out->n_repeated = n;
	}
	free(ratio);
	free(start);
	return rc;
}

enum err_code run_screen_repeats(const struct dataset *runs, struct run_screen *out, struct err *e)
{
	struct screening s = {.runs = runs, .run = calloc(runs->n + 1, sizeof *s.run)};
	enum err_code rc;

	out->repeats_differ = 0;
	out->n_repeated = 0;
	if (!s.run)
		return err_set(e, ERR_NOMEM, "repeats among %zu runs", runs->n);
	list_ended(runs, &s);
	rc = s.n > MAX_RUNS ? ERR_OK : compare_repeats(&s, out, e);
	free(s.run);
	return rc;
}

enum err_code run_screen(struct dataset *runs, struct run_screen *out, struct err *e)
{
	struct screening s = {.runs = runs};
	enum err_code rc = ERR_OK;

	*out = (struct run_screen){.n_fast = 0};
	s.run = calloc(runs->n + 1, sizeof *s.run);
	s.n_up = calloc(7 * runs->n_columns + 1, sizeof *s.n_up);
	s.may_be_codes = calloc(runs->n_columns + 1, sizeof *s.may_be_codes);
	s.died = calloc(runs->n + 1, sizeof *s.died);
	s.fell = calloc(runs->n_columns * runs->n + 1, 1);
	if (!s.run || !s.n_up || !s.may_be_codes || !s.died || !s.fell) {
		rc = err_set(e, ERR_NOMEM, "a look at %zu runs", runs->n);
		goto done;
	}
	s.n_down = s.n_up + runs->n_columns;
	s.n_near_up = s.n_down + runs->n_columns;
	s.n_near_down = s.n_near_up + runs->n_columns;
	s.n_rest_up = s.n_near_down + runs->n_columns;
	s.n_rest_down = s.n_rest_up + runs->n_columns;
	s.n_fell = s.n_rest_down + runs->n_columns;
	list_ended(runs, &s);
	if (s.n > MAX_RUNS || (rc = mark_longest(&s, runs, longest_times_stand_in, RUN_FAILED,
						 FLAG_SHORT, &out->n_no_time, &out->no_time_s, e)))
		goto done;
	list_ended(runs, &s);
	if ((rc = set_unit_aside(&s, runs, out, e)))
		goto done;
	list_ended(runs, &s);
	for (size_t c = 0; c < runs->n_columns; c++)
		s.may_be_codes[c] = time_law_may_be_codes(runs, s.run, s.n, c);
	if ((rc = count_directions(&s, e)) || (rc = each_pair(&s, PART_WORK, compare_work, e)) ||
	    (rc = each_pair(&s, PART_RESOURCE, compare_resources, e)) ||
	    (rc = resolve(&s, runs, out, e)) || (rc = set_as_short_aside(&s, runs, out, e)))
		goto done;
	list_ended(runs, &s);
	if ((rc = mark_longest(&s, runs, longest_times_limit, RUN_TIMEOUT, FLAG_SCREENED,
			       &out->n_cut, &out->limit_s, e)))
		goto done;
	list_ended(runs, &s);
	rc = compare_repeats(&s, out, e);
done:
	free(s.run);
	free(s.n_up);
	free(s.may_be_codes);
	free(s.died);
	free(s.fell);
	free(s.found);
	return rc;
}

/* ---- for people ---- */

static void put_units(const struct run_screen *s, struct strbuf *out)
{
	const bool fast = s->run_s < s->other_s, one = s->n_units == 1;
	const bool is_milli = s->unit_factor > 500 && s->unit_factor < 2000;

	strbuf_printf(out, " Left out: %zu run%s with ", s->n_units, one ? "" : "s");
	if (is_milli)
		strbuf_puts(out, fast ? "a thousandth" : "a thousand times");
	else
		strbuf_printf(out, fast ? "1/%.0f" : "%.0f times", s->unit_factor);
	strbuf_printf(out,
		      " of the time that the others would have %s (%s): run %lld took %.4g s, run "
		      "%lld %.4g s.",
		      one ? "it take" : "them take",
		      is_milli ? "seconds and milliseconds in one column?"
			       : "another unit of time or of size, or the time of a step?",
		      (long long)s->run_id, s->run_s, (long long)s->other_id, s->other_s);
}

void run_screen_explain(const struct run_screen *s, struct strbuf *out)
{
	const size_t n = s->n_fast + s->n_slow - s->n_units;

	if (s->n_units > 0)
		put_units(s, out);
	if (n > 0 && s->n_units > 0)
		strbuf_printf(out, " Left out besides: %zu that cannot be right either.", n);
	else if (n > 0)
		strbuf_printf(
			out,
			" Left out: %zu run%s that cannot be right beside the others (%s that "
			"failed, another unit, an answer from a cache?): run %lld took %.4g s, run "
			"%lld %.4g s, which the work of the two does not explain.",
			n, n == 1 ? "" : "s", n == 1 ? "one" : "some", (long long)s->run_id,
			s->run_s, (long long)s->other_id, s->other_s);
	if (s->n_cut > 0)
		strbuf_printf(
			out,
			" Counted as cut: %zu runs of different cases that all took %.4g s or little "
			"more, the longest times there are, as if at a limit.",
			s->n_cut, s->limit_s);
	if (s->n_no_time > 0)
		strbuf_printf(
			out,
			" Counted as failed: %zu runs of different cases that all took %.6g s, the "
			"longest time there is, where others let them take half or less: a number "
			"in place of a time?",
			s->n_no_time, s->no_time_s);
	if (s->repeats_differ > 0)
		strbuf_printf(out,
			      " Runs of the same configuration differ by a factor of %.2g (median "
			      "of %zu): two kinds of node, two inputs, or what else no column "
			      "says?",
			      s->repeats_differ, s->n_repeated);
}
