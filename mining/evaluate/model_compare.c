#include "mining/evaluate/model_compare.h"

#include <math.h>
#include <stdlib.h>

#include "mining/evaluate/scoring_rules.h"
#include "mining/numerics/order_statistics.h"
#include "mining/structure/cv_models.h"

enum { RANGES = 4, FEWEST = 8 };

/* One error and where it was made. */
struct error_place {
	double at, error;
};

static int by_place(const void *a, const void *b)
{
	const struct error_place *p = a, *q = b;

	if (p->at != q->at)
		return p->at < q->at ? -1 : 1;
	return (p->error > q->error) - (p->error < q->error);
}

static enum err_code judge(const struct error_place *p, size_t n, const char *name,
			   struct error_region *worst, struct err *e)
{
	struct error_region r = {.by = name, .from = p[0].at, .to = p[n - 1].at, .n = n};
	struct error_list list = {0};
	double p90;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < n && !rc; i++)
		rc = error_list_add(&list, p[i].error, e);
	if (!rc) {
		error_list_summarise(&list, &r.median_error, &p90, &r.bias);
		if (!worst->by || r.median_error > worst->median_error)
			*worst = r;
	}
	error_list_release(&list);
	return rc;
}

/* place[n], sorted. */
static enum err_code judge_ranges(const struct error_place *p, size_t n, const char *name,
				  struct error_region *worst, struct err *e)
{
	enum err_code rc = ERR_OK;
	size_t from = 0;

	if (n == 0 || p[0].at == p[n - 1].at)
		return ERR_OK;
	for (size_t k = 1; k <= RANGES && !rc; k++) {
		size_t to = k * n / RANGES;

		while (to > 0 && to < n && p[to].at == p[to - 1].at)
			to++;
		if (to < from + FEWEST)
			continue;
		rc = judge(p + from, to - from, name, worst, e);
		from = to;
	}
	return rc;
}

static size_t gather(const double *const *row, size_t i_column, const double *error, size_t n,
		     struct error_place *out)
{
	size_t n_out = 0;

	for (size_t i = 0; i < n; i++) {
		if (!isnan(error[i]) && !isnan(row[i][i_column]))
			out[n_out++] = (struct error_place){row[i][i_column], error[i]};
	}
	qsort(out, n_out, sizeof *out, by_place);
	return n_out;
}

enum err_code error_region_worst(const struct application *app, const double *const *row,
				 const double *error, size_t n, struct error_region *out,
				 struct err *e)
{
	struct error_region worst = {0};
	struct error_place *place = calloc(n + 1, sizeof *place);
	enum err_code rc = place ? ERR_OK : err_set(e, ERR_NOMEM, "%zu errors", n);

	for (size_t c = 0; c < app->n_columns && !rc; c++) {
		const struct column *column = &app->column[c];

		if (c == app->i_procs || (column->role == COL_DERIVED && column->type != COL_TEXT))
			rc = judge_ranges(place, gather(row, c, error, n, place), column->name,
					  &worst, e);
	}
	free(place);
	if (!rc)
		*out = worst;
	return rc;
}

/* One comparison under way. The mined formula is scored as number n_models. */
struct compare_work {
	const struct config_table *table;
	struct model_comparison *out;
	struct cv_models models;
	/* Held-out predictions, [n_points] as out->point: of which configuration, with which Wg. */
	size_t *config;
	double *point_Wg_s;
	size_t cap;
};

/* ---- held-out predictions ---- */

static enum err_code make_room(struct compare_work *w, struct err *e)
{
	struct model_comparison *out = w->out;
	size_t cap = 2 * w->cap + 256;
	struct model_point *point = realloc(out->point, cap * sizeof *point);
	size_t *config;
	double *Wg_s;

	if (!point)
		return err_set(e, ERR_NOMEM, "%zu predictions", cap);
	out->point = point;
	config = realloc(w->config, cap * sizeof *config);
	if (!config)
		return err_set(e, ERR_NOMEM, "%zu predictions", cap);
	w->config = config;
	Wg_s = realloc(w->point_Wg_s, cap * sizeof *Wg_s);
	if (!Wg_s)
		return err_set(e, ERR_NOMEM, "%zu predictions", cap);
	w->point_Wg_s = Wg_s;
	w->cap = cap;
	return ERR_OK;
}

