#include "mining/findings/findings_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "mining/cases/case_contrast.h"
#include "mining/numerics/group_by.h"

/* Bins to groups of about equal numbers: a bin goes where its middle lies. A bin that holds much
 * has a group of its own, and bins no more than groups all have. */
static void group_ordered(const size_t count[256], size_t n_bins, size_t n_all, size_t most,
			  struct column_groups *g)
{
	size_t n_seen = 0, before = 0, last_slot = SIZE_MAX;

	for (size_t b = 0; b < n_bins; b++)
		n_seen += count[b] > 0;
	for (size_t b = 0; b < n_bins; b++) {
		size_t slot;

		if (count[b] == 0)
			continue;
		slot = (2 * before + count[b]) * most / (2 * n_all);
		if (g->n == 0 || n_seen <= most || slot != last_slot) {
			g->lo[g->n] = (unsigned char)b;
			g->n++;
			last_slot = slot;
		}
		g->hi[g->n - 1] = (unsigned char)b;
		g->of_code[b] = (unsigned char)(g->n - 1);
		before += count[b];
	}
}

static void group_levels(const size_t count[256], size_t n_levels, size_t most,
			 struct column_groups *g)
{
	size_t n_seen = 0, own;

	for (size_t b = 0; b < n_levels; b++)
		n_seen += count[b] > 0;
	own = n_seen <= most ? n_seen : most - 1;
	while (g->n < own) {
		size_t top = SIZE_MAX;

		for (size_t b = 0; b < n_levels; b++) {
			if (count[b] > 0 && g->of_code[b] == GROUP_NONE &&
			    (top == SIZE_MAX || count[b] > count[top]))
				top = b;
		}
		g->lo[g->n] = g->hi[g->n] = (unsigned char)top;
		g->of_code[top] = (unsigned char)g->n++;
	}
	g->has_rest = own < n_seen;
	for (size_t b = 0; b < n_levels && g->has_rest; b++) {
		if (count[b] > 0 && g->of_code[b] == GROUP_NONE) {
			g->lo[g->n] = g->hi[g->n] = (unsigned char)b;
			g->of_code[b] = (unsigned char)g->n;
		}
	}
	g->n += g->has_rest;
}

void column_groups_make(const struct slowdown_table *t, size_t column, size_t most,
			struct column_groups *out)
{
	const unsigned char *code = slowdown_codes(t, column);
	const struct column_bins *bins = &t->bins[column];
	size_t count[256] = {0};

	*out = (struct column_groups){.ordered = bins->ordered};
	memset(out->of_code, GROUP_NONE, sizeof out->of_code);
	for (size_t i = 0; i < t->n; i++)
		count[code[i]]++;
	if (bins->ordered)
		group_ordered(count, bins->n, t->n, most, out);
	else
		group_levels(count, bins->n, most, out);
}

/* Four digits are enough to recognise a range. */
static void put_short(double value, struct strbuf *out)
{
	double unit = 1;

	if (value != floor(value))
		unit = pow(10, fmax(0, 3 - floor(log10(fabs(value)))));
	strbuf_put_number(out, round(value * unit) / unit);
}

void column_groups_put_values(const struct slowdown_table *t, size_t column,
			      const struct column_groups *g, size_t group, struct strbuf *out)
{
	const struct column_bins *bins = &t->bins[column];

	if (!g->ordered) {
		bool rest = g->has_rest && group == g->n - 1;

		strbuf_puts(out, rest ? "other" : t->app->column[column].levels.name[g->lo[group]]);
		return;
	}
	put_short(bins->low[g->lo[group]], out);
	if (bins->high[g->hi[group]] > bins->low[g->lo[group]]) {
		strbuf_puts(out, "..");
		put_short(bins->high[g->hi[group]], out);
	}
}

void column_groups_put(const struct slowdown_table *t, size_t column, const struct column_groups *g,
		       size_t group, struct strbuf *out)
{
	strbuf_printf(out, "%s ", t->app->column[column].name);
	column_groups_put_values(t, column, g, group, out);
}

void column_groups_put_where(const struct slowdown_table *t, size_t column,
			     const struct column_groups *g, size_t from, size_t to,
			     struct strbuf *out)
{
	const struct column_bins *bins = &t->bins[column];
	double low = bins->low[g->lo[from]], high = bins->high[g->hi[to]];
	bool first = from == 0, last = to + 1 == g->n;

	strbuf_printf(out, "%s ", t->app->column[column].name);
	if (!g->ordered) {
		column_groups_put_values(t, column, g, from, out);
	} else if (first != last && high > low) {
		strbuf_puts(out, first ? "<= " : ">= ");
		put_short(first ? high : low, out);
	} else {
		put_short(low, out);
		if (high > low) {
			strbuf_puts(out, "..");
			put_short(high, out);
		}
	}
}

/* Smaller cases have next to no ranks. */
enum { MIN_CASE = 3 };

void rank_strata_release(struct rank_strata *s)
{
	free(s->start);
	free(s->config);
	free(s->block);
	free(s->value);
	free(s->rank);
	free(s->weight);
	*s = (struct rank_strata){0};
}

