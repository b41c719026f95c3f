#include "api/scaling_answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "api/json_text.h"
#include "domain/configuration.h"

/* ---- what is paid ---- */

static double value_or(const double *row, size_t i, double otherwise)
{
	return i == SIZE_MAX || isnan(row[i]) ? otherwise : row[i];
}

double node_hours_of(const struct application *app, const double *row, double time_s)
{
	return value_or(row, app->i_nodes, NAN) * time_s / 3600;
}

double core_hours_of(const struct application *app, const struct machine *machine,
		     const double *row, double time_s)
{
	const double nodes = value_or(row, app->i_nodes, NAN);

	if (machine->cores_per_node > 0 && !isnan(nodes))
		return nodes * (double)machine->cores_per_node * time_s / 3600;
	return value_or(row, app->i_procs, NAN) * value_or(row, app->i_threads, 1) * time_s / 3600;
}

/* ---- which list is that of resources ---- */

static size_t rank_of(const struct application *a, const struct configuration_axis *axis)
{
	const size_t known[] = {a->i_nodes, a->i_procs};
	const struct group_flag *grid = application_grid(a);

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		if (known[i] != SIZE_MAX && configuration_axis_has(axis, known[i]))
			return i;
	}
	for (size_t i = 0; grid && i < grid->n; i++) {
		if (configuration_axis_has(axis, grid->column[i]))
			return 2;
	}
	return a->column[axis->column[0]].role == COL_RESOURCE ? 3 : 4;
}

/* NULL: none of the lists is. */
static const struct configuration_axis *resource_axis(const struct scaling_question *q,
						      size_t *i_resource)
{
	const struct configuration_axis *best = NULL;
	size_t least = 4;

	for (size_t i = 0; i < q->axes->n; i++) {
		const struct configuration_axis *axis = &q->axes->axis[i];

		if (axis->n > 1 && rank_of(q->app, axis) < least) {
			best = axis;
			least = rank_of(q->app, axis);
		}
	}
	*i_resource = !best	   ? SIZE_MAX
		      : least == 0 ? q->app->i_nodes
		      : least < 3  ? q->app->i_procs
				   : best->column[0];
	return best;
}

/* ---- the points ---- */

static enum err_code reserve(const struct scaling_question *q,
			     const struct configuration_axis *last, struct scaling_answer *a,
			     struct err *e)
{
	enum err_code rc = configuration_axes_count(q->axes, q->app, &a->n, e);

	if (rc)
		return rc;
	a->n_series = last ? a->n / last->n : a->n;
	a->row = calloc(a->n * q->app->n_columns + 1, sizeof *a->row);
	a->point = calloc(a->n + 1, sizeof *a->point);
	a->series = calloc(a->n_series + 1, sizeof *a->series);
	return a->row && a->point && a->series ? ERR_OK
					       : err_set(e, ERR_NOMEM, "%zu configurations", a->n);
}

/* The list of resources runs fastest, then the other lists from the last to the first. */
static void enumerate(const struct scaling_question *q, const struct configuration_axis *last,
		      struct scaling_answer *a)
{
	const size_t in_series = last ? last->n : 1;

	for (size_t i = 0; i < a->n; i++) {
		double *row = a->row + i * q->app->n_columns;
		size_t rest = i / in_series;

		configuration_clear(q->app, row);
		if (last)
			configuration_axis_put(last, i % in_series, row);
		for (size_t k = q->axes->n; k-- > 0;) {
			const struct configuration_axis *axis = &q->axes->axis[k];

			if (axis == last)
				continue;
			configuration_axis_put(axis, rest % axis->n, row);
			rest /= axis->n;
		}
		a->point[i].series = i / in_series;
	}
	for (size_t s = 0; s < a->n_series; s++)
		a->series[s] = (struct scaling_series){s * in_series, in_series, SIZE_MAX, false};
}

static void price(const struct scaling_question *q, struct scaling_answer *a, const double *row,
		  struct scaling_point *p)
{
	const double time_s = p->forecast.prediction.time_s;

