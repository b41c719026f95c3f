#include "recommend/space/config_space.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "domain/configuration.h"

/* What becomes of each free column. */
struct column_plan {
	enum layer *of; /* n_columns: for partial_evaluation_init() */
	size_t *group;	/* columns with a group axis of their own, sides of the grid last */
	size_t n_group;
	size_t *tuning;
	size_t n_tuning;
	size_t *seen; /* columns whose combinations come from runs */
	size_t n_seen;
	bool seen_in_group; /* resources are among them */
	size_t *memory;
};

static enum err_code plan_init(struct column_plan *p, size_t n_columns, struct err *e)
{
	*p = (struct column_plan){.of = calloc(n_columns, sizeof *p->of),
				  .memory = calloc(3 * n_columns, sizeof *p->memory)};
	if (!p->of || !p->memory)
		return err_set(e, ERR_NOMEM, "plan for %zu columns", n_columns);
	p->group = p->memory;
	p->tuning = p->memory + n_columns;
	p->seen = p->memory + 2 * n_columns;
	return ERR_OK;
}

static void plan_release(struct column_plan *p)
{
	free(p->of);
	free(p->memory);
}

/* Do nodes and processors per node follow from the processors, which a grid or a column with
 * candidates gives? */
static bool candidate_points(const struct application *app)
{
	const struct column *procs = app->i_procs == SIZE_MAX ? NULL : &app->column[app->i_procs];

	return application_grid(app) ||
	       (procs && procs->role != COL_DERIVED && procs->candidates != CAND_SEEN);
}

static bool is_placed(const struct application *app, size_t i)
{
	return candidate_points(app) && (i == app->i_nodes || i == app->i_ppn ||
					 (i == app->i_procs && application_grid(app)));
}

static void plan_column(struct column_plan *p, const struct application *app, size_t i)
{
	const struct column *c = &app->column[i];
	bool resource = c->role == COL_RESOURCE || c->candidates == CAND_GRID;

	p->of[i] = resource ? LAYER_GROUP : LAYER_TUNING;
	if (is_placed(app, i))
		return;
	if (c->candidates == CAND_SEEN) {
		p->seen[p->n_seen++] = i;
		p->seen_in_group = p->seen_in_group || resource;
	} else if (resource) {
		p->group[p->n_group++] = i;
	} else {
		p->tuning[p->n_tuning++] = i;
	}
}

/* The sides of the grid last: what comes before decides how many processors they may have. */
static void grid_sides_last(struct column_plan *p, const struct application *app)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n_group; i++) {
		size_t c = p->group[i];

		if (app->column[c].candidates == CAND_GRID)
			continue;
		memmove(p->group + n + 1, p->group + n, (i - n) * sizeof *p->group);
		p->group[n++] = c;
	}
}

static enum err_code plan_columns(struct column_plan *p, const struct application *app,
				  const double *given, struct err *e)
{
	for (size_t i = 0; i < app->n_columns; i++) {
		const struct column *c = &app->column[i];

		if (c->role == COL_DERIVED || !isnan(given[i]))
			continue;
		if (c->role == COL_PROBLEM || c->role == COL_WORKLOAD)
			return err_set(e, ERR_ARG, "%s is not given: %s needs the whole problem",
				       c->name, app->name);
		plan_column(p, app, i);
	}
	grid_sides_last(p, app);
	for (size_t i = 0; i < p->n_seen && p->seen_in_group; i++)
		p->of[p->seen[i]] = LAYER_GROUP;
	return ERR_OK;
}

/* ---- axes ---- */

/* Judging so many lengths of a side takes a second, walking so many grids a few. */
static const double max_side = 0x1p24, max_grids = 0x1p22;

/* The most that a side may have: what fits, unless a rule says less. The first length that such a
 * rule refuses is judged too, so that the refusal can be told. */
static double longest_side(const struct config_space *s, const struct column *c, size_t i_column,
			   const struct legality *const *rule, size_t n_rules)
{
	double most = placement_most_procs(&s->placement) / s->grid_base;

	for (size_t i = 0; i < n_rules; i++)
		most = fmin(most, expr_upper_bound(rule[i]->condition, i_column, s->given) + 1);
	return fmin(c->max, floor(most));
}

/* How many grids of `most` processors at most there are, sides from axis d on, `before` processors
 * so far; stops above max_grids. */