static bool reserve(struct rank_strata *s, size_t n, size_t n_strata)
{
	s->start = calloc(n_strata + 1, sizeof *s->start);
	s->config = calloc(n + 1, sizeof *s->config);
	s->block = calloc(n + 1, sizeof *s->block);
	s->value = calloc(n + 1, sizeof *s->value);
	s->rank = calloc(n + 1, sizeof *s->rank);
	s->weight = calloc(n_strata + 1, sizeof *s->weight);
	return s->start && s->config && s->block && s->value && s->rank && s->weight;
}

/* The next stratum: those of member[0..n-1] that have a value, if they are enough. */
static void add_stratum(struct rank_strata *s, const uint32_t *member, size_t n,
			const double *value)
{
	size_t from = s->n;

	for (size_t k = 0; k < n; k++) {
		if (isnan(value[member[k]]))
			continue;
		s->config[s->n] = member[k];
		s->value[s->n++] = value[member[k]];
	}
	if (s->n - from < MIN_CASE) {
		s->n = from;
		return;
	}
	s->weight[s->n_strata] = 1;
	s->start[++s->n_strata] = (uint32_t)s->n;
}

static enum err_code rank_strata(struct rank_strata *s, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < s->n_strata && !rc; i++) {
		double *rank = s->rank + s->start[i];
		size_t n = s->start[i + 1] - s->start[i];

		rc = rank_values(s->value + s->start[i], n, rank, e);
		for (size_t k = 0; k < n && !rc; k++)
			rank[k] = (rank[k] - ((double)n + 1) / 2) / (double)n;
	}
	return rc;
}

/* Blocks keep their numbers in a sample: count anew those that are there. */
static enum err_code number_blocks(struct rank_strata *s, struct err *e)
{
	uint32_t *number = malloc((s->t->n_blocks + 1) * sizeof *number);

	if (!number)
		return err_set(e, ERR_NOMEM, "%zu blocks", s->t->n_blocks);
	memset(number, 0xff, (s->t->n_blocks + 1) * sizeof *number);
	for (size_t k = 0; k < s->n; k++) {
		uint32_t block = s->t->block[s->config[k]];

		if (number[block] == SLOWDOWN_NONE)
			number[block] = (uint32_t)s->n_blocks++;
		s->block[k] = number[block];
	}
	free(number);
	return ERR_OK;
}

static enum err_code finish(struct rank_strata *s, struct rank_strata *out, struct err *e)
{
	enum err_code rc;

	if ((rc = rank_strata(s, e)) || (rc = number_blocks(s, e)))
		rank_strata_release(s);
	else
		*out = *s;
	return rc;
}

enum err_code rank_strata_of_time(const struct slowdown_table *t, struct rank_strata *out,
				  struct err *e)
{
	struct rank_strata s = {.t = t};
	uint32_t *all = calloc(t->n + 1, sizeof *all);

	if (!all || !reserve(&s, t->n, 1)) {
		free(all);
		rank_strata_release(&s);
		return err_set(e, ERR_NOMEM, "ranks of %zu configurations", t->n);
	}
	for (size_t i = 0; i < t->n; i++)
		all[i] = (uint32_t)i;
	add_stratum(&s, all, t->n, t->log_time);
	free(all);
	return finish(&s, out, e);
}

enum err_code rank_strata_of_slowdown(const struct slowdown_table *t, struct rank_strata *out,
				      struct err *e)
{
	struct rank_strata s = {.t = t};
	uint32_t *start = NULL, *member;
	enum err_code rc = group_members(t->stratum, t->n, t->n_strata, &start, &member, e);

	if (rc)
		return rc;
	if (!reserve(&s, t->n, t->n_strata)) {
		free(start);
		rank_strata_release(&s);
		return err_set(e, ERR_NOMEM, "ranks of %zu configurations", t->n);
	}
	for (size_t i = 0; i < t->n_strata; i++)
		add_stratum(&s, member + start[i], start[i + 1] - start[i], t->log_slowdown);
	for (size_t i = 0; i < s.n_strata; i++)
		s.weight[i] = fmin(1, CASE_CAP / (double)(s.start[i + 1] - s.start[i]));
	free(start);
	return finish(&s, out, e);
}

/* Sums over ranks u of the column and v of the value. */
struct rank_sums {
	double uv, uu, vv;
};

/* One stratum's counts by bin. Which bins were touched is kept in bits, so that small strata do
 * not pay for all bins. */
struct bin_ranks {
	double count[256], sum_v[256], u[256];
	uint64_t touched[4];
};

static void touch(struct bin_ranks *b, unsigned char code, double v)
{
	b->touched[code / 64] |= UINT64_C(1) << (code % 64);
	b->count[code]++;
	b->sum_v[code] += v;
}

/* Mean ranks of the bins, centred and scaled, in order; *uv and *uu are added up; the counts are
 * zero again. */