static enum err_code add_point(void *arg, const struct cv_answer *a, struct err *e)
{
	struct compare_work *w = arg;
	struct model_comparison *out = w->out;

	if (out->n_points == w->cap && make_room(w, e))
		return ERR_NOMEM;
	w->config[out->n_points] = a->config;
	w->point_Wg_s[out->n_points] = a->Wg_s;
	out->point[out->n_points++] =
		(struct model_point){a->i_model, w->table->time_s[a->config], a->predicted_s};
	return ERR_OK;
}

/* ---- scores ---- */

/* error, row and Wg of the points of one score; *n of them. */
struct errors {
	double *error;
	const double **row;
	double *Wg_s;
	size_t n;
};

static void gather_errors(const struct compare_work *w, size_t i_score, struct errors *out)
{
	out->n = 0;
	for (size_t i = 0; i < w->out->n_points; i++) {
		const struct model_point *p = &w->out->point[i];

		if (p->i_score != i_score)
			continue;
		out->error[out->n] = p->predicted_s / p->measured_s - 1;
		out->row[out->n] = config_table_row(w->table, w->config[i]);
		out->Wg_s[out->n++] = w->point_Wg_s[i];
	}
}

static enum err_code score_one(const struct compare_work *w, struct errors *found,
			       struct model_score *s, struct err *e)
{
	struct error_list list = {0};
	enum err_code rc =
		error_region_worst(w->table->app, found->row, found->error, found->n, &s->worst, e);

	for (size_t i = 0; i < found->n && !rc; i++)
		rc = error_list_add(&list, found->error[i], e);
	if (!rc) {
		error_list_summarise(&list, &s->median_error, &s->p90_error, &s->bias);
		order_sort(found->Wg_s, found->n);
		s->Wg_s = order_quantile(found->Wg_s, found->n, 0.5);
		s->n = found->n;
	}
	error_list_release(&list);
	return rc;
}

/* A model whose every answer was trained on has no score. */
static enum err_code score_all(const struct compare_work *w, struct errors *found, struct err *e)
{
	struct model_comparison *out = w->out;
	size_t n_models = out->times.n_models, n_all = n_models + 1, n = 0;
	enum err_code rc = ERR_OK;

	out->score = calloc(n_all, sizeof *out->score);
	if (!out->score)
		return err_set(e, ERR_NOMEM, "%zu scores", n_all);
	for (size_t k = 0; k < n_all && !rc; k++) {
		struct model_score *s = &out->score[n];

		gather_errors(w, k, found);
		if (found->n == 0)
			continue;
		for (size_t i = 0; i < out->n_points; i++) {
			if (out->point[i].i_score == k)
				out->point[i].i_score = n;
		}
		s->model = k < n_models ? out->times.model[k]->name : predictor_kind_wavefront.name;
		s->title =
			k < n_models ? out->times.model[k]->title : predictor_kind_wavefront.title;
		rc = score_one(w, found, s, e);
		n++;
	}
	out->n = n;
	return rc;
}

static enum err_code make_scores(const struct compare_work *w, struct err *e)
{
	size_t n = w->out->n_points + 1;
	struct errors found = {.error = calloc(n, sizeof(double)),
			       .row = calloc(n, sizeof(double *)),
			       .Wg_s = calloc(n, sizeof(double))};
	enum err_code rc = found.error && found.row && found.Wg_s
				   ? score_all(w, &found, e)
				   : err_set(e, ERR_NOMEM, "%zu errors", n);

	free(found.error);
	free(found.row);
	free(found.Wg_s);
	return rc;
}

/* ---- all of it ---- */

static enum err_code run_folds(struct compare_work *w, enum holdout held_out, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (int fold = 0; fold < holdout_info[held_out].n_folds && !rc; fold++)
		rc = cv_models_ask(&w->models, held_out, fold, 1, add_point, w, e);
	if (!rc && w->out->n_points == 0)
		rc = err_set(e, ERR_NODATA,
			     "%zu configurations: too few to hold out %s and calibrate on the rest",
			     w->table->n, holdout_info[held_out].title);
	return rc;
}

