#include "mining/findings/effects_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

enum {
	CELL_NONE = 255,
	/* Sweeps of the fit below; few are needed unless the design is very lopsided. */
	MAX_SWEEPS = 25
};

/* log: far below what is ever reported. */
#define FIT_TOLERANCE 1e-6

/* The fit of the null model. */
struct additive {
	const struct rank_strata *s;
	unsigned char *cell; /* of item k */
	double *alpha;	     /* of a stratum */
	double beta[CELL_GROUPS], gamma[CELL_GROUPS];
	double weight[CELLS];
	double rest[CELLS]; /* weighted sums of y - alpha */
};

static double main_effects(const struct additive *f, size_t cell)
{
	return f->beta[cell / CELL_GROUPS] + f->gamma[cell % CELL_GROUPS];
}

static void assign_cells(struct additive *f, size_t column_a, size_t column_b,
			 const struct cell_table *table)
{
	const struct rank_strata *s = f->s;
	const unsigned char *code_a = slowdown_codes(s->t, column_a);
	const unsigned char *code_b = slowdown_codes(s->t, column_b);

	for (size_t i = 0; i < s->n_strata; i++) {
		for (size_t k = s->start[i]; k < s->start[i + 1]; k++) {
			unsigned char a = table->a.of_code[code_a[s->config[k]]];
			unsigned char b = table->b.of_code[code_b[s->config[k]]];

			f->cell[k] = CELL_NONE;
			if (a == GROUP_NONE || b == GROUP_NONE)
				continue;
			f->cell[k] = (unsigned char)(a * CELL_GROUPS + b);
			f->weight[f->cell[k]] += s->weight[i];
		}
	}
}

/* alpha for the main effects as they are, and what is left for those. */
static void centre_cases(struct additive *f)
{
	const struct rank_strata *s = f->s;
	double effect[CELLS];

	memset(f->rest, 0, sizeof f->rest);
	for (size_t c = 0; c < CELLS; c++)
		effect[c] = main_effects(f, c);
	for (size_t i = 0; i < s->n_strata; i++) {
		double n = 0, sum = 0;

		for (size_t k = s->start[i]; k < s->start[i + 1]; k++) {
			if (f->cell[k] == CELL_NONE)
				continue;
			sum += s->value[k] - effect[f->cell[k]];
			n++;
		}
		f->alpha[i] = n > 0 ? sum / n : 0;
		for (size_t k = s->start[i]; k < s->start[i + 1]; k++) {
			if (f->cell[k] != CELL_NONE)
				f->rest[f->cell[k]] += s->weight[i] * (s->value[k] - f->alpha[i]);
		}
	}
}

/* One side of the main effects from what the cases leave; stride: of its groups in the cells, other
 * the stride of the other side. Returns the largest change. */
static double fit_side(struct additive *f, double *effect, const double *other_effect,
		       size_t stride, size_t other)
{
	double change = 0;

	for (size_t g = 0; g < CELL_GROUPS; g++) {
		double sum = 0, weight = 0;

		for (size_t h = 0; h < CELL_GROUPS; h++) {
			size_t cell = g * stride + h * other;

			sum += f->rest[cell] - f->weight[cell] * other_effect[h];
			weight += f->weight[cell];
		}
		if (weight == 0)
			continue;
		change = fmax(change, fabs(sum / weight - effect[g]));
		effect[g] = sum / weight;
	}
	return change;
}

static void fit_additive(struct additive *f)
{
	double change = INFINITY;

	for (int sweep = 0; sweep < MAX_SWEEPS && change > FIT_TOLERANCE; sweep++) {
		centre_cases(f);
		change = fit_side(f, f->beta, f->gamma, CELL_GROUPS, 1);
		change = fmax(change, fit_side(f, f->gamma, f->beta, 1, CELL_GROUPS));
	}
	centre_cases(f);
}

/* Squares about the means of cases: what delta's share is of. */
static double squares_within(const struct additive *f)
{
	const struct rank_strata *s = f->s;
	double squares = 0;

	for (size_t i = 0; i < s->n_strata; i++) {
		double n = 0, mean = 0, sum = 0;

		for (size_t k = s->start[i]; k < s->start[i + 1]; k++) {
			double d;

			if (f->cell[k] == CELL_NONE)
				continue;
			n++;
			d = s->value[k] - mean;
			mean += d / n;
			sum += d * (s->value[k] - mean);
		}
		squares += s->weight[i] * sum;
	}
	return squares;
}

/* An orthonormal basis of the main effects in the space of cells, each scaled by the root of its
 * weight. Returns the number of its vectors. */
