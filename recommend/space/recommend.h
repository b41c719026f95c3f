#ifndef RECOMMEND_RECOMMEND_H
#define RECOMMEND_RECOMMEND_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "base/progress.h"
#include "domain/application.h"
#include "domain/dataset.h"
#include "domain/machine.h"
#include "domain/objective.h"
#include "kb/kb_run_index.h"
#include "mining/predictor/predictor.h"
#include "recommend/space/rule_advice.h"

/* The advice: search every legal configuration of a request, choose by objective, show why. */

/* Runs of the application on one machine, where they lie. */
struct stored_runs {
	struct kb *kb;
	int64_t app_id, machine_id;
};

struct advice_request {
	const struct application *app;
	const struct machine *machine;
	const struct predictor *predictor;
	const struct dataset *runs; /* for candidates and the most nodes seen; may be NULL where the
				       definition names all candidates */
	/* Runs that did not end well: failed ones and timeouts. NULL: they are among `runs`. */
	const struct dataset *failures;
	const struct failing_demands
		*demands; /* what was learned of those that failed; may be NULL */
	/* What the times of runs are multiplied by, by their dates; NULL: none is. */
	const struct kb_run_dates *dates;
	const struct stored_runs *stored; /* for the nearest runs; NULL: they are among `runs` */
	const double *row; /* n_columns: problem and workload complete, NaN where free, everything
			    * else that is set is honoured (--mk 10, --grid 8x16, --nodes 16) */
	double deadline_s; /* NaN: none (not with objective NODES): then all is feasible */
	/* 0: none. Node-hours that a run may take: its nodes for as long as it lasts. */
	double budget_node_hours;
	/* In (0, 1). Feasible means p_meet >= confidence and p_budget >= confidence: who must not
	 * overspend is as sure of the budget as of the deadline. */
	double confidence;
	enum objective objective;
	int64_t max_nodes; /* 0: the machine's size, else the most nodes seen in runs */
	int64_t max_procs; /* 0: no further limit */
	bool exhaustive;   /* no pruning: for tests */
	/* Of tied configurations take the fastest, not the robust one
	 * (neighbours.h): for tests.
	 */
	bool fastest_of_ties;
	bool frontier;	  /* advice.frontier is wanted */
	bool soonest;	  /* advice.feasible_deadline_s is wanted even if something is feasible */
	bool sensitivity; /* advice.sensitivity and .node_limits are wanted */
	/* Mined rules, NULL: none. Choice and setting rules decide among configurations that
	 * predictions cannot tell apart; time rules are named as evidence where the predictor
	 * follows them, see rule_advice_lead(). */
	const struct active_rule *rules;
	size_t n_rules;
	const struct progress *progress;
};

/* What failed runs say against a configuration: see failed_runs.h. */
enum risk { RISK_NONE, RISK_AT_RISK, RISK_FAILED };
struct warning {
	enum risk risk;
	int64_t run_id; /* the failed run; with RISK_NONE not set */
	double fail_p;	/* the chance that the next run fails, too; 0 with RISK_NONE */
};
/* Configurations left out of a search for one kind of risk. */
struct left_out {
	uint64_t n;
	int64_t run_id; /* the least number of the failed runs behind it */
};

/* Where a configuration comes from, in an application whose candidates come from runs. */
enum origin {
	ORIGIN_RUN,	/* it was run as a whole (for some problem) */
	ORIGIN_PAIRS,	/* not that, but its nodes (processes, in an application without nodes) were
			 */
	ORIGIN_BETWEEN, /* its nodes (processes) lie between counts that were run */
	ORIGIN_BEYOND,	/* above the largest count that was run, or fixed below the least */
	ORIGIN_COUNT
};
const char *origin_name(enum origin o); /* "run", "pairs", "between", "beyond" */

/* One configuration with what is predicted for it. */
struct choice {
	double *row; /* n_columns, complete and derived */
	struct prediction prediction;
	double lo_s, hi_s; /* central interval at the request's confidence */
	double promise_s;  /* kept with that confidence: what ranks; INFINITY: no promise is so sure
			    */
	double p_meet;	   /* NaN without deadline */
	double p_budget;   /* that the next run stays within the budget; NaN without one */
	double node_hours;
	/* Of alternatives: "fastest", "cheapest" (node-hours), "balanced" (least time *
	 * node-hours), all among the feasible ones if there are any; "safest" (largest p_meet, of
	 * 0.005 at least); "extrapolated" (what the objective would choose, were it as well
	 * supported by runs); "neighbour" (one tunable one step away, or the grid transposed). One
	 * that is no better than the recommendation in what it is named for is left out. */
	const char *why;
	struct warning warning; /* at risk only if nothing else was left; never failed */
	enum origin origin;	/* ORIGIN_RUN also where the definition names candidates */
};

