#ifndef DOMAIN_RULE_H
#define DOMAIN_RULE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/application.h"
#include "domain/dataset.h"

/* A mined rule, as data: conditions over the columns of a run, and a statement about the runs that
 * they hold for. It exists once; its text, its SQL and its evaluation are made from this struct and
 * select the same runs. */

enum rule_kind {
	RULE_CHOICE,  /* if condition then so much slower than the best choice */
	RULE_SETTING, /* if condition then setting: within so much of the best */
	RULE_TIME,    /* if condition then time = formula (times the structural prediction) */
	/* setting held in every run that ended well, and chance would have broken it: what is
	 * proposed keeps to it */
	RULE_INVARIANT,
	RULE_KIND_COUNT
};
const char *rule_kind_name(enum rule_kind kind); /* "choice", ..., "invariant" */
int rule_kind_from(const char *text);		 /* -1: none of them */

/* A factor column^exponent of a formula. */
struct rule_term {
	char *column;
	double exponent;
};

/* What stands behind a rule. A case is one problem on one number of processors (one machine, one
 * source): what choices are compared within. Effects are time ratios. */
struct rule_evidence {
	int64_t n_runs;		  /* runs that the rule's SQL returns */
	int64_t n_configurations; /* distinct ones among them */
	int64_t n_cases, n_problems, n_machines;
	int64_t n_source[SOURCE_COUNT]; /* of n_runs */
	double coverage;		/* n_runs over the runs of the rule's scope */
	/* CHOICE: geometric mean of time over the best known; SETTING: the same of what the setting
	 * chose; TIME: geometric mean of the formula's factor on the structural prediction, or
	 * without one of measured time over the typical time of all runs. On held-out problems,
	 * with a 90 % interval. */
	double effect, lo, hi;
	double versus_others;  /* CHOICE, SETTING: over the other choices of the same cases */
	double confidence;     /* share of the held-out cases for which the statement was true */
	double p_value;	       /* adjusted for all rules that were tried (Benjamini-Hochberg) */
	double held_out_error; /* CHOICE, SETTING: median |log error| of effect over held-out
				* problems; TIME: of the formula over held-out configurations */
	double usefulness;     /* sorts; share of the variance of log slow-down (of log
				* time for TIME) that it explains */
	/* Of all runs that were mined: CHOICE: configurations that it speaks of, and those of them
	 * that are next to the best all the same; SETTING: cases, and those in which it led farther
	 * from the best than it says. n_checked 0: not counted. */
	int64_t n_checked, n_counter;
};
/* The share for which the rule held: what was held out says, or all runs where they say less. */
double rule_held_up(const struct rule_evidence *v);

/* CHOICE: what one part of the condition costs by itself, all else equal: time where the part holds
 * over time where it does not, between configurations of a case for which all other parts hold and
 * which differ in nothing that could be chosen but what the part is about. On held-out problems,
 * with a 90 % interval (NaN: one problem has none). */
struct rule_cost {
	char *part;    /* "alg = 'b'" */
	char *against; /* "alg = 'a'" */
	double ratio, lo, hi;
	int64_t n_sets; /* of configurations that were compared; fitted: configurations */
	int64_t n_problems;
	bool fitted; /* too few differ in nothing else: from a regression on all choices */
};

enum { RULE_ID_SIZE = 13 };

/* "RULE_POWER_OF_TWO % a = 0": a is a power of two, up to 2^30. */
#define RULE_POWER_OF_TWO "1073741824"

struct rule {
	char id[RULE_ID_SIZE];	     /* first 12 hex digits of the SHA-256 of its content */
	char overlaps[RULE_ID_SIZE]; /* the rule it shares most runs with; "": none */
	bool on_model;		     /* TIME: see coefficient */
	enum rule_kind kind;
	char *machine;	 /* NULL: on every machine of the application */
	char *condition; /* in the language of domain/expr.h; "" holds always */
	/* SETTING: what to choose, in the same language; INVARIANT: what held; else NULL */
	char *setting;
	double within; /* SETTING: the statement, 0.03: within 3 % of the best known */
	/* TIME: coefficient * product of terms, kept between min and max (what was seen): the time
	 * [s], or with on_model its ratio to the structural prediction. weight in [0, 1]: how far
	 * predictions follow it in the logarithm, as held-out runs advise; 0: a finding only. */
	double coefficient;
	struct rule_term *term;
	size_t n_term;
	double min, max;
	double weight;
	struct rule_evidence evidence;
	double overlap; /* runs in both over runs in either, of this rule and `overlaps` */
	/* The more useful rule that says nearly the same of nearly the same runs; "": none. */
	char twin_of[RULE_ID_SIZE];
	struct rule_cost *cost; /* CHOICE: of those parts for which runs tell */
	size_t n_cost;
	/* Of a rule on all machines: ids of rules of single machines that speak of mostly the same
	 * runs there and say the same, separated by blanks; NULL: none. */
	char *covers;
	char *caveat; /* "it_g and procs move together in these runs: ..."; NULL: none */
};

