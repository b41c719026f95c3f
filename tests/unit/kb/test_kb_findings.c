#include "tests/unit/kb/kb_mined.h"

static void check_effect(const struct column_effect *got, const struct column_effect *want)
{
	assert_string_equal(got->column, want->column);
	check_bits(got->time_rho, want->time_rho);
	check_bits(got->time_lo, want->time_lo);
	check_bits(got->time_hi, want->time_hi);
	check_bits(got->time_p, want->time_p);
	check_bits(got->slow_rho, want->slow_rho);
	check_bits(got->slow_lo, want->slow_lo);
	check_bits(got->slow_hi, want->slow_hi);
	check_bits(got->slow_p, want->slow_p);
	check_bits(got->effect, want->effect);
	check_bits(got->effect_lo, want->effect_lo);
	check_bits(got->effect_hi, want->effect_hi);
	assert_string_equal(got->best, want->best);
	assert_string_equal(got->worst, want->worst);
}

static void check_column(const struct column_profile *got, const struct column_profile *want)
{
	assert_string_equal(got->column, want->column);
	assert_string_equal(got->role, want->role);
	assert_int_equal(got->n, want->n);
	assert_int_equal(got->n_missing, want->n_missing);
	assert_int_equal(got->n_levels, want->n_levels);
	check_bits(got->min, want->min);
	check_bits(got->q25, want->q25);
	check_bits(got->median, want->median);
	check_bits(got->q75, want->q75);
	check_bits(got->max, want->max);
	assert_string_equal(got->levels, want->levels);
	assert_string_equal(got->remark, want->remark);
}

/* All of the profile but its last field is numbers. */
static void check_profile(const struct data_profile *got, const struct data_profile *want)
{
	assert_memory_equal(got, want, offsetof(struct data_profile, remarks));
	assert_string_equal(got->remarks, want->remarks);
}

static void check_interaction(const struct column_interaction *got,
			      const struct column_interaction *want)
{
	assert_string_equal(got->a, want->a);
	assert_string_equal(got->b, want->b);
	check_bits(got->share, want->share);
	check_bits(got->p, want->p);
	assert_string_equal(got->text, want->text);
}

static void check_hypothesis(const struct hypothesis *got, const struct hypothesis *want)
{
	assert_string_equal(got->attribute, want->attribute);
	assert_string_equal(got->value, want->value);
	assert_int_equal(got->n_sets, want->n_sets);
	assert_int_equal(got->n_agree, want->n_agree);
	assert_int_equal(got->confidence, want->confidence);
	check_bits(got->gain, want->gain);
	check_bits(got->gain_lo, want->gain_lo);
	check_bits(got->gain_hi, want->gain_hi);
	check_bits(got->p, want->p);
}

static void check_ranking(const struct ranking *got, const struct ranking *want)
{
	assert_int_equal(got->n_cases, want->n_cases);
	check_bits(got->chi2, want->chi2);
	check_bits(got->p, want->p);
	check_bits(got->alpha, want->alpha);
	assert_int_equal(got->n_choices, want->n_choices);
	for (size_t i = 0; i < want->n_choices; i++) {
		assert_string_equal(got->choice[i].choice, want->choice[i].choice);
		check_bits(got->choice[i].rank_sum, want->choice[i].rank_sum);
		check_bits(got->choice[i].mean_rank, want->choice[i].mean_rank);
		assert_string_equal(got->choice[i].ties, want->choice[i].ties);
	}
}

KB_TEST(findings_come_back_to_the_last_bit_and_in_order)
{
	CLOSED(kb) *kb = base_with_application();
	RELEASED(kb_rules) in = sample_mined();
	RELEASED(kb_rules) back;
	const struct findings *f = &back.findings;

	must(kb_put_rules(kb, 1, 0, &in, &err));
	back = get_rules(kb, 0);
	check_profile(&f->profile, &in.findings.profile);
	assert_int_equal(f->n_columns, 2);
	check_column(&f->column[0], &in.findings.column[0]);
	check_column(&f->column[1], &in.findings.column[1]);
	assert_int_equal(f->n_effects, 1);
	check_effect(&f->effect[0], &in.findings.effect[0]);
	assert_int_equal(f->n_interactions, 1);
	check_interaction(&f->interaction[0], &in.findings.interaction[0]);
	assert_int_equal(f->n_hypotheses, 1);
	check_hypothesis(&f->hypothesis[0], &in.findings.hypothesis[0]);
	check_ranking(&f->ranking, &in.findings.ranking);
}
