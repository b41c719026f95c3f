#include "tests/support/failing_allocations.h"
#include "tests/unit/mining/terms_class.h"

#include <string.h>

#include "mining/evaluate/term_proposal.h"
#include "mining/numerics/mining_init.h"

/* Terms, and what held-out runs say of them. */

static void planted_terms_are_better_than_none(void **state)
{
	struct application *a = terms_class("");
	struct dataset *d = terms_runs(a, 4, terms_time, 0.02);
	const struct fit_input in = {.runs = d};
	struct term_proposal p;
	struct err e = {0};

	check_ok(term_proposal_make(&in, &p, &e), &e);
	assert_true(p.better);
	assert_int_equal(p.n_configs, 108); /* 36 on 1, 2 and 4 nodes */
	for (size_t w = 0; w < TERM_WAYS; w++) {
		assert_true(p.evidence[w].n >= 20);
		assert_true(p.evidence[w].median[TERMS_PROPOSED] <
			    0.02); /* of uniform noise 0.01 */
	}
	assert_true(p.evidence[0].median[TERMS_PROPOSED] < p.evidence[0].median[TERMS_NONE]);
	term_proposal_release(&p);
	dataset_free(d);
	application_free(a);
}

/* n and nodes alone. */
static struct dataset *few_runs(const struct application *a)
{
	struct dataset *d = dataset_new(a);
	struct err e = {0};

	assert_non_null(d);
	for (int i = 0; i < 12; i++) {
		const struct terms_run r = {100 << i % 4, 10, 1 << i / 4, 1};
		double row[16];

		terms_row(a, r, row);
		check_ok(dataset_add(d, row, terms_time(r), i + 1, 1, SOURCE_MEASURED, RUN_OK, 1,
				     &e),
			 &e);
	}
	return d;
}

static bool stop(void *arg, const char *what, uint64_t done, uint64_t total)
{
	size_t *n_left = arg;

	(void)what;
	(void)done;
	(void)total;
	return (*n_left)-- > 0;
}

static void it_can_be_stopped(void **state)
{
	struct application *a = terms_class("");
	struct dataset *d = few_runs(a);
	size_t n_left = 20;
	const struct progress progress = {stop, &n_left};
	const struct fit_input in = {.runs = d, .progress = &progress};
	struct term_proposal p = {.n_configs = 77};
	struct err e = {0};

	assert_int_equal(term_proposal_make(&in, &p, &e), ERR_INTERRUPTED);
	assert_int_equal(p.n_configs, 77);
	dataset_free(d);
	application_free(a);
}

static void a_class_with_a_model_takes_no_terms(void **state)
{
	struct application *a = terms_class("");
	struct dataset *d = few_runs(a);
	const struct fit_input in = {.runs = d};
	struct term_proposal p;
	struct err e = {0};
	char model[] = "wavefront";

	a->model = model;
	check_error(term_proposal_make(&in, &p, &e), &e, ERR_ARG, "wavefront");
	a->model = NULL;
	dataset_free(d);
	application_free(a);
}

static enum err_code propose(const struct fit_input *in, struct err *e)
{
	struct term_proposal p = {0};
	enum err_code rc = term_proposal_make(in, &p, e);

	term_proposal_release(&p);
	return rc;
}

static void terms_are_proposed_or_there_is_no_memory(void **state)
{
	struct application *a = terms_class("");
	struct dataset *d = few_runs(a);
	const struct fit_input in = {.runs = d};
	struct err e = {0};

	/* each would take minutes; the search alone lets each place fail (test_term_search.c) */
	for (long n = 1;; n *= 4) {
		enum err_code rc;

		e = (struct err){0};
		failing_allocation_start(n);
		rc = propose(&in, &e);
		if (!failing_allocation_stop()) {
			check_ok(rc, &e);
			assert_true(n > 1000);
			break;
		}
		assert_int_equal(rc, ERR_NOMEM);
	}
	dataset_free(d);
	application_free(a);
}

static int set_up(void **state)
{
	mining_init();
	return 0;
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(planted_terms_are_better_than_none),
	cmocka_unit_test(it_can_be_stopped),
	cmocka_unit_test(a_class_with_a_model_takes_no_terms),
	cmocka_unit_test(terms_are_proposed_or_there_is_no_memory),
};

CHECK_MAIN_WITH(tests, set_up, NULL)
