#include "mining/rules/rule_machines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mining/cases/case_contrast.h"

/* Configurations within the rule (or the setting) that a machine needs to have a say, and how sure
 * it must be: a choice, as each machine is asked on its own. */
enum { MIN_IN = 5 };
#define ENOUGH_P 0.1

enum opinion { SAYS_NOTHING, AGREES, DISAGREES };

static int by_id(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The machines of the configurations, each once. The caller frees. */
static int64_t *list_machines(const struct slowdown_table *t, size_t *n, struct err *e)
{
	int64_t *id = malloc((t->n + 1) * sizeof *id);

	*n = 0;
	if (!id) {
		err_set(e, ERR_NOMEM, "machines of %zu configurations", t->n);
		return NULL;
	}
	for (size_t i = 0; i < t->n; i++)
		id[i] = t->runs->machine_id[t->first_run[i]];
	qsort(id, t->n, sizeof *id, by_id);
	for (size_t i = 0; i < t->n; i++) {
		if (i == 0 || id[i] != id[i - 1])
			id[(*n)++] = id[i];
	}
	return id;
}

/* The configurations of one machine among which the rule makes a difference: for a setting those
 * that its condition speaks of. */
static enum err_code part_of(const struct slowdown_table *t, int64_t machine, const struct rule *r,
			     const struct rule_test *test, struct slowdown_table **out,
			     struct err *e)
{
	unsigned char *keep = calloc(t->n + 1, 1);
	enum err_code rc;

	if (!keep)
		return err_set(e, ERR_NOMEM, "configurations of a machine");
	for (size_t i = 0; i < t->n; i++)
		keep[i] =
			t->runs->machine_id[t->first_run[i]] == machine &&
			(r->kind != RULE_SETTING || rule_condition_holds(test, slowdown_row(t, i)));
	rc = slowdown_table_subset(t, keep, out, e);
	free(keep);
	return rc;
}

static enum err_code ask(const struct slowdown_table *part, const struct rule *r,
			 const struct rule_test *test, enum opinion *out, struct err *e)
{
	struct case_contrast c = {0};
	struct contrast slower = {.beta = 0};
	unsigned char *in = NULL;
	enum err_code rc = case_contrast_make(part, &c, e);

	if (rc)
		return rc;
	in = malloc(c.n + 1);
	if (!in) {
		rc = err_set(e, ERR_NOMEM, "configurations of a machine");
		goto done;
	}
	/* Out of the setting is slower than in it: then both kinds ask the same question. */
	for (size_t k = 0; k < c.n; k++) {
		const double *row = slowdown_row(part, c.item[k]);

		in[k] = r->kind == RULE_SETTING ? !rule_setting_holds(test, row)
						: rule_condition_holds(test, row);
	}
	if ((rc = case_contrast_measure(&c, in, &slower, e)))
		goto done;
	if (slower.n_in < MIN_IN || slower.n_blocks < 3 || !(slower.variance > 0))
		*out = SAYS_NOTHING;
	else
		*out = slower.beta > 0 && slower.p <= ENOUGH_P ? AGREES : DISAGREES;
done:
	free(in);
	case_contrast_release(&c);
	return rc;
}

static enum err_code holds_everywhere(const struct slowdown_table *t, const int64_t *machine,
				      size_t n, const struct rule *r, bool *holds, struct err *e)
{
	struct rule_test *test = NULL;
	size_t n_agree = 0, n_disagree = 0;
	enum err_code rc = rule_test_new(t->app, r, &test, e);

	for (size_t m = 0; m < n && !rc; m++) {
		struct slowdown_table *part = NULL;
		enum opinion says = SAYS_NOTHING;

		if (!(rc = part_of(t, machine[m], r, test, &part, e)))
			rc = ask(part, r, test, &says, e);
		n_agree += says == AGREES;
		n_disagree += says == DISAGREES;
		slowdown_table_free(part);
	}
	rule_test_free(test);
	*holds = n_agree >= 2 && n_disagree == 0;
	return rc;
}

enum err_code rule_machines_keep(const struct slowdown_table *t, struct rule_list *rules,
				 struct err *e)
{
	size_t n = 0, n_machines;
	int64_t *machine = list_machines(t, &n_machines, e);
	enum err_code rc = machine ? ERR_OK : ERR_NOMEM;

	for (size_t r = 0; r < rules->n && !rc; r++) {
		bool holds = false;

		if (rules->item[r].kind != RULE_TIME)
			rc = holds_everywhere(t, machine, n_machines, &rules->item[r], &holds, e);
		if (rc)
			break;
		if (!holds) {
			rule_release(&rules->item[r]);
			continue;
		}
		if (n != r) {
			rules->item[n] = rules->item[r];
			memset(&rules->item[r], 0, sizeof rules->item[r]);
		}
		n++;
	}
	if (!rc)
		rules->n = n;
	free(machine);
	return rc;
}
