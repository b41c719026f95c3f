#include "mining/predictor/slow_runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/splitmix.h"
#include "mining/training/run_screen.h"

/* Hashes are stored as two numbers, for 53 bits are all that a double holds. */
enum { HALF = 32 };

/* A run is flagged that is off by so many median deviations of all, and by so much at least. */
#define OFF_MEDIANS 10
#define OFF_LEAST 0.2

static uint64_t hash_number(uint64_t hash, double x)
{
	uint64_t bits;

	x = isnan(x) ? (double)NAN : x + 0.0; /* one NaN, one zero */
	memcpy(&bits, &x, sizeof bits);
	hash ^= bits;
	return splitmix_next(&hash);
}

/* Codes of words change when runs come or go. */
static uint64_t hash_cell(uint64_t hash, const struct column *c, double x)
{
	if (c->type != COL_TEXT || !(x >= 0) || !(x < (double)c->levels.n))
		return hash_number(hash, x);
	for (const char *text = c->levels.name[(size_t)x]; *text; text++)
		hash = hash_number(hash, (unsigned char)*text);
	return hash;
}

static bool counts_in(const struct application *app, size_t i, enum slow_kind kind)
{
	const enum column_role role = app->column[i].role;
	const bool is_scale = i == app->i_nodes || i == app->i_procs;

	if (role == COL_PROBLEM || role == COL_WORKLOAD)
		return kind == SLOW_RUN;
	return (role == COL_TUNABLE || role == COL_RESOURCE) && (kind != SLOW_PACKING || !is_scale);
}