static double count_sides(const struct config_space *s, size_t d, double before, double most)
{
	const struct axis *a = &s->axis[d];
	double n = 0;

	if (d == s->n_axes)
		return 1;
	if (!a->in_grid)
		return (double)a->n * count_sides(s, d + 1, before, most);
	if (d + 1 == s->n_axes) {
		size_t lo = 0, hi = a->n;

		while (lo < hi) {
			size_t mid = lo + (hi - lo) / 2;

			if (before * a->value[mid] <= most)
				lo = mid + 1;
			else
				hi = mid;
		}
		return (double)lo;
	}
	for (size_t i = 0; i < a->n && before * a->value[i] <= most && n <= max_grids; i++)
		n += count_sides(s, d + 1, before * a->value[i], most);
	return n;
}

/* Of a side that was cut off only those up to the cut are known. */
static double count_grids(const struct config_space *s, double most)
{
	return most > s->procs_at_cut ? INFINITY : count_sides(s, 0, s->grid_base, most);
}

double config_space_few_nodes(const struct config_space *s, double most_grids)
{
	const double all = placement_most_procs(&s->placement);
	const double each = placement_procs_on(&s->placement, 1);
	double lo = 0, hi = floor(all / each);

	if (s->n_axes == 0 || !s->axis[s->n_axes - 1].in_grid || !isfinite(hi))
		return 0;
	/* Two digits are what anybody types. */
	while (hi > 1.05 * lo + 1) {
		const double mid = lo < 1 ? floor(hi / 2) : floor(sqrt(lo * hi));

		if (mid <= lo)
			break;
		if (count_grids(s, mid * each) <= most_grids)
			lo = mid;
		else
			hi = mid;
	}
	return lo < 100 ? lo
			: floor(lo / pow(10, floor(log10(lo)) - 1)) * pow(10, floor(log10(lo)) - 1);
}

enum err_code config_space_refuse_size(const struct config_space *s, const char *what,
				       double most_grids, struct err *e)
{
	const double few = config_space_few_nodes(s, most_grids);
	struct strbuf text = STRBUF_INIT;
	enum err_code rc;

	strbuf_printf(&text, "%s on ", what);
	placement_put_limit(&s->placement, &text);
	strbuf_puts(&text, ", too many to search: ");
	if (!placement_has_nodes(&s->placement) && s->request->max_nodes <= 0)
		strbuf_puts(&text, "fix the processes");
	else if (few >= 1)
		strbuf_printf(&text, "%.0f node%s few enough (--max-nodes %.0f)", few,
			      few > 1 ? "s are" : " is", few);
	else
		strbuf_puts(&text, "use fewer nodes (--max-nodes N)");
	strbuf_puts(&text, ", or give a resource a value (--set NAME=VALUE)");
	rc = text.failed ? err_set(e, ERR_NOMEM, "a space that is too large")
			 : err_set(e, ERR_ARG, "%s", strbuf_text(&text));
	strbuf_release(&text);
	return rc;
}

static enum err_code check_grids(const struct config_space *s, struct err *e)
{
	char what[80];

	if (count_grids(s, placement_most_procs(&s->placement)) <= max_grids)
		return ERR_OK;
	snprintf(what, sizeof what, "more than %.0f %s fit", max_grids,
		 application_grid(s->request->app) ? "process grids" : "choices of resources");
	return config_space_refuse_size(s, what, max_grids, e);
}

/* A side of the processor grid: every length that fits and is legal for itself. */
static enum err_code fill_grid_side(struct config_space *s, struct axis *a, struct err *e)
{
	const struct application *app = s->request->app;
	const struct column *c = &app->column[a->column[0]];
	const struct legality **rule = calloc(app->n_legality + 1, sizeof *rule);
	double *row = s->given;
	double first = fmax(ceil(c->min), 1), last;
	enum err_code rc = ERR_OK;
	size_t n_rules;

	if (!rule)
		return err_set(e, ERR_NOMEM, "rules about %s", c->name);
	n_rules = partial_evaluation_take_column_rules(&s->layers, a->column[0], rule);
	last = longest_side(s, c, a->column[0], rule, n_rules);
	if (last - first >= max_side) {
		last = first + max_side;
		s->procs_at_cut = fmin(s->procs_at_cut, last * s->grid_base);
	}
	for (double v = first; v <= last && !rc; v++) {
		row[a->column[0]] = v;
		if (rules_judge(rule, n_rules, row, &s->refusal) != STATUS_ILLEGAL)
			rc = axis_add(a, &v, e);
		if (fmod(v, 1 << 20) == 0 && !progress_step(s->request->progress, "search", 0, 0))
			rc = err_set(e, ERR_INTERRUPTED, "interrupted");
	}
	row[a->column[0]] = NAN;
	free(rule);
	return rc;
}

static enum err_code fill_seen_axis(struct config_space *s, struct axis *a, struct err *e)
{
	const struct advice_request *q = s->request;
	bool *agree = calloc(q->app->n_columns, sizeof *agree);
	enum err_code rc = ERR_OK;

