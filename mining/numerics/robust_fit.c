#include "mining/numerics/robust_fit.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>

#include "mining/numerics/cholesky.h"
#include "mining/numerics/vector_clones.h"

enum {
	LANES = 8,  /* divides CHOLESKY_TILE */
	AT_ONCE = 4 /* rows: so many products fetch and store a sum once */
};

enum err_code normal_equations_init(struct normal_equations *q, size_t n, struct err *e)
{
	const size_t width = (n + CHOLESKY_TILE - 1) / CHOLESKY_TILE * CHOLESKY_TILE;

	*q = (struct normal_equations){.n = n, .width = width};
	q->h = calloc(width * width, sizeof *q->h);
	q->g = calloc(width, sizeof *q->g);
	q->factor = calloc(width * width, sizeof *q->factor);
	q->invert = calloc(width * width, sizeof *q->invert);
	q->root = calloc(width, sizeof *q->root);
	q->rows = calloc(2 * AT_ONCE * width, sizeof *q->rows);
	if (!(q->h && q->g && q->factor && q->invert && q->root && q->rows))
		return err_set(e, ERR_NOMEM, "normal equations of %zu parameters", n);
	for (size_t j = n; j < width; j++)
		q->factor[j * width + j] = 1;
	return ERR_OK;
}

void normal_equations_release(struct normal_equations *q)
{
	free(q->h);
	free(q->g);
	free(q->factor);
	free(q->invert);
	free(q->root);
	free(q->rows);
	*q = (struct normal_equations){.n = 0};
}

void normal_equations_clear(struct normal_equations *q)
{
	memset(q->h, 0, q->width * q->width * sizeof *q->h);
	memset(q->g, 0, q->width * sizeof *q->g);
}

void normal_equations_add_prior(struct normal_equations *q, size_t j, double curvature,
				double slope)
{
	q->h[j * q->width + j] += curvature;
	q->g[j] += slope;
}

/* h[n][width] += the products of AT_ONCE rows, up to the diagonal's group of lanes. */
VECTOR_CLONES
static void add_outer_product(double *restrict h, size_t n, size_t width, const double *restrict x,
			      const double *restrict times)
{
	for (size_t j = 0; j < n; j++) {
		const double a = times[j], b = times[width + j], c = times[2 * width + j],
			     d = times[3 * width + j];

		for (size_t k = 0; k <= j; k += LANES) {
			double *restrict to = h + j * width + k;
			const double *restrict from = x + k;

			for (size_t l = 0; l < LANES; l++)
				to[l] += a * from[l] + b * from[width + l] +
					 c * from[2 * width + l] + d * from[3 * width + l];
		}
	}
}

void normal_equations_add(struct normal_equations *q, const double *x, size_t n_rows,
			  const double *curvature, const double *slope)
{
	const size_t n = q->n, width = q->width;
	double *row = q->rows, *times = q->rows + AT_ONCE * width;

	for (size_t i = 0; i < n_rows; i += AT_ONCE) {
		for (size_t r = 0; r < AT_ONCE; r++) {
			const bool there = i + r < n_rows;
			const double *from = x + (i + r) * n;

			for (size_t j = 0; j < n; j++) {
				row[r * width + j] = there ? from[j] : 0;
				times[r * width + j] = there ? curvature[i + r] * from[j] : 0;
				q->g[j] += there ? slope[i + r] * from[j] : 0;
			}
		}
		add_outer_product(q->h, n, width, row, times);
	}
}

/* factor: of H, scaled to a diagonal of 1 + damping. */
static bool factorise(struct normal_equations *q, double damping)
{
	for (size_t j = 0; j < q->n; j++) {
		const double own = q->h[j * q->width + j];

		q->root[j] = own > 0 ? sqrt(own) : 1;
	}
	for (size_t j = 0; j < q->n; j++) {
		for (size_t k = 0; k < j; k++)
			q->factor[j * q->width + k] =
				q->h[j * q->width + k] / (q->root[j] * q->root[k]);
		q->factor[j * q->width + j] = 1 + damping;
	}
	return cholesky_factor(q->factor, q->width, q->n);
}

bool normal_equations_step(struct normal_equations *q, double damping, double *step, double *gain)
{
	double *x = q->invert; /* a row of it */

	if (!factorise(q, damping))
		return false;
	for (size_t j = 0; j < q->n; j++)
		x[j] = -q->g[j] / q->root[j];
	cholesky_solve(q->factor, q->width, q->n, x);
	*gain = 0;
	for (size_t j = 0; j < q->n; j++) {
		/* by (H + damping D) step = -g: -2 g'step - step'H step */
		*gain += x[j] * (damping * x[j] - q->g[j] / q->root[j]);
		step[j] = x[j] / q->root[j];
	}
	return true;
}

void normal_equations_errors(struct normal_equations *q, double *std_error)
{
	const bool known = factorise(q, 0);
	double *inverse = q->rows; /* its diagonal */

	if (known)
		cholesky_inverse_diagonal(q->factor, q->width, q->invert, inverse);
	for (size_t j = 0; j < q->n; j++)
		std_error[j] = known && q->h[j * q->width + j] > 0 ? sqrt(inverse[j]) / q->root[j]
								   : (double)NAN;
}

