#include "mining/rules/rule_notes.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "mining/numerics/group_by.h"
#include "mining/cases/collinear_columns.h"

/* ---- what they rest on ---- */

enum { PROGRESS_CONFIGURATIONS = 65536 /* between two looks whether to go on */ };

/* Smaller overlaps are not worth telling. */
#define MIN_OVERLAP 0.1

static void free_tests(struct rule_test **test, size_t n)
{
	for (size_t r = 0; r < n; r++)
		rule_test_free(test[r]);
	free(test);
}

enum err_code rule_support_mark(const struct slowdown_table *t, const struct rule_list *rules,
				const struct progress *p, unsigned char **holds, struct err *e)
{
	struct rule_test **test = calloc(rules->n + 1, sizeof *test);
	unsigned char *mark = malloc(rules->n * t->n + 1);
	enum err_code rc = ERR_OK;

	if (!test || !mark) {
		free(test);
		free(mark);
		return err_set(e, ERR_NOMEM, "runs of %zu rules", rules->n);
	}
	for (size_t r = 0; r < rules->n && !rc; r++)
		rc = rule_test_new(t->app, &rules->item[r], &test[r], e);
	for (size_t i = 0; i < t->n && !rc; i++) {
		const double *row = slowdown_row(t, i);

		if (i % PROGRESS_CONFIGURATIONS == 0 && !progress_step(p, "counting runs", i, t->n))
			rc = err_set(e, ERR_INTERRUPTED, "interrupted while counting runs");
		for (size_t r = 0; r < rules->n && !rc; r++)
			mark[r * t->n + i] = rule_condition_holds(test[r], row);
	}
	free_tests(test, rules->n);
	if (rc)
		free(mark);
	else
		*holds = mark;
	return rc;
}

/* The machine of every configuration, numbered from 0. */
static enum err_code number_machines(const struct slowdown_table *t, uint32_t *number,
				     size_t *n_machines, struct err *e)
{
	struct row_key key = {.x = t->runs->rows,
			      .row_of = t->runs->row_of,
			      .n_columns = t->n_columns,
			      .machine = t->runs->machine_id};

	return group_by(&key, t->first_run, t->n, number, NULL, n_machines, e);
}

/* seen[]: by machine, all 0. */
static void count_rule(const struct slowdown_table *t, const unsigned char *holds,
		       const uint32_t *machine, unsigned char *seen, struct rule_evidence *out)
{
	int64_t n_all = 0;

	out->n_runs = out->n_configurations = out->n_machines = 0;
	memset(out->n_source, 0, sizeof out->n_source);
	for (size_t i = 0; i < t->n; i++) {
		n_all += t->n_runs[i];
		if (!holds[i])
			continue;
		out->n_runs += t->n_runs[i];
		out->n_configurations++;
		out->n_source[t->runs->source[t->first_run[i]]] += t->n_runs[i];
		out->n_machines += !seen[machine[i]];
		seen[machine[i]] = 1;
	}
	out->coverage = n_all > 0 ? (double)out->n_runs / (double)n_all : 0;
}

enum err_code rule_support_count(const struct slowdown_table *t, const unsigned char *holds,
				 struct rule_list *rules, struct err *e)
{
	uint32_t *machine = malloc((t->n + 1) * sizeof *machine);
	unsigned char *seen = NULL;
	size_t n_machines;
	enum err_code rc;

	if (!machine)
		return err_set(e, ERR_NOMEM, "machines of %zu configurations", t->n);
	if ((rc = number_machines(t, machine, &n_machines, e)))
		goto done;
	seen = malloc(n_machines + 1);
	if (!seen) {
		rc = err_set(e, ERR_NOMEM, "%zu machines", n_machines);
		goto done;
	}
	for (size_t r = 0; r < rules->n; r++) {
		memset(seen, 0, n_machines);
		count_rule(t, holds + r * t->n, machine, seen, &rules->item[r].evidence);
	}
done:
	free(machine);
	free(seen);
	return rc;
}

/* The share of runs that both cover among those that either does. */
static double overlap_of(const struct slowdown_table *t, const unsigned char *a,
			 const unsigned char *b)
{
	double both = 0, either = 0;

	for (size_t i = 0; i < t->n; i++) {
		both += a[i] & b[i] ? t->n_runs[i] : 0;
		either += a[i] | b[i] ? t->n_runs[i] : 0;
	}
	return either > 0 ? both / either : 0;
}

static void note_overlap(struct rule *r, const struct rule *other, double overlap)
{
	if (overlap <= r->overlap || overlap < MIN_OVERLAP)
		return;
	r->overlap = overlap;
	memcpy(r->overlaps, other->id, sizeof r->overlaps);
}