	if (!agree)
		return err_set(e, ERR_NOMEM, "combinations seen in runs");
	for (size_t i = 0; i < q->app->n_columns; i++) {
		const struct column *c = &q->app->column[i];

		agree[i] = (c->role == COL_TUNABLE || c->role == COL_RESOURCE) &&
			   c->candidates == CAND_SEEN && !isnan(s->given[i]);
	}
	if (q->runs) {
		const struct seen_product_input in = {.app = q->app,
						      .runs = q->runs,
						      .given = s->given,
						      .agree = agree,
						      .placement = &s->placement,
						      .invariants = &s->invariants,
						      .progress = q->progress};

		rc = seen_product_fill(a, &in, &s->seen, e);
	}
	if (!rc && a->n == 0)
		rc = err_set(e, ERR_ARG, "no run shows values of %s: give one (%s=...)",
			     q->app->column[a->column[0]].name, q->app->column[a->column[0]].name);
	free(agree);
	return rc;
}

static enum err_code make_group_axes(struct config_space *s, const struct column_plan *p,
				     struct err *e)
{
	const struct application *app = s->request->app;
	bool seen = p->n_seen > 0 && p->seen_in_group;
	enum err_code rc;

	s->axis = calloc(p->n_group + 1, sizeof *s->axis);
	if (!s->axis)
		return err_set(e, ERR_NOMEM, "%zu axes", p->n_group + 1);
	if (seen) {
		s->n_axes = 1;
		if ((rc = axis_init(&s->axis[0], p->seen, p->n_seen, e)) ||
		    (rc = fill_seen_axis(s, &s->axis[0], e)))
			return rc;
	}
	for (size_t i = 0; i < p->n_group; i++) {
		struct axis *a = &s->axis[s->n_axes++];
		enum candidates candidates = app->column[p->group[i]].candidates;

		if ((rc = axis_init(a, &p->group[i], 1, e)))
			return rc;
		a->in_grid = candidates == CAND_GRID;
		rc = a->in_grid
			     ? fill_grid_side(s, a, e)
			     : axis_fill(a, app, s->given, placement_most_procs(&s->placement), e);
		if (rc)
			return rc;
	}
	return check_grids(s, e);
}

/* Configurations of which none may be left out by its bound: predicting so many takes seconds. A
 * list of tunings that is as short as that of any code we know of is never cut. */
static const double max_configurations = 0x1p19;
enum { SHORT_LIST = 4096 };

static size_t most_tunings(const struct config_space *s)
{
	return (size_t)fmax(SHORT_LIST,
			    max_configurations /
				    count_grids(s, placement_most_procs(&s->placement)));
}

static enum err_code make_tunings(struct config_space *s, const struct column_plan *p,
				  struct err *e)
{
	size_t n = 0;
	bool seen = p->n_seen > 0 && !p->seen_in_group;
	struct axis *axis = calloc(p->n_tuning + 1, sizeof *axis);
	enum err_code rc = ERR_OK;

	if (!axis)
		return err_set(e, ERR_NOMEM, "%zu axes", p->n_tuning + 1);
	if (seen) {
		rc = axis_init(&axis[n++], p->seen, p->n_seen, e);
		if (!rc)
			rc = fill_seen_axis(s, &axis[0], e);
	}
	for (size_t i = 0; i < p->n_tuning && !rc; i++)
		rc = axis_init(&axis[n++], &p->tuning[i], 1, e);
	if (rc) {
		while (n > 0)
			axis_release(&axis[--n]);
		free(axis);
		return rc;
	}
	if ((rc = tunings_init(&s->tunings, &s->layers, s->request->progress, axis, n,
			       most_tunings(s), e)))
		return rc;
	return s->tunings.varies ? ERR_OK : tunings_list(&s->tunings, s->given, &s->refusal, e);
}

/* ---- the whole ---- */

static enum err_code check_given(struct config_space *s, struct err *e)
{
	struct strbuf why = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	configuration_derive(s->request->app, s->given);
	if (!configuration_legal(s->request->app, s->given, &why))
		rc = err_set(e, ERR_ARG, "%s", strbuf_text(&why));
	strbuf_release(&why);
	return rc;
}

static enum err_code build(struct config_space *s, struct column_plan *p, struct err *e)
{
	const struct application *app = s->request->app;
	const struct group_flag *grid = application_grid(app);
	enum err_code rc;

