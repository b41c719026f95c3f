#include "mining/predictor/slow_runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"

/* A run is flagged that is off by so many median deviations of all, and by so much at least. */
#define OFF_MEDIANS 10
#define OFF_LEAST 0.2

/* What is farther off is no ordinary run. NaN: out of memory. */
static double flagged_from(const double *off, size_t n)
{
	double *work = calloc(n + 1, sizeof *work), median;

	if (!work)
		return (double)NAN;
	for (size_t i = 0; i < n; i++)
		work[i] = fabs(off[i]);
	qsort(work, n, sizeof *work, compare_doubles);
	median = n > 0 ? work[n / 2] : 0;
	free(work);
	return fmax(OFF_MEDIANS * median, OFF_LEAST);
}

static int by_off(const void *a, const void *b)
{
	const struct slow_run *x = a, *y = b;

	if (x->log_off != y->log_off)
		return x->log_off > y->log_off ? -1 : 1;
	return memcmp(x->hash, y->hash, sizeof x->hash);
}

static enum err_code reserve(size_t n, struct slow_runs *out, struct err *e)
{
	*out = (struct slow_runs){.item = calloc(n + 1, sizeof *out->item)};
	return out->item ? ERR_OK : err_set(e, ERR_NOMEM, "%zu slow runs", n);
}

/* Adds up, by kind, the configurations like each slow one, and the slow ones among them. */
static void count_alike(const struct config_table *t, const double *off, double from,
			const struct slow_runs *m, double n[][CONFIG_KINDS],
			double n_slow[][CONFIG_KINDS])
{
	for (size_t i = 0; i < t->n; i++) {
		for (int kind = 0; kind < CONFIG_KINDS; kind++) {
			const uint64_t hash = config_kind_hash(t->app, config_table_row(t, i),
							       (enum config_kind)kind);

			for (size_t k = 0; k < m->n; k++) {
				n[k][kind] += m->item[k].hash[kind] == hash;
				n_slow[k][kind] += m->item[k].hash[kind] == hash && off[i] > from;
			}
		}
	}
}

/* n, n_slow: of a run, by kind; narrower kinds are part of wider ones, and count once. */
static double chance_of_kind(const double *n, const double *n_slow, int kind, double all)
{
	double chance = all;

	for (int k = 0; k <= kind; k++) {
		const double n_narrower = k < kind ? n[k + 1] : 0;
		const double slow_narrower = k < kind ? n_slow[k + 1] : 0;

		chance = (chance + n_slow[k] - slow_narrower) / (1 + n[k] - n_narrower);
	}
	return chance;
}

static void find_chances(const struct config_table *t, const double *off, double from,
			 struct slow_runs *m, double all)
{
	double n[SLOW_RUNS_MAX][CONFIG_KINDS] = {0}, n_slow[SLOW_RUNS_MAX][CONFIG_KINDS] = {0};

	if (m->n == 0)
		return;
	count_alike(t, off, from, m, n, n_slow);
	for (size_t k = 0; k < m->n; k++) {
		for (int kind = 0; kind < CONFIG_KINDS; kind++)
			m->item[k].chance[kind] =
				fmax(chance_of_kind(n[k], n_slow[k], kind, all) - all, 0);
	}
}

enum err_code slow_runs_make(const struct config_table *t, const double *off, struct slow_runs *out,
			     struct err *e)
{
	const double from = flagged_from(off, t->n);
	size_t n = 0;
	enum err_code rc;

	if (isnan(from))
		return err_set(e, ERR_NOMEM, "%zu configurations", t->n);
	for (size_t i = 0; i < t->n; i++)
		n += off[i] > from;
	if ((rc = reserve(n, out, e)))
		return rc;
	for (size_t i = 0; i < t->n; i++) {
		struct slow_run *item = &out->item[out->n];

		if (!(off[i] > from))
			continue;
		for (int kind = 0; kind < CONFIG_KINDS; kind++)
			item->hash[kind] = config_kind_hash(t->app, config_table_row(t, i),
							    (enum config_kind)kind);
		item->log_off = off[i];
		out->n++;
	}
	qsort(out->item, out->n, sizeof *out->item, by_off);
	if (out->n > SLOW_RUNS_MAX)
		out->n = SLOW_RUNS_MAX;
	find_chances(t, off, from, out, (double)n / (double)t->n);
	return ERR_OK;
}

