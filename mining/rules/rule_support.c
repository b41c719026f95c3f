#include "mining/rules/rule_support.h"

#include <stdlib.h>
#include <string.h>

#include "mining/numerics/group_by.h"

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
	struct row_key key = {
		.x = t->runs->x, .n_columns = t->n_columns, .machine = t->runs->machine_id};

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