static uint64_t hash_of_kind(const struct application *app, const double *row, enum slow_kind kind)
{
	uint64_t hash = (uint64_t)kind + 1;

	for (size_t i = 0; i < app->n_columns; i++) {
		if (counts_in(app, i, kind))
			hash = hash_cell(hash_number(hash, (double)i), &app->column[i], row[i]);
	}
	if (app->i_procs != SIZE_MAX && app->i_nodes != SIZE_MAX)
		hash = hash_number(hash, row[app->i_procs] / row[app->i_nodes]);
	return hash;
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* What is farther off is no ordinary run. NaN: out of memory. */
static double flagged_from(const double *off, size_t n)
{
	double *work = calloc(n + 1, sizeof *work), median;

	if (!work)
		return (double)NAN;
	for (size_t i = 0; i < n; i++)
		work[i] = fabs(off[i]);
	qsort(work, n, sizeof *work, by_size);
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
			const struct slow_runs *m, double n[][SLOW_KINDS],
			double n_slow[][SLOW_KINDS])
{
	for (size_t i = 0; i < t->n; i++) {
		for (int kind = 0; kind < SLOW_KINDS; kind++) {
			const uint64_t hash =
				hash_of_kind(t->app, config_table_row(t, i), (enum slow_kind)kind);

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
	double n[SLOW_RUNS_MAX][SLOW_KINDS] = {0}, n_slow[SLOW_RUNS_MAX][SLOW_KINDS] = {0};

	if (m->n == 0)
		return;
	count_alike(t, off, from, m, n, n_slow);
	for (size_t k = 0; k < m->n; k++) {
		for (int kind = 0; kind < SLOW_KINDS; kind++)
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
		for (int kind = 0; kind < SLOW_KINDS; kind++)
			item->hash[kind] =
				hash_of_kind(t->app, config_table_row(t, i), (enum slow_kind)kind);
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
	for (int kind = SLOW_KINDS - 1; kind >= 0 && m->n > 0; kind--) {
		const uint64_t hash = hash_of_kind(app, row, (enum slow_kind)kind);

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

static const char *const slow_name[SLOW_KINDS] = {"packing", "configuration", "run"};

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
		for (int k = 0; k < SLOW_KINDS && !rc; k++) {
			if (!(rc = add(fit, "high", slow_name[k], i, (double)(s->hash[k] >> HALF),
				       "hash", e)) &&
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
	for (int k = 0; k < SLOW_KINDS; k++) {
		if (strcmp(kind, slow_name[k]) != 0)
			continue;
		if (!strcmp(part, "high"))
			m->item[i].hash[k] |= (uint64_t)(uint32_t)q->value << HALF;
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

/* ---- failures by chance ---- */

/* The runs of one configuration. */
struct outcome {
	const double *row;
	uint64_t hash[SLOW_KINDS], size;
	size_t n_ended, n_failed;
	size_t n_told, n_told_failed;
};

static uint64_t hash_of_size(const struct application *app, const double *row)
{
	uint64_t hash = SLOW_KINDS + 1;

	if (app->i_nodes != SIZE_MAX)
		hash = hash_number(hash, row[app->i_nodes]);
	return app->i_procs == SIZE_MAX ? hash : hash_number(hash, row[app->i_procs]);
}

static uint64_t hash_of_chance(const struct chance_failures *m, const struct application *app,
			       const double *row, enum slow_kind kind)
{
	return m->by_size && kind == SLOW_PACKING ? hash_of_size(app, row)
						  : hash_of_kind(app, row, kind);
}

static int by_run_hash(const void *a, const void *b)
{
	const struct outcome *x = a, *y = b;

	return (x->hash[SLOW_RUN] > y->hash[SLOW_RUN]) - (x->hash[SLOW_RUN] < y->hash[SLOW_RUN]);
}

/* One for each run. Returns how many. */
static size_t list_outcomes(const struct dataset *runs, struct outcome *o)
{
	size_t n = 0;

	for (size_t i = 0; i < runs->n; i++) {
		const bool failed = runs->status[i] == RUN_FAILED;

		if (failed && runs->flagged[i] == FLAG_SCREENED)
			continue;
		o[n] = (struct outcome){.row = dataset_row(runs, i),
					.n_ended = failed ? 0 : runs->n_repeats[i],
					.n_failed = failed};
		o[n].hash[SLOW_RUN] = hash_of_kind(runs->app, o[n].row, SLOW_RUN);
		n++;
	}
	return n;
}

/* Keeps of o[n] one for each configuration. Returns how many. A run tells if another one of its
 * configuration ended; it is no witness of its own. */
static size_t gather_outcomes(const struct application *app, struct outcome *o, size_t n)
{
	size_t n_distinct = 0;

	qsort(o, n, sizeof *o, by_run_hash);
	for (size_t i = 0; i < n; i++) {
		if (n_distinct > 0 && !by_run_hash(&o[n_distinct - 1], &o[i])) {
			o[n_distinct - 1].n_ended += o[i].n_ended;
			o[n_distinct - 1].n_failed += o[i].n_failed;
		} else {
			o[n_distinct++] = o[i];
		}
	}
	for (size_t i = 0; i < n_distinct; i++) {
		o[i].n_told_failed = o[i].n_ended > 0 ? o[i].n_failed : 0;
		o[i].n_told = (o[i].n_ended > 1 ? o[i].n_ended : 0) + o[i].n_told_failed;
		o[i].size = hash_of_size(app, o[i].row);
		for (int k = 0; k < SLOW_RUN; k++)
			o[i].hash[k] = hash_of_kind(app, o[i].row, (enum slow_kind)k);
	}
	return n_distinct;
}

/* A kind, and the wider one that it is part of. */
struct chance_kind {
	uint64_t hash, wider;
	double m, k, chance;
};

static int by_kind(const void *a, const void *b)
{
	const struct chance_kind *x = a, *y = b;

	return (x->hash > y->hash) - (x->hash < y->hash);
}

static const struct chance_kind *find_kind(const struct chance_kind *g, size_t n, uint64_t hash)
{
	const struct chance_kind key = {.hash = hash};

	return n > 0 ? bsearch(&key, g, n, sizeof *g, by_kind) : NULL;
}

/* Sums over the configurations of each kind, sorted. Returns how many kinds. */
static size_t sum_kinds(const struct outcome *o, size_t n, int kind, struct chance_kind *g)
{
	size_t n_kinds = 0;

	for (size_t i = 0; i < n; i++)
		g[i] = (struct chance_kind){.hash = o[i].hash[kind],
					    .wider = kind > 0 ? o[i].hash[kind - 1] : 0,
					    .m = (double)o[i].n_told,
					    .k = (double)o[i].n_told_failed};
	qsort(g, n, sizeof *g, by_kind);
	for (size_t i = 0; i < n; i++) {
		if (n_kinds > 0 && g[n_kinds - 1].hash == g[i].hash) {
			g[n_kinds - 1].m += g[i].m;
			g[n_kinds - 1].k += g[i].k;
		} else {
			g[n_kinds++] = g[i];
		}
	}
	return n_kinds;
}

/* What a wider kind weighs, in runs: with rho the correlation of two runs of a kind, chi squared of
 * the kinds has the expectation sum of (1 + (m - 1) rho). INFINITY: they do not differ. */
static double wider_weight(const struct chance_kind *g, size_t n)
{
	double excess = 0, room = 0, rho;

	for (size_t i = 0; i < n; i++) {
		const double var = g[i].m * g[i].chance * (1 - g[i].chance);

		if (!(var > 0))
			continue;
		excess += pow(g[i].k - g[i].m * g[i].chance, 2) / var - 1;
		room += g[i].m - 1;
	}
	rho = room > 0 ? excess / room : 0;
	return rho > 0 ? fmax(1 / rho - 1, 1) : (double)INFINITY;
}

/* From the wider kinds g[n_wider] to g[n] of the next. Returns what the wider ones weigh. */
static double shrink_kinds(struct chance_kind *g, size_t n, const struct chance_kind *wider,
			   size_t n_wider, double all)
{
	double weight;

	for (size_t i = 0; i < n; i++) {
		const struct chance_kind *w = find_kind(wider, n_wider, g[i].wider);

		g[i].chance = w ? w->chance : all;
	}
	weight = wider_weight(g, n);
	for (size_t i = 0; i < n && isfinite(weight); i++)
		g[i].chance = (weight * g[i].chance + g[i].k) / (weight + g[i].m);
	return weight;
}

static int by_told(const void *a, const void *b)
{
	const struct chance_kind *x = a, *y = b;

	return x->m != y->m ? (x->m > y->m ? -1 : 1) : by_kind(a, b);
}

/* Do runs differ more by nodes and processes than by all else that is chosen? g[n]. */
static bool differ_by_size(struct outcome *o, size_t n, double all, struct chance_kind *g)
{
	double weight[2];

	for (int by_size = 0; by_size < 2; by_size++) {
		for (size_t i = 0; i < n; i++) {
			const uint64_t other = o[i].size;

			o[i].size = o[i].hash[SLOW_PACKING];
			o[i].hash[SLOW_PACKING] = other;
		}
		weight[!by_size] = shrink_kinds(g, sum_kinds(o, n, SLOW_PACKING, g), NULL, 0, all);
	}
	return weight[1] < weight[0];
}

static enum err_code fit_kinds(struct outcome *o, size_t n, struct chance_failures *m,
			       struct err *e)
{
	struct chance_kind *g = calloc(SLOW_KINDS * n + 1, sizeof *g), *wider = NULL;
	size_t n_wider = 0, n_all = 0;

	m->item = calloc(CHANCE_FAILURES_MAX + 1, sizeof *m->item);
	if (!g || !m->item) {
		free(g);
		return err_set(e, ERR_NOMEM, "chances of failure");
	}
	m->by_size = differ_by_size(o, n, m->all, g);
	for (size_t i = 0; i < n && m->by_size; i++)
		o[i].hash[SLOW_PACKING] = o[i].size;
	for (int kind = 0; kind < SLOW_KINDS; kind++) {
		struct chance_kind *here = g + n_all;
		const size_t n_here = sum_kinds(o, n, kind, here);

		shrink_kinds(here, n_here, wider, n_wider, m->all);
		wider = here;
		n_wider = n_here;
		n_all += n_here;
	}
	qsort(g, n_all, sizeof *g, by_told);
	for (size_t i = 0; i < n_all && m->n < CHANCE_FAILURES_MAX; i++) {
		if (g[i].chance != m->all)
			m->item[m->n++] = (struct chance_failure){g[i].hash, g[i].chance};
	}
	free(g);
	return ERR_OK;
}

enum err_code chance_failures_make(const struct dataset *runs, const struct dataset *failures,
				   struct chance_failures *out, struct err *e)
{
	struct chance_failures m = {0};
	struct outcome *o;
	const size_t n_failures = failures ? failures->n : 0;
	bool any = n_failures > 0;
	enum err_code rc = ERR_OK;
	size_t n;

	for (size_t i = 0; i < runs->n && !any; i++)
		any = runs->status[i] == RUN_FAILED;
	if (!any) {
		*out = m;
		return ERR_OK;
	}
	if (!(o = calloc(runs->n + n_failures + 1, sizeof *o)))
		return err_set(e, ERR_NOMEM, "%zu runs", runs->n);
	n = list_outcomes(runs, o);
	if (failures)
		n += list_outcomes(failures, o + n);
	n = gather_outcomes(runs->app, o, n);
	for (size_t i = 0; i < n; i++) {
		m.n_told += o[i].n_told;
		m.n_failed += o[i].n_told_failed;
	}
	if (m.n_failed > 0) {
		m.all = (double)m.n_failed / (double)(1 + m.n_told);
		rc = fit_kinds(o, n, &m, e);
	}
	free(o);
	if (rc)
		chance_failures_release(&m);
	else
		*out = m;
	return rc;
}

void chance_failures_release(struct chance_failures *m)
{
	free(m->item);
	*m = (struct chance_failures){0};
}

double chance_failures_at(const struct chance_failures *m, const struct application *app,
			  const double *row)
{
	for (int kind = SLOW_KINDS - 1; kind >= 0 && m->n > 0; kind--) {
		const uint64_t hash = hash_of_chance(m, app, row, (enum slow_kind)kind);

		for (size_t i = 0; i < m->n; i++) {
			if (m->item[i].hash == hash)
				return m->item[i].chance;
		}
	}
	return m->all;
}

void chance_failures_explain(const struct chance_failures *m, struct strbuf *out)
{
	if (m->n_failed > 0)
		strbuf_printf(
			out,
			" Failed by chance: %zu of %zu runs of what ended at other times: the "
			"next one may, too, and promises allow for it.",
			m->n_failed, m->n_told);
}

enum err_code chance_failures_store(const struct chance_failures *m, struct kb_fit *fit,
				    struct err *e)
{
	enum err_code rc = ERR_OK;

	if (m->n_failed > 0)
		rc = kb_fit_add(fit, "fails_all", m->all, NAN, "", "that a run fails by chance", e);
	if (m->by_size && !rc)
		rc = kb_fit_add(fit, "fails_by_size", 1, NAN, "", "by nodes and processes", e);
	for (size_t i = 0; i < m->n && !rc; i++) {
		const struct chance_failure *item = &m->item[i];
		char high[48], low[48], chance[48];

		snprintf(high, sizeof high, "fails_high_%zu", i);
		snprintf(low, sizeof low, "fails_low_%zu", i);
		snprintf(chance, sizeof chance, "fails_chance_%zu", i);
		if (!(rc = kb_fit_add(fit, high, (double)(item->hash >> HALF), NAN, "", "hash",
				      e)) &&
		    !(rc = kb_fit_add(fit, low, (double)(item->hash & UINT32_MAX), NAN, "", "hash",
				      e)))
			rc = kb_fit_add(fit, chance, item->chance, NAN, "",
					"that the next one fails", e);
	}
	return rc;
}

enum err_code chance_failures_load(const struct kb_fit *fit, struct chance_failures *out,
				   struct err *e)
{
	*out = (struct chance_failures){.item = calloc(CHANCE_FAILURES_MAX, sizeof *out->item)};
	if (!out->item)
		return err_set(e, ERR_NOMEM, "chances of failure");
	for (size_t k = 0; k < fit->n_param; k++) {
		const struct kb_param *q = &fit->param[k];
		char part[16];
		size_t i;

		if (!strcmp(q->name, "fails_all") && q->value >= 0 && q->value < 1)
			out->all = q->value;
		if (!strcmp(q->name, "fails_by_size"))
			out->by_size = q->value == 1;
		if (sscanf(q->name, "fails_%15[a-z]_%zu", part, &i) != 2 ||
		    i >= CHANCE_FAILURES_MAX || !(q->value >= 0 && q->value <= UINT32_MAX))
			continue;
		if (i >= out->n)
			out->n = i + 1;
		if (!strcmp(part, "high"))
			out->item[i].hash |= (uint64_t)(uint32_t)q->value << HALF;
		else if (!strcmp(part, "low"))
			out->item[i].hash |= (uint32_t)q->value;
		else if (!strcmp(part, "chance"))
			out->item[i].chance = fmin(q->value, 1);
	}
	return ERR_OK;
}