/* A configuration seen in runs, by its run of median time. */
struct nearest_run {
	int64_t run_id;
	double wall_s;		/* of a timeout: it takes longer; of a failed run NaN is allowed */
	enum run_status status; /* one entry for each, where runs of a configuration differ */
	double distance;	/* in logs of problem, workload, tunables, resources; 0 = the same
				 * configuration, 0.69 = a factor of two in one of them */
	size_t n_repeats;	/* runs of it */
	double *row;
};

/* What rules made of the configurations on the nodes and processors of the best by prediction that
 * predictions cannot tell from it. */
struct rule_choice {
	uint64_t n_tied;	     /* with the best one; 0: no rule was asked */
	double within;		     /* none takes longer than the best by more than this share */
	struct choice instead_of;    /* the best by prediction; row NULL: it is the choice */
	const struct rule **because; /* that speak for the choice rather than for that one */
	size_t n_because;
};

/* What robustness made of the configurations that predictions and rules cannot tell apart: see
 * neighbours.h. */
struct tie_break {
	size_t n_tied;		  /* the choice among them; 0: it was not asked for */
	double within;		  /* none takes longer than the best by more than this share */
	size_t n_neighbours;	  /* of the choice */
	double loss;		  /* how much longer the slowest of them takes, as a share; >= 0 */
	struct choice instead_of; /* the choice without it; row NULL: the same */
	double loss_instead;	  /* of that one's neighbours */
};

/* What would change the answer: see neighbours.h. */
struct move {
	const char *parameter; /* a column's name, or the flag of the grid; of the application */
	struct choice to;
	double ratio; /* of its predicted time to that of the best */
};
struct sensitivity {
	struct move *move; /* by parameter, downwards before upwards */
	size_t n;
};
/* The number of nodes of the best is the answer to all deadlines from the one up to the other, at
 * the same confidence, and to all confidences above the one up to the other, by the same deadline.
 */
struct node_limits {
	bool known;
	double deadline_from_s, deadline_to_s; /* NaN: fewer nodes will never do */
	double confidence_from, confidence_to;
};

struct advice {
	bool feasible;
	struct choice best; /* the recommendation, or the best effort; row NULL: nothing is legal */
	struct choice *alternative;
	size_t n_alternative;
	/* Where asked for: the configurations that no other legal one, feasible or not, beats in
	 * both time and node-hours; ascending nodes, so ascending node-hours and descending time.
	 */
	struct choice *frontier;
	size_t n_frontier;
	size_t knee; /* index of the BALANCED one (rank.h) */
	/* The shortest deadline that could be met with the confidence, within the budget if there
	 * is one; NaN: nothing stays within that, no promise is so sure, or something is feasible
	 * and nobody asked for it. */
	double feasible_deadline_s;
	/* Infeasible: the least budget that would do for the deadline, if there is one; NaN:
	 * nothing meets that, or no budget was given. */
	double feasible_budget_node_hours;
	char *reason;		  /* infeasible: why, in a sentence; else NULL */
	struct nearest_run *near; /* nearest runs first */
	size_t n_near;
	char *support_why; /* of the best (predictor_explain_support()); NULL: nothing to say */
	struct breakdown breakdown;
	bool has_breakdown;
	struct rule_choice rule_choice;
	struct rule_report rules; /* what they say about the best */
	struct tie_break robust_choice;
	struct sensitivity sensitivity; /* of the best */
	struct node_limits node_limits; /* of a feasible best */
	bool memory_checked; /* the machine's memory and the application's need are known */
	bool cores_known;    /* false: the machine does not say how many a node has */
	double cores_seen;   /* then the most that runs used was assumed; 0: one process a node */
	bool core_hours;     /* nobody knows of nodes: node_hours are those of processes */
	int64_t max_nodes;   /* the limit that was used, and where it came from */
	const char *max_nodes_origin;
	bool tried_only; /* no rule of legality is known: candidates come from runs */
	/* Candidates from runs by where they come from, whatever failed; more were left out, if
	 * cut. */
	size_t n_candidates[ORIGIN_COUNT];
	bool candidates_cut;
	/* Combinations of tunables that are legal and that were searched, where the latter are
	 * fewer (see struct tunings); else 0. */
	size_t n_tunings_legal, n_tunings_searched;
	/* What held in all runs: what is proposed keeps to the first n_kept, and to none of the
	 * others, which nothing known keeps to for this problem. Borrowed from the request. */
	const struct rule **invariant;
	size_t n_invariants, n_kept_invariants;
	struct left_out failed, at_risk; /* were not chosen from */
	uint64_t n_legal;		 /* configurations that were chosen from */
	uint64_t n_predicted;		 /* predictions made; the others were excluded by bounds */
};

/* Errors: ARG (the problem is incomplete, a fixed value is illegal, nothing is legal: the message
 * says why), INTERRUPTED, NOMEM. An infeasible request is not an error: out->feasible is false, and
 * out->best.row is NULL if nothing fits into the memory of a node. */
enum err_code advice_find(const struct advice_request *q, struct advice **out, struct err *e);
void advice_free(struct advice *a);

#endif
