#include "mining/structure/term_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mining/numerics/order_statistics.h"
#include "mining/structure/terms_model.h"
#include "mining/training/holdout.h"

enum {
	BY_GAIN = 30, /* candidates that are fitted, by what they promise */
	BY_FIT = 10,  /* of those, that are tested on held-out configurations */
	FOLDS_MAX = 16,
	ROUNDS = 2,
	MIN_TESTED = 4, /* held-out configurations below which a fold says nothing */
	ASK_EVERY = 256
};

/* An error of log time below which all are alike, and above which one is bad enough: how much worse
 * it is tells nothing of a structure. */
#define SOFT_ERROR 0.01
#define MOST_ERROR 2.0
/* What a unit of price adds to the loss (tried: docs/evaluation_notes.md). A further term must
 * lower it by LEAST_GAIN, and one that lowers it by less than LEAST_LOSS is dropped: chance among
 * many candidates does as much. */
#define PRICE_LOSS 0.02
#define LEAST_GAIN 0.02
#define LEAST_LOSS 0.005
/* Of two candidates that promise nearly the same, the one with fewer factors. */
#define FACTOR_PRICE 0.98

/* ---- an application with other terms ---- */

enum err_code term_application_make(const struct term_shapes *s, const struct term_form *form,
				    size_t n, struct application *out, struct err *e)
{
	struct application a = *s->app;
	enum err_code rc = ERR_OK;

	a.terms = (struct application_terms){
		.let = calloc(s->n_let + 1, sizeof *a.terms.let),
		.term = calloc(n + 1, sizeof *a.terms.term),
		.used = calloc(a.n_columns + s->n_let + 1, sizeof *a.terms.used)};
	if (!a.terms.let || !a.terms.term || !a.terms.used)
		rc = err_set(e, ERR_NOMEM, "%zu terms", n);
	for (size_t k = 0; k < s->n_let && !rc; k++) {
		const struct term_name *let = &s->let[k];
		struct term_name *copy = &a.terms.let[a.terms.n_let++];

		*copy = (struct term_name){.name = strdup(let->name), .text = strdup(let->text)};
		rc = copy->name && copy->text ? expr_parse(let->text, &s->scope, &copy->value, e)
					      : err_set(e, ERR_NOMEM, "%zu terms", n);
	}
	for (size_t k = 0; k < n && !rc; k++) {
		const enum term_way way = term_form_way(s, &form[k]);
		struct term *term = &a.terms.term[a.terms.n++];
		struct strbuf text = STRBUF_INIT;

		term_form_text(s, &form[k], &text);
		term->communication = way != WAY_NONE && way != WAY_DIVIDED && way != WAY_FILL_WORK;
		if (text.failed) {
			rc = err_set(e, ERR_NOMEM, "%zu terms", n);
			strbuf_release(&text);
		} else {
			term->text = text.buf;
			rc = expr_parse(term->text, &s->scope, &term->value, e);
		}
	}
	if (rc) {
		term_application_release(&a);
	} else {
		application_mark_terms(&a);
		*out = a;
	}
	return rc;
}

void term_application_release(struct application *a)
{
	application_free_terms(&a->terms);
	a->terms = (struct application_terms){0};
}

/* ---- held-out configurations ---- */

struct search_fold {
	enum holdout way;
	struct config_table *train;
	unsigned char *test; /* by configuration of the whole table */
};

struct term_candidate {
	struct term_form form;
	double score;
};

struct searching {
	const struct config_table *t;
	const struct term_shapes *s;
	const struct progress *progress;
	size_t n_folds;
	struct search_fold fold[FOLDS_MAX];
	size_t n_tried;
	/* scratch, by configuration */
	double *log_s, *value, *left, *weight;
	double *basis; /* [TERM_SEARCH_MOST * n], orthonormal */
	size_t n_basis;
	struct term_candidate best[BY_GAIN]; /* descending */
	size_t n_best;
};

static void searching_release(struct searching *q)
{
	for (size_t i = 0; i < q->n_folds; i++) {
		config_table_free(q->fold[i].train);
		free(q->fold[i].test);
	}
	free(q->log_s);
	free(q->value);
	free(q->left);
	free(q->weight);
	free(q->basis);
}

/* Folds that leave too little on either side are passed over. */
static enum err_code add_fold(struct searching *q, enum holdout way, int i, struct err *e)
{
	struct search_fold *f = &q->fold[q->n_folds];
	const size_t n = q->t->n;
	unsigned char *train = calloc(n + 1, 1);
	size_t n_test = 0;
	int possible = 0;
	enum err_code rc;

