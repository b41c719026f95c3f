#include "tests/support/check.h"

#include "mining/structure/structure_choice.h"

/* A choice made by hand, in words and as numbers of a fit. */

static struct structure_choice three(void)
{
	return (struct structure_choice){.n = 3,
					 .chosen = 1,
					 .candidate = {{"wavefront", "the formula", 0.125},
						       {"loggp", "a model", 0.025},
						       {"pipeline", "another", 0.0501}}};
}

static void check_words(const struct structure_choice *c, const char *want)
{
	RELEASED(strbuf) text = STRBUF_INIT;

	structure_choice_explain(c, &text);
	assert_string_equal(strbuf_text(&text), want);
}

TEST(the_chosen_one_is_named_before_the_others)
{
	struct structure_choice c = three();

	check_words(&c, "Structure: loggp (a model; held-out error 2.5 %); wavefront 12.5 %, "
			"pipeline 5.0 %. ");
	c.chosen = 0;
	check_words(&c, "Structure: wavefront (the formula; held-out error 12.5 %); loggp 2.5 %, "
			"pipeline 5.0 %. ");
}

TEST(without_a_comparison_the_reason_is_said)
{
	struct structure_choice c = three();

	c.n = 1;
	c.chosen = 0;
	check_words(&c, "Structure: wavefront (the formula; other models are not compared without "
			"known message costs and enough measured or simulated runs to hold out). ");
}

/* Stores c and changes nothing but the value of one number, if there is a name. */
static enum err_code reload(const struct structure_choice *c, const char *name, double value,
			    struct structure_choice *out, struct err *e)
{
	RELEASED(kb_fit) fit = {0};

	check_ok(structure_choice_store(c, &fit, e), e);
	for (size_t i = 0; i < fit.n_param; i++) {
		if (name && !strcmp(fit.param[i].name, name))
			fit.param[i].value = value;
	}
	return structure_choice_load(&fit, out, e);
}

TEST(candidates_come_back_in_their_order)
{
	struct structure_choice was = three(), is;

	must(reload(&was, NULL, 0, &is, &err));
	assert_int_equal(is.n, 3);
	assert_int_equal(is.chosen, 1);
	for (size_t k = 0; k < 3; k++) {
		assert_string_equal(is.candidate[k].name, was.candidate[k].name);
		assert_true(is.candidate[k].held_out_error == was.candidate[k].held_out_error);
	}
}

TEST(what_was_not_compared_comes_back_as_the_formula)
{
	struct structure_choice was = three(), is;

	was.n = 1;
	was.chosen = 0;
	must(reload(&was, NULL, 0, &is, &err));
	assert_int_equal(is.n, 1);
	assert_int_equal(is.chosen, 0);
	assert_string_equal(is.candidate[0].name, "wavefront");
	assert_true(isnan(is.candidate[0].held_out_error));
}

TEST(a_place_that_is_not_in_the_list_is_refused)
{
	static const double place[] = {-1, 3, (double)NAN};
	struct structure_choice was = three(), is = {.n = 77};

	for (size_t i = 0; i < 3; i++) {
		must_fail(reload(&was, "structure_chosen", place[i], &is, &err), ERR_NOTMINED,
			  "run `lemnos mine`");
		assert_int_equal(is.n, 77);
	}
}

TEST(a_model_that_is_not_known_is_refused)
{
	struct structure_choice was = three(), is = {.n = 77};

	was.candidate[2].name = "no-such-model";
	assert_int_equal(reload(&was, NULL, 0, &is, &err), ERR_NOTMINED);
	assert_int_equal(is.n, 77);
}

TEST(more_candidates_than_there_is_room_for_are_refused)
{
	struct structure_choice is = {.n = 77};
	RELEASED(kb_fit) fit = {0};

	must(kb_fit_add(&fit, "structure_chosen", 0, NAN, "", "", &err));
	must(kb_fit_add(&fit, "structure_error_wavefront", 0.1, NAN, "", "", &err));
	for (int k = 1; k <= STRUCTURE_CANDIDATES; k++)
		must(kb_fit_add(&fit, "structure_error_loggp", 0.1, NAN, "", "", &err));
	assert_int_equal(structure_choice_load(&fit, &is, &err), ERR_NOTMINED);
	assert_int_equal(is.n, 77);
}
