#ifndef MINING_NOISE_GROUP_H
#define MINING_NOISE_GROUP_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/application.h"
#include "kb/kb.h"

/* A group of configurations whose runs scatter more than others: one node, the smallest problems.
 * Its noise is `factor` times that of all others, and its intervals say so.
 *
 * Groups asked about are the least or the most values of a numeric column, at most half of the
 * configurations and at least four. How far held-out runs were off, in units of the spread where
 * they were predicted, must be larger in the group than in the rest by the rank sum test (Wilcoxon
 * 1945, Mann and Whitney 1947; 0.02 over all groups asked about), and by a half. Of those the one
 * is kept with which Laplace's law of the residuals is likeliest. */
struct noise_group {
	size_t column;
	bool below;
	double at;     /* the group has at most this value (below), else at least it */
	double factor; /* > 1; else there is no group */
};

/* rows[n], off[n] >= 0 of n configurations. Errors: NOMEM. */
enum err_code noise_group_find(const struct application *app, const double *const *rows,
			       const double *off, size_t n, struct noise_group *out, struct err *e);
/* 1 outside of the group; a missing value is outside. */
double noise_group_factor(const struct noise_group *g, const double *row);
/* A sentence with a blank before it; nothing where there is no group. */
void noise_group_explain(const struct noise_group *g, const struct application *app,
			 struct strbuf *out);

/* As "noise_group_...", and back; nothing where there is none. Errors: NOMEM. */
enum err_code noise_group_store(const struct noise_group *g, struct kb_fit *fit, struct err *e);
void noise_group_load(const struct kb_fit *fit, const struct application *app,
		      struct noise_group *out);

#endif