void rule_support_overlaps(const struct slowdown_table *t, const unsigned char *holds,
			   struct rule_list *rules)
{
	for (size_t a = 0; a < rules->n; a++) {
		for (size_t b = a + 1; b < rules->n; b++) {
			double overlap;

			if (rules->item[a].kind != rules->item[b].kind ||
			    rules->item[a].kind == RULE_INVARIANT)
				continue; /* invariants are all about all runs */
			overlap = overlap_of(t, holds + a * t->n, holds + b * t->n);
			note_overlap(&rules->item[a], &rules->item[b], overlap);
			note_overlap(&rules->item[b], &rules->item[a], overlap);
		}
	}
}

/* ---- columns that move together ---- */

/* uses[column] of the expression; "" uses none. */
static enum err_code add_uses(const struct application *a, const char *text, bool *uses,
			      struct err *e)
{
	struct expr *x = NULL;
	enum err_code rc;

	if (!text || !*text)
		return ERR_OK;
	if ((rc = expr_parse(text, &a->scope, &x, e)))
		return rc;
	for (size_t c = 0; c < a->n_columns; c++)
		uses[c] |= expr_uses(x, c);
	expr_free(x);
	return ERR_OK;
}

/* uses[column] of condition and setting; all false before. */
static enum err_code find_uses(const struct application *a, const struct rule *r, bool *uses,
			       struct err *e)
{
	enum err_code rc = add_uses(a, r->condition, uses, e);

	return rc ? rc : add_uses(a, r->setting, uses, e);
}

/* The first column of the rule that has a twin; SIZE_MAX: none. */
static enum err_code find_twin(const struct application *a, const struct rule *r,
			       const struct collinear_column *twin, size_t *column, struct err *e)
{
	bool *uses = calloc(a->n_columns, sizeof *uses);
	enum err_code rc;

	*column = SIZE_MAX;
	if (!uses)
		return err_set(e, ERR_NOMEM, "columns of a rule");
	if (!(rc = find_uses(a, r, uses, e))) {
		for (size_t k = 0; k < r->n_term; k++)
			uses[application_column(a, r->term[k].column)] = true;
		for (size_t c = a->n_columns; c-- > 0;) {
			if (uses[c] && twin[c].column != SIZE_MAX)
				*column = c;
		}
	}
	free(uses);
	return rc;
}

enum err_code rule_caveats_add(const struct slowdown_table *t, struct rule_list *rules,
			       struct err *e)
{
	struct collinear_column *twin = calloc(t->n_columns, sizeof *twin);
	enum err_code rc;

	if (!twin)
		return err_set(e, ERR_NOMEM, "columns that move together");
	rc = collinear_columns(t, twin, e);
	for (size_t r = 0; r < rules->n && !rc; r++) {
		struct strbuf text = STRBUF_INIT;
		size_t column;

		if ((rc = find_twin(t->app, &rules->item[r], twin, &column, e)) ||
		    column == SIZE_MAX)
			continue;
		collinear_column_put_text(t->app, column, &twin[column], &text);
		if (text.failed) {
			strbuf_release(&text);
			rc = err_set(e, ERR_NOMEM, "caveat of a rule");
		}
		rules->item[r].caveat = text.buf;
	}
	free(twin);
	return rc;
}

/* ---- twins ---- */

/* cover[i]: the rule speaks of configuration i. */
static enum err_code mark_cover(const struct slowdown_table *t, const unsigned char *holds,
				const struct rule *r, unsigned char *cover, struct err *e)
{
	struct rule_test *test = NULL;
	enum err_code rc;

	memcpy(cover, holds, t->n);
	if (r->kind != RULE_SETTING)
		return ERR_OK;
	if ((rc = rule_test_new(t->app, r, &test, e)))
		return rc;
	for (size_t i = 0; i < t->n; i++)
		cover[i] = cover[i] && rule_setting_holds(test, slowdown_row(t, i));
	rule_test_free(test);
	return ERR_OK;
}

/* How much runs must agree for two rules to say the same of them. */
static enum err_code least_overlap(const struct application *a, const struct rule *one,
				   const struct rule *other, double *out, struct err *e)
{
	bool *uses = calloc(2 * a->n_columns + 1, sizeof *uses);
	enum err_code rc;

	if (!uses)
		return err_set(e, ERR_NOMEM, "columns of rules");
	if (!(rc = find_uses(a, one, uses, e)) &&
	    !(rc = find_uses(a, other, uses + a->n_columns, e)))
		*out = memcmp(uses, uses + a->n_columns, a->n_columns * sizeof *uses) == 0
			       ? RULE_SAME_RUNS
			       : RULE_TOLD_APART;
	free(uses);
	return rc;
}

/* Half of the interval of the log effect; 0: it has none. */
static double half_width(const struct rule_evidence *v)
{
	return v->lo > 0 && v->hi < INFINITY ? log(v->hi / v->lo) / 2 : 0;
}

static bool say_same(const struct rule_evidence *a, const struct rule_evidence *b)
{
	double difference = fabs(log(a->effect / b->effect));

	return difference < RULE_SAME_EFFECT || difference <= hypot(half_width(a), half_width(b));
}

static bool may_be_twins(const struct rule *first, const struct rule *r)
{
	return first->kind == r->kind && !first->twin_of[0] &&
	       say_same(&first->evidence, &r->evidence);
}