struct rule_list {
	struct rule *item;
	size_t n;
	size_t cap;
};

void rule_release(struct rule *r);
void rule_list_release(struct rule_list *l);
/* Moves *r into the list and clears it, also on failure. Errors: NOMEM. */
enum err_code rule_list_add(struct rule_list *l, struct rule *r, struct err *e);
/* Does a rule on all machines (or another machine) say what the rule of one machine says: the same
 * condition and setting, or mostly the same runs (covers)? Never of time rules: formulas are each
 * machine's own. */
bool rule_says_same(const struct rule *general, const struct rule *own);
/* Append a cost, whose texts are moved, also on failure. Errors: NOMEM. */
enum err_code rule_add_cost(struct rule *r, struct rule_cost *cost, struct err *e);
void rule_cost_release(struct rule_cost *cost);
/* Append a factor. Errors: NOMEM. */
enum err_code rule_add_term(struct rule *r, const char *column, double exponent, struct err *e);

/* Bring the rule into canonical form and fill in its id. Canonical are condition and setting as
 * expr_put_text() gives them, the formula's columns as the application spells them, and its numbers
 * as they are printed (coefficient to 3 digits, exponents to 3 decimals): the printed rule is the
 * rule. The id is of application, machine, kind, condition, setting, the columns of the formula and
 * what it is of (time or its ratio to the model); not of what was measured about it, so that it
 * stays the same rule when more runs sharpen its numbers. The order of parts joined by `and` does
 * not matter to it. Errors: PARSE (condition, setting or formula do not fit the application),
 * NOMEM. */
enum err_code rule_identify(const struct application *a, struct rule *r, struct err *e);
/* The content with every number and text left out: rules of one shape are forms of each other. A
 * value, a list and a range are all sets: "mk = 5", "mk in (5, 6)" and "mk between 5 and 10" have
 * one shape, and so have "<" and "<=". */
void rule_put_shape(const struct application *a, const struct rule *r, struct strbuf *out);

/* "if alg = 'b' then 1.46x (1.45-1.48) the time of the best known for the same problem and
 * processors; all else equal alg = 'b' costs 1.30x (1.29-1.31) against alg = 'a'". One
 * line. */
void rule_put_text(const struct rule *r, struct strbuf *out);
/* The then-part alone. */
void rule_put_statement(const struct rule *r, struct strbuf *out);
/* One complete SELECT on one line, without a semicolon, for plain sqlite3: the runs that the
 * condition holds for, of the rule's application and machine, that mining looks at (status ok,
 * neither excluded nor flagged, sources named). Its columns are run_id, those that the rule speaks
 * about, and wall_s. Errors: PARSE, NOMEM. */
enum err_code rule_put_sql(const struct application *a, const struct rule *r, struct strbuf *out,
			   struct err *e);

/* A rule ready to be asked. Borrows nothing of r; a must outlive it. */
struct rule_test;
enum err_code rule_test_new(const struct application *a, const struct rule *r,
			    struct rule_test **out, struct err *e);
void rule_test_free(struct rule_test *t);
/* On a complete, derived row. A rule without a setting has none that holds. */
bool rule_condition_holds(const struct rule_test *t, const double *row);
bool rule_setting_holds(const struct rule_test *t, const double *row);
/* Does the setting hold, or is it not known to fail, where only some columns are known? */
bool rule_setting_possible(const struct rule_test *t, const double *row);
/* Could the condition hold when only some columns are known (NaN: not known)? Never false for a
 * row that a completion of it makes true. */
bool rule_condition_possible(const struct rule_test *t, const double *row);
/* TIME: the formula's value, kept within min and max; NaN where a column is missing or not > 0. */
double rule_formula(const struct rule_test *t, const double *row);

/* Does mining look at this run: status ok and not flagged? (Excluded ones are not loaded.) */
bool rule_counts_run(const struct dataset *d, size_t i);

#endif