static void rank_bins(struct bin_ranks *b, double n, double *uv, double *uu)
{
	double below = 0;

	for (size_t word = 0; word < 4; word++) {
		while (b->touched[word] != 0) {
			size_t code = word * 64 + (size_t)__builtin_ctzll(b->touched[word]);

			b->u[code] = (below + (b->count[code] + 1) / 2 - (n + 1) / 2) / n;
			below += b->count[code];
			*uv += b->u[code] * b->sum_v[code];
			*uu += b->u[code] * b->u[code] * b->count[code];
			b->count[code] = b->sum_v[code] = 0;
			b->touched[word] &= b->touched[word] - 1;
		}
	}
}

/* All strata together: into total, and into the sums of every block. *chance is the variance that
 * rho has if the values of each stratum are dealt at random (the permutation variance of a sum of
 * products, uu vv / (n - 1)), before it is divided by the totals. */
static void sum_up(const struct rank_strata *s, const unsigned char *code, struct rank_sums *total,
		   struct rank_sums *by_block, double *chance)
{
	struct bin_ranks bins = {.count = {0}};

	for (size_t i = 0; i < s->n_strata; i++) {
		double n = 0, mean = 0, w = s->weight[i];
		struct rank_sums sums = {0};

		for (size_t k = s->start[i]; k < s->start[i + 1]; k++) {
			if (code[s->config[k]] == BIN_MISSING)
				continue;
			touch(&bins, code[s->config[k]], s->rank[k]);
			mean += s->rank[k];
			sums.vv += s->rank[k] * s->rank[k];
			n++;
		}
		mean /= n > 0 ? n : 1;
		sums.vv -= n * mean * mean;
		rank_bins(&bins, n, &sums.uv, &sums.uu);
		/* Ranks are multiples of 1 / 2n: less than that squared is rounding. */
		if (n < MIN_CASE || sums.uu * n * n < 0.1 || sums.vv * n * n < 0.1)
			continue;
		total->uv += w * sums.uv;
		total->uu += w * sums.uu;
		total->vv += w * sums.vv;
		*chance += w * w * sums.uu * sums.vv / (n - 1);
		for (size_t k = s->start[i]; k < s->start[i + 1]; k++) {
			unsigned char c = code[s->config[k]];
			struct rank_sums *b = &by_block[s->block[k]];
			double v = s->rank[k] - mean;

			if (c == BIN_MISSING)
				continue;
			b->uv += w * bins.u[c] * v;
			b->uu += w * bins.u[c] * bins.u[c];
			b->vv += w * v * v;
		}
	}
}

/* The variance of rho over blocks, from what each adds to it (its influence). */
static double variance_over_blocks(const struct rank_sums *total, const struct rank_sums *by_block,
				   size_t n_blocks, double rho, double *n_counted)
{
	double sum = 0, root = sqrt(total->uu * total->vv);

	*n_counted = 0;
	for (size_t b = 0; b < n_blocks; b++) {
		const struct rank_sums *s = &by_block[b];
		double d = s->uv / root - rho / 2 * (s->uu / total->uu + s->vv / total->vv);

		sum += d * d;
		*n_counted += s->uu > 0 || s->vv > 0;
	}
	return *n_counted > 1 ? sum * *n_counted / (*n_counted - 1) : 0;
}

/* Fisher's z, with the larger of two variances: over blocks, and of independent configurations
 * (Bonett and Wright 2000: 1 + rho^2 / 2 times that of chance). Few blocks may agree by luck. */
static void judge(double rho, double over_blocks, double chance, double dof,
		  struct rank_correlation *out)
{
	double most = 1 - 1e-9; /* where z is still finite */
	double inside = fmax(1e-9, 1 - rho * rho);
	double z = atanh(fmax(-most, fmin(most, rho)));
	double var_z = fmax(over_blocks / (inside * inside), (1 + rho * rho / 2) * chance);
	double half = gsl_cdf_tdist_Pinv(0.975, dof) * sqrt(var_z);

	*out = (struct rank_correlation){
		.rho = rho,
		.lo = tanh(z - half),
		.hi = tanh(z + half),
		.p = 2 * gsl_cdf_tdist_Q(fabs(rho) / sqrt(fmax(over_blocks, chance)), dof),
	};
}

enum err_code rank_strata_correlate(const struct rank_strata *s, size_t column,
				    struct rank_correlation *out, struct err *e)
{
	struct rank_sums total = {0}, *by_block = calloc(s->n_blocks + 1, sizeof *by_block);
	double chance = 0, over_blocks, n_blocks, rho;

	if (!by_block)
		return err_set(e, ERR_NOMEM, "rank sums of %zu blocks", s->n_blocks);
	*out = (struct rank_correlation){NAN, NAN, NAN, NAN};
	sum_up(s, slowdown_codes(s->t, column), &total, by_block, &chance);
	if (total.uu > 0 && total.vv > 0) {
		rho = total.uv / sqrt(total.uu * total.vv);
		rho = fmax(-1, fmin(1, rho));
		chance /= total.uu * total.vv;
		over_blocks = variance_over_blocks(&total, by_block, s->n_blocks, rho, &n_blocks);
		judge(rho, over_blocks, chance, fmax(1, n_blocks - 1), out);
	}
	free(by_block);
	return ERR_OK;
}