/* Damped steps downhill, each from normal equations of the sum's first derivatives and, as far as
 * they are cheap, its second ones:
 *
 * - of the loss: far away those of the quadratic loss that touches rho from above, which never
 *   overshoot (re-weighting); near the end, where they would creep, those of rho itself (Triggs et
 *   al., "Bundle adjustment: a modern synthesis", 1999, section 4.3);
 * - of the model: none (Gauss), but for logs of amounts, where d2 f / dp_j2 = f_j - f_j^2. Without
 *   the first term, taken by its size so that H stays positive, an amount that is to be next to
 *   nothing looks eight times flatter than it is, and ten times the steps are needed.
 *
 * The damping (Marquardt's) follows the share of the promised gain that came true (Nielsen,
 * "Damping parameter in Marquardt's method", IMM, Technical University of Denmark 1999, eq. 2.4).
 * s follows the residuals from step to step. Done is what an all but undamped step would better by
 * less than SETTLED, in units in which a standard error is 1, while s stays. */
enum { MAX_STEPS = 300 };
#define SETTLED 1e-8
#define SETTLED_SCALE 1e-6 /* relative */
#define NEAR 1.0	   /* a gain below which it is the end */
#define FIRST_DAMPING 1e-2
#define UNDAMPED 1e-3
#define MAX_DAMPING 1e12 /* steps so short are lost in rounding */
#define LEAST_FACTOR 0.1 /* of the damping from step to step; Nielsen's 1/3 takes longer */

/* One point on the way. */
struct fit_point {
	double *p; /* n_params */
	double *f; /* n */
	double sum;
};

struct robust_work {
	const struct robust_problem *problem;
	struct fit_point at, trial;
	double s;
	double *jac;		   /* n * n_params */
	double *curvature, *slope; /* n */
	double *r;		   /* n, for medians */
	size_t *order;		   /* n, the same */
	double *step;		   /* n_params */
	struct normal_equations equations;
};

static double weight_of(const struct robust_problem *q, size_t i)
{
	return q->weight ? q->weight[i] : 1;
}

/* Half of the weight is of smaller numbers. */
static double weighted_median(const double *x, const double *weight, size_t n, size_t *order)
{
	double total = 0, upto;
	size_t k = 0;

	gsl_sort_index(order, x, 1, n);
	for (size_t i = 0; i < n; i++)
		total += weight[i];
	for (upto = weight[order[0]]; upto < total / 2 && k + 1 < n; upto += weight[order[k]])
		k++;
	return x[order[k]];
}

/* s at f. Of all observations, each in units of its own scale: those that count in full may be few,
 * or a single one that is wrong. */
static double scale_at(struct robust_work *w, const double *f)
{
	const struct robust_problem *q = w->problem;
	bool alike = true;
	double median;

	for (size_t i = 0; i < q->n; i++) {
		w->r[i] = sqrt(weight_of(q, i)) * fabs(q->y[i] - f[i]);
		alike = alike && weight_of(q, i) >= 1;
	}
	median = alike ? gsl_stats_median(w->r, 1, q->n)
		       : weighted_median(w->r, q->weight, q->n, w->order);
	return fmax(1.4826 * median, q->min_scale);
}

/* The sum that is minimised, at a scale; NaN or infinite where the model is. */
static double sum_at(const struct robust_problem *q, const struct fit_point *at, double s)
{
	double sum = 0;

	for (size_t i = 0; i < q->n; i++) {
		double z = (q->y[i] - at->f[i]) / s;

		sum += 2 * (sqrt(1 + weight_of(q, i) * z * z) - 1);
	}
	for (size_t j = 0; j < q->n_params; j++) {
		double z = (at->p[j] - q->prior[j]) / q->prior_sd[j];

		sum += z * z;
	}
	return sum;
}

static double data_curvature(double weight, double z2, bool near)
{
	double root = sqrt(1 + z2);

	return near ? weight / (root * root * root) : weight / root;
}

/* The rows of the observations. near: with the curvature of rho itself. */
static void take_times(struct robust_work *w, bool near)
{
	const struct robust_problem *q = w->problem;

	q->eval(q->arg, w->at.p, NULL, w->jac);
	for (size_t i = 0; i < q->n; i++) {
		double weight = weight_of(q, i) / (w->s * w->s), r = w->at.f[i] - q->y[i];

		w->slope[i] = weight * r / sqrt(1 + weight * r * r);
		w->curvature[i] = data_curvature(weight, weight * r * r, near);
	}
	normal_equations_clear(&w->equations);
	normal_equations_add(&w->equations, w->jac, q->n, w->curvature, w->slope);
} /* NOLINT(clang-analyzer-unix.Malloc): robust_fit() frees what w holds */

static void take_priors(struct robust_work *w)
{
	const struct robust_problem *q = w->problem;

	for (size_t j = 0; j < q->n_params; j++) {
		double curvature = 1 / (q->prior_sd[j] * q->prior_sd[j]);

		normal_equations_add_prior(&w->equations, j, curvature,
					   (w->at.p[j] - q->prior[j]) * curvature);
	}
}

