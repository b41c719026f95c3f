#include "tests/support/made_runs.h"
#include "tests/support/failing_allocations.h"
#include "tests/unit/mining/terms_application.h"

#include "mining/evaluate/term_proposal.h"
#include "tests/support/mining_set_up.h"

/* Terms, and what held-out runs say of them. */

/* n and nodes alone. */
static struct dataset *few_runs(const struct application *a)
{
	struct dataset *d = dataset_new(a);

	assert_non_null(d);
	for (int i = 0; i < 12; i++) {
		const struct terms_run r = {100 << i % 4, 10, 1 << i / 4, 1};
		double row[16];

		terms_row(a, r, row);
		runs_add(d, row, terms_time(r));
	}
	return d;
}

/* Two terms that cross over, and no noise: no power law, so the terms are better by orders. */
static double two_terms(struct terms_run r)
{
	return 1e-6 * r.n * r.n / (r.nodes * r.ppn) + 1e-7 * r.n * r.m;
}

TEST(what_terms_tell_of_held_out_runs_is_said_of_each_way)
{
	FREED(application) *a = terms_application("");
	FREED(dataset) *d = terms_runs(a, 1, two_terms, 0);
	const struct fit_input in = {.runs = d};
	RELEASED(term_proposal) p;

	must(term_proposal_make(&in, &p, &err));
	assert_int_equal(p.n_configs, 36); /* 4 n, 3 m, 1, 4 and 16 processes */
	assert_int_equal(p.set.n, 2);
	assert_int_equal(p.evidence[0].way, HOLDOUT_MORE_PROCS);
	assert_int_equal(p.evidence[0].n, 12); /* on 16 processes, from 1 and 4 */
	assert_int_equal(p.evidence[1].way, HOLDOUT_CONFIGS);
	assert_true(p.evidence[1].n >= 8 && p.evidence[1].n <= 20); /* about two fifths */
	assert_int_equal(p.evidence[2].way, HOLDOUT_LARGER_PROBLEMS);
	assert_int_equal(p.evidence[2].n, 27); /* n = 800, and 400 with it */
	for (size_t w = 0; w < TERM_WAYS; w++) {
		const struct term_evidence *v = &p.evidence[w];

		assert_true(v->median[TERMS_PROPOSED] < 0.02);
		assert_true(v->median[TERMS_PROPOSED] < v->median[TERMS_NONE]);
		/* the same terms in the rest of the runs as in all */
		check_rel(v->median[TERMS_ANEW], v->median[TERMS_PROPOSED], 1e-9);
		for (int k = 0; k < TERM_CONTESTANTS; k++)
			assert_true(v->p90[k] > v->median[k]);
	}
	assert_int_equal(p.n_searched, 36);
	assert_true(p.better);
}

static bool stop(void *arg, const char *what, uint64_t done, uint64_t total)
{
	size_t *n_left = arg;

	return (*n_left)-- > 0;
}

TEST(it_can_be_stopped)
{
	FREED(application) *a = terms_application("");
	FREED(dataset) *d = few_runs(a);
	size_t n_left = 20;
	const struct progress progress = {stop, &n_left};
	const struct fit_input in = {.runs = d, .progress = &progress};
	struct term_proposal p = {.n_configs = 77};

	assert_int_equal(term_proposal_make(&in, &p, &err), ERR_INTERRUPTED);
	assert_int_equal(p.n_configs, 77);
}

TEST(an_application_with_a_model_takes_no_terms)
{
	FREED(application) *a = terms_application("");
	FREED(dataset) *d = few_runs(a);
	const struct fit_input in = {.runs = d};
	struct term_proposal p;
	char model[] = "wavefront";

	a->model = model;
	must_fail(term_proposal_make(&in, &p, &err), ERR_ARG, "wavefront");
	a->model = NULL;
}

static enum err_code propose(const struct fit_input *in, struct err *e)
{
	RELEASED(term_proposal) p = {0};

	return term_proposal_make(in, &p, e);
}

TEST(terms_are_proposed_or_there_is_no_memory)
{
	FREED(application) *a = terms_application("");
	FREED(dataset) *d = few_runs(a);
	const struct fit_input in = {.runs = d};

	/* each would take minutes; the search alone lets each place fail (test_term_search.c) */
	for (long n = 1;; n *= 4) {
		enum err_code rc;

		failing_allocation_start(n);
		rc = propose(&in, &err);
		if (!failing_allocation_stop()) {
			must(rc);
			assert_true(n > 1000);
			break;
		}
		assert_int_equal(rc, ERR_NOMEM);
	}
}

TEST_GROUP(mining_set_up, NULL)