	p->resource = a->i_resource == SIZE_MAX ? (double)NAN : row[a->i_resource];
	p->node_hours = node_hours_of(q->app, row, time_s);
	p->core_hours = core_hours_of(q->app, a->mined.machine, row, time_s);
}

/* Reasons are kept one behind the other; where each begins is known once all are there. */
static enum err_code predict_points(struct session *session, const struct scaling_question *q,
				    struct scaling_answer *a, size_t *why_at, struct err *e)
{
	struct strbuf why = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < a->n && !rc; i++) {
		double *row = a->row + i * q->app->n_columns;
		struct scaling_point *p = &a->point[i];

		why_at[i] = SIZE_MAX;
		strbuf_clear(&why);
		predictor_fill_constants(a->mined.predictor, row);
		if (predict_row_complete(q->app, a->mined.cores_per_node, row, &why)) {
			p->forecast = predict_row(a->mined.predictor, row, q->confidence);
			price(q, a, row, p);
		} else {
			why_at[i] = a->whys.len;
			strbuf_add(&a->whys, strbuf_text(&why), strlen(strbuf_text(&why)) + 1);
			a->n_bad++;
		}
		if (why.failed || a->whys.failed)
			rc = err_set(e, ERR_NOMEM, "%zu configurations", a->n);
		else if (!progress_step(session->progress, "configurations", i, a->n))
			rc = err_set(e, ERR_INTERRUPTED, "interrupted after %zu configurations", i);
	}
	strbuf_release(&why);
	for (size_t i = 0; i < a->n && !rc; i++) {
		if (why_at[i] != SIZE_MAX)
			a->point[i].why = a->whys.buf + why_at[i];
	}
	return rc;
}

static enum err_code warn_of_failures(struct session *session, const struct scaling_question *q,
				      struct scaling_answer *a, struct err *e)
{
	struct warning *warning = calloc(a->n + 1, sizeof *warning);
	enum err_code rc = warning ? ERR_OK : err_set(e, ERR_NOMEM, "%zu configurations", a->n);

	if (!rc)
		rc = failures_judge(session, a->mined.predictor, q->app, q->app_id,
				    a->mined.runs_machine_id, a->row, a->n, warning, e);
	for (size_t i = 0; i < a->n && !rc; i++) {
		if (!a->point[i].why)
			a->point[i].warning = warning[i];
	}
	free(warning);
	return rc;
}

/* ---- speed-up ---- */

/* Resources as far as the question says them, for a point that cannot be predicted. */
static bool is_below(const struct scaling_answer *a, const double *row, double resource)
{
	return row[a->i_resource] < resource;
}

static void compare_series(const struct application *app, struct scaling_answer *a,
			   struct scaling_series *s)
{
	const struct scaling_point *base;

	for (size_t i = s->first; i < s->first + s->n; i++) {
		if (!a->point[i].why && (s->baseline == SIZE_MAX ||
					 a->point[i].resource < a->point[s->baseline].resource))
			s->baseline = i;
	}
	if (s->baseline == SIZE_MAX)
		return;
	base = &a->point[s->baseline];
	for (size_t i = s->first; i < s->first + s->n; i++) {
		struct scaling_point *p = &a->point[i];

		if (p->why) {
			s->is_not_least |= is_below(a, a->row + i * app->n_columns, base->resource);
			continue;
		}
		p->speedup = base->forecast.prediction.time_s / p->forecast.prediction.time_s;
		p->efficiency = p->speedup * base->resource / p->resource;
	}
}

static void compare(const struct application *app, struct scaling_answer *a)
{
	for (size_t i = 0; i < a->n; i++)
		a->point[i].speedup = a->point[i].efficiency = (double)NAN;
	for (size_t s = 0; s < a->n_series && a->i_resource != SIZE_MAX; s++)
		compare_series(app, a, &a->series[s]);
}

/* ---- the runs beside them ---- */

/* A machine's resources may be others than those of the points, where the points differ in them.
 * The sides of a grid are resources, but a long grid is not a square one: these must agree with
 * one point. */