static size_t main_effect_basis(const struct additive *f, double basis[2 * CELL_GROUPS][CELLS])
{
	size_t n = 0;

	for (size_t g = 0; g < (size_t)2 * CELL_GROUPS; g++) {
		double *v = basis[n], before = 0, norm = 0;

		for (size_t c = 0; c < CELLS; c++) {
			size_t group = g < CELL_GROUPS ? c / CELL_GROUPS : c % CELL_GROUPS;

			v[c] = group == g % CELL_GROUPS ? sqrt(f->weight[c]) : 0;
			before += v[c] * v[c];
		}
		for (size_t k = 0; k < n; k++) {
			double dot = 0;

			for (size_t c = 0; c < CELLS; c++)
				dot += v[c] * basis[k][c];
			for (size_t c = 0; c < CELLS; c++)
				v[c] -= dot * basis[k][c];
		}
		for (size_t c = 0; c < CELLS; c++)
			norm += v[c] * v[c];
		/* What is left of a vector that depends on the others is rounding. */
		if (norm <= 1e-9 * before)
			continue;
		for (size_t c = 0; c < CELLS; c++)
			v[c] /= sqrt(norm);
		n++;
	}
	return n;
}

/* Residual sums by block and cell, scaled, without what lies along the main effects. */
static void block_residuals(const struct additive *f, double *sums)
{
	const struct rank_strata *s = f->s;
	double basis[2 * CELL_GROUPS][CELLS];
	size_t n_basis = main_effect_basis(f, basis);

	for (size_t i = 0; i < s->n_strata; i++) {
		for (size_t k = s->start[i]; k < s->start[i + 1]; k++) {
			size_t c = f->cell[k];

			if (c != CELL_NONE)
				sums[s->block[k] * CELLS + c] +=
					s->weight[i] *
					(s->value[k] - f->alpha[i] - main_effects(f, c)) /
					sqrt(f->weight[c]);
		}
	}
	for (size_t b = 0; b < s->n_blocks; b++) {
		double *r = sums + b * CELLS;

		for (size_t v = 0; v < n_basis; v++) {
			double dot = 0;

			for (size_t c = 0; c < CELLS; c++)
				dot += r[c] * basis[v][c];
			for (size_t c = 0; c < CELLS; c++)
				r[c] -= dot * basis[v][c];
		}
	}
}

/* Q = |sum of the blocks' vectors r|^2 against its distribution under random signs of the r. Its
 * mean, sum |r|^2, and variance, 2 (|sum r r'|^2 - sum |r|^4), are exact, its shape that of a
 * scaled chi-squared of the same two (Box 1954; Satterthwaite). No p is less than that of all signs
 * being equal. */
static double sign_test(const double *sums, size_t n_blocks)
{
	double total[CELLS] = {0}, products[CELLS][CELLS] = {{0}};
	double q = 0, mean = 0, fourth = 0, variance = 0, n = 0;

	for (size_t b = 0; b < n_blocks; b++) {
		const double *r = sums + b * CELLS;
		double length = 0;

		for (size_t c = 0; c < CELLS; c++) {
			total[c] += r[c];
			length += r[c] * r[c];
		}
		if (length == 0)
			continue;
		for (size_t c = 0; c < CELLS; c++) {
			for (size_t d = 0; d <= c; d++)
				products[c][d] += r[c] * r[d];
		}
		mean += length;
		fourth += length * length;
		n++;
	}
	for (size_t c = 0; c < CELLS; c++) {
		q += total[c] * total[c];
		for (size_t d = 0; d <= c; d++)
			variance += (d < c ? 4 : 2) * products[c][d] * products[c][d];
	}
	variance -= 2 * fourth;
	if (n < 2 || !(mean > 0) || !(variance > 1e-9 * mean * mean))
		return 1;
	return fmax(exp2(1 - n),
		    gsl_cdf_chisq_Q(2 * mean * q / variance, 2 * mean * mean / variance));
}

static void fill(const struct additive *f, struct cell_table *out)
{
	double all = squares_within(f), between = 0;

	memcpy(out->weight, f->weight, sizeof out->weight);
	for (size_t c = 0; c < CELLS; c++) {
		double n = f->weight[c];
		double delta = n > 0 ? f->rest[c] / n - main_effects(f, c) : (double)NAN;

		out->fitted[c] = main_effects(f, c) + delta;
		between += n > 0 ? n * delta * delta : 0;
	}
	out->share = all > 0 ? between / all : 0;
}

enum err_code cell_table_make(const struct rank_strata *s, size_t column_a, size_t column_b,
			      struct cell_table *out, struct err *e)
{
	struct additive f = {
		.s = s,
		.cell = calloc(s->n + 1, 1),
		.alpha = calloc(s->n_strata + 1, sizeof *f.alpha),
	};
	double *sums = calloc(s->n_blocks * CELLS + 1, sizeof *sums);
	enum err_code rc = ERR_OK;

	if (!f.cell || !f.alpha || !sums) {
		rc = err_set(e, ERR_NOMEM, "interaction of two columns");
		goto done;
	}
	column_groups_make(s->t, column_a, CELL_GROUPS, &out->a);
	column_groups_make(s->t, column_b, CELL_GROUPS, &out->b);
	assign_cells(&f, column_a, column_b, out);
	fit_additive(&f);
	fill(&f, out);
	block_residuals(&f, sums);
	out->p = sign_test(sums, s->n_blocks);
done:
	free(f.cell);
	free(f.alpha);
	free(sums);
	return rc;
}
