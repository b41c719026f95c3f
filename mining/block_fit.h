#ifndef MINING_BLOCK_FIT_H
#define MINING_BLOCK_FIT_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "domain/application.h"
#include "mining/predictor/predictor.h"

/* Wg(it, jt, mk, mmi), the computation of a wavefront code's block per cell and angle, from
 * measured blocks. The loops of a block cost a cell, the start of a line of `it` cells, of a plane
 * of `jt` lines, and of a block:
 *
 *	W = cell it jt mk mmi + line jt mk mmi + plane mk mmi + block
 *	Wg = W / (it jt mk mmi)
 *
 * by least squares on relative errors. A term that comes out negative, or below twice its standard
 * error, is dropped, the least certain first, and the others are fitted again: it is not
 * identifiable. Caches are not in it: `worst` says what they, and all else, do to it. */

struct block_time {
	double it, jt, mk, mmi;
	double wg_s;
};

enum block_term { BLOCK_CELL, BLOCK_LINE, BLOCK_PLANE, BLOCK_BLOCK, BLOCK_TERMS };
const char *block_term_name(enum block_term t);	   /* "cell" */
const char *block_term_divisor(enum block_term t); /* what Wg has of it: "", " / it", ... */

struct block_fit {
	bool known[BLOCK_TERMS];
	double value_s[BLOCK_TERMS], std_error_s[BLOCK_TERMS]; /* 0 where not known */
	size_t n;
	double relative_error; /* root mean square about the formula (0.01: 1 %) */
	double worst;	       /* the largest relative error, of time[i_worst] */
	size_t i_worst;
};

double block_fit_wg(const struct block_fit *fit, double it, double jt, double mk, double mmi);

/* Errors: NODATA (fewer than BLOCK_TERMS + 2 blocks), ARG (a bad number is named by its index),
 * NUMERIC (the blocks do not tell two costs apart). */
enum err_code block_fit(const struct block_time *time, size_t n, struct block_fit *out,
			struct err *e);

/* Wg, the computation per cell and angle that wavefront models are given, as the knowledge base has
 * it: what a mined predictor computes in the full pipeline, by the cells and angles that the models
 * count there,
 *
 *	Wg = compute_s / (groups timesteps iterations 8 #k-blocks #angle-groups mmi mk it jt).
 *
 * A mean over iterations with and without flux fix-ups; it varies with the sub-grid and the block,
 * as caches and the start of inner loops have it. row is complete. Errors: ARG (not a wavefront
 * application, a predictor without a structural part, a row that is no sweep). */
enum err_code wg_from_fit(const struct predictor *p, const struct application *app,
			  const double *row, double *Wg_s, struct err *e);

#endif