	if ((rc = plan_columns(p, app, s->given, e)) || (rc = check_given(s, e)) ||
	    (rc = failed_runs_find(s->request, &s->failures, e)) ||
	    (rc = kept_invariants_init(&s->invariants, app, s->request->rules, s->request->n_rules,
				       e)) ||
	    (rc = placement_init(&s->placement, s->request, s->given, e)) ||
	    (rc = partial_evaluation_init(&s->layers, app, p->of, e)))
		return rc;
	s->tried_only = app->n_legality == 0 && p->n_seen > 0;
	s->places = candidate_points(app);
	kept_invariants_count_failures(&s->invariants, s->failures.runs);
	kept_invariants_check_given(&s->invariants, s->given);
	s->procs_at_cut = INFINITY;
	s->grid_base = 1;
	for (size_t i = 0; grid && i < grid->n; i++)
		s->grid_base *= isnan(s->given[grid->column[i]]) ? 1 : s->given[grid->column[i]];
	if (app->memory_bytes_per_proc)
		s->memory_layer =
			partial_evaluation_of_expr(&s->layers, app->memory_bytes_per_proc);
	if ((rc = make_group_axes(s, p, e)))
		return rc;
	return make_tunings(s, p, e);
}

enum err_code config_space_init(struct config_space *s, const struct advice_request *q,
				struct err *e)
{
	size_t n = q->app->n_columns;
	struct column_plan p;
	enum err_code rc;

	*s = (struct config_space){.request = q, .least_memory_bytes = INFINITY};
	if ((rc = plan_init(&p, n, e)))
		goto done;
	s->given = calloc(n, sizeof *s->given);
	if (!s->given) {
		rc = err_set(e, ERR_NOMEM, "a row of %zu columns", n);
		goto done;
	}
	memcpy(s->given, q->row, n * sizeof *s->given);
	rc = build(s, &p, e);
done:
	plan_release(&p);
	if (rc)
		config_space_release(s);
	return rc;
}

void config_space_release(struct config_space *s)
{
	for (size_t i = 0; i < s->n_axes; i++)
		axis_release(&s->axis[i]);
	free(s->axis);
	free(s->given);
	seen_product_release(&s->seen);
	kept_invariants_release(&s->invariants);
	failed_runs_release(&s->failures);
	tunings_release(&s->tunings);
	partial_evaluation_release(&s->layers);
	*s = (struct config_space){0};
}

bool config_space_complete(const struct config_space *s, double *row)
{
	const struct application *app = s->request->app;
	const struct group_flag *grid = application_grid(app);
	double procs = 1;

	for (size_t i = 0; grid && i < grid->n; i++)
		procs *= row[grid->column[i]];
	if (!grid)
		procs = placement_procs(&s->placement, row);
	if (s->places && !placement_put(&s->placement, procs, row))
		return false;
	configuration_derive(app, row);
	return placement_within(&s->placement, row) && configuration_legal(app, row, NULL) &&
	       kept_invariants_allow(&s->invariants, row) &&
	       placement_fits_memory(&s->placement, row) &&
	       !config_space_leaves_out(s, config_space_warning(s, row).risk);
}

static const char *tried_what(const struct seen_product *p)
{
	if (p->n[ORIGIN_BETWEEN] + p->n[ORIGIN_BEYOND] > 0)
		return p->i_scale == p->app->i_nodes
			       ? " of values tried in the runs and further node counts"
			       : " of values tried in the runs and further process counts";
	return p->n[ORIGIN_PAIRS] > 0 ? " of values tried in the runs" : " tried in the runs";
}

void config_space_put_count(const struct config_space *s, uint64_t n, struct strbuf *out)
{
	if (n == 1)
		strbuf_puts(out, "the only ");
	else
		strbuf_printf(out, "%" PRIu64 " ", n);
	strbuf_printf(out, "%sconfiguration%s%s", s->tried_only ? "" : "legal ", n == 1 ? "" : "s",
		      s->tried_only ? tried_what(&s->seen) : "");
}

struct warning config_space_warning(const struct config_space *s, const double *row)
{
	return failed_runs_judge(&s->failures, row);
}

void config_space_predict(const struct config_space *s, const double *rows, size_t n,
			  struct prediction *out)
{
	predictor_predict(s->request->predictor, rows, n, out);
	for (size_t i = 0; i < n; i++) {
		const double *row = rows + i * s->request->app->n_columns;

		out[i].fail_p = fmax(out[i].fail_p, kept_invariants_fail_p(&s->invariants, row));
		if (s->takes_risks)
			out[i].fail_p = fmax(out[i].fail_p, config_space_warning(s, row).fail_p);
	}
}

enum origin config_space_origin(const struct config_space *s, const double *row)
{
	return s->seen.run.n > 0 ? seen_product_origin(&s->seen, row) : ORIGIN_RUN;
}

bool config_space_leaves_out(const struct config_space *s, enum risk risk)
{
	return risk == RISK_FAILED || (risk == RISK_AT_RISK && !s->takes_risks);
}
