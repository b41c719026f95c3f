#include "models/taskgraph/amva.h"

#include <math.h>
#include <stdlib.h>

/* Each step shrinks the error by a constant factor; 20 to 100 are usual. */
enum { MAX_STEPS = 100000 };
/* Relative change of a residence time that is rounding and no more. */
static const double TOLERANCE = 1e-14;

/* In solving: queue_ck of each class at each station, and their sums over the classes. */
struct solution {
	double *queue;	 /* [n_classes * n_stations] */
	double *station; /* [n_stations] */
};

static enum err_code check_amount(const char *what, size_t at, double x, struct err *e)
{
	if (!isfinite(x) || x < 0)
		return err_set(e, ERR_ARG, "%s[%zu] = %g must be finite and not negative", what, at,
			       x);
	return ERR_OK;
}

static enum err_code check(const struct amva_network *n, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t c = 0; !rc && c < n->n_classes; c++) {
		if (!(rc = check_amount("population", c, n->population[c], e)))
			rc = check_amount("think_s", c, n->think_s[c], e);
		if (!rc && floor(n->population[c]) != n->population[c])
			rc = err_set(e, ERR_ARG, "population[%zu] = %g customers: a whole number",
				     c, n->population[c]);
	}
	for (size_t k = 0; !rc && k < n->n_classes * n->n_stations; k++)
		rc = check_amount("demand_s", k, n->demand_s[k], e);
	return rc;
}

static double cycle_s(const struct amva_network *n, size_t c, const double *residence_s)
{
	double sum = n->think_s[c];

	for (size_t k = 0; k < n->n_stations; k++)
		sum += residence_s[c * n->n_stations + k];
	return sum;
}

/* Queue lengths from residence times (Little's law). */
static void fill_queues(const struct amva_network *n, const double *residence_s, struct solution *s)
{
	for (size_t k = 0; k < n->n_stations; k++)
		s->station[k] = 0;
	for (size_t c = 0; c < n->n_classes; c++) {
		double cycle = cycle_s(n, c, residence_s);

		for (size_t k = 0; k < n->n_stations; k++) {
			size_t ck = c * n->n_stations + k;

			s->queue[ck] = cycle > 0 ? n->population[c] * residence_s[ck] / cycle : 0;
			s->station[k] += s->queue[ck];
		}
	}
}

/* Residence times from queue lengths. Returns the largest relative change. */
static double step(const struct amva_network *n, const struct solution *s, double *residence_s)
{
	double change = 0;

	for (size_t c = 0; c < n->n_classes; c++) {
		for (size_t k = 0; k < n->n_stations; k++) {
			size_t ck = c * n->n_stations + k;
			double own = n->population[c] > 0 ? s->queue[ck] / n->population[c] : 0;
			double others = fmax(s->station[k] - own, 0);
			double now = n->demand_s[ck] * (1 + others);

			if (now > 0)
				change = fmax(change, fabs(now - residence_s[ck]) / now);
			residence_s[ck] = now;
		}
	}
	return change;
}

static enum err_code iterate(const struct amva_network *n, struct solution *s, double *residence_s,
			     struct err *e)
{
	for (size_t k = 0; k < n->n_classes * n->n_stations; k++)
		residence_s[k] = n->demand_s[k];
	for (int i = 0; i < MAX_STEPS; i++) {
		fill_queues(n, residence_s, s);
		if (step(n, s, residence_s) <= TOLERANCE)
			return ERR_OK;
	}
	return err_set(e, ERR_NUMERIC,
		       "the residence times of %zu classes at %zu stations did not settle in %d "
		       "steps",
		       n->n_classes, n->n_stations, MAX_STEPS);
}

enum err_code amva_solve(const struct amva_network *network, double *residence_s,
			 double *throughput_per_s, struct err *e)
{
	const size_t n_ck = network->n_classes * network->n_stations;
	struct solution s = {0};
	enum err_code rc = check(network, e);

	if (rc)
		return rc;
	s.queue = calloc(n_ck + network->n_stations + 1, sizeof *s.queue);
	if (!s.queue)
		return err_set(e, ERR_NOMEM, "a queueing network of %zu classes",
			       network->n_classes);
	s.station = s.queue + n_ck;
	rc = iterate(network, &s, residence_s, e);
	free(s.queue);
	for (size_t c = 0; !rc && throughput_per_s && c < network->n_classes; c++)
		throughput_per_s[c] =
			network->population[c] > 0
				? network->population[c] / cycle_s(network, c, residence_s)
				: 0;
	return rc;
}
