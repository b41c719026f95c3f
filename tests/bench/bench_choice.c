/* How good the objective `time` is against looking up the best measured run, where a share of a
 * factorial was measured: regret over draws, and promises of what was chosen. For the largest
 * problems of a base, each by itself, as if no other had been run. usage: bench_choice BASE
 * APPLICATION DRAWS PROBLEMS; prints a table in Markdown, a row for each share. */
#include <stdio.h>
#include <stdlib.h>

#include "kb/kb.h"
#include "mining/numerics/mining_init.h"
#include "recommend/evaluate/decide.h"
#include "tests/support/evaluate_choice.h"

static const double share[] = {0.05, 0.1, 0.2};
enum { SHARES = sizeof share / sizeof *share, PROMISES = 4 };

static void add(struct regret *sum, const struct regret *r)
{
	sum->mean += r->mean * r->n_draws;
	sum->lookup += r->lookup * r->n_draws;
	sum->n_draws += r->n_draws;
	sum->n_worse += r->n_worse;
	sum->n_unseen += r->n_unseen;
	for (int k = 0; k < PROMISES; k++)
		sum->n_kept[k] += r->n_kept[k];
}

static void print_row(double seen, const struct regret *r)
{
	const double n = r->n_draws;

	printf("| %.0f %% | %.0f | %.3f | %.3f | %.0f %% | %d |", 100 * seen, n, r->mean / n,
	       r->lookup / n, 100 * r->n_worse / n, r->n_unseen);
	for (int k = 0; k < PROMISES; k++)
		printf(" %.0f %% |", r->n_unseen ? 100.0 * r->n_kept[k] / r->n_unseen : 0.0);
	putchar('\n');
	fflush(stdout);
}

/* The problems measured in most configurations. Returns how many. */
static size_t largest(const struct measured_problems *m, size_t wanted, size_t *out)
{
	size_t n = 0;

	for (size_t p = 0; p < m->n; p++) {
		size_t at = n < wanted ? n++ : wanted;

		for (; at > 0 &&
		       measured_problems_size(m, out[at - 1]) < measured_problems_size(m, p);
		     at--) {
			if (at < wanted)
				out[at] = out[at - 1];
		}
		if (at < wanted)
			out[at] = p;
	}
	return n;
}

static enum err_code bench(const struct fit_input *in, int n_draws, size_t wanted, struct err *e)
{
	struct measured_problems m = {0};
	size_t *problem = calloc(wanted + 1, sizeof *problem), n = 0;
	enum err_code rc = problem ? measured_problems_make(in->runs, &m, e)
				   : err_set(e, ERR_NOMEM, "problems");

	if (!rc)
		n = largest(&m, wanted, problem);
	for (int s = 0; s < SHARES && !rc; s++) {
		struct regret sum = {0};

		for (size_t p = 0; p < n && !rc; p++) {
			struct regret_request q = {.in = in,
						   .share = share[s],
						   .n_draws = n_draws,
						   .seed = 1 + p,
						   .problem = problem[p]};
			struct regret r;

			if (!(rc = evaluate_regret(&q, &r, e)))
				add(&sum, &r);
		}
		if (!rc && sum.n_draws > 0)
			print_row(share[s], &sum);
	}
	free(problem);
	measured_problems_release(&m);
	return rc;
}

static void print_promise(double level, const struct promise_scores *p)
{
	printf("| %.0f %% | %zu | %.1f %% |", 100 * level, p->n_promised, 100 * p->kept);
	for (int which = 0; which < 2; which++)
		printf(" %zu | %.1f %% | %.1f %% |", p->n_answered[which], 100 * p->said[which],
		       100 * p->hit[which]);
	putchar('\n');
}

static enum err_code bench_promises(const struct fit_input *in, int n_draws, struct err *e)
{
	const struct promise_request q = {.in = in, .n_draws = n_draws, .seed = 1};
	struct promise_scores p[PROMISE_LEVELS];
	enum err_code rc = evaluate_promises(&q, p, e);

	for (int k = 0; k < PROMISE_LEVELS && !rc; k++)
		print_promise(promise_level[k], &p[k]);
	return rc;
}

int main(int argc, char **argv)
{
	static char name[] = "bench";
	struct machine machine = {.name = name};
	struct kb *kb = NULL;
	struct application *a = NULL;
	struct dataset *runs = NULL;
	struct err e = {0};
	int64_t id;
	enum err_code rc;

	if (argc != 5) {
		fputs("usage: bench_choice BASE APPLICATION DRAWS PROBLEMS (0: promises)\n",
		      stderr);
		return 2;
	}
	mining_init();
	if (!(rc = kb_open(argv[1], KB_READ, NULL, &kb, &e)) &&
	    !(rc = kb_get_application(kb, argv[2], &a, &id, &e)) &&
	    !(rc = kb_load_runs(kb, a, NULL, NULL, &runs, &e)) &&
	    !(rc = dataset_order_by_content(runs, &e))) {
		const struct fit_input in = {.runs = runs, .machine = &machine};

		rc = atoi(argv[4]) > 0 ? bench(&in, atoi(argv[3]), (size_t)atoi(argv[4]), &e)
				       : bench_promises(&in, atoi(argv[3]), &e);
	}
	if (rc)
		fprintf(stderr, "bench_choice: %s\n", e.msg);
	dataset_free(runs);
	application_free(a);
	kb_close(kb);
	return rc != ERR_OK;
}
