/* Successive elimination, ours: a test has to be worth its costs.
 *
 * Log times of the functions are one normal distribution. Before any test they resemble each other
 * the more attributes they share:
 *	cov(f, g) = V_LEVEL + s^2 (V_ATTRIBUTE * alike(f, g) + V_OWN [f = g]).
 * One time of one function, measured or handed in (history, a model), tells of all others
 * (Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006, eq. 2.23-2.24). How
 * much implementations differ (s), and how far what was handed in can be trusted, is not known:
 * there is a belief for each of some values, weighted by how likely it makes what was seen.
 *
 * A test of f costs what f is expected to be slower than the best so far, once, with preparing f
 * and agreeing on what comes next; it gains, in all uses to come, what f may turn out to be faster:
 * the knowledge gradient of Frazier, Powell and Dayanik, INFORMS J. Computing 21(4), 2009, with
 * costs. Functions whose test costs more than it gains are out; the choice is made when all are. */
#include <math.h>
#include <string.h>

#include "tune/tune_selection.h"

/* MAX_PLAN: functions tested between two decisions, at most. */
enum { MAX = SELECTION_MAX_FUNCTIONS, MAX_PLAN = 8 };

/* The level of all times is not known at all: exp(+-3 * 10) spans any. */
static const double V_LEVEL = 100;
/* With s = 1 implementations of one operation differ by a factor of exp(0.5) or its inverse, one
 * standard deviation; five sixths of the variance are effects of attributes. Assumed. */
static const double V_ATTRIBUTE = 0.2, V_OWN = 0.04;
/* What s may be: differences of 6 % to a factor of 3. And by what the standard deviations of times
 * that were handed in may be too small. */
static const double scales[] = {0.125, 0.25, 0.5, 1, 2}, sd_factors[] = {1, 3, 10};
enum {
	N_SCALES = sizeof scales / sizeof scales[0],
	N_SD_FACTORS = sizeof sd_factors / sizeof sd_factors[0]
};
_Static_assert((int)N_SCALES *(int)N_SD_FACTORS == (int)SELECTION_BELIEFS,
	       "beliefs of a selection");
/* Weight of the scatter assumed at first, in tests. */
static const double NOISE_WEIGHT = 4;
/* A test is disturbed with this probability, and then takes up to exp(3) = 20 times as long. */
static const double P_DISTURBED = 0.05, DISTURBANCE = 3;

/* How far two functions resemble each other: the mean over the attributes, those that derive from
 * others too. */
static double alike(const struct selection_set *set, int f, int g)
{
	double sum = 0;

	for (int a = 0; a < set->n_attributes; a++)
		sum += set->values[f][a] == set->values[g][a];
	return set->n_attributes ? sum / set->n_attributes : 0;
}

/* y is an observation of function f with this variance: condition on it. */
static void condition(struct selection_belief *b, int n, int f, double y, double variance)
{
	const double total = b->cov[f][f] + variance, error = y - b->mean[f];
	double gain[MAX] = {0}, row[MAX];

	memcpy(row, b->cov[f], sizeof row); /* it changes below */
	for (int g = 0; g < n; g++)
		gain[g] = b->cov[g][f] / total;
	for (int g = 0; g < n; g++)
		b->mean[g] += gain[g] * error;
	for (int g = 0; g < n; g++) {
		for (int h = 0; h < n; h++)
			b->cov[g][h] -= gain[g] * row[h];
	}
	b->log_weight -= 0.5 * (log(total) + error * error / total);
}

/* Times handed in are observations, each with its standard deviation, on a level of their own: that
 * of another problem or of a model. Functions that nothing was handed in about learn from those
 * that resemble them. */
static void believe_before(const struct selection *s, double scale, double sd_factor,
			   struct selection_belief *b)
{
	const int n = s->set.n;
	int any = 0;

	b->log_weight = 0;
	for (int f = 0; f < n; f++) {
		b->mean[f] = 0;
		for (int g = 0; g < n; g++)
			b->cov[f][g] = V_LEVEL + scale * scale * V_ATTRIBUTE * alike(&s->set, f, g);
		b->cov[f][f] += scale * scale * V_OWN;
	}
	for (int f = 0; f < n; f++) {
		if (isnan(s->prior_log_s[f]))
			continue;
		condition(b, n, f, s->prior_log_s[f],
			  sd_factor * sd_factor * s->prior_sd[f] * s->prior_sd[f]);
		any = 1;
	}
	for (int f = 0; any && f < n; f++) {
		for (int g = 0; g < n; g++)
			b->cov[f][g] += s->level_sd * s->level_sd;
	}
}

