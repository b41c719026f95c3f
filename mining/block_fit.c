#include "mining/block_fit.h"

#include <math.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>

#include "mining/structure/wavefront_time.h"

/* A term is told from nothing by so many standard errors. */
static const double significant = 2;
/* Nobody's blocks follow a formula, or repeat, closer than this: what is below is rounding. */
static const double resolution = 1e-3;
/* A pivot is the sine of the angle between a term and those before it: with that resolution, the
 * cost of a term below this is not known to a thousandfold. Rounding makes 1e-8 of nothing. */
static const double least_pivot = 1e-6;

const char *block_term_name(enum block_term t)
{
	static const char *const name[BLOCK_TERMS] = {"cell", "line", "plane", "block"};

	return name[t];
}

const char *block_term_divisor(enum block_term t)
{
	static const char *const divisor[BLOCK_TERMS] = {"", " / it", " / (it jt)",
							 " / (it jt mk mmi)"};

	return divisor[t];
}

/* As block_term_divisor() says it. */
static double per_cell(const struct block_time *b, int term)
{
	switch (term) {
	case BLOCK_LINE:
		return 1 / b->it;
	case BLOCK_PLANE:
		return 1 / (b->it * b->jt);
	case BLOCK_BLOCK:
		return 1 / (b->it * b->jt * b->mk * b->mmi);
	default:
		return 1;
	}
}

double block_fit_wg(const struct block_fit *fit, double it, double jt, double mk, double mmi)
{
	const struct block_time b = {it, jt, mk, mmi, 0};
	double wg_s = 0;

	for (int t = 0; t < BLOCK_TERMS; t++)
		wg_s += fit->value_s[t] * per_cell(&b, t);
	return wg_s;
}

static enum err_code check(const struct block_time *time, size_t n, struct err *e)
{
	for (size_t i = 0; i < n; i++) {
		const struct block_time *b = &time[i];

		if (!(b->it >= 1 && b->jt >= 1 && b->mk >= 1 && b->mmi >= 1 &&
		      isfinite(b->it * b->jt * b->mk * b->mmi)))
			return err_set(e, ERR_ARG, "block %zu: %g x %g x %g x %g is no block", i,
				       b->it, b->jt, b->mk, b->mmi);
		if (!(b->wg_s > 0 && isfinite(b->wg_s)))
			return err_set(e, ERR_ARG, "block %zu: %g s is not a time > 0", i, b->wg_s);
	}
	if (n < BLOCK_TERMS + 2)
		return err_set(e, ERR_NODATA, "%zu blocks: a fit needs at least %d", n,
			       BLOCK_TERMS + 2);
	return ERR_OK;
}

/* The normal equations of the terms in use, of relative errors: rows of A are per_cell / wg, and
 * the right side is 1. Scaled to a unit diagonal they are far from singular unless the blocks do
 * not tell two terms apart. */
struct normal {
	double a[BLOCK_TERMS * BLOCK_TERMS], inverse[BLOCK_TERMS * BLOCK_TERMS];
	double right[BLOCK_TERMS], scale[BLOCK_TERMS];
	int term[BLOCK_TERMS];
	size_t n;
};

static void set_up(const struct block_time *time, size_t n, const struct block_fit *fit,
		   struct normal *x)
{
	*x = (struct normal){.n = 0};
	for (int t = 0; t < BLOCK_TERMS; t++) {
		if (fit->known[t])
			x->term[x->n++] = t;
	}
	for (size_t j = 0; j < x->n; j++) {
		for (size_t i = 0; i < n; i++) {
			double v = per_cell(&time[i], x->term[j]) / time[i].wg_s;

			x->scale[j] += v * v;
			x->right[j] += v;
		}
		x->scale[j] = sqrt(x->scale[j]);
		x->right[j] /= x->scale[j];
	}
	for (size_t j = 0; j < x->n; j++) {
		for (size_t k = 0; k < x->n; k++) {
			for (size_t i = 0; i < n; i++)
				x->a[j * x->n + k] += per_cell(&time[i], x->term[j]) *
						      per_cell(&time[i], x->term[k]) /
						      (time[i].wg_s * time[i].wg_s);
			x->a[j * x->n + k] /= x->scale[j] * x->scale[k];
		}
	}
}

