#ifndef KB_MINED_H
#define KB_MINED_H
/* Rules and findings of the application stencil, every field filled. */
#include "tests/unit/kb/kb_test_applications.h"

/* The next of a row of numbers in (0, 1) that need all their bits. */
static inline double odd_number(void)
{
	static int n;

	n = n % 1000 + 1;
	return 1.0 / (2 + n) * (1 + 0x1p-52);
}

static inline char *text_of(const char *text)
{
	char *copy = strdup(text);

	assert_non_null(copy);
	return copy;
}

/* A rule with an id, all of its numbers set. */
static inline struct rule sample_rule(const struct application *a, enum rule_kind kind,
				      const char *condition, const char *setting)
{
	struct rule r = {.kind = kind, .condition = text_of(condition), .weight = odd_number()};

	r.setting = setting ? text_of(setting) : NULL;
	r.within = odd_number();
	r.on_model = kind == RULE_TIME;
	r.coefficient = odd_number();
	if (kind == RULE_TIME) {
		must(rule_add_term(&r, "n", 1 + odd_number(), &err));
		must(rule_add_term(&r, "procs", -odd_number(), &err));
	}
	r.min = odd_number();
	r.max = 3e300 * odd_number();
	r.evidence = (struct rule_evidence){
		.n_runs = 60,
		.n_configurations = 20,
		.n_cases = 7,
		.n_problems = 5,
		.n_machines = 2,
		.n_source = {30, 20, 10},
		.coverage = odd_number(),
		.effect = 1 + odd_number(),
		.lo = odd_number(),
		.hi = 2 + odd_number(),
		.versus_others = odd_number(),
		.confidence = odd_number(),
		.p_value = 1e-300 * odd_number(),
		.held_out_error = odd_number(),
		.usefulness = odd_number(),
	};
	r.overlap = odd_number();
	if (kind == RULE_CHOICE) {
		struct rule_cost cost = {text_of("b = 'x''s'"),
					 text_of("b = \"y\""),
					 odd_number(),
					 odd_number(),
					 (double)NAN,
					 12,
					 5,
					 true};

		must(rule_add_cost(&r, &cost, &err));
		r.evidence.n_checked = 20;
		r.evidence.n_counter = 3;
	}
	must(rule_identify(a, &r, &err));
	return r;
}

static inline void add_rule(struct rule_list *l, struct rule r)
{
	must(rule_list_add(l, &r, &err));
}

static inline struct rule_list sample_rules(void)
{
	struct application *a = parse_application(stencil_text);
	struct rule_list l = {0};
	struct rule *setting;

	add_rule(&l, sample_rule(a, RULE_CHOICE, "procs >= 64 and kind = 'it''s \"odd\"'", NULL));
	add_rule(&l, sample_rule(a, RULE_TIME, "local <= 100", NULL));
	add_rule(&l, sample_rule(a, RULE_SETTING, "", "b between 5 and 10"));
	setting = &l.item[2];
	setting->machine = text_of("m");
	setting->caveat = text_of("It's \"said\";\nin two lines.");
	strcpy(setting->overlaps, l.item[0].id);
	strcpy(setting->twin_of, l.item[0].id);
	must(rule_identify(a, setting, &err)); /* the machine is part of it */
	add_rule(&l, sample_rule(a, RULE_TIME, "", NULL));
	application_free(a);
	return l;
}

static inline void *rows_of_size(size_t n, size_t size)
{
	void *rows = zeroed(n, size);

	return rows;
}

static inline void sample_columns(struct findings *f)
{
	f->n_columns = 2;
	f->column = rows_of_size(2, sizeof *f->column);
	f->column[0] = (struct column_profile){
		text_of("n"), text_of("problem"), 100,		3,
		12,	      odd_number(),	  odd_number(), odd_number(),
		odd_number(), odd_number(),	  text_of(""),	text_of("a copy of x")};
	f->column[1] = (struct column_profile){text_of("kind"),
					       text_of("problem"),
					       103,
					       0,
					       2,
					       (double)NAN,
					       (double)NAN,
					       (double)NAN,
					       (double)NAN,
					       (double)NAN,
					       text_of("it's 100, \"q\" 3"),
					       text_of("")};
	f->n_effects = 1;
	f->effect = rows_of_size(1, sizeof *f->effect);
	f->effect[0] = (struct column_effect){
		text_of("b"), odd_number(),	-odd_number(),	    odd_number(),  odd_number(),
		(double)NAN,  (double)NAN,	(double)NAN,	    (double)NAN,   odd_number(),
		odd_number(), (double)INFINITY, text_of("b 5..10"), text_of("b 1")};
}

static inline struct findings sample_findings(void)
{
	struct findings f = {.profile = {1000, 200, 12, 40, 1, 2, 3, 4, 50, odd_number(),
					 odd_number(), 6, 2, 1 + odd_number(), odd_number(),
					 text_of("One.\nIt's two.")}};

	sample_columns(&f);
	f.n_interactions = 1;
	f.interaction = rows_of_size(1, sizeof *f.interaction);
	f.interaction[0] = (struct column_interaction){text_of("b"), text_of("procs"), odd_number(),
						       odd_number(), text_of("best b: 10")};
	f.n_hypotheses = 1;
	f.hypothesis = rows_of_size(1, sizeof *f.hypothesis);
	f.hypothesis[0] = (struct hypothesis){
		text_of("b"),	  text_of("10"),     30,	   20,		-10,
		1 + odd_number(), -(double)INFINITY, odd_number(), odd_number()};
	f.ranking = (struct ranking){
		.n_cases = 9, .chi2 = odd_number(), .p = odd_number(), .alpha = 0.05};
	f.ranking.n_choices = 2;
	f.ranking.choice = rows_of_size(2, sizeof *f.ranking.choice);
	f.ranking.choice[0] =
		(struct ranked_choice){text_of("b=10"), odd_number(), odd_number(), text_of("a")};
	f.ranking.choice[1] =
		(struct ranked_choice){text_of("b=5"), odd_number(), odd_number(), text_of("ab")};
	return f;
}

static inline struct kb_rules sample_mined(void)
{
	struct kb_rules r = {.rules = sample_rules(), .findings = sample_findings(), .version = 7};

	memset(r.snapshot, 'b', 64);
	return r;
}

static inline struct kb_rules get_rules(struct kb *kb, int64_t machine_id)
{
	struct kb_rules r = {0};

	must(kb_get_rules(kb, 1, machine_id, &r, &err));
	return r;
}

/* Same bits; NaN has many, and all of them are one. */
static inline void check_bits(double got, double want)
{
	if (isnan(want))
		assert_true(isnan(got));
	else
		assert_memory_equal(&got, &want, sizeof got);
}

#endif
