#include "mining/training/batch_effect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>

#define BATCH_ALPHA 1e-3
/* ln of what is no change of a system, however surely it is told. */
#define LEAST_EFFECT 0.03
#define TIE 1e-9

/* A run that counts. */
struct batch_run {
	int64_t import_id;
	double log_s;
};

/* What the configurations of one import are off from the mean over imports, log time. */
struct batch {
	int64_t import_id;
	size_t n;	  /* configurations that other imports have, too */
	double sum, sum2; /* of what they are off */
	double share;	  /* sum of (k - 1) / k, k imports having the configuration */
};

struct batches {
	struct batch *item; /* by import_id */
	size_t n, cap;
};

static int by_import_then_time(const void *a, const void *b)
{
	const struct batch_run *x = a, *y = b;

	if (x->import_id != y->import_id)
		return x->import_id < y->import_id ? -1 : 1;
	return (x->log_s > y->log_s) - (x->log_s < y->log_s);
}

static bool counts(const struct dataset *runs, const struct config_table *t, size_t i)
{
	return t->config_of[i] != SIZE_MAX && runs->status[i] == RUN_OK;
}

static bool is_one_batch(const struct dataset *runs, const struct config_table *t)
{
	size_t first = SIZE_MAX;

	for (size_t i = 0; i < runs->n; i++) {
		if (!counts(runs, t, i))
			continue;
		if (first == SIZE_MAX)
			first = i;
		if (runs->import_id[i] != runs->import_id[first])
			return false;
	}
	return true;
}

/* ---- runs by configuration ---- */

/* start[t->n + 1]; out[...]: those of configuration c are out[start[c] .. start[c + 1] - 1]. */
static void gather(const struct dataset *runs, const struct config_table *t, size_t *start,
		   struct batch_run *out)
{
	memset(start, 0, (t->n + 1) * sizeof *start);
	for (size_t i = 0; i < runs->n; i++) {
		if (counts(runs, t, i))
			start[t->config_of[i] + 1]++;
	}
	for (size_t c = 0; c < t->n; c++)
		start[c + 1] += start[c];
	for (size_t i = 0; i < runs->n; i++) {
		if (counts(runs, t, i))
			out[start[t->config_of[i]]++] = (struct batch_run){
				.import_id = runs->import_id[i], .log_s = log(runs->wall_s[i])};
	}
	memmove(start + 1, start, t->n * sizeof *start);
	start[0] = 0;
}

/* ---- batches ---- */

/* NULL: out of memory. */
static struct batch *batch_of(struct batches *b, int64_t import_id)
{
	size_t lo = 0, hi = b->n;

	while (lo < hi) {
		const size_t middle = lo + (hi - lo) / 2;

		if (b->item[middle].import_id < import_id)
			lo = middle + 1;
		else
			hi = middle;
	}
	if (lo < b->n && b->item[lo].import_id == import_id)
		return &b->item[lo];
	if (b->n == b->cap) {
		const size_t cap = b->cap ? 2 * b->cap : 16;
		struct batch *grown = realloc(b->item, cap * sizeof *grown);

		if (!grown)
			return NULL;
		b->item = grown;
		b->cap = cap;
	}
	memmove(&b->item[lo + 1], &b->item[lo], (b->n - lo) * sizeof *b->item);
	b->item[lo] = (struct batch){.import_id = import_id};
	b->n++;
	return &b->item[lo];
}

/* One for each import, in place: its median. Returns how many there are. */
static size_t reduce_to_medians(struct batch_run *run, size_t n)
{
	const size_t stride = sizeof *run / sizeof run->log_s;
	size_t k = 0;

	qsort(run, n, sizeof *run, by_import_then_time);
	for (size_t at = 0, end; at < n; at = end) {
		for (end = at + 1; end < n && run[end].import_id == run[at].import_id;)
			end++;
		run[k++] = (struct batch_run){.import_id = run[at].import_id,
					      .log_s = gsl_stats_median_from_sorted_data(
						      &run[at].log_s, stride, end - at)};
	}
	return k;
}

/* What is said of the batches by one configuration, which k of them have. */
static bool add_configuration(struct batches *b, const struct batch_run *median, size_t k)
{
	double mean = 0;

	if (k < 2)
		return true;
	for (size_t i = 0; i < k; i++)
		mean += median[i].log_s / (double)k;
	for (size_t i = 0; i < k; i++) {
		struct batch *one = batch_of(b, median[i].import_id);
		const double off = median[i].log_s - mean;

		if (!one)
			return false;
		one->n++;
		one->sum += off;
		one->sum2 += off * off;
		one->share += (double)(k - 1) / (double)k;
	}
	return true;
}