enum err_code rule_twins_mark(const struct slowdown_table *t, const unsigned char *holds,
			      struct rule_list *rules, struct err *e)
{
	unsigned char *one = malloc(t->n + 1), *other = malloc(t->n + 1);
	enum err_code rc =
		one && other ? ERR_OK : err_set(e, ERR_NOMEM, "twins of %zu rules", rules->n);

	for (size_t k = 1; k < rules->n && !rc; k++) {
		struct rule *r = &rules->item[k];

		if (r->kind != RULE_CHOICE && r->kind != RULE_SETTING)
			continue;
		rc = mark_cover(t, holds + k * t->n, r, one, e);
		for (size_t first = 0; first < k && !rc && !r->twin_of[0]; first++) {
			const struct rule *f = &rules->item[first];
			double least = 1;

			if (may_be_twins(f, r) && !(rc = least_overlap(t->app, f, r, &least, e)) &&
			    !(rc = mark_cover(t, holds + first * t->n, f, other, e)) &&
			    overlap_of(t, one, other) >= least)
				memcpy(r->twin_of, f->id, sizeof r->twin_of);
		}
	}
	free(one);
	free(other);
	return rc;
}

/* ---- rules of one machine and of all ---- */

/* Shares are told well enough from so many runs, evenly taken. */
enum { MAX_RUNS = 20000 };

/* The runs of one machine that are looked at. */
struct run_sample {
	uint32_t *run;
	size_t n;
};

static enum err_code take_sample(const struct dataset *runs, int64_t machine_id,
				 struct run_sample *out, struct err *e)
{
	size_t n = 0, step;

	for (size_t i = 0; i < runs->n; i++)
		n += runs->machine_id[i] == machine_id && rule_counts_run(runs, i);
	step = n / MAX_RUNS + 1;
	out->run = calloc(n / step + 2, sizeof *out->run);
	if (!out->run)
		return err_set(e, ERR_NOMEM, "sample of %zu runs", n);
	n = out->n = 0;
	for (size_t i = 0; i < runs->n; i++) {
		if (runs->machine_id[i] == machine_id && rule_counts_run(runs, i) &&
		    n++ % step == 0)
			out->run[out->n++] = (uint32_t)i;
	}
	return ERR_OK;
}

/* mark[k]: the rule speaks of run k; a setting of those that do as it says. */
static enum err_code mark_runs(const struct dataset *runs, const struct run_sample *s,
			       const struct rule *r, unsigned char *mark, struct err *e)
{
	struct rule_test *test = NULL;
	enum err_code rc = rule_test_new(runs->app, r, &test, e);

	for (size_t k = 0; k < s->n && !rc; k++) {
		const double *row = dataset_row(runs, s->run[k]);

		mark[k] = rule_condition_holds(test, row) &&
			  (r->kind != RULE_SETTING || rule_setting_holds(test, row));
	}
	rule_test_free(test);
	return rc;
}

static bool mostly_same(const unsigned char *a, const unsigned char *b, size_t n)
{
	size_t both = 0, either = 0;

	for (size_t k = 0; k < n; k++) {
		both += a[k] & b[k];
		either += a[k] | b[k];
	}
	return either > 0 && (double)both >= RULE_SAME_RUNS * (double)either;
}

static enum err_code note(struct rule *general, const char *id, struct err *e)
{
	struct strbuf text = STRBUF_INIT;

	if (general->covers)
		strbuf_printf(&text, "%s ", general->covers);
	strbuf_puts(&text, id);
	if (text.failed) {
		strbuf_release(&text);
		return err_set(e, ERR_NOMEM, "what a rule covers");
	}
	free(general->covers);
	general->covers = text.buf;
	return ERR_OK;
}

enum err_code rule_covers_find(const struct dataset *runs, int64_t machine_id,
			       const struct rule_list *own, struct rule_list *general,
			       struct err *e)
{
	struct run_sample s = {0};
	unsigned char *mark = NULL, *of_own; /* of each general rule, then of one own rule */
	enum err_code rc = take_sample(runs, machine_id, &s, e);

	if (rc)
		return rc;
	mark = malloc((general->n + 1) * s.n + 1);
	if (!mark) {
		free(s.run);
		return err_set(e, ERR_NOMEM, "sample of %zu runs", s.n);
	}
	of_own = mark + general->n * s.n;
	for (size_t g = 0; g < general->n && !rc; g++)
		rc = mark_runs(runs, &s, &general->item[g], mark + g * s.n, e);
	for (size_t r = 0; r < own->n && !rc; r++) {
		rc = mark_runs(runs, &s, &own->item[r], of_own, e);
		for (size_t g = 0; g < general->n && !rc; g++) {
			if (own->item[r].kind == general->item[g].kind &&
			    mostly_same(mark + g * s.n, of_own, s.n))
				rc = note(&general->item[g], own->item[r].id, e);
		}
	}
	free(mark);
	free(s.run);
	return rc;
}
