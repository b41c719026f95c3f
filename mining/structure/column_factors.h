#ifndef MINING_COLUMN_FACTORS_H
#define MINING_COLUMN_FACTORS_H
#include <stdbool.h>
#include "base/strbuf.h"
#include "domain/breakdown.h"
#include "kb/kb.h"
#include "mining/training/config_table.h"

/* What columns do to the time of a structure that does not read them: a compiler or a precision
 *beside the formula of a wavefront code, the processes that share a node. With the time C that the
 * structure gives computation (fill and work outside the sweeps among it) and M that of messages,
 *
 *	log t = log(C exp(u'a) + M exp(u'b)),
 *
 * u_i is 1 where a text column has a level, or the logarithm of a number from the middle of the
 * range seen. A compiler makes messages no faster, and processes that share a node hinder each
 * other's computation while their messages stay inside: each input has two factors. Beyond its
 * range a number changes nothing more, which counts as doubt.
 *
 * Fitted robustly (soft L1 on log time, robust_fit.h) under a ridge, as priors of levels are in
 * terms_model.h: what the runs do not tell stays at a factor of 1. */

enum { COLUMN_FACTORS_MAX = 32 };

enum factor_kind {
	FACTOR_LEVEL, /* of a text column */
	FACTOR_POWER, /* of a number */
	FACTOR_PPN    /* processes over nodes, of an application without a column of them */
};

struct column_factor {
	enum factor_kind kind;
	size_t column;		  /* FACTOR_PPN: 0 */
	double code;		  /* FACTOR_LEVEL */
	double lo, hi;		  /* others: logs of the range seen */
	double compute, messages; /* a_i, b_i: log of the factor, for a number its exponent */
};

struct column_factors {
	size_t n; /* 0: nothing that the structure does not read varied */
	struct column_factor item[COLUMN_FACTORS_MAX];
	/* 2n * 2n, of the posterior of a, then b (linear_posterior.h). NULL: n is 0. */
	double *posterior;
};

void column_factors_release(struct column_factors *f);
/* Errors: NOMEM. */
enum err_code column_factors_copy(const struct column_factors *f, struct column_factors *out,
				  struct err *e);

/* What varies in t, but for the reads[n_reads] of the structure and what is computed. */
void column_factors_find(const struct config_table *t, const size_t *reads, size_t n_reads,
			 struct column_factors *out);
/* a and b of f, whose inputs are found: parts[i] is what the structure says of configuration
 * pick[i] of t. Errors: NUMERIC, NOMEM. */
enum err_code column_factors_fit(const struct config_table *t, const size_t *pick, size_t n,
				 const struct breakdown *parts, struct column_factors *f,
				 struct err *e);

/* Is one of a text column's levels among them? */
bool column_factors_of_levels(const struct column_factors *f);
/* The parts of a structure's time at a row, each times its factor. */
void column_factors_apply(const struct column_factors *f, const struct application *app,
			  const double *row, struct breakdown *parts);
/* The deviation of log time that a and b leave open, by parts as the structure has them. */
double column_factors_sd(const struct column_factors *f, const struct application *app,
			 const double *row, const struct breakdown *parts);
/* The least that computation and messages are multiplied by in any completion of row. */
void column_factors_least(const struct column_factors *f, const struct application *app,
			  const double *row, double *compute, double *messages);
/* A bound [s]: no completion of row (NaN: not known) takes less of which the structure says least_s
 * at least, compute_s of it at least computation. */
double column_factors_least_s(const struct column_factors *f, const struct application *app,
			      const double *row, double least_s, double compute_s);

/* Append "compiler O0 takes 2.9 times the computation of O3. " where something is told. */
void column_factors_explain(const struct column_factors *f, const struct application *app,
			    struct strbuf *out);

/* Numbers "factor_...", and back. Errors: NOMEM; of load also NOTMINED (incomplete). */
enum err_code column_factors_store(const struct column_factors *f, const struct application *app,
				   struct kb_fit *fit, struct err *e);
enum err_code column_factors_load(const struct kb_fit *fit, const struct application *app,
				  struct column_factors *out, struct err *e);

#endif
