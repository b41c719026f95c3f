#ifndef MINING_MODEL_TREE_H
#define MINING_MODEL_TREE_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "base/progress.h"
#include "mining/predictor/predictor.h"
#include "mining/cases/conjunction.h"
#include "mining/cases/slowdown_table.h"
#include "mining/rules/power_formula.h"

/* What time rules are to explain, of a sample of the configurations: with a structural predictor
 * what it leaves, log(time / prediction), else log time itself. */
struct time_target {
	struct slowdown_table *table; /* the sample */
	bool on_model;		      /* base has a structural part */
	double *y;		      /* [table->n]; NaN: not known */
	double *log_base;	      /* [table->n] of base's predictions; NULL: there is no base */
	double typical;		      /* y where no rule is: 0 on a model, else the median */
	struct power_data data;	      /* of y */
	size_t *factor;
	double *log_x;
};

/* About `most` configurations of t. base may be NULL. Errors: NOMEM. */
enum err_code time_target_make(const struct slowdown_table *t, const struct predictor *base,
			       size_t most, struct time_target *out, struct err *e);
/* Fill in data. Errors: NOMEM. */
enum err_code time_target_add_factors(struct time_target *g, struct err *e);
void time_target_release(struct time_target *g);

/* A regression tree with a formula in every leaf (Quinlan, "Learning with Continuous Classes",
 * AI'92: M5), grown leaf by leaf, the most rewarding split first: the tree with fewer leaves is
 * the same tree with its last splits undone, so that held-out runs can choose the size of it. */
enum { MODEL_TREE_LEAVES = 8, MODEL_TREE_NODES = 2 * MODEL_TREE_LEAVES - 1, MODEL_TREE_DEPTH = 4 };

struct tree_node {
	struct conjunction path;
	struct bin_condition enter; /* the last of path, as it was split */
	struct power_formula formula;
	size_t child; /* and child + 1; 0: none */
	size_t order; /* it was the order-th to be split, from 1 */
};

struct model_tree {
	struct tree_node node[MODEL_TREE_NODES];
	size_t n_nodes;
	size_t n_leaves;
};

/* Explain d->y (NaN: not known), of the configurations of t. leave_out[i]: not to be learned from
 * (NULL: all are). max_terms of the formulas: 0 .. POWER_FORMULA_TERMS. Fewer rows than a leaf
 * needs, or none, give a tree without nodes (n_leaves = 0). Errors: NOMEM, NUMERIC. */
enum err_code model_tree_grow(const struct slowdown_table *t, const struct power_data *d,
			      const unsigned char *leave_out, size_t max_terms,
			      struct model_tree *out, struct err *e);

/* The leaf that configuration i of t lies in when the tree has n_leaves: a place in node[].
 * SIZE_MAX: a value that a split asks for is missing, or a text that it has not seen. */
size_t model_tree_leaf(const struct model_tree *m, size_t n_leaves, const struct slowdown_table *t,
		       size_t i);

/* The tree of time rules, its size chosen by runs that it had not seen, and the trees that say how
 * good it is on such runs. */
enum { TIME_FOLDS = 5 };

struct time_trees {
	size_t max_terms, n_leaves;	    /* n_leaves 0: no tree is better than none */
	struct model_tree whole;	    /* of all configurations */
	struct model_tree fold[TIME_FOLDS]; /* of all but those of a fold */
};

/* fold[block] in 0..TIME_FOLDS-1. Errors: NOMEM, NUMERIC, INTERRUPTED. */
enum err_code time_trees_grow(const struct time_target *g, const unsigned char *fold,
			      const struct progress *p, struct time_trees *out, struct err *e);

#endif
