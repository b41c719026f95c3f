#include "mining/rules/rule_covers.h"

#include <stdlib.h>
#include <string.h>

#include "mining/rules/rule_twins.h"

/* Shares are told well enough from so many runs, evenly taken. */
enum { MAX_RUNS = 20000 };

/* The runs of one machine that are looked at. */
struct sample {
	uint32_t *run;
	size_t n;
};

static enum err_code take_sample(const struct dataset *runs, int64_t machine_id, struct sample *out,
				 struct err *e)
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
static enum err_code mark_runs(const struct dataset *runs, const struct sample *s,
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
	struct sample s = {0};
	unsigned char *mark = NULL; /* of the general rule, then of the own one */
	enum err_code rc = take_sample(runs, machine_id, &s, e);

	if (rc)
		return rc;
	mark = malloc(2 * s.n + 1);
	if (!mark) {
		free(s.run);
		return err_set(e, ERR_NOMEM, "sample of %zu runs", s.n);
	}
	for (size_t g = 0; g < general->n && !rc; g++) {
		rc = mark_runs(runs, &s, &general->item[g], mark, e);
		for (size_t r = 0; r < own->n && !rc; r++) {
			if (own->item[r].kind != general->item[g].kind)
				continue;
			rc = mark_runs(runs, &s, &own->item[r], mark + s.n, e);
			if (!rc && mostly_same(mark, mark + s.n, s.n))
				rc = note(&general->item[g], own->item[r].id, e);
		}
	}
	free(mark);
	free(s.run);
	return rc;
}
