#include "tests/unit/mining/terms_application.h"

#include "mining/evaluate/term_proposal.h"
#include "tests/support/mining_set_up.h"

FREEABLE(config_table)
FREEABLE(term_shapes)

/* Terms that time is made of are found, and held-out runs prefer them. Takes longest of the tests
 * of terms. */

static bool has_term(const struct term_shapes *shapes, const struct term_set *set, const char *want,
		     double *share)
{
	bool found = false;

	for (size_t k = 0; k < set->n; k++) {
		RELEASED(strbuf) text = STRBUF_INIT;

		term_form_text(shapes, &set->form[k], &text);
		if (!strcmp(strbuf_text(&text), want)) {
			*share = set->share[k];
			found = true;
		}
	}
	return found;
}

TEST(planted_terms_are_found)
{
	FREED(application) *a =
		terms_application_true(); /* the application's own terms are passed over */
	FREED(dataset) *runs = terms_runs(a, 4, terms_time, 0.02);
	FREED(config_table) *t = NULL;
	FREED(term_shapes) *s = NULL;
	struct term_set set, again;
	double share[3], all = 0;

	must(config_table_make(runs, &t, &err));
	must(term_shapes_make(t, &s, &err));
	must(term_search(t, s, NULL, &set, &err));
	must(term_search(t, s, NULL, &again, &err));
	assert_int_equal(set.n, again.n);
	assert_memory_equal(set.form, again.form, set.n * sizeof *set.form);
	assert_memory_equal(set.share, again.share, set.n * sizeof *set.share);
	assert_true(has_term(s, &set, "n * n * n / procs", &share[0]));
	assert_true(has_term(s, &set, "n * m", &share[1]));
	assert_true(has_term(s, &set, "log2(procs)", &share[2]));
	for (size_t k = 0; k < set.n; k++)
		all += set.share[k];
	check_rel(all, 1.0, 1e-9);
	/* of the truth, what the three are: nothing else has more than a twentieth */
	assert_true(share[0] + share[1] + share[2] > 0.95);
}

TEST(planted_terms_are_better_than_none)
{
	FREED(application) *a = terms_application("");
	FREED(dataset) *d = terms_runs(a, 4, terms_time, 0.02);
	const struct fit_input in = {.runs = d};
	RELEASED(term_proposal) p;

	skip_under_valgrind("the search, many times over");
	must(term_proposal_make(&in, &p, &err));
	assert_true(p.better);
	assert_int_equal(p.n_configs, 108); /* 36 on 1, 2 and 4 nodes */
	for (size_t w = 0; w < TERM_WAYS; w++) {
		assert_true(p.evidence[w].n >= 20);
		assert_true(p.evidence[w].median[TERMS_PROPOSED] <
			    0.02); /* of uniform noise 0.01 */
	}
	assert_true(p.evidence[0].median[TERMS_PROPOSED] < p.evidence[0].median[TERMS_NONE]);
}

TEST_GROUP(mining_set_up, NULL)
