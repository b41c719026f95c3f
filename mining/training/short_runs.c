#include "mining/training/short_runs.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "mining/numerics/order_statistics.h"
#include "mining/training/run_screen.h"
#include "mining/training/short_sets.h"
#include "mining/training/time_law.h"

enum { MAX_LAW_RUNS = 1000, MIN_RANKED = 3 };

#define LEVEL 1e-3
#define MOST_OF_TIME (2.0 / 3)
#define LESS_OF_TIME 0.8

/* ---- the law of the others ---- */

/* Is run i in the set; NULL: in any? */
static bool is_in(const struct short_sets *l, const struct short_set *s, size_t i)
{
	bool in = s && s->member[i];

	for (size_t k = 0; k < l->n_sets && !s && !in; k++)
		in = l->set[k].member[i];
	return in;
}

static void list_reference(struct short_sets *l, const struct short_set *s)
{
	size_t n = 0, step;

	for (size_t i = 0; i < l->n; i++)
		n += !is_in(l, s, i);
	step = n / MAX_LAW_RUNS + 1;
	l->n_ref = n = 0;
	for (size_t i = 0; i < l->n; i++) {
		if (!is_in(l, s, i) && n++ % step == 0)
			l->ref[l->n_ref++] = (uint32_t)i;
	}
}

static enum err_code fit_law(struct short_sets *l, struct err *e)
{
	return time_law_residuals(l->runs, l->run, l->n, l->ref, l->n_ref, l->off, &l->sd, e);
}

/* ---- the test ---- */

/* Mann and Whitney, that members rank so low by chance; normal, with continuity correction. Sorted
 * off of the reference is in work[]. */
static double chance_of_ranks(const struct short_sets *l, const struct short_set *s)
{
	const double k = (double)s->n, m = (double)l->n_ref;
	double below = 0;

	for (size_t i = 0; i < l->n; i++) {
		size_t lo = 0, hi = l->n_ref;

		while (s->member[i] && lo < hi) {
			const size_t mid = lo + (hi - lo) / 2;

			if (l->work[mid] < l->off[i])
				lo = mid + 1;
			else
				hi = mid;
		}
		below += (double)(s->member[i] ? lo : 0);
	}
	return gsl_cdf_ugaussian_P((below + 0.5 - k * m / 2) / sqrt(k * m * (k + m + 1) / 12));
}

static void test_set(struct short_sets *l, struct short_set *s)
{
	double chance, upper;
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (!s->member[i])
			continue;
		if (n == 0 || l->off[i] < s->off) {
			s->example = i;
			s->off = l->off[i];
		}
		l->value[n++] = l->off[i];
	}
	order_sort(l->value, n);
	s->median = order_quantile(l->value, n, 0.5);
	upper = order_quantile(l->value, n, 0.75);
	for (size_t k = 0; k < l->n_ref; k++)
		l->work[k] = l->off[l->ref[k]];
	order_sort(l->work, l->n_ref);
	chance = gsl_cdf_tdist_P(s->median / l->sd, (double)l->n_ref - 1);
	if (s->n >= MIN_RANKED)
		chance = fmin(chance, chance_of_ranks(l, s));
	s->fires = s->median <= log(MOST_OF_TIME) &&
		   (s->says_no || s->kind != SET_WORD || upper <= log(LESS_OF_TIME)) &&
		   2 * chance * (double)l->n_sets <= LEVEL;
}

/* Where sets take so many runs that too few are left for a law, each is compared with all others.
 */
static enum err_code test_sets(struct short_sets *l, struct err *e)
{
	struct err why = {0};
	const size_t n_most = l->n < MAX_LAW_RUNS ? l->n : MAX_LAW_RUNS;
	bool together;
	enum err_code rc = ERR_OK;

	list_reference(l, NULL);
	together = l->n_ref >= SHORT_MIN_RUNS && 2 * l->n_ref >= n_most;
	if (together)
		rc = fit_law(l, &why);
	for (size_t k = 0; k < l->n_sets && !rc; k++) {
		if (!together) {
			list_reference(l, &l->set[k]);
			rc = l->n_ref < SHORT_MIN_RUNS ? ERR_NUMERIC : fit_law(l, &why);
		}
		if (!rc)
			test_set(l, &l->set[k]);
		if (rc == ERR_NUMERIC) /* no law, nothing to see; of the next there may be one */
			rc = ERR_OK;
	}
	if (rc == ERR_NUMERIC) /* no law, nothing to see */
		return ERR_OK;
	return rc ? err_set(e, rc, "%s", why.msg) : ERR_OK;
}

