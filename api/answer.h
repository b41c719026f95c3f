#ifndef API_ANSWER_H
#define API_ANSWER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "domain/application.h"
#include "domain/breakdown.h"
#include "domain/objective.h"

/* The answers of `recommend` and `predict` as data, read back from their JSON form (advice_json.h,
 * answer_json.h), which is what is remembered: what people read is made from this, for a new answer
 * as for an old one. A number that the answer does not tell is NaN, a text NULL unless said
 * otherwise, a list empty. */
struct json_t;

/* The value of a column of the application: a number, or a word. */
struct answer_value {
	double number;	  /* NaN: none, or a word */
	const char *text; /* NULL: none, or a number */
};
bool answer_value_is_given(const struct answer_value *v);
bool answer_value_equal(const struct answer_value *x, const struct answer_value *y);

/* Columns by their names, as they were set. */
struct answer_members {
	struct answer_member {
		const char *name;
		struct answer_value value;
	} * item;
	size_t n;
};

/* A configuration and what is predicted for it. */
struct answer_choice {
	bool given;
	struct answer_value *value; /* [n_columns]; what the application has no column for is out */
	double predicted_s, lo_s, hi_s;
	double p_meet;
	double node_hours;	 /* core-hours where answer_search.core_hours */
	double p_budget;	 /* NaN: there was no budget */
	double outlasts_s;	 /* limit that cut each run of it; NaN: none, or not each was cut */
	const char *support;	 /* "inside", "edge", "outside" */
	const char *support_why; /* NULL: not told */
	const char *why, *machine;
	const char *origin; /* what no run had: "pairs", "between", "beyond"; NULL: it was run */
	struct answer_warning {
		bool given;
		bool failed; /* it failed before; else it is at risk */
		double run_id;
	} warning;
};

/* ---- what was asked ---- */

struct answer_request {
	const char *app, *machine; /* "": not told */
	const char *like;	   /* what if: the other machine */
	double wg_factor;
	struct answer_members problem, fixed;
	struct answer_value *workload; /* [n_columns] */
	size_t n_workload, n_assumed;  /* of these nobody gave the latter */
	double deadline_s, confidence, budget_node_hours;
	const char *by, *asked_at;  /* the deadline by the clock */
	const char *objective_text; /* "": not told */
	int objective;		    /* enum objective; -1: another */
	double n_next;		    /* runs that were asked for */
};

/* ---- what it rests on ---- */

struct answer_machine_facts {
	const char *title; /* "": not known */
	bool simulated;
	double nodes, cores_per_node;
};

struct answer_source {
	const char *source; /* "" not told */
	double configurations, share;
};

struct answer_rule {
	const char *id, *verdict, *state, *text; /* "": not told */
};

struct answer_preference {
	const char *rule, *to; /* ids of an accepted rule and of the one it is preferred to */
};

/* The choice among configurations that predictions cannot tell apart, by rules. */
struct answer_rule_choice {
	double configurations, within;
	const char **because; /* ids of rules */
	size_t n_because;
	struct answer_choice instead_of;
};

/* A tie that was broken by robustness: by the loss near each configuration. */
struct answer_tie_break {
	bool given;
	double configurations, within, neighbours, loss, loss_instead;
	struct answer_choice instead_of;
};

struct answer_near_run {
	int64_t run_id, repeats;
	struct answer_value *value; /* [n_columns] */
	double wall_s, distance;
	const char *status; /* NULL: it ended well */
};

/* Configurations left out because runs failed. */
struct answer_left_out {
	bool given;
	double configurations, run_id;
};

/* A statement that held in all runs. */
struct answer_invariant {
	const char *held; /* a condition; "": not told */
	bool kept;
};

struct answer_search {
	double legal, max_nodes, cores_seen;
	const char *max_nodes_origin; /* "": not told */
	bool tried_only, core_hours, cores_known, memory_checked;
	bool further_counts; /* of nodes (processes) are among the candidates */
	bool untried_pairs;  /* and combinations that no run had */
	bool cut;	     /* there are more */
	/* Combinations of tunables, where not all were searched; else NaN. */
	double tunings_legal, tunings_searched;
	struct answer_invariant *invariant;
	size_t n_invariants;
	bool any_left_out;
	struct answer_left_out failed, at_risk;
};

struct answer_evidence {
	const char *model, *explanation; /* "": not told */
	struct answer_source *source;
	size_t n_sources;
	struct answer_rule *rule;
	size_t n_rules;
	struct answer_preference *preference;
	size_t n_preferences;
	struct answer_rule_choice rule_choice; /* without instead_of: rules had no say */
	struct answer_tie_break robust_choice;
	bool stale;
	bool has_breakdown;
	struct breakdown breakdown;
	struct answer_machine_facts machine;
	struct answer_near_run *near;
	size_t n_near;
	struct answer_search search;
};

/* ---- the answer ---- */

struct answer_point { /* of the frontier, from the fewest nodes on */
	struct answer_choice choice;
	bool feasible, knee, recommended;
};

struct answer_move {	       /* one step away from what is recommended */
	const char *parameter; /* "": not told */
	double ratio;
	struct answer_choice to;
};

struct answer_of_machine {
	const char *machine; /* "": not told */
	const char *reason;
	bool answered, feasible;
	struct answer_choice choice; /* no prediction: it could not answer */
};

struct answer_decision {
	bool given;
	double n_candidate_set, wrong, answer_right, tolerance;
	bool safe;
};

struct answer_next_run {
	const char *kind; /* "": not told */
	const char *why;  /* it teaches, in sentences; "": an older program did not say */
	struct answer_choice run;
	double wrong_before, wrong_after, wasted_before_node_hours, wasted_after_node_hours;
};

struct answer {
	const struct application *app; /* borrowed */
	struct json_t *json;	       /* as it was given; a reference, from which the texts are */
	const char *id;		       /* "": not told */
	bool feasible;
	struct answer_choice best; /* what is recommended or predicted, else the best effort */
	bool is_best_effort;
	const char *reason; /* of a no; "": not told */
	double feasible_deadline_s, feasible_budget_node_hours;
	struct answer_request request;
	struct answer_choice *alternative;
	size_t n_alternatives;
	struct answer_move *move;
	size_t n_moves;
	struct answer_node_limits {
		bool given;
		double deadline_from_s, deadline_to_s, confidence_from, confidence_to;
	} node_limits;
	bool has_frontier;
	struct answer_point *point;
	size_t n_points;
	bool has_machines;
	struct answer_of_machine *machine; /* best first */
	size_t n_machines;
	struct answer_decision decision;
	bool has_next;
	struct answer_next_run *next;
	size_t n_next;
	struct answer_evidence evidence;
	struct answer_block *block; /* what it is made of; of answer.c */
};

/* json is an answer about the application, which outlives *out; one of an earlier version may tell
 * less. Errors: NOMEM. */
enum err_code answer_read(struct json_t *json, const struct application *app, struct answer *out,
			  struct err *e);
void answer_release(struct answer *a);

#endif