/* The variance of log time of one test: pooled within functions, together with what was assumed.
 * Median deviations in place of squares would do without the weight; there are too few tests. */
static double test_variance(const struct selection *s)
{
	double sum = NOISE_WEIGHT * s->options.noise * s->options.noise;
	double weight = NOISE_WEIGHT;

	for (int f = 0; f < s->set.n; f++) {
		const double centre = log(selection_estimate_s(s, f));

		for (int i = 0; i < s->n_tests[f] && s->n_tests[f] > 1 && !s->dropped[f]; i++) {
			double off = log(s->test_s[f][i]) - centre;

			/* A disturbance tells of itself, not of the others. */
			if (fabs(off) > 4 * s->options.noise)
				off = 4 * s->options.noise;
			sum += off * off;
		}
		weight += s->n_tests[f] > 1 && !s->dropped[f] ? s->n_tests[f] - 1 : 0;
	}
	return sum / weight;
}

static int any_prior(const struct selection *s)
{
	int any = 0;

	for (int f = 0; f < s->set.n; f++)
		any |= !isnan(s->prior_log_s[f]);
	return any;
}

static void believe_now(struct selection *s, double variance)
{
	double most = -INFINITY, sum = 0;

	s->n_beliefs = N_SCALES * (any_prior(s) ? N_SD_FACTORS : 1);
	for (int k = 0; k < s->n_beliefs; k++) {
		struct selection_belief *b = &s->belief[k];

		believe_before(s, scales[k % N_SCALES], sd_factors[k / N_SCALES], b);
		for (int f = 0; f < s->set.n; f++) {
			if (s->n_tests[f] && !s->dropped[f])
				condition(b, s->set.n, f, log(selection_estimate_s(s, f)),
					  variance / s->n_tests[f]);
		}
		most = b->log_weight > most ? b->log_weight : most;
	}
	for (int k = 0; k < s->n_beliefs; k++) {
		s->belief[k].weight = exp(s->belief[k].log_weight - most);
		sum += s->belief[k].weight;
	}
	for (int k = 0; k < s->n_beliefs; k++)
		s->belief[k].weight /= sum;
}

/* Over all beliefs. */
static double expected_log_s(const struct selection *s, int f)
{
	double sum = 0;

	for (int k = 0; k < s->n_beliefs; k++)
		sum += s->belief[k].weight * s->belief[k].mean[f];
	return sum;
}

static const double INV_SQRT_2_PI = 0.398942280401432678;

static double normal_below(double z)
{
	return 0.5 * erfc(-z / sqrt(2));
}

/* E max(0, 1 - exp(D)) of a normal D: the share of the time that is gained if f is faster. */
static double expected_gain(double mean, double sd)
{
	if (!(sd > 0))
		return mean < 0 ? 1 - exp(mean) : 0;
	return normal_below(-mean / sd) - exp(mean + sd * sd / 2) * normal_below(-mean / sd - sd);
}

/* Another test of a function, in times of the best: what it gains in each use to come, what it
 * costs by being slower, and what it may cost: a standard deviation more, by the worst belief that
 * is not unlikely. */
struct test_value {
	double gain, cost, high_cost;
};

static struct test_value weigh(const struct selection *s, int best, int f, double variance)
{
	struct test_value t = {0, 0, 0};

	for (int k = 0; k < s->n_beliefs; k++) {
		const struct selection_belief *b = &s->belief[k];
		const double mean = b->mean[f] - b->mean[best];
		const double v = b->cov[f][f] + b->cov[best][best] - 2 * b->cov[f][best];
		double high;

		if (!(v > 0))
			continue;
		/* The deviation of what the test will have moved the difference by. */
		t.gain += b->weight * expected_gain(mean, v / sqrt(v + variance));
		t.cost += b->weight * (exp(mean + v / 2) - 1);
		high = exp(mean + sqrt(v)) - 1;
		if (b->weight > 0.01 && high > t.high_cost)
			t.high_cost = high;
	}
	t.cost = t.cost > 0 ? t.cost : 0;
	return t;
}