	f->way = way;
	f->test = calloc(n + 1, 1);
	if (!train || !f->test) {
		rc = err_set(e, ERR_NOMEM, "folds of %zu configurations", n);
		goto done;
	}
	if ((rc = holdout_split(way, i, 0, q->t, f->test, &possible, e)))
		goto done;
	for (size_t k = 0; k < n; k++) {
		train[k] = !f->test[k];
		n_test += f->test[k];
	}
	if (!possible || n_test < MIN_TESTED || n - n_test < MIN_TESTED)
		goto done;
	if (!(rc = config_table_subset(q->t, train, &f->train, e)))
		q->n_folds++;
done:
	free(train);
	if (rc || !f->train) {
		free(f->test);
		f->test = NULL;
	}
	return rc;
}

static enum err_code make_folds(struct searching *q, struct err *e)
{
	static const enum holdout way[] = {HOLDOUT_CONFIGS, HOLDOUT_MORE_PROCS,
					   HOLDOUT_LARGER_PROBLEMS};
	enum err_code rc = ERR_OK;

	for (size_t k = 0; k < sizeof way / sizeof way[0]; k++) {
		for (int i = 0; i < holdout_info[way[k]].n_folds && !rc && q->n_folds < FOLDS_MAX;
		     i++)
			rc = add_fold(q, way[k], i, e);
	}
	if (!rc && q->n_folds == 0)
		rc = err_set(e, ERR_NODATA, "%zu configurations are too few to hold any out",
			     q->t->n);
	return rc;
}

static double soft(double predicted_log, double log_s)
{
	const double error = fabs(predicted_log - log_s);

	return isnan(error) ? MOST_ERROR : fmin(error, MOST_ERROR);
}

/* *out stays NULL where a fit is not possible. */
static enum err_code fit_terms(struct searching *q, const struct config_table *t,
			       const struct application *app, struct terms_model **out,
			       struct err *e)
{
	struct config_table with = *t;
	struct err why = {0};
	enum err_code rc;

	if (!progress_step(q->progress, NULL, 0, 0))
		return err_set(e, ERR_INTERRUPTED, "interrupted");
	with.app = app;
	rc = terms_model_fit(&with, out, &why);
	return rc == ERR_OK || rc == ERR_NODATA || rc == ERR_NUMERIC
		       ? ERR_OK
		       : err_set(e, rc, "%s", why.msg);
}

/* Mean over the ways of the log of the mean error of what is held out. */
static enum err_code held_out_loss(struct searching *q, const struct term_form *form, size_t n,
				   double *loss, struct err *e)
{
	double sum[HOLDOUT_COUNT] = {0}, total = 0, price = 0;
	size_t count[HOLDOUT_COUNT] = {0}, n_ways = 0;
	struct application app;
	enum err_code rc = term_application_make(q->s, form, n, &app, e);

	if (rc)
		return rc;
	for (size_t i = 0; i < q->n_folds && !rc; i++) {
		const struct search_fold *f = &q->fold[i];
		struct terms_model *m = NULL;

		rc = fit_terms(q, f->train, &app, &m, e);
		for (size_t k = 0; k < q->t->n && !rc; k++) {
			if (!f->test[k])
				continue;
			sum[f->way] +=
				m ? soft(terms_model_log(m, config_table_row(q->t, k)), q->log_s[k])
				  : MOST_ERROR;
			count[f->way]++;
		}
		terms_model_free(m);
	}
	for (int w = 0; w < HOLDOUT_COUNT; w++) {
		if (count[w] == 0)
			continue;
		total += log(sum[w] / (double)count[w] + SOFT_ERROR);
		n_ways++;
	}
	term_application_release(&app);
	for (size_t k = 0; k < n; k++)
		price += PRICE_LOSS * term_form_price(q->s, &form[k]);
	if (!rc)
		*loss = total / (double)n_ways + price;
	return rc;
}

/* ---- one term ---- */

/* What a term leaves of log time, but for a factor: the mean distance from the median. INFINITY: it
 * is 0 somewhere. */
static double spread(struct searching *q, const struct term_form *f)
{
	const size_t n = q->t->n;
	double median, sum = 0;

	term_form_values(q->s, f, q->value);
	for (size_t i = 0; i < n; i++) {
		if (!(q->value[i] > 0))
			return INFINITY;
		q->value[i] = q->log_s[i] - log(q->value[i]);
		q->left[i] = q->value[i];
	}
	order_sort(q->left, n);
	median = order_quantile(q->left, n, 0.5);
	for (size_t i = 0; i < n; i++)
		sum += fabs(q->value[i] - median);
	return sum / (double)n * pow(FACTOR_PRICE, -0.1 * term_form_price(q->s, f));
}