static bool must_agree(const struct application *a, size_t i, bool differs)
{
	return a->column[i].role != COL_DERIVED && !(differs && a->column[i].role == COL_RESOURCE &&
						     a->column[i].candidates != CAND_GRID);
}

static bool differs_in(const struct scaling_answer *a, const struct application *app,
		       const struct scaling_series *s, size_t column)
{
	const double *row = a->row + s->first * app->n_columns;

	for (size_t i = 1; i < s->n; i++) {
		if (row[i * app->n_columns + column] != row[column])
			return true;
	}
	return false;
}

static bool is_beside(const struct scaling_answer *a, const struct application *app,
		      const struct scaling_series *s, const bool *fixed, const double *run)
{
	for (size_t i = s->first; i < s->first + s->n; i++) {
		const double *row = a->row + i * app->n_columns;
		size_t c = 0;

		if (a->point[i].why)
			continue;
		while (c < app->n_columns && (!fixed[c] || run[c] == row[c]))
			c++;
		if (c == app->n_columns)
			return true;
	}
	return false;
}

static void take_runs(const struct application *app, const struct dataset *runs, size_t i_series,
		      bool *fixed, struct scaling_answer *a)
{
	const struct scaling_series *s = &a->series[i_series];

	for (size_t c = 0; c < app->n_columns; c++)
		fixed[c] = must_agree(app, c, differs_in(a, app, s, c));
	for (size_t i = 0; i < runs->n; i++) {
		const double *run = dataset_row(runs, i);

		if (runs->status[i] != RUN_OK || isnan(run[a->i_resource]) ||
		    !is_beside(a, app, s, fixed, run))
			continue;
		if (a->run)
			a->run[a->n_runs] =
				(struct scaling_run){i_series, run[a->i_resource], runs->wall_s[i]};
		a->n_runs++;
	}
}

/* The first walk counts, the second one keeps. */
static enum err_code find_runs(struct session *session, const struct scaling_question *q,
			       struct scaling_answer *a, struct err *e)
{
	const struct kb_filter all = {.machine_id = a->mined.runs_machine_id};
	struct dataset *runs = NULL;
	bool *fixed;
	enum err_code rc;

	/* A what if has no runs: those of the other machine are none of this one. */
	if (!q->with_runs || a->i_resource == SIZE_MAX || a->mined.like)
		return ERR_OK;
	if ((rc = kb_load_runs(session->kb, q->app, &all, session->progress, &runs, e)))
		return rc;
	fixed = calloc(q->app->n_columns + 1, sizeof *fixed);
	for (size_t s = 0; fixed && s < a->n_series; s++)
		take_runs(q->app, runs, s, fixed, a);
	a->run = calloc(a->n_runs + 1, sizeof *a->run);
	a->n_runs = 0;
	for (size_t s = 0; fixed && a->run && s < a->n_series; s++)
		take_runs(q->app, runs, s, fixed, a);
	if (!fixed || !a->run)
		rc = err_set(e, ERR_NOMEM, "the runs beside %zu configurations", a->n);
	free(fixed);
	dataset_free(runs);
	return rc;
}

/* ---- the answer ---- */

static enum err_code find(struct session *session, const struct scaling_question *q,
			  struct scaling_answer *a, struct err *e)
{
	const struct configuration_axis *last = resource_axis(q, &a->i_resource);
	size_t *why_at = NULL;
	enum err_code rc;

	if ((rc = reserve(q, last, a, e)) ||
	    (rc = fitted_machine_load(session, q->app, q->app_id, &q->machine, &a->mined, e)))
		return rc;
	a->cores_of_nodes = q->app->i_nodes != SIZE_MAX && a->mined.machine->cores_per_node > 0;
	why_at = calloc(a->n + 1, sizeof *why_at);
	if (!why_at)
		return err_set(e, ERR_NOMEM, "%zu configurations", a->n);
	enumerate(q, last, a);
	rc = predict_points(session, q, a, why_at, e);
	free(why_at);
	if (rc)
		return rc;
	if (a->n_bad == a->n)
		return a->n == 1 ? err_set(e, ERR_ARG, "%s", a->point[0].why)
				 : err_set(e, ERR_ARG,
					   "none of %zu combinations can be predicted; the first: "
					   "%s",
					   a->n, a->point[0].why);
	compare(q->app, a);
	if ((rc = warn_of_failures(session, q, a, e)))
		return rc;
	return find_runs(session, q, a, e);
}