/* Preparing f [s]: what its agreements take, or as the prepared function that resembles it most. */
static double preparing_s(const struct selection *s, int f)
{
	double most = -1, took_s = 0;

	if (!isnan(s->prepare_s[f]))
		return 0;
	if (s->agreements[f] > 0)
		return s->agreements[f] * s->agreeing_s;
	for (int g = 0; g < s->set.n; g++) {
		const double as = alike(&s->set, f, g);

		if (isnan(s->prepare_s[g]) || as < most)
			continue;
		took_s = as > most || s->prepare_s[g] > took_s ? s->prepare_s[g] : took_s;
		most = as;
	}
	return took_s;
}

/* The function believed fastest, among those tested if there are any; -1 if none is usable. */
static int believed_best(const struct selection *s)
{
	int best = -1, any = 0;

	for (int f = 0; f < s->set.n; f++)
		any |= s->n_tests[f] > 0 && !s->dropped[f];
	for (int f = 0; f < s->set.n; f++) {
		if (s->dropped[f] || (any && !s->n_tests[f]))
			continue;
		if (best < 0 || expected_log_s(s, f) < expected_log_s(s, best))
			best = f;
	}
	return best;
}

/* The other functions' belief about f and g, without f's only test: y with this variance.
 * Conditioning on an observation with the variance negated takes it back. */
static void without_test(const struct selection_belief *b, int f, int g, double y, double variance,
			 double mean[2], double cov[3])
{
	const double total = b->cov[f][f] - variance, error = y - b->mean[f];

	mean[0] = b->mean[f] + b->cov[f][f] / total * error;
	mean[1] = b->mean[g] + b->cov[g][f] / total * error;
	cov[0] = b->cov[f][f] - b->cov[f][f] * b->cov[f][f] / total;
	cov[1] = b->cov[g][g] - b->cov[g][f] * b->cov[g][f] / total;
	cov[2] = b->cov[f][g] - b->cov[f][f] * b->cov[g][f] / total;
}

/* What repeating the only test of f is worth, in times of the best other function g: it was
 * disturbed with a probability that follows from how unlikely the others make it, and then f may
 * gain what they let expect; or it was not, and costs what it took. */
static double worth_repeating(const struct selection *s, int f, int g, double variance,
			      double remaining)
{
	const double y = log(selection_estimate_s(s, f));
	double undisturbed = 0, disturbed = 0, gain = 0, best = 0, p;

	for (int k = 0; k < s->n_beliefs; k++) {
		const struct selection_belief *b = &s->belief[k];
		double mean[2], cov[3], sd, z, v;

		without_test(b, f, g, y, variance, mean, cov);
		sd = sqrt((cov[0] > 0 ? cov[0] : 0) + variance);
		z = (y - mean[0]) / sd;
		undisturbed += b->weight * INV_SQRT_2_PI * exp(-z * z / 2) / sd;
		disturbed += b->weight * (normal_below(z) - normal_below(z - DISTURBANCE / sd)) /
			     DISTURBANCE;
		v = cov[0] + cov[1] - 2 * cov[2];
		gain += b->weight * expected_gain(mean[0] - mean[1], sqrt(v > 0 ? v : 0));
		best += b->weight * mean[1];
	}
	p = P_DISTURBED * disturbed /
	    (P_DISTURBED * disturbed + (1 - P_DISTURBED) * undisturbed + 1e-300);
	return p * remaining * gain - (1 - p) * (y > best ? exp(y - best) - 1 : 0);
}

/* The function whose only test should be repeated, -1 if there is none. Before the second function
 * was tested nothing can be said. */
static int disturbed_function(struct selection *s, double variance, double remaining,
			      double agreeing)
{
	double most = agreeing;
	int found = -1, n_tested = 0;

	for (int f = 0; f < s->set.n; f++)
		n_tested += s->n_tests[f] && !s->dropped[f];
	for (int f = 0; n_tested > 1 && f < s->set.n; f++) {
		int best = -1;
		double value;

		if (s->n_tests[f] != 1 || s->surprised[f] || s->dropped[f] || s->options.tests < 2)
			continue;
		for (int g = 0; g < s->set.n; g++) {
			if (g != f && s->n_tests[g] && !s->dropped[g] &&
			    (best < 0 || expected_log_s(s, g) < expected_log_s(s, best)))
				best = g;
		}
		value = worth_repeating(s, f, best, variance, remaining);
		if (value > most) {
			most = value;
			found = f;
		}
	}
	if (found >= 0)
		s->surprised[found] = 1;
	return found;
}