static void find_residuals(const struct block_time *time, size_t n, struct block_fit *fit,
			   size_t n_terms)
{
	double sum = 0;

	fit->worst = 0;
	for (size_t i = 0; i < n; i++) {
		const struct block_time *b = &time[i];
		double error = block_fit_wg(fit, b->it, b->jt, b->mk, b->mmi) / b->wg_s - 1;

		sum += error * error;
		if (fabs(error) > fit->worst) {
			fit->worst = fabs(error);
			fit->i_worst = i;
		}
	}
	fit->relative_error = sqrt(sum / (double)(n - n_terms));
}

static enum err_code solve(const struct block_time *time, size_t n, struct block_fit *fit,
			   struct err *e)
{
	struct normal x;
	gsl_matrix_view a, inverse;

	set_up(time, n, fit, &x);
	a = gsl_matrix_view_array(x.a, x.n, x.n);
	inverse = gsl_matrix_view_array(x.inverse, x.n, x.n);
	if (gsl_linalg_cholesky_decomp1(&a.matrix))
		return err_set(e, ERR_NUMERIC, "the blocks do not tell the costs apart");
	for (size_t j = 0; j < x.n; j++) {
		if (gsl_matrix_get(&a.matrix, j, j) < least_pivot)
			return err_set(e, ERR_NUMERIC, "the blocks do not tell the costs apart");
	}
	gsl_matrix_memcpy(&inverse.matrix, &a.matrix);
	if (gsl_linalg_cholesky_invert(&inverse.matrix))
		return err_set(e, ERR_NUMERIC, "the blocks do not tell the costs apart");
	for (size_t j = 0; j < x.n; j++) {
		double value = 0;

		for (size_t k = 0; k < x.n; k++)
			value += x.inverse[j * x.n + k] * x.right[k];
		fit->value_s[x.term[j]] = value / x.scale[j];
	}
	find_residuals(time, n, fit, x.n);
	for (size_t j = 0; j < x.n; j++)
		fit->std_error_s[x.term[j]] = fmax(fit->relative_error, resolution) *
					      sqrt(x.inverse[j * x.n + j]) / x.scale[j];
	return ERR_OK;
}

/* The least certain of the terms but for the cell's; false: all are certain. */
static bool drop_term(struct block_fit *fit)
{
	double least = significant;
	int which = -1;

	for (int t = BLOCK_LINE; t < BLOCK_TERMS; t++) {
		double certain = fit->value_s[t] / fmax(fit->std_error_s[t], 1e-300);

		if (fit->known[t] && certain < least) {
			least = certain;
			which = t;
		}
	}
	if (which < 0)
		return false;
	fit->known[which] = false;
	fit->value_s[which] = fit->std_error_s[which] = 0;
	return true;
}

enum err_code block_fit(const struct block_time *time, size_t n, struct block_fit *out,
			struct err *e)
{
	struct block_fit fit = {.known = {true, true, true, true}, .n = n};
	enum err_code rc = check(time, n, e);

	while (!rc && !(rc = solve(time, n, &fit, e))) {
		if (!drop_term(&fit)) {
			*out = fit;
			break;
		}
	}
	return rc;
}

/* ---- from a mined predictor ---- */

/* Of a row that computes for compute_s. */
static enum err_code wg_of_computation(const struct application *app, const double *row,
				       double compute_s, double *Wg_s, struct err *e)
{
	struct sweep_run run = {0};
	struct sweep_block block;
	struct sweep sweep;
	double n_iterations;
	enum err_code rc;

	if ((rc = wavefront_question(app, row, &sweep, &run, e)) ||
	    (rc = sweep_block_of(&sweep, &block, e)))
		return rc;
	n_iterations = (double)run.groups * (double)run.timesteps * (double)run.iterations;
	*Wg_s = compute_s / (n_iterations * 8 * block.n_block * block.cell_angles);
	return ERR_OK;
}

enum err_code wg_from_fit(const struct predictor *p, const struct application *app,
			  const double *row, double *Wg_s, struct err *e)
{
	struct breakdown parts;
	bool known;

	predictor_breakdown(p, row, &parts, &known);
	if (!known)
		return err_set(e, ERR_ARG, "predictor %s does not tell computation apart",
			       predictor_name(p));
	return wg_of_computation(app, row, parts.compute_s, Wg_s, e);
}