typedef enum err_code (*visit_fn)(struct searching *q, const struct term_form *f, struct err *e);

/* All forms that differ from `from` in one or two slots; what they are visited for is in q. */
static enum err_code visit_near(struct searching *q, const struct term_form *from, visit_fn visit,
				struct err *e)
{
	const struct term_shapes *s = q->s;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < s->n_slots && !rc; i++) {
		for (size_t a = 0; a < s->slot[i].n && !rc; a++) {
			struct term_form f = *from;

			f.shape[i] = (unsigned char)a;
			if (a == from->shape[i])
				continue;
			if (term_form_fits(s, &f))
				rc = visit(q, &f, e);
			for (size_t j = i + 1; j < s->n_slots && !rc; j++) {
				for (size_t b = 0; b < s->slot[j].n && !rc; b++) {
					struct term_form g = f;

					g.shape[j] = (unsigned char)b;
					if (b != from->shape[j] && term_form_fits(s, &g))
						rc = visit(q, &g, e);
				}
			}
		}
	}
	return rc;
}

static enum err_code ask(struct searching *q, struct err *e)
{
	if (q->n_tried++ % ASK_EVERY == 0 && !progress_step(q->progress, NULL, 0, 0))
		return err_set(e, ERR_INTERRUPTED, "interrupted");
	return ERR_OK;
}

static void keep_best(struct searching *q, const struct term_form *f, double score, size_t most)
{
	size_t at = q->n_best;

	if (at == most && score <= q->best[at - 1].score)
		return;
	if (at < most)
		q->n_best++;
	else
		at--;
	while (at > 0 && q->best[at - 1].score < score) {
		q->best[at] = q->best[at - 1];
		at--;
	}
	q->best[at] = (struct term_candidate){*f, score};
}

static enum err_code visit_first(struct searching *q, const struct term_form *f, struct err *e)
{
	if (term_form_way(q->s, f) <= WAY_DIVIDED)
		keep_best(q, f, -spread(q, f), 1);
	return ask(q, e);
}

/* By steps of one or two shapes from nothing: each is the best there is. */
static enum err_code find_first(struct searching *q, struct term_form *out, struct err *e)
{
	struct term_form at = {{0}};
	double score = -spread(q, &at);
	enum err_code rc;

	for (;;) {
		q->n_best = 0;
		if ((rc = visit_near(q, &at, visit_first, e)))
			return rc;
		if (q->n_best == 0 || !(q->best[0].score > score))
			break;
		at = q->best[0].form;
		score = q->best[0].score;
	}
	*out = at;
	return ERR_OK;
}

/* ---- a further term ---- */

/* What a term would take of the squares that the others leave, those being fitted anew without
 * bounds. */
static double gain_of(struct searching *q, const struct term_form *f)
{
	const size_t n = q->t->n;
	double whole = 0, rest = 0, along = 0;

	term_form_values(q->s, f, q->value);
	for (size_t i = 0; i < n; i++) {
		q->value[i] *= q->weight[i];
		whole += q->value[i] * q->value[i];
	}
	for (size_t k = 0; k < q->n_basis; k++) {
		const double *b = q->basis + k * n;
		double dot = 0;

		for (size_t i = 0; i < n; i++)
			dot += b[i] * q->value[i];
		for (size_t i = 0; i < n; i++)
			q->value[i] -= dot * b[i];
	}
	for (size_t i = 0; i < n; i++) {
		rest += q->value[i] * q->value[i];
		along += q->value[i] * q->left[i];
	}
	if (!(rest > 1e-8 * whole) || !(along > 0))
		return 0;
	return along * along / rest * pow(FACTOR_PRICE, term_form_price(q->s, f));
}

static enum err_code visit_further(struct searching *q, const struct term_form *f, struct err *e)
{
	const double gain = gain_of(q, f);

	/* the same values in another form are not kept twice */
	for (size_t k = 0; k < q->n_best; k++) {
		if (!memcmp(&q->best[k].form, f, sizeof *f) ||
		    fabs(q->best[k].score - gain) <= 1e-12 * gain)
			return ask(q, e);
	}
	if (gain > 0)
		keep_best(q, f, gain, BY_GAIN);
	return ask(q, e);
}

/* left: of 1, what the terms leave of each time, shifts taken out; weight: what turns a term into a
 * share of time, both times the root of a robust weight; basis: of the terms. */