/* ---- the moments ---- */

static double variance_of_mean(const struct batch *b)
{
	const double n = (double)b->n, mean = b->sum / n;

	return fmax(0, b->sum2 / n - mean * mean) / (n - 1);
}

static bool differs(const struct batch *b, size_t n_told)
{
	const double mean = b->sum / (double)b->n, variance = variance_of_mean(b);
	const double limit = gsl_cdf_tdist_Qinv(BATCH_ALPHA / 2 / (double)n_told, (double)b->n - 1);

	return fabs(mean) > TIE && mean * mean > limit * limit * variance;
}

/* Sums go by the numbers of imports: their last digits do not count. */
static double rounded(double x)
{
	return round(1e6 * x) / 1e6;
}

static void judge(const struct batches *b, struct batch_effect *out)
{
	double moment = 0, share = 0, most = 0;
	size_t n_told = 0;
	bool any = false;

	for (size_t i = 0; i < b->n; i++)
		n_told += b->item[i].n >= BATCH_LEAST;
	for (size_t i = 0; i < b->n; i++) {
		const struct batch *one = &b->item[i];
		const double n = (double)one->n, mean = one->sum / n;

		if (one->n < BATCH_LEAST)
			continue;
		any |= differs(one, n_told);
		moment += mean * mean - variance_of_mean(one);
		share += one->share / n;
		/* of two that differ equally the slower one, whatever their numbers */
		if (fabs(mean) > most + TIE || (fabs(mean) > most - TIE && mean > 0)) {
			most = fabs(mean);
			out->ratio = exp(mean * n / one->share);
			out->n_configurations = one->n;
		}
	}
	out->ratio = rounded(out->ratio);
	if (any && moment > 0 && fabs(log(out->ratio)) >= LEAST_EFFECT)
		out->sd = rounded(sqrt(moment / share));
}

enum err_code batch_effect_find(const struct dataset *runs, const struct config_table *t,
				struct batch_effect *out, struct err *e)
{
	struct batches b = {0};
	struct batch_run *run;
	size_t *start;
	bool enough = true;

	*out = (struct batch_effect){.ratio = 1};
	if (is_one_batch(runs, t))
		return ERR_OK;
	run = calloc(runs->n, sizeof *run);
	start = calloc(t->n + 1, sizeof *start);
	if (!run || !start) {
		free(run);
		free(start);
		return err_set(e, ERR_NOMEM, "runs by import");
	}
	gather(runs, t, start, run);
	for (size_t c = 0; c < t->n && enough; c++) {
		const size_t n = start[c + 1] - start[c];

		if (n > 1)
			enough = add_configuration(&b, run + start[c],
						   reduce_to_medians(run + start[c], n));
	}
	if (enough)
		judge(&b, out);
	free(run);
	free(start);
	free(b.item);
	return enough ? ERR_OK : err_set(e, ERR_NOMEM, "imports of runs");
}

void batch_effect_explain(const struct batch_effect *b, struct strbuf *out)
{
	if (b->sd > 0)
		strbuf_printf(out,
			      " The same configurations differ by %.0f %% more from import to "
			      "import than within one: so may the runs to come.",
			      100 * expm1(b->sd));
}

/* ---- in the knowledge base ---- */

enum err_code batch_effect_store(const struct batch_effect *b, struct kb_fit *fit, struct err *e)
{
	enum err_code rc;

	if (!(b->sd > 0))
		return ERR_OK;
	if ((rc = kb_fit_add(fit, "batch_sd", b->sd, NAN, "log s",
			     "the same configurations from import to import", e)) ||
	    (rc = kb_fit_add(fit, "batch_ratio", b->ratio, NAN, "1",
			     "time of the import that differs most over that of others", e)))
		return rc;
	return kb_fit_add(fit, "batch_configurations", (double)b->n_configurations, NAN, "1",
			  "in which it was compared", e);
}

void batch_effect_load(const struct kb_fit *fit, struct batch_effect *out)
{
	const double sd = kb_fit_value(fit, "batch_sd");
	const double n = kb_fit_value(fit, "batch_configurations");

	*out = (struct batch_effect){.ratio = 1};
	if (!(sd > 0))
		return;
	out->sd = sd;
	out->ratio = kb_fit_value(fit, "batch_ratio");
	out->n_configurations = n > 0 && n < 1e15 ? (size_t)n : 0;
}
