#include "tune/tune_selection.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const char *const names[SELECTION_LOGICS] = {"fixed", "brute", "hypothesis", "elimination"};

int selection_logic_by_name(const char *name)
{
	for (int l = 0; name && l < SELECTION_LOGICS; l++) {
		if (!strcmp(name, names[l]))
			return l;
	}
	return -1;
}

void selection_init(struct selection *s, const struct selection_set *set,
		    const struct selection_options *options, const double *prior_log_s,
		    const double *prior_sd)
{
	memset(s, 0, sizeof *s);
	s->set = *set;
	s->options = *options;
	s->value = -1;
	s->level_sd = 10;
	for (int f = 0; f < SELECTION_MAX_FUNCTIONS; f++) {
		s->mean_s[f] = s->prepare_s[f] = NAN;
		s->prior_log_s[f] = prior_log_s && f < set->n ? prior_log_s[f] : NAN;
		s->prior_sd[f] = prior_sd && f < set->n ? prior_sd[f] : 0.2;
	}
}

void selection_begin_again(struct selection *s)
{
	const struct selection_set set = s->set;
	const struct selection_options options = s->options;
	const double agreeing_s = s->agreeing_s;
	double prepare_s[SELECTION_MAX_FUNCTIONS];
	int agreements[SELECTION_MAX_FUNCTIONS];

	memcpy(prepare_s, s->prepare_s, sizeof prepare_s);
	memcpy(agreements, s->agreements, sizeof agreements);
	selection_init(s, &set, &options, NULL, NULL);
	s->agreeing_s = agreeing_s;
	memcpy(s->prepare_s, prepare_s, sizeof prepare_s);
	memcpy(s->agreements, agreements, sizeof agreements);
}

void selection_record(struct selection *s, const struct selection_plan *plan, const double *results)
{
	for (int k = 0; k < plan->n; k++) {
		const int f = plan->entry[k].function, tests = plan->entry[k].tests;

		s->mean_s[f] = *results++;
		for (int i = 0; i < tests; i++) {
			if (s->n_tests[f] < SELECTION_MAX_TESTS)
				s->test_s[f][s->n_tests[f]++] = results[i];
		}
		results += tests;
		if (s->mean_s[f] >= SELECTION_UNUSABLE_S)
			s->dropped[f] = 1;
	}
}

double selection_estimate_s(const struct selection *s, int f)
{
	double least;

	if (!s->n_tests[f] || s->mean_s[f] >= SELECTION_UNUSABLE_S)
		return NAN;
	if (s->options.logic != SELECTION_ELIMINATION)
		return s->mean_s[f];
	/* Disturbances only slow down: of one or two tests the faster one is right. */
	if (s->n_tests[f] > 2)
		return tune_filter_mean(s->options.filter, s->test_s[f], s->n_tests[f]);
	least = s->test_s[f][0];
	return s->n_tests[f] == 2 && s->test_s[f][1] < least ? s->test_s[f][1] : least;
}

/* The fastest of the functions tested and not dropped, -1 if there is none. */
static int fastest(const struct selection *s)
{
	int best = -1;

	for (int f = 0; f < s->set.n; f++) {
		if (!s->n_tests[f] || s->dropped[f])
			continue;
		if (best < 0 || s->mean_s[f] < s->mean_s[best])
			best = f;
	}
	return best;
}

static void plan_test(const struct selection *s, int f, struct selection_plan *out)
{
	out->entry[out->n].function = f;
	out->entry[out->n].tests = s->options.tests;
	out->n++;
}

/* ADCL's brute force, and the end of every hypothesis: all that is left is tested, and the smallest
 * maximum is chosen. */
static void plan_the_rest(const struct selection *s, struct selection_plan *out)
{
	for (int f = 0; f < s->set.n; f++) {
		if (!s->n_tests[f] && !s->dropped[f])
			plan_test(s, f, out);
	}
	if (out->n)
		return;
	out->chosen = fastest(s);
	if (out->chosen < 0)
		out->chosen = 0; /* nothing is usable: whoever uses it gets the reason */
}

/* ---- the performance hypothesis ---- */

/* Do f and g differ in this attribute at most, attributes that derive from others aside? */
static int comparable(const struct selection_set *set, int f, int g, int attribute)
{
	for (int a = 0; a < set->n_attributes; a++) {
		if (a != attribute && !set->derived[a] && set->values[f][a] != set->values[g][a])
			return 0;
	}
	return 1;
}

/* The functions left that are comparable with f, f among them. */
static int comparison(const struct selection *s, int f, int *member)
{
	int n = 0;

	for (int g = 0; g < s->set.n; g++) {
		if (!s->dropped[g] && comparable(&s->set, f, g, s->attribute))
			member[n++] = g;
	}
	return n;
}

/* A comparison whose functions were all tested confirms the hypothesis on the attribute, or
 * contradicts it. Where nothing is left of the confidence the next comparison makes a new one. */
static void judge(struct selection *s, const int *member, int n)
{
	int best = member[0], value;

	for (int i = 1; i < n; i++) {
		if (s->mean_s[member[i]] < s->mean_s[best])
			best = member[i];
	}
	value = s->set.values[best][s->attribute];
	if (!s->confidence) {
		s->value = value;
		s->confidence = 1;
	} else {
		s->confidence += value == s->value ? 1 : -1;
	}
}

static void next_attribute(struct selection *s)
{
	s->attribute++;
	s->value = -1;
	s->confidence = 0;
	memset(s->judged, 0, sizeof s->judged);
}

static void drop_other_values(struct selection *s)
{
	for (int f = 0; f < s->set.n; f++) {
		if (s->set.values[f][s->attribute] != s->value)
			s->dropped[f] = 1;
	}
}

/* The next comparison of the attribute: its functions that were not tested yet are planned; if
 * there is none it is judged. 0: the attribute has no more. */
static int next_comparison(struct selection *s, struct selection_plan *out)
{
	int member[SELECTION_MAX_FUNCTIONS], n;

	for (int f = 0; f < s->set.n; f++) {
		if (s->dropped[f] || s->judged[f])
			continue;
		n = comparison(s, f, member);
		if (n < 2 || member[0] != f)
			continue;
		for (int i = 0; i < n; i++) {
			if (!s->n_tests[member[i]])
				plan_test(s, member[i], out);
		}
		if (!out->n) {
			judge(s, member, n);
			s->judged[f] = 1;
		}
		return 1;
	}
	return 0;
}

static void hypothesise(struct selection *s, struct selection_plan *out)
{
	while (s->attribute < s->set.n_attributes) {
		if (s->set.derived[s->attribute] || !next_comparison(s, out)) {
			next_attribute(s);
			continue;
		}
		if (out->n)
			return;
		if (s->confidence >= s->options.threshold) {
			drop_other_values(s);
			next_attribute(s);
		}
	}
	plan_the_rest(s, out);
}

void selection_plan_next(struct selection *s, long uses, struct selection_plan *out)
{
	out->chosen = -1;
	out->n = 0;
	switch (s->options.logic) {
	case SELECTION_FIXED:
		out->chosen = s->options.fixed;
		break;
	case SELECTION_BRUTE:
		plan_the_rest(s, out);
		break;
	case SELECTION_HYPOTHESIS:
		hypothesise(s, out);
		break;
	default:
		selection_eliminate(s, uses, out);
		break;
	}
	assert(out->chosen >= 0 || out->n > 0);
}
