#ifndef RECOMMEND_CONFIG_SPACE_H
#define RECOMMEND_CONFIG_SPACE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "recommend/space/axis.h"
#include "recommend/space/failed_runs.h"
#include "recommend/space/rule_advice.h"
#include "recommend/space/partial_evaluation.h"
#include "recommend/space/placement.h"
#include "recommend/space/recommend.h"
#include "recommend/space/seen_product.h"

/* Every legal configuration of a request, group by group (see partial_evaluation.h), never all at
 * once:
 *
 *	struct groups it;
 *	struct group g;
 *	while (!(rc = groups_next(&it, &g, &more, e)) && more)
 *		for (size_t at = 0; (n = group_rows(&g, &at, rows, max)) > 0;)
 *			... n rows ...
 *
 * Groups are the processor grids of every size that fits (applications with a grid), or the
 *combinations of resources and tunables that were seen together in runs (ad-hoc applications). */
struct config_space {
	const struct advice_request *request;
	double *given; /* n_columns: the request's row, derived */
	struct partial_evaluation layers;
	struct placement placement;
	struct axis *axis; /* of the groups; the sides of the grid come last */
	size_t n_axes;
	/* No rule says what is legal, and combinations come from runs: there is no word for them
	 * but "tried in the runs". */
	bool tried_only;
	struct seen_product seen; /* of columns whose values come from runs */
	struct kept_invariants invariants;
	bool places;	     /* nodes follow from processors */
	double grid_base;    /* product of the sides that are fixed */
	double procs_at_cut; /* so many, or fewer, no side lacks a length; INFINITY: none does */
	enum layer memory_layer;
	struct tunings tunings;
	/* Why something was refused, for when nothing is left; NULL: nothing was. */
	const struct legality *refusal;
	double least_memory_bytes; /* on a node, of what does not fit; INFINITY: all fits */
	struct failed_runs failures;
	bool takes_risks; /* what is at risk belongs to the space; what failed never does */
	/* Rows and groups looked at: every few thousand the request's progress is asked. Once it
	 * says stop, groups have no more rows and groups_next() fails. */
	uint64_t n_looked_at;
	bool stopped;
};

/* Errors: ARG (incomplete problem, an illegal fixed value: the message says why), NOMEM. */
enum err_code config_space_init(struct config_space *s, const struct advice_request *q,
				struct err *e);
void config_space_release(struct config_space *s);
/* A number of nodes on which there are most_grids groups at most; 0: none is known, as nodes do not
 * follow from a grid. */
double config_space_few_nodes(const struct config_space *s, double most_grids);
/* ERR_ARG: "<what> on 1000 nodes (asked for), too many to search: ...", with how many nodes are few
 * enough for most_grids groups. */
enum err_code config_space_refuse_size(const struct config_space *s, const char *what,
				       double most_grids, struct err *e);

/* One legal choice of resources. */
struct group {
	struct config_space *space;
	const double *row; /* free tunables are NaN; derived as far as possible */
	double nodes, procs;
	uint64_t n_legal;		 /* of its tunings */
	struct left_out failed, at_risk; /* legal, but for what failed runs say; not in n_legal */
	bool decided;			 /* every tuning is legal */
	const bool *passed_over;	 /* by tuning: not to be looked at; NULL: none is */
};

struct groups {
	struct config_space *space;
	double *row;
	double *scratch; /* a complete row */
	size_t *at;	 /* index on each axis; SIZE_MAX: before the first */
	double *product; /* processors up to and including each axis */
	/* A grid of fewer or more processors is not looked at. May be narrowed before the first
	 * groups_next(); applications without a grid take no notice. */
	double least_procs, most_procs;
	struct left_out failed, at_risk; /* of the groups so far */
	bool done;
	bool coarse; /* visit a sample only: indices grow by half */
};

enum err_code groups_init(struct groups *it, struct config_space *s, bool coarse, struct err *e);
void groups_release(struct groups *it);
/* The next group with a legal configuration; *more is false after the last. Errors: NOMEM, ARG,
 * INTERRUPTED. */
enum err_code groups_next(struct groups *it, struct group *g, bool *more, struct err *e);

/* Write at most max legal rows[max * n_columns], complete and derived, from tuning *at on; returns
 * how many, 0 after the last. Valid until the next groups_next(). */
size_t group_rows(const struct group *g, size_t *at, double *rows, size_t max);

/* Complete and judge a row that differs a little from one of the space (a neighbour): nodes are
 * put anew, derived columns computed. False: it does not belong to the space. */
bool config_space_complete(const struct config_space *s, double *row);
/* "12 legal configurations"; where no rule is known "12 configurations tried in the runs", or "of
 * values tried in the runs", "and further node counts". n = 1: "the only legal configuration". */
void config_space_put_count(const struct config_space *s, uint64_t n, struct strbuf *out);
/* What failed runs say against a complete row. */
struct warning config_space_warning(const struct config_space *s, const double *row);
/* predictor_predict() of n complete rows; the chance to fail is that of what failed runs say, too,
 * and of relations that the row breaks. */
void config_space_predict(const struct config_space *s, const double *rows, size_t n,
			  struct prediction *out);
/* Where a complete row comes from; ORIGIN_RUN in an application that knows its candidates. */
enum origin config_space_origin(const struct config_space *s, const double *row);
bool config_space_leaves_out(const struct config_space *s, enum risk risk);

#endif
