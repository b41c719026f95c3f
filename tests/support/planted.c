#include "tests/support/planted.h"

#include "domain/configuration.h"
#include "tests/support/made_application.h"

/* xorshift64*: the same in every run. */
static double uniform(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (double)((*state * UINT64_C(2685821657736338717)) >> 11) * 0x1p-53;
}

static unsigned below(uint64_t *state, unsigned n)
{
	return (unsigned)(uniform(state) * n);
}

static double normal(uint64_t *state)
{
	double radius = sqrt(-2 * log(1 - uniform(state)));

	return radius * cos(6.283185307179586 * uniform(state));
}

static struct application *planted_application(void)
{
	struct application *app =
		made_application("planted", "m,n", "a,b,c,layout", "layout", "procs");

	made_levels(app, "layout", "row,column,tiled,it's");
	return app;
}

/* attribute: 0 a, 1 b, 2 layout. Rules of one data set speak of different ones: two on the same
 * would add up to a landscape that other pairs describe as well. */
static struct planted_rule random_rule(const struct planted_design *d, uint64_t *state,
				       size_t attribute)
{
	struct planted_rule r = {
		-INFINITY,
		INFINITY,
		-INFINITY,
		INFINITY,
		15,
		-INFINITY,
		INFINITY,
		exp(log(d->min_factor) + uniform(state) * log(d->max_factor / d->min_factor))};

	switch (attribute) {
	case 0:
		if (below(state, 2))
			r.a_min = pow(2, 3 + below(state, 3));
		else
			r.a_max = pow(2, 1 + below(state, 3));
		break;
	case 1:
		r.b_min = 2 + below(state, 3);
		r.b_max = r.b_min + below(state, 2);
		break;
	default:
		r.layouts = 1u << below(state, 4);
		r.layouts |= 1u << below(state, 4);
		break;
	}
	if (below(state, 2))
		r.procs_min = 64;
	else if (below(state, 2))
		r.procs_max = 16;
	return r;
}

bool planted_holds(const struct planted *p, size_t rule, const double *row)
{
	const struct planted_rule *r = &p->rule[rule];
	double a = row[p->column[PLANT_A]], b = row[p->column[PLANT_B]];
	double procs = row[p->column[PLANT_PROCS]];

	return a >= r->a_min && a <= r->a_max && b >= r->b_min && b <= r->b_max &&
	       procs >= r->procs_min && procs <= r->procs_max &&
	       (r->layouts >> (unsigned)row[p->column[PLANT_LAYOUT]] & 1);
}

double planted_factor(const struct planted *p, const double *row)
{
	double factor = 1;

	for (size_t k = 0; k < p->n_rules; k++)
		factor *= planted_holds(p, k, row) ? p->rule[k].factor : 1;
	return factor;
}

static void random_tunables(const struct planted *p, uint64_t *state, double *row)
{
	row[p->column[PLANT_A]] = pow(2, below(state, 8));
	row[p->column[PLANT_B]] = 1 + below(state, 5);
	row[p->column[PLANT_C]] = uniform(state);
	row[p->column[PLANT_LAYOUT]] = below(state, 4);
}

static int add_case(const struct planted_design *d, struct planted *p, uint64_t *state,
		    size_t problem, double procs)
{
	size_t grown = problem / 5;
	double row[32], m = 100 * (double)(1 + problem % 5), n = 64 * (double)(1 + grown);

	for (size_t k = 0; k < d->n_per_case; k++) {
		double time_s = 1e-6 * m * n * (m + n) / procs + 0.01 * m;

		configuration_clear(p->app, row);
		row[p->column[PLANT_M]] = m;
		row[p->column[PLANT_N]] = n;
		row[p->column[PLANT_PROCS]] = procs;
		random_tunables(p, state, row);
		for (int t = 0;
		     d->biased && 3 * k > d->n_per_case && t < 20 && planted_factor(p, row) > 1;
		     t++)
			random_tunables(p, state, row);
		configuration_derive(p->app, row);
		time_s *= planted_factor(p, row) * exp(d->noise * normal(state));
		if (uniform(state) < d->disturbed)
			time_s *= 1 + 2 * uniform(state);
		if (dataset_add(p->runs, row, time_s, (int64_t)p->runs->n + 1, 1, SOURCE_MEASURED,
				RUN_OK, 1, NULL))
			return -1;
	}
	return 0;
}

int planted_make(const struct planted_design *d, struct planted *out)
{
	static const char *const name[] = {"m", "n", "procs", "a", "b", "c", "layout"};
	struct planted p = {.app = planted_application(), .n_rules = d->n_rules};
	uint64_t state = (d->seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
	size_t first = below(&state, 3);

	if (!p.app || !(p.runs = dataset_new(p.app)))
		goto fail;
	for (size_t c = 0; c < sizeof name / sizeof name[0]; c++)
		p.column[c] = application_column(p.app, name[c]);
	for (size_t k = 0; k < d->n_rules; k++)
		p.rule[k] = random_rule(d, &state, (first + k) % 3);
	for (size_t problem = 0; problem < d->n_problems; problem++) {
		for (double procs = 4; procs <= 256; procs *= 4) {
			if (add_case(d, &p, &state, problem, procs))
				goto fail;
		}
	}
	*out = p;
	return 0;
fail:
	planted_release(&p);
	return -1;
}

void planted_release(struct planted *p)
{
	dataset_free(p->runs);
	application_free(p->app);
	memset(p, 0, sizeof *p);
}