/* ---- what becomes of them ---- */

/* By choice or by a feature that no column declares: they have not failed. */
static bool is_aside(const struct short_sets *l, const struct short_set *s)
{
	return !s->says_no &&
	       (s->kind == SET_WORD || (s->kind == SET_LESS && short_set_was_chosen(l, s)));
}

static void put_cell(const struct short_sets *l, size_t column, size_t i, char text[DID_LESS_TEXT])
{
	const char *word = short_set_word(l, column, i);

	if (word)
		snprintf(text, DID_LESS_TEXT, "%s", word);
	else
		snprintf(text, DID_LESS_TEXT, "%.6g", short_set_number(l, column, i));
}

/* What those say that are no members, in the middle. */
static void put_usual(struct short_sets *l, const struct short_set *s, size_t i,
		      char text[DID_LESS_TEXT])
{
	size_t count[KB_EXTRA_WORDS + 1] = {0}, usual = 0, n = 0;
	const struct kb_extra_column *c = &l->extras->column[s->column];

	if (s->kind == SET_LESS) {
		snprintf(text, DID_LESS_TEXT, "%.6g", s->usual[i]);
		return;
	}
	for (size_t k = 0; k < l->n; k++) {
		if (s->member[k])
			continue;
		if (!isnan(short_set_number(l, s->column, k)))
			l->value[n++] = short_set_number(l, s->column, k);
		count[c->word[l->run[k]]]++;
	}
	for (size_t k = 1; k <= c->n_words; k++)
		usual = usual == 0 || count[k] > count[usual] ? k : usual;
	order_sort(l->value, n);
	if (n > 0)
		snprintf(text, DID_LESS_TEXT, "%.3g", l->value[n / 2]);
	else
		snprintf(text, DID_LESS_TEXT, "%s", usual > 0 ? c->text[usual - 1] : "");
}

static void name_example(struct short_sets *l, const struct short_set *s, struct short_runs *out)
{
	const size_t at = s->example;

	out->run_id = l->runs->run_id[l->run[at]];
	out->run_s = l->runs->wall_s[l->run[at]];
	out->expected_s = out->run_s / exp(s->off);
	put_cell(l, s->column, at, out->said);
	put_usual(l, s, at, out->usual);
}

static void name_column(const struct short_sets *l, const struct short_set *s,
			struct short_runs *out)
{
	char name[DID_LESS_TEXT];

	snprintf(name, sizeof name, "%s", l->extras->column[s->column].name);
	for (size_t k = 0; k < out->n_columns; k++) {
		if (strcmp(out->column[k], name) == 0)
			return;
	}
	if (out->n_columns < DID_LESS_COLUMNS)
		memcpy(out->column[out->n_columns++], name, sizeof name);
}

static void set_aside(struct short_sets *l, const struct short_set *s, bool chosen)
{
	for (size_t i = 0; i < l->n; i++) {
		const uint32_t r = l->run[i];

		if (!s->member[i] || (chosen && l->runs->status[r] == RUN_FAILED))
			continue;
		l->runs->status[r] = RUN_FAILED;
		l->runs->flagged[r] = chosen ? FLAG_SCREENED : FLAG_SHORT;
	}
}

/* Of most runs first; what fires is taken off the list. NULL: none does (any more). */
static struct short_set *next_set(struct short_sets *l)
{
	struct short_set *best = NULL;

	for (size_t k = 0; k < l->n_sets; k++) {
		struct short_set *s = &l->set[k];

		if (s->fires &&
		    (!best || s->n > best->n || (s->n == best->n && s->median < best->median)))
			best = s;
	}
	if (best)
		best->fires = false;
	return best;
}

static void heed(struct short_sets *l, struct short_runs *out)
{
	const struct short_set *s;

	while ((s = next_set(l))) {
		if (out->n_columns == 0)
			name_example(l, s, out);
		name_column(l, s, out);
		set_aside(l, s, is_aside(l, s));
	}
	for (size_t i = 0; i < l->n; i++) {
		out->n += l->runs->flagged[l->run[i]] == FLAG_SHORT;
		out->n_aside += l->runs->flagged[l->run[i]] == FLAG_SCREENED;
	}
}