static enum err_code compare(struct compare_work *w, const struct fit_input *in,
			     const struct message_cost *local, enum holdout held_out, struct err *e)
{
	const struct wavefront_model *whole;
	void *state = NULL;
	enum err_code rc;

	if ((rc = predictor_kind_wavefront.fit(w->table, in, NULL, &state, e)))
		return rc;
	whole = state;
	w->out->costs = cost_origin_name(whole->cost_origin);
	rc = cv_models_make(w->table, in, whole, model_times_wants, local, &w->models, e);
	if (!rc)
		rc = run_folds(w, held_out, e);
	w->out->times = w->models.times;
	w->models.times = (struct model_times){0};
	cv_models_release(&w->models);
	predictor_kind_wavefront.free(state);
	return rc ? rc : make_scores(w, e);
}

/* What was only modelled would confirm the model that it came from. */
static enum err_code leave_out_modelled(const struct dataset *runs, struct dataset **out,
					struct err *e)
{
	unsigned char *keep = calloc(runs->n + 1, 1);
	enum err_code rc;

	if (!keep)
		return err_set(e, ERR_NOMEM, "%zu runs", runs->n);
	for (size_t i = 0; i < runs->n; i++)
		keep[i] = runs->source[i] != SOURCE_MODELLED;
	rc = dataset_subset(runs, keep, out, e);
	free(keep);
	return rc;
}

/* More say nothing new, and the pipeline takes its time with each. */
enum { MAX_CONFIGS = 1000 };

static enum err_code keep_most(struct config_table **t, size_t *n_there, struct err *e)
{
	struct config_table *fewer = NULL;
	size_t *pick = calloc((*t)->n + 1, sizeof *pick);
	unsigned char *keep = calloc((*t)->n + 1, 1);
	enum err_code rc = ERR_OK;

	*n_there = (*t)->n;
	if (!pick || !keep) {
		rc = err_set(e, ERR_NOMEM, "%zu configurations", (*t)->n);
	} else {
		size_t n = config_table_pick(*t, MAX_CONFIGS, pick);

		for (size_t i = 0; i < n; i++)
			keep[pick[i]] = 1;
		rc = config_table_subset(*t, keep, &fewer, e);
	}
	free(pick);
	free(keep);
	if (!rc) {
		config_table_free(*t);
		*t = fewer;
	}
	return rc;
}

static void count(const struct config_table *t, struct model_comparison *out)
{
	out->n_configs = t->n;
	for (size_t i = 0; i < t->n; i++) {
		out->n_runs += t->n_repeats[i];
		out->n_of[t->source[i]]++;
	}
}

enum err_code model_compare(const struct fit_input *in, const struct message_cost *local,
			    enum holdout held_out, struct model_comparison *out, struct err *e)
{
	struct model_comparison found = {0};
	struct compare_work w = {.out = &found};
	struct dataset *runs = NULL;
	struct config_table *table = NULL;
	enum err_code rc;

	if (!predictor_kind_wavefront.applies(in->runs->app))
		return err_set(e, ERR_ARG, "%s has no structural model to compare with",
			       in->runs->app->name);
	if ((rc = leave_out_modelled(in->runs, &runs, e)))
		return rc;
	if (runs->n == 0)
		rc = err_set(e, ERR_NODATA,
			     "no measured or simulated run of %s on %s to compare with",
			     runs->app->name, in->machine->name);
	else if (!(rc = config_table_make(runs, &table, e)) &&
		 !(rc = keep_most(&table, &found.n_there, e))) {
		w.table = table;
		count(table, &found);
		rc = compare(&w, in, local, held_out, e);
	}
	free(w.config);
	free(w.point_Wg_s);
	config_table_free(table);
	dataset_free(runs);
	if (rc)
		model_comparison_release(&found);
	else
		*out = found;
	return rc;
}

void model_comparison_release(struct model_comparison *c)
{
	free(c->score);
	free(c->point);
	model_times_release(&c->times);
	*c = (struct model_comparison){0};
}