enum err_code scaling_answer_find(struct session *session, const struct scaling_question *q,
				  struct scaling_answer *out, struct err *e)
{
	struct scaling_answer a = {.i_resource = SIZE_MAX};
	enum err_code rc = find(session, q, &a, e);

	if (rc)
		scaling_answer_release(&a);
	else
		*out = a;
	return rc;
}

void scaling_answer_release(struct scaling_answer *a)
{
	fitted_machine_release(&a->mined);
	free(a->row);
	free(a->point);
	free(a->series);
	free(a->run);
	strbuf_release(&a->whys);
	*a = (struct scaling_answer){.i_resource = SIZE_MAX};
}

/* ---- doubling a parameter ---- */

static size_t count_ended(const struct dataset *runs)
{
	size_t n = 0;

	for (size_t i = 0; i < runs->n; i++)
		n += runs->status[i] == RUN_OK;
	return n;
}

static enum err_code find_of(struct session *session, const struct application *app, int64_t app_id,
			     const struct machine_request *asked, double confidence,
			     struct scaling_rules_of *of, struct err *e)
{
	struct fitted_machine m = {0};
	struct dataset *runs = NULL;
	enum err_code rc = fitted_machine_load(session, app, app_id, asked, &m, e);

	if (!rc) {
		const struct kb_filter f = {.machine_id = m.runs_machine_id};

		rc = kb_load_runs(session->kb, app, &f, session->progress, &runs, e);
	}
	if (!rc) {
		of->stale = m.stale;
		of->n_runs = count_ended(runs);
		rc = doubling_effects_find(m.predictor, runs, confidence, &of->effects, e);
	}
	dataset_free(runs);
	fitted_machine_release(&m);
	return rc;
}

/* Has the application runs there? */
static enum err_code has_runs(struct session *session, const struct application *app,
			      const char *name, bool *has, struct err *e)
{
	struct machine *machine = NULL;
	struct kb_filter f = {0};
	int64_t n = 0;
	enum err_code rc = kb_get_machine(session->kb, name, &machine, &f.machine_id, e);

	machine_free(machine);
	if (!rc)
		rc = kb_count_runs(session->kb, app, &f, &n, e);
	*has = n > 0;
	return rc;
}

static enum err_code add(struct session *session, const struct application *app, int64_t app_id,
			 const char *name, bool only_one, double confidence,
			 struct scaling_rules *s, struct err *e)
{
	const struct machine_request asked = {.name = name};
	struct scaling_rules_of *of = &s->item[s->n];
	struct err why = {0};
	enum err_code rc;

	of->machine = strdup(name);
	if (!of->machine)
		return err_set(e, ERR_NOMEM, "the name of a machine");
	s->n++;
	rc = find_of(session, app, app_id, &asked, confidence, of, &why);
	if (rc == ERR_NOTMINED && !only_one) {
		of->unanswered = strdup(why.msg);
		return of->unanswered ? ERR_OK : err_set(e, ERR_NOMEM, "a reason");
	}
	return rc ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

static enum err_code add_all(struct session *session, const struct application *app, int64_t app_id,
			     double confidence, struct scaling_rules *s, struct err *e)
{
	struct kb_names known = {0};
	size_t n_known = 0;
	enum err_code rc = kb_list_machines(session->kb, app_id, &known, e);

	if (!rc && !(s->item = calloc(known.n + 1, sizeof *s->item)))
		rc = err_set(e, ERR_NOMEM, "%zu machines", known.n);
	for (size_t i = 0; i < known.n && !rc; i++) {
		bool has = false;

		rc = has_runs(session, app, known.item[i].name, &has, e);
		if (!rc && has) {
			rc = add(session, app, app_id, known.item[i].name, false, confidence, s, e);
			n_known += !rc && !s->item[s->n - 1].unanswered;
		}
	}
	kb_names_release(&known);
	if (rc || n_known > 0)
		return rc;
	return s->n > 0 ? err_set(e, ERR_NOTMINED, "%s", s->item[0].unanswered)
			: err_set(e, ERR_NOTMINED,
				  "%s has no runs: load some (`lemnos ingest`), then `lemnos mine`",
				  app->name);
}

enum err_code scaling_rules_find(struct session *session, const struct application *app,
				 int64_t app_id, const char *machine, double confidence,
				 struct scaling_rules *out, struct err *e)
{
	struct scaling_rules s = {0};
	enum err_code rc;