/* ---- all together ---- */

static void release(struct short_sets *l)
{
	short_sets_drop(l, 0);
	free(l->run);
	free(l->group);
	free(l->ref);
	free(l->value);
	free(l->work);
	free(l->off);
}

static enum err_code prepare(struct short_sets *l, struct err *e)
{
	const size_t n = l->runs->n + 1;

	l->run = calloc(n, sizeof *l->run);
	l->group = calloc(n, sizeof *l->group);
	l->ref = calloc(n, sizeof *l->ref);
	l->value = calloc(n, sizeof *l->value);
	l->work = calloc(n, sizeof *l->work);
	l->off = calloc(n, sizeof *l->off);
	if (!l->run || !l->group || !l->ref || !l->value || !l->work || !l->off)
		return err_set(e, ERR_NOMEM, "a look at %zu runs", l->runs->n);
	for (size_t i = 0; i < l->runs->n; i++) {
		if (l->runs->status[i] == RUN_OK && l->runs->wall_s[i] > 0 &&
		    isfinite(l->runs->wall_s[i]))
			l->run[l->n++] = (uint32_t)i;
	}
	return ERR_OK;
}

enum err_code short_runs_find(struct dataset *runs, const struct kb_run_extras *extras,
			      struct short_runs *out, struct err *e)
{
	struct short_sets *l;
	enum err_code rc;

	*out = (struct short_runs){.n = 0};
	if (extras->n_columns == 0)
		return ERR_OK;
	if (!(l = calloc(1, sizeof *l)))
		return err_set(e, ERR_NOMEM, "a look at %zu runs", runs->n);
	l->runs = runs;
	l->extras = extras;
	rc = prepare(l, e);
	if (!rc && l->n >= SHORT_MIN_RUNS)
		rc = short_sets_find(l, e);
	if (!rc && l->n_sets > 0 && !(rc = test_sets(l, e)))
		heed(l, out);
	release(l);
	free(l);
	return rc;
}

enum err_code short_runs_move(struct dataset **runs, struct dataset *failures, struct err *e)
{
	const struct dataset *all = *runs;
	unsigned char *keep = calloc(all->n + 1, 1);
	struct dataset *kept = NULL;
	size_t n = 0;
	enum err_code rc = keep ? ERR_OK : err_set(e, ERR_NOMEM, "%zu runs", all->n);

	for (size_t i = 0; i < all->n && !rc; i++) {
		keep[i] = all->flagged[i] != FLAG_SHORT;
		n += keep[i];
		if (keep[i])
			continue;
		rc = dataset_add(failures, dataset_row(all, i), all->wall_s[i], all->run_id[i],
				 all->machine_id[i], (enum run_source)all->source[i], RUN_FAILED,
				 all->n_repeats[i], e);
		if (!rc) {
			failures->import_id[failures->n - 1] = all->import_id[i];
			failures->flagged[failures->n - 1] = FLAG_SHORT;
		}
	}
	if (!rc && n < all->n && !(rc = dataset_subset(all, keep, &kept, e))) {
		dataset_free(*runs);
		*runs = kept;
	}
	free(keep);
	return rc;
}

/* ---- for people ---- */

void short_runs_put(const struct short_runs *s, struct strbuf *out)
{
	strbuf_printf(out,
		      "%s is %s of run %lld, %s of most, and it took %.4g s where others would "
		      "let it take %.3g s",
		      s->column[0], s->said, (long long)s->run_id, s->usual, s->run_s,
		      s->expected_s);
}

void short_runs_explain(const struct short_runs *s, struct strbuf *out)
{
	if (s->n + s->n_aside == 0)
		return;
	strbuf_printf(out, " Did less: %zu run%s", s->n + s->n_aside,
		      s->n + s->n_aside == 1 ? "" : "s");
	if (s->n_aside == 0)
		strbuf_printf(out, " (count%s as failed)", s->n == 1 ? "s" : "");
	else if (s->n == 0)
		strbuf_puts(out, " (left out)");
	else
		strbuf_printf(out, " (%zu of them count as failed)", s->n);
	strbuf_puts(out, ", for ");
	short_runs_put(s, out);
	for (size_t k = 1; k < s->n_columns; k++)
		strbuf_printf(out, "%s%s", k == 1 ? "; so say " : ", ", s->column[k]);
	strbuf_putc(out, '.');
}