/* The equations of the next step. */
static void linearise(struct robust_work *w, bool near)
{
	const struct robust_problem *q = w->problem;

	take_times(w, near);
	for (size_t j = 0; q->is_log_amount && j < q->n_params; j++) {
		if (q->is_log_amount[j])
			normal_equations_add_prior(&w->equations, j, fabs(w->equations.g[j]), 0);
	}
	take_priors(w);
}

/* Moves to the end of the step if that lowers the sum. */
static bool take_step(struct robust_work *w)
{
	const struct robust_problem *q = w->problem;
	struct fit_point before = w->at;

	for (size_t j = 0; j < q->n_params; j++)
		w->trial.p[j] = w->at.p[j] + w->step[j];
	q->eval(q->arg, w->trial.p, w->trial.f, NULL);
	w->trial.sum = sum_at(q, &w->trial, w->s);
	/* nor does a NaN: out of the model's domain */
	if (!(w->trial.sum < w->at.sum))
		return false;
	w->at = w->trial;
	w->trial = before;
	return true;
}

/* s, and the sum in its units, where w is. Returns by how much s changed, relative. */
static double rescale(struct robust_work *w)
{
	double before = w->s;

	w->s = scale_at(w, w->at.f);
	w->at.sum = sum_at(w->problem, &w->at, w->s);
	return fabs(w->s / before - 1);
}

static void descend(struct robust_work *w)
{
	double damping = FIRST_DAMPING, raise = 2, moved = INFINITY;

	linearise(w, false);
	for (int i = 0; i < MAX_STEPS && damping < MAX_DAMPING; i++) {
		double gain, before = w->at.sum, share;
		bool solved = normal_equations_step(&w->equations, damping, w->step, &gain);
		bool last = solved && gain < SETTLED && damping < UNDAMPED && moved < SETTLED_SCALE;

		if (!solved || !take_step(w)) {
			if (last)
				return;
			damping *= raise;
			raise *= 2;
			continue;
		}
		share = (before - w->at.sum) / gain;
		moved = rescale(w);
		if (last)
			return;
		damping *= fmax(LEAST_FACTOR, 1 - pow(2 * share - 1, 3));
		raise = 2;
		linearise(w, gain < NEAR);
	}
}

static bool all_finite(const double *f, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(f[i]))
			return false;
	}
	return true;
}

static enum err_code solve(struct robust_work *w, double *p, struct robust_fit *out, struct err *e)
{
	const struct robust_problem *q = w->problem;

	memcpy(w->at.p, p, q->n_params * sizeof *p);
	q->eval(q->arg, w->at.p, w->at.f, NULL);
	if (!all_finite(w->at.f, q->n))
		return err_set(e, ERR_NUMERIC, "the model is not finite at its start values");
	rescale(w);
	descend(w);
	memcpy(p, w->at.p, q->n_params * sizeof *p);
	out->scale = w->s;
	out->objective = sum_at(q, &w->at, q->min_scale);
	if (out->std_error) {
		take_times(w, false);
		take_priors(w);
		normal_equations_errors(&w->equations, out->std_error);
	}
	return ERR_OK;
}

static enum err_code reserve(struct robust_work *w, struct err *e)
{
	const size_t n = w->problem->n, n_params = w->problem->n_params;

	w->at.p = calloc(n_params + 1, sizeof *w->at.p);
	w->at.f = calloc(n, sizeof *w->at.f);
	w->trial.p = calloc(n_params + 1, sizeof *w->trial.p);
	w->trial.f = calloc(n, sizeof *w->trial.f);
	w->jac = calloc(n * n_params + 1, sizeof *w->jac);
	w->curvature = calloc(n, sizeof *w->curvature);
	w->slope = calloc(n, sizeof *w->slope);
	w->r = calloc(n, sizeof *w->r);
	w->order = calloc(n, sizeof *w->order);
	w->step = calloc(n_params + 1, sizeof *w->step);
	if (!w->at.p || !w->at.f || !w->trial.p || !w->trial.f || !w->jac || !w->curvature ||
	    !w->slope || !w->r || !w->order || !w->step)
		return err_set(e, ERR_NOMEM, "fit of %zu parameters to %zu times", n_params, n);
	return normal_equations_init(&w->equations, n_params, e);
}

static void release(struct robust_work *w)
{
	free(w->at.p);
	free(w->at.f);
	free(w->trial.p);
	free(w->trial.f);
	free(w->jac);
	free(w->curvature);
	free(w->slope);
	free(w->r);
	free(w->order);
	free(w->step);
	normal_equations_release(&w->equations);
}

enum err_code robust_fit(const struct robust_problem *problem, double *p, struct robust_fit *out,
			 struct err *e)
{
	struct robust_work w = {.problem = problem, .s = problem->min_scale};
	enum err_code rc;

	if (problem->n == 0)
		return err_set(e, ERR_NODATA, "no times to fit to");
	if (!(rc = reserve(&w, e)))
		rc = solve(&w, p, out, e);
	release(&w);
	return rc;
}
