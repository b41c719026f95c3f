#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mining/gp/gaussian_process_private.h"

/* The numbers follow the first, "PREFIX_n", in a fixed order, which the knowledge base keeps: they
 * are thousands, and not looked up by name. Names are for people. */

struct cursor {
	struct kb_fit *fit;		   /* storing */
	const struct kb_param *next, *end; /* loading */
	const char *prefix;
	enum err_code rc;
	struct err *e;
};

/* Store *value, or load it. After a failure nothing more happens. */
static void pass(struct cursor *c, double *value, const char *what, size_t i, const char *meaning)
{
	char name[80];

	if (c->rc)
		return;
	snprintf(name, sizeof name, "%s_%s_%zu", c->prefix, what, i);
	if (c->fit) {
		c->rc = kb_fit_add(c->fit, name, *value, NAN, "", meaning, c->e);
		return;
	}
	if (c->next < c->end && !strcmp(c->next->name, name))
		*value = c->next++->value;
	else
		c->rc = err_set(c->e, ERR_NOTMINED,
				"the fit lacks its number %s: run `lemnos mine`", name);
}

/* Pass a count or an index >= -1; anything but a whole number up to most is refused. */
static void pass_whole(struct cursor *c, long *value, long most, const char *what, size_t i,
		       const char *meaning)
{
	double x = (double)*value;

	pass(c, &x, what, i, meaning);
	if (c->rc)
		return;
	if (!(x >= -1) || x > (double)most || x != floor(x))
		c->rc = err_set(c->e, ERR_NOTMINED,
				"the fit has %g for %s_%s_%zu: run `lemnos mine`", x, c->prefix,
				what, i);
	else
		*value = (long)x;
}

static void pass_size(struct cursor *c, size_t *value, size_t most, const char *what,
		      const char *meaning)
{
	long x = (long)*value;

	pass_whole(c, &x, (long)most, what, 0, meaning);
	*value = x > 0 ? (size_t)x : 0;
}

static void pass_bits(struct cursor *c, uint32_t *bits, const char *what, size_t i,
		      const char *meaning)
{
	long x = (long)*bits;

	pass_whole(c, &x, (1L << GP_MAX_INPUTS) - 1, what, i, meaning);
	*bits = x > 0 ? (uint32_t)x : 0;
}

static void pass_design(struct cursor *c, struct gp_design *d)
{
	pass_size(c, &d->n_inputs, GP_MAX_INPUTS, "inputs", "inputs");
	pass_size(c, &d->n_factors, GP_MAX_FACTORS, "factors", "factors of parts");
	pass_size(c, &d->n_parts, GP_MAX_PARTS, "parts", "parts of the covariance");
	pass_bits(c, &d->categorical, "categorical", 0, "which inputs are, as bits");
	pass(c, &d->noise_prior, "noise_prior", 0, "likely standard deviation of noise");
	for (size_t k = 0; k < d->n_parts && !c->rc; k++) {
		struct gp_part *p = &d->part[k];
		long shape = (long)p->shape, factor = p->factor;

		pass_whole(c, &shape, GP_SQUARED_EXPONENTIAL, "shape", k,
			   "0: Matern 5/2, 1: squared exponential");
		pass_bits(c, &p->inputs, "part_inputs", k, "which inputs it varies with, as bits");
		pass_whole(c, &factor, (long)d->n_factors - 1, "part_factor", k, "-1: none");
		pass(c, &p->sd_prior, "sd_prior", k, "likely standard deviation");
		p->shape = shape > 0 ? GP_SQUARED_EXPONENTIAL : GP_MATERN_52;
		p->factor = (int)factor;
	}
}

static void pass_hyper(struct cursor *c, const struct gp_design *d, struct gp_hyper *h)
{
	pass(c, &h->log_noise, "noise", 0, "log standard deviation");
	for (size_t k = 0; k < d->n_parts; k++) {
		pass(c, &h->log_sd[k], "sd", k, "log standard deviation of a part");
		for (size_t i = 0; i < d->n_inputs; i++) {
			if (d->part[k].inputs >> i & 1)
				pass(c, &h->log_length[k][i], "length", k * GP_MAX_INPUTS + i,
				     "log length of an input in a part");
		}
	}
}

static void pass_points(struct cursor *c, struct gaussian_process *gp)
{
	const struct gp_points *p = &gp->points;

	for (size_t i = 0; i < p->n; i++) {
		pass(c, &gp->y[i], "y", i, "residual");
		pass(c, &gp->noise[i], "noise_factor", i, "of the variance of noise");
		pass(c, &gp->weight[i], "weight", i, "below 1: an outlier");
		pass(c, &gp->alpha[i], "alpha", i, "K^-1 y");
		for (size_t k = 0; k < gp->kernel.design.n_inputs; k++)
			pass(c, &p->z[k * p->stride + i], "z", i * GP_MAX_INPUTS + k, "input");
		for (size_t k = 0; k < gp->kernel.design.n_factors; k++)
			pass(c, &p->factor[k * p->stride + i], "factor", i * GP_MAX_FACTORS + k,
			     "factor");
	}
}

enum err_code gaussian_process_store(const struct gaussian_process *gp, const char *prefix,
				     struct kb_fit *fit, struct err *e)
{
	struct cursor c = {.fit = fit, .prefix = prefix, .e = e};
	/* storing changes nothing behind these */
	struct gaussian_process copy = *gp;

	pass_size(&c, &copy.points.n, copy.points.n, "n", "observations kept");
	pass_design(&c, &copy.kernel.design);
	pass_hyper(&c, &copy.kernel.design, &copy.hyper);
	pass_points(&c, &copy);
	return c.rc;
}

/* More than any fit keeps; less than would make memory a matter. */
enum { MOST_POINTS = 100000 };

enum err_code gaussian_process_load(const struct kb_fit *fit, const char *prefix,
				    struct gaussian_process **out, struct err *e)
{
	struct cursor c = {
		.next = fit->param, .end = fit->param + fit->n_param, .prefix = prefix, .e = e};
	struct gp_design design = {.n_inputs = 0};
	struct gaussian_process *gp;
	char first[80];
	size_t n = 0;

	snprintf(first, sizeof first, "%s_n_0", prefix);
	while (c.next < c.end && strcmp(c.next->name, first) != 0)
		c.next++;
	pass_size(&c, &n, MOST_POINTS, "n", "");
	pass_design(&c, &design);
	if (c.rc)
		return c.rc;
	gp = gp_alloc(&design, n);
	if (!gp)
		return err_set(e, ERR_NOMEM, "Gaussian process of %zu points", n);
	pass_hyper(&c, &design, &gp->hyper);
	pass_points(&c, gp);
	if (c.rc) {
		gaussian_process_free(gp);
		return c.rc;
	}
	gp_prepare(gp);
	*out = gp;
	return ERR_OK;
}