void slow_runs_release(struct slow_runs *m)
{
	free(m->item);
	*m = (struct slow_runs){.n = 0};
}

double slow_runs_chance(const struct slow_runs *m, const struct application *app, const double *row,
			double *log_off)
{
	for (int kind = CONFIG_KINDS - 1; kind >= 0 && m->n > 0; kind--) {
		const uint64_t hash = config_kind_hash(app, row, (enum config_kind)kind);

		for (size_t k = 0; k < m->n; k++) {
			if (m->item[k].hash[kind] != hash)
				continue;
			*log_off = m->item[k].log_off;
			return m->item[k].chance[kind];
		}
	}
	return 0;
}

void slow_runs_explain(const struct slow_runs *m, struct strbuf *out)
{
	if (m->n == 0)
		return;
	strbuf_printf(out,
		      " Set aside: %zu configuration%s took up to %.1f times what the others let "
		      "expect (disturbed, or true of what was chosen there): what is promised of "
		      "the like allows for it.",
		      m->n, m->n == 1 ? "" : "s", exp(m->item[0].log_off));
}

static const char *const slow_name[CONFIG_KINDS] = {"packing", "configuration", "run"};

static enum err_code add(struct kb_fit *fit, const char *part, const char *kind, size_t i,
			 double value, const char *meaning, struct err *e)
{
	char name[64];

	snprintf(name, sizeof name, "slow_%s_%s_%zu", part, kind, i);
	return kb_fit_add(fit, name, value, NAN, "", meaning, e);
}

enum err_code slow_runs_store(const struct slow_runs *m, struct kb_fit *fit, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < m->n && !rc; i++) {
		const struct slow_run *s = &m->item[i];

		rc = add(fit, "off", "log", i, s->log_off, "beyond what is fitted", e);
		for (int k = 0; k < CONFIG_KINDS && !rc; k++) {
			if (!(rc = add(fit, "high", slow_name[k], i,
				       (double)(s->hash[k] >> CONFIG_HASH_HALF), "hash", e)) &&
			    !(rc = add(fit, "low", slow_name[k], i,
				       (double)(s->hash[k] & UINT32_MAX), "hash", e)))
				rc = add(fit, "chance", slow_name[k], i, s->chance[k],
					 "that the next one is slow", e);
		}
	}
	return rc;
}

static void load_number(const struct kb_param *q, struct slow_runs *m)
{
	char part[16], kind[16];
	size_t i;

	if (sscanf(q->name, "slow_%15[a-z]_%15[a-z]_%zu", part, kind, &i) != 3 || i >= m->n ||
	    !(q->value >= 0 && q->value <= UINT32_MAX))
		return;
	if (!strcmp(part, "off"))
		m->item[i].log_off = q->value;
	for (int k = 0; k < CONFIG_KINDS; k++) {
		if (strcmp(kind, slow_name[k]) != 0)
			continue;
		if (!strcmp(part, "high"))
			m->item[i].hash[k] |= (uint64_t)(uint32_t)q->value << CONFIG_HASH_HALF;
		else if (!strcmp(part, "low"))
			m->item[i].hash[k] |= (uint32_t)q->value;
		else if (!strcmp(part, "chance"))
			m->item[i].chance[k] = q->value;
	}
}

enum err_code slow_runs_load(const struct kb_fit *fit, struct slow_runs *out, struct err *e)
{
	size_t n = 0;
	enum err_code rc;

	for (size_t k = 0; k < fit->n_param; k++)
		n += !strncmp(fit->param[k].name, "slow_off_log_", 13);
	if ((rc = reserve(n, out, e)))
		return rc;
	out->n = n;
	for (size_t k = 0; k < fit->n_param && n > 0; k++) {
		if (!strncmp(fit->param[k].name, "slow_", 5))
			load_number(&fit->param[k], out);
	}
	return ERR_OK;
}
