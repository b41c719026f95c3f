#include "mining/structure/cv_models.h"

#include <math.h>
#include <stdlib.h>

#include "mining/structure/model_times.h"

static void put_wg(const struct config_table *t, const struct wavefront_model *formula,
		   double *Wg_s)
{
	for (size_t i = 0; i < t->n; i++)
		Wg_s[i] = wavefront_time_wg(&formula->time, config_table_row(t, i));
}

enum err_code cv_models_make(const struct config_table *t, const struct fit_input *in,
			     const struct wavefront_model *whole,
			     bool (*take)(const struct model *), const struct message_cost *local,
			     struct cv_models *h, struct err *e)
{
	struct models_asked asked = {.take = take,
				     .remote = &whole->time.cost,
				     .local = local,
				     .progress = in->progress};

	*h = (struct cv_models){.table = t, .in = in, .whole = whole};
	h->Wg_s = calloc(t->n + 1, sizeof *h->Wg_s);
	h->z = calloc((t->n + 1) * WG_FIT_PARAMS, sizeof *h->z);
	h->test = calloc(t->n + 1, 1);
	h->train = calloc(t->n + 1, 1);
	if (!h->Wg_s || !h->z || !h->test || !h->train)
		return err_set(e, ERR_NOMEM, "models of %zu configurations", t->n);
	for (size_t i = 0; i < t->n; i++) {
		enum err_code rc =
			wg_fit_inputs(t->app, config_table_row(t, i), h->z + i * WG_FIT_PARAMS, e);

		if (rc)
			return rc;
	}
	put_wg(t, whole, h->Wg_s);
	asked.model = model_list(&asked.n);
	return model_times_make(t, h->Wg_s, &asked, &h->times, e);
}

void cv_models_release(struct cv_models *h)
{
	model_times_release(&h->times);
	free(h->Wg_s);
	free(h->z);
	free(h->test);
	free(h->train);
	*h = (struct cv_models){.table = NULL};
}

/* Where the answers go. */
struct sink {
	enum err_code (*add)(void *arg, const struct cv_answer *a, struct err *e);
	void *arg;
};

static enum err_code ask_model(struct cv_models *h, size_t k, const struct sink *to, struct err *e)
{
	const struct config_table *t = h->table;
	double p[WG_FIT_PARAMS];
	enum err_code rc = wg_fit(&h->times, k, t, h->train, h->Wg_s, h->z, p, e);

	for (size_t i = 0; i < t->n && !rc; i++) {
		struct cv_answer a = {.i_model = k, .config = i};

		if (!h->test[i])
			continue;
		a.Wg_s = wg_fit_at(p, h->Wg_s[i], h->z + i * WG_FIT_PARAMS);
		a.predicted_s = model_times_at(&h->times, k, i, a.Wg_s, NULL);
		if (!isnan(a.predicted_s))
			rc = to->add(to->arg, &a, e);
	}
	return rc;
}

static enum err_code ask_formula(struct cv_models *h, const struct wavefront_model *formula,
				 const struct sink *to, struct err *e)
{
	const struct config_table *t = h->table;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < t->n && !rc; i++) {
		const struct cv_answer a = {
			.i_model = h->times.n_models,
			.config = i,
			.predicted_s = wavefront_time_at(&formula->time, config_table_row(t, i),
							 NULL, NULL),
			.Wg_s = h->Wg_s[i],
		};

		if (h->test[i])
			rc = to->add(to->arg, &a, e);
	}
	return rc;
}

static enum err_code ask_all(struct cv_models *h, const struct wavefront_model *formula,
			     const struct sink *to, struct err *e)
{
	enum err_code rc = ERR_OK;

	put_wg(h->table, formula, h->Wg_s);
	for (size_t k = 0; k < h->times.n_models && !rc; k++)
		rc = ask_model(h, k, to, e);
	return rc ? rc : ask_formula(h, formula, to, e);
}

enum err_code cv_models_ask(struct cv_models *h, enum holdout way, int fold, unsigned seed,
			    enum err_code (*add)(void *arg, const struct cv_answer *a,
						 struct err *e),
			    void *arg, struct err *e)
{
	const struct config_table *t = h->table;
	struct config_table *training = NULL;
	struct err why = {0};
	void *formula = NULL;
	int possible;
	enum err_code rc;

	if ((rc = holdout_split(way, fold, seed, t, h->test, &possible, e)) || !possible)
		return rc;
	for (size_t i = 0; i < t->n; i++)
		h->train[i] = !h->test[i];
	if ((rc = config_table_subset(t, h->train, &training, e)))
		return rc;
	rc = wavefront_calibrate(training, h->in, h->whole, &formula, &why);
	config_table_free(training);
	if (rc == ERR_NODATA || rc == ERR_NUMERIC)
		return ERR_OK;
	if (rc)
		return err_set(e, rc, "%s", why.msg);
	rc = ask_all(h, formula, &(struct sink){add, arg}, e);
	predictor_kind_wavefront.free(formula);
	return rc;
}