static void prepare_gains(struct searching *q, const struct terms_model *m,
			  const struct term_form *form, size_t n_terms)
{
	const size_t n = q->t->n;

	for (size_t i = 0; i < n; i++) {
		const double *row = config_table_row(q->t, i);
		const double log_model = terms_model_log(m, row);
		const double error = (q->log_s[i] - log_model) / fmax(m->scale, SOFT_ERROR);
		double phi[APPLICATION_MAX_TERMS], sum = 0, time_s;

		application_terms_at(m->app, row, phi);
		for (size_t k = 0; k < n_terms; k++)
			sum += m->theta[k] * phi[k] / m->unit[k];
		time_s = exp(q->log_s[i] - log_model) * sum;
		q->weight[i] = 1 / (time_s * pow(1 + error * error, 0.25));
		q->left[i] = (time_s - sum) * q->weight[i];
	}
	q->n_basis = 0;
	for (size_t k = 0; k < n_terms; k++) {
		double *b = q->basis + q->n_basis * n, norm = 0, whole = 0;

		term_form_values(q->s, &form[k], b);
		for (size_t i = 0; i < n; i++) {
			b[i] *= q->weight[i];
			whole += b[i] * b[i];
		}
		for (size_t j = 0; j < q->n_basis; j++) {
			const double *c = q->basis + j * n;
			double dot = 0;

			for (size_t i = 0; i < n; i++)
				dot += b[i] * c[i];
			for (size_t i = 0; i < n; i++)
				b[i] -= dot * c[i];
		}
		for (size_t i = 0; i < n; i++)
			norm += b[i] * b[i];
		if (!(norm > 1e-10 * whole))
			continue;
		for (size_t i = 0; i < n; i++)
			b[i] /= sqrt(norm);
		q->n_basis++;
	}
}

/* The mean error of a fit to all. */
static enum err_code fitted_loss(struct searching *q, const struct term_form *form, size_t n,
				 double *loss, struct err *e)
{
	struct application app;
	struct terms_model *m = NULL;
	enum err_code rc = term_application_make(q->s, form, n, &app, e);

	if (rc)
		return rc;
	*loss = INFINITY;
	if (!(rc = fit_terms(q, q->t, &app, &m, e)) && m) {
		*loss = 0;
		for (size_t i = 0; i < q->t->n; i++)
			*loss += soft(terms_model_log(m, config_table_row(q->t, i)), q->log_s[i]);
	}
	terms_model_free(m);
	term_application_release(&app);
	return rc;
}

/* q->best: what promises most beside the terms of `set`. */
static enum err_code find_promising(struct searching *q, const struct term_set *set, struct err *e)
{
	static const struct term_form nothing = {{0}};
	struct application app;
	struct terms_model *m = NULL;
	enum err_code rc = term_application_make(q->s, set->form, set->n, &app, e);

	q->n_best = 0;
	if (rc)
		return rc;
	if (!(rc = fit_terms(q, q->t, &app, &m, e)) && m) {
		prepare_gains(q, m, set->form, set->n);
		rc = visit_further(q, &nothing, e);
		if (!rc)
			rc = visit_near(q, &nothing, visit_further, e);
		for (size_t k = 0; k < set->n && !rc; k++)
			rc = visit_near(q, &set->form[k], visit_further, e);
	}
	terms_model_free(m);
	term_application_release(&app);
	return rc;
}

/* Adds the best further term, if held-out configurations want one. */
static enum err_code add_term(struct searching *q, struct term_set *set, bool *added, struct err *e)
{
	struct term_candidate some[BY_GAIN];
	size_t n;
	double best = set->loss - LEAST_GAIN;
	enum err_code rc = find_promising(q, set, e);

	*added = false;
	n = q->n_best;
	memcpy(some, q->best, n * sizeof *some);
	q->n_best = 0;
	for (size_t k = 0; k < n && !rc; k++) {
		double loss = INFINITY;

		set->form[set->n] = some[k].form;
		if (!(rc = fitted_loss(q, set->form, set->n + 1, &loss, e)) && isfinite(loss))
			keep_best(q, &some[k].form, -loss, BY_FIT);
	}
	n = q->n_best;
	for (size_t k = 0; k < n && !rc; k++) {
		double loss = INFINITY;

		set->form[set->n] = q->best[k].form;
		rc = held_out_loss(q, set->form, set->n + 1, &loss, e);
		if (rc || !(loss < best))
			continue;
		best = loss;
		some[0] = q->best[k];
		*added = true;
	}
	if (*added) {
		set->form[set->n++] = some[0].form;
		set->loss = best;
	}
	return rc;
}

/* Each term once more, in view of the others: the one that then is best in its place. */
static enum err_code swap_terms(struct searching *q, struct term_set *set, bool *any, struct err *e)
{
	enum err_code rc = ERR_OK;

