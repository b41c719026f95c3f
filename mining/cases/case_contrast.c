#include "mining/cases/case_contrast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "mining/numerics/order_statistics.h"

/* Blocks that must have something to say before a p value is believed. */
#define MIN_TELLING_BLOCKS 3.0

void case_contrast_release(struct case_contrast *c)
{
	free(c->item);
	free(c->y);
	free(c->stratum);
	free(c->size);
	free(c->weight);
	*c = (struct case_contrast){0};
}

/* New numbers for the cases with two comparable configurations and more. */
static size_t number_cases(const struct slowdown_table *t, uint32_t *number, uint32_t *count)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		count[t->stratum[i]] += isnan(t->log_slowdown[i]) ? 0 : 1;
	for (size_t s = 0; s < t->n_strata; s++)
		number[s] = count[s] >= 2 ? (uint32_t)n++ : SLOWDOWN_NONE;
	return n;
}

static void fill(struct case_contrast *c, const uint32_t *number, double *mean)
{
	const struct slowdown_table *t = c->t;

	for (size_t i = 0; i < t->n; i++) {
		uint32_t s = number[t->stratum[i]];

		if (s == SLOWDOWN_NONE || isnan(t->log_slowdown[i]))
			continue;
		c->item[c->n] = (uint32_t)i;
		c->y[c->n] = t->log_slowdown[i];
		c->stratum[c->n++] = s;
		c->size[s]++;
		mean[s] += t->log_slowdown[i];
	}
	for (size_t s = 0; s < c->n_strata; s++) {
		mean[s] /= c->size[s];
		c->weight[s] = fmin(1, CASE_CAP / c->size[s]);
	}
	for (size_t k = 0; k < c->n; k++)
		c->y[k] -= mean[c->stratum[k]];
}

enum err_code case_contrast_make(const struct slowdown_table *t, struct case_contrast *out,
				 struct err *e)
{
	struct case_contrast c = {.t = t};
	uint32_t *number = calloc(2 * t->n_strata + 1, sizeof *number);
	double *mean = NULL;

	if (!number)
		return err_set(e, ERR_NOMEM, "contrasts of %zu cases", t->n_strata);
	c.n_strata = number_cases(t, number, number + t->n_strata);
	c.item = malloc((t->n + 1) * sizeof *c.item);
	c.y = malloc((t->n + 1) * sizeof *c.y);
	c.stratum = malloc((t->n + 1) * sizeof *c.stratum);
	c.size = calloc(c.n_strata + 1, sizeof *c.size);
	c.weight = calloc(c.n_strata + 1, sizeof *c.weight);
	mean = calloc(c.n_strata + 1, sizeof *mean);
	if (c.item && c.y && c.stratum && c.size && c.weight && mean) {
		fill(&c, number, mean);
		*out = c;
		c = (struct case_contrast){0};
	} else {
		err_set(e, ERR_NOMEM, "contrasts of %zu configurations", t->n);
	}
	free(number);
	free(mean);
	if (!c.t)
		return ERR_OK;
	case_contrast_release(&c);
	return ERR_NOMEM;
}

/* By case the share of items in R. The caller frees. */
static double *shares_in(const struct case_contrast *c, const unsigned char *in, struct err *e)
{
	double *share = calloc(c->n_strata + 1, sizeof *share);

	if (!share) {
		err_set(e, ERR_NOMEM, "contrasts of %zu cases", c->n_strata);
		return NULL;
	}
	/* Counted, then divided: of a case that is in R as a whole the share is 1 exactly, and its
	 * rounding errors do not pass for a contrast. */
	for (size_t k = 0; k < c->n; k++)
		share[c->stratum[k]] += in[k] ? 1 : 0;
	for (size_t s = 0; s < c->n_strata; s++)
		share[s] /= c->size[s];
	return share;
}

/* t test over blocks with variances of their own (clustered); the degrees of freedom are those of
 * as many equal blocks as carry the information of these unequal ones. */
static void test_blocks(const double *score, const double *variance, size_t n, struct contrast *out)
{
	double squares = 0, error = 0, effective, se;

	out->n_blocks = 0;
	for (size_t b = 0; b < n; b++) {
		double r = score[b] - out->beta * variance[b];

		out->n_blocks += variance[b] > 0;
		squares += variance[b] * variance[b];
		error += r * r;
	}
	effective = squares > 0 ? out->variance * out->variance / squares : 0;
	out->p = 1;
	/* Rounding: three equal blocks are three. */
	if (effective < MIN_TELLING_BLOCKS * (1 - 1e-9))
		return;
	se = sqrt(error * effective / (effective - 1)) / out->variance;
	out->p = se > 0 ? gsl_cdf_tdist_Q(out->beta / se, effective - 1) : out->beta > 0 ? 0 : 1;
}

enum err_code case_contrast_measure(const struct case_contrast *c, const unsigned char *in,
				    struct contrast *out, struct err *e)
{
	size_t n_blocks = c->t->n_blocks;
	double *score = calloc(2 * n_blocks + 1, sizeof *score), *variance;
	double *share = shares_in(c, in, e);
	double sum = 0;

	if (!score || !share) {
		free(score);
		free(share);
		return err_set(e, ERR_NOMEM, "contrast over %zu blocks", n_blocks);
	}
	variance = score + n_blocks;
	*out = (struct contrast){.p = 1};
	for (size_t k = 0; k < c->n; k++) {
		uint32_t s = c->stratum[k], b = c->t->block[c->item[k]];
		double x = (in[k] ? 1 : 0) - share[s];

		out->n_in += in[k] != 0;
		score[b] += c->weight[s] * x * c->y[k];
		variance[b] += c->weight[s] * x * x;
	}
	for (size_t b = 0; b < n_blocks; b++) {
		sum += score[b];
		out->variance += variance[b];
	}
	out->beta = out->variance > 0 ? sum / out->variance : (double)NAN;
	if (out->variance > 0)
		test_blocks(score, variance, n_blocks, out);
	free(score);
	free(share);
	return ERR_OK;
}

enum err_code case_contrast_remove(struct case_contrast *c, const unsigned char *in, double beta,
				   struct err *e)
{
	double *share = shares_in(c, in, e);

	if (!share)
		return ERR_NOMEM;
	for (size_t k = 0; k < c->n; k++)
		c->y[k] -= beta * ((in[k] ? 1 : 0) - share[c->stratum[k]]);
	free(share);
	return ERR_OK;
}

double case_contrast_squares(const struct case_contrast *c)
{
	double sum = 0;

	for (size_t k = 0; k < c->n; k++)
		sum += c->weight[c->stratum[k]] * c->y[k] * c->y[k];
	return sum;
}

enum err_code case_contrast_spread(const struct case_contrast *c, double *out, struct err *e)
{
	double *distance = malloc((c->n + 1) * sizeof *distance);

	if (!distance)
		return err_set(e, ERR_NOMEM, "spread of %zu configurations", c->n);
	for (size_t k = 0; k < c->n; k++)
		distance[k] = fabs(c->y[k]);
	order_sort(distance, c->n);
	/* Centring took the mean: of two items half the variance, of many next to none. */
	*out = c->n > 0 ? 1.4826 * distance[c->n / 2] *
				  sqrt((double)c->n / fmax(1, (double)(c->n - c->n_strata)))
			: 0;
	free(distance);
	return ERR_OK;
}