static int tests_planned(const struct selection_plan *plan, int f)
{
	int tests = 0;

	for (int k = 0; k < plan->n; k++)
		tests += plan->entry[k].function == f ? plan->entry[k].tests : 0;
	return tests;
}

/* The test that gains most for its costs; -1 if none gains. With a plan begun: without another
 * decision, and only a function of which a time is known and whose tests would cost less than a
 * decision even if it disappoints, high_cost[f] each. */
static int best_test(const struct selection *s, const struct selection_plan *plan,
		     const double *high_cost, int best, double variance, double remaining,
		     double agreeing)
{
	const double best_s = exp(expected_log_s(s, best));
	double most = plan->n ? 0 : agreeing;
	int found = -1;

	for (int f = 0; f < s->set.n; f++) {
		const int unknown = !s->n_tests[f] && isnan(s->prior_log_s[f]);
		const int planned = tests_planned(plan, f);
		struct test_value t;
		double preparing, worth;

		if (f == best || s->dropped[f] || s->n_tests[f] + planned >= s->options.tests ||
		    (!planned && plan->n >= MAX_PLAN))
			continue;
		t = weigh(s, best, f, variance);
		preparing = planned ? 0 : preparing_s(s, f) / best_s;
		if (plan->n && (unknown || (planned + 1) * high_cost[f] + preparing > agreeing))
			continue;
		worth = remaining * t.gain - t.cost - preparing;
		if (worth > most) {
			most = worth;
			found = f;
		}
	}
	return found;
}

/* A first test alone; what was tested is tested as often again; what is planned, once more. The
 * number of tests. */
static int plan_tests(const struct selection *s, struct selection_plan *out, int f)
{
	const int left = s->options.tests - s->n_tests[f];
	int tests = s->n_tests[f] > 0 ? s->n_tests[f] : 1;

	for (int k = 0; k < out->n; k++) {
		if (out->entry[k].function == f) {
			out->entry[k].tests++;
			return 1;
		}
	}
	tests = tests < left ? tests : left;
	tests = tests > 0 ? tests : 1;
	out->entry[out->n].function = f;
	out->entry[out->n++].tests = tests;
	return tests;
}

void selection_eliminate(struct selection *s, long uses, struct selection_plan *out)
{
	const double variance = test_variance(s);
	/* Where more came than was expected, as much is believed to be still to come. */
	const double remaining =
		(double)(s->options.iterations > uses ? s->options.iterations - uses : uses + 1);
	double agreeing, high_cost[MAX];
	int best, next;

	believe_now(s, variance);
	best = believed_best(s);
	if (best < 0) {
		out->chosen = 0; /* nothing is usable: whoever uses it gets the reason */
		return;
	}
	if (!s->n_tests[best] && !any_prior(s)) { /* nothing is known yet */
		plan_tests(s, out, best);
		return;
	}
	agreeing = s->agreeing_s / exp(expected_log_s(s, best));
	for (int f = 0; f < s->set.n; f++)
		high_cost[f] = weigh(s, best, f, variance).high_cost;
	next = s->n_tests[best] ? disturbed_function(s, variance, remaining, agreeing) : best;
	if (next < 0)
		next = best_test(s, out, high_cost, best, variance, remaining, agreeing);
	if (next < 0) {
		out->chosen = best;
		return;
	}
	/* Agreeing has its costs, too: tests that cost less are done before, without waiting for
	 * what the first one says, as long as they gain if all turns out as expected. */
	while (next >= 0) {
		const int tests = plan_tests(s, out, next);

		for (int k = 0; k < s->n_beliefs; k++)
			condition(&s->belief[k], s->set.n, next, s->belief[k].mean[next],
				  variance / tests);
		next = best_test(s, out, high_cost, best, variance, remaining, agreeing);
	}
}