	*any = false;
	for (size_t k = 0; k < set->n && set->n > 1 && !rc; k++) {
		struct term_set without = *set;
		bool added = false;

		memmove(without.form + k, without.form + k + 1,
			(set->n - k - 1) * sizeof *without.form);
		without.n--;
		rc = add_term(q, &without, &added, e);
		if (!rc && added) {
			*set = without;
			*any = true;
			k--; /* another one has its place */
		}
	}
	return rc;
}

/* ---- and back ---- */

/* Drops the term that is missed least, if it is not missed. */
static enum err_code drop_term(struct searching *q, struct term_set *set, bool *dropped,
			       struct err *e)
{
	struct term_form rest[TERM_SEARCH_MOST];
	double best = set->loss + LEAST_LOSS;
	size_t which = SIZE_MAX;
	enum err_code rc = ERR_OK;

	for (size_t k = 0; k < set->n && set->n > 1 && !rc; k++) {
		double loss = INFINITY;
		size_t n = 0;

		for (size_t j = 0; j < set->n; j++) {
			if (j != k)
				rest[n++] = set->form[j];
		}
		rc = held_out_loss(q, rest, n, &loss, e);
		if (!rc && loss < best) {
			best = loss;
			which = k;
		}
	}
	*dropped = !rc && which != SIZE_MAX;
	if (*dropped) {
		memmove(set->form + which, set->form + which + 1,
			(set->n - which - 1) * sizeof *set->form);
		set->n--;
		set->loss = best;
	}
	return rc;
}

static enum err_code find_shares(struct searching *q, struct term_set *set, struct err *e)
{
	struct application app;
	struct terms_model *m = NULL;
	enum err_code rc = term_application_make(q->s, set->form, set->n, &app, e);

	if (rc)
		return rc;
	memset(set->share, 0, sizeof set->share);
	if (!(rc = fit_terms(q, q->t, &app, &m, e)) && !m)
		rc = err_set(e, ERR_NODATA, "%zu configurations are too few for terms", q->t->n);
	for (size_t i = 0; i < q->t->n && !rc; i++) {
		double phi[APPLICATION_MAX_TERMS], sum = 0;

		application_terms_at(&app, config_table_row(q->t, i), phi);
		for (size_t k = 0; k < set->n; k++)
			sum += m->theta[k] * phi[k] / m->unit[k];
		for (size_t k = 0; k < set->n; k++)
			set->share[k] += m->theta[k] * phi[k] / m->unit[k] / sum / (double)q->t->n;
	}
	terms_model_free(m);
	term_application_release(&app);
	return rc;
}

static enum err_code search(struct searching *q, struct term_set *set, struct err *e)
{
	bool more = true;
	enum err_code rc;

	if ((rc = make_folds(q, e)) || (rc = find_first(q, &set->form[0], e)))
		return rc;
	set->n = 1;
	if ((rc = held_out_loss(q, set->form, 1, &set->loss, e)))
		return rc;
	for (int round = 0; round < ROUNDS && !rc && more; round++) {
		for (more = true; !rc && more && set->n < TERM_SEARCH_MOST;)
			rc = add_term(q, set, &more, e);
		if (!rc)
			rc = swap_terms(q, set, &more, e);
	}
	for (more = true; !rc && more;)
		rc = drop_term(q, set, &more, e);
	if (!rc)
		rc = find_shares(q, set, e);
	set->n_tried = q->n_tried;
	return rc;
}

enum err_code term_search(const struct config_table *t, const struct term_shapes *s,
			  const struct progress *progress, struct term_set *out, struct err *e)
{
	struct searching q = {.t = t, .s = s, .progress = progress};
	struct term_set set = {.n = 0};
	enum err_code rc;

	q.log_s = calloc(t->n + 1, sizeof *q.log_s);
	q.value = calloc(t->n + 1, sizeof *q.value);
	q.left = calloc(t->n + 1, sizeof *q.left);
	q.weight = calloc(t->n + 1, sizeof *q.weight);
	q.basis = calloc(TERM_SEARCH_MOST * t->n + 1, sizeof *q.basis);
	if (!q.log_s || !q.value || !q.left || !q.weight || !q.basis) {
		rc = err_set(e, ERR_NOMEM, "search over %zu configurations", t->n);
	} else {
		for (size_t i = 0; i < t->n; i++)
			q.log_s[i] = log(t->time_s[i]);
		rc = search(&q, &set, e);
	}
	searching_release(&q);
	if (!rc)
		*out = set;
	return rc;
}