	if (!machine)
		rc = add_all(session, app, app_id, confidence, &s, e);
	else if (!(s.item = calloc(1, sizeof *s.item)))
		rc = err_set(e, ERR_NOMEM, "a machine");
	else
		rc = add(session, app, app_id, machine, true, confidence, &s, e);
	if (rc)
		scaling_rules_release(&s);
	else
		*out = s;
	return rc;
}

void scaling_rules_release(struct scaling_rules *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free(s->item[i].machine);
		free(s->item[i].unanswered);
		doubling_effects_release(&s->item[i].effects);
	}
	free(s->item);
	*s = (struct scaling_rules){0};
}

/* ---- JSON ---- */

const char *scaling_resource_name(const struct scaling_question *q, const struct scaling_answer *a)
{
	return a->i_resource == SIZE_MAX ? "" : q->app->column[a->i_resource].name;
}

bool scaling_tells_procs(const struct application *a)
{
	return a->i_procs != SIZE_MAX && a->column[a->i_procs].role == COL_DERIVED;
}

/* Of a point that cannot be predicted nothing is known but why. */
static json_t *point_json(const struct application *a, const double *row,
			  const struct scaling_point *p)
{
	const struct row_prediction *f = &p->forecast;
	const bool known = !p->why;
	const struct {
		const char *key;
		double value;
	} number[] = {
		{"predicted_s", f->prediction.time_s},
		{"lo_s", f->lo_s},
		{"hi_s", f->hi_s},
		{"speedup", p->speedup},
		{"efficiency", p->efficiency},
		{"node_hours", p->node_hours},
		{"core_hours", p->core_hours},
	};
	json_t *point = json_object();
	int failed = 0;

	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role != COL_DERIVED)
			failed |= member_column(point, a, i, row[i]);
	}
	if (scaling_tells_procs(a))
		failed |= json_object_set_new(point, a->column[a->i_procs].name,
					      isnan(row[a->i_procs])
						      ? json_null()
						      : json_integer((json_int_t)row[a->i_procs]));
	for (size_t i = 0; i < sizeof number / sizeof number[0]; i++)
		failed |= member_real(point, number[i].key, known ? number[i].value : (double)NAN);
	failed |=
		member_text(point, "support", known ? support_name(f->prediction.support) : NULL) |
		member_text(point, "warning", known ? failure_kind_name[p->warning.risk] : NULL) |
		member_text(point, "error", p->why);
	return out_json_unless(failed, point);
}

struct json_t *scaling_answer_json(const struct scaling_question *q, const struct scaling_answer *a)
{
	const char *resource = scaling_resource_name(q, a);
	json_t *answer = out_json_answer(), *points = json_array();
	int failed = 0;

	for (size_t i = 0; i < a->n; i++)
		failed |= json_array_append_new(
			points, point_json(q->app, a->row + i * q->app->n_columns, &a->point[i]));
	failed |= member_text(answer, "app", q->app->name) |
		  member_text(answer, "machine", a->mined.machine->name) |
		  member_real(answer, "confidence", q->confidence) |
		  member_text(answer, "resource", *resource ? resource : NULL) |
		  member_bool(answer, "cores_of_nodes", a->cores_of_nodes) |
		  member_bool(answer, "stale", a->mined.stale) |
		  json_object_set_new(answer, "predictions", points);
	return out_json_unless(failed, answer);
}
