/* Successive elimination, ours: a test has to be worth its costs.
 *
 * Log times of the functions are one normal distribution. Before any test they
 * resemble each other the more attributes they share:
 *	cov(f, g) = V_LEVEL + V_ATTRIBUTE * (attributes shared) / (attributes) + V_OWN [f = g].
 * One time of one function, measured or handed in (history, a model), tells of all others
 *(Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006, eq. 2.23-2.24). A test
 *of f costs what f is expected to be slower than the best so far, once; it gains, in all uses to
 *come, what f may turn out to be faster: the knowledge gradient of Frazier, Powell and Dayanik,
 *INFORMS J. Computing 21(4), 2009, with costs. Functions whose test costs more than it gains are
 *out; the choice is made when all are. */
#include <math.h>
#include <string.h>

#include "tune/tune_selection.h"

enum { MAX = SELECTION_MAX_FUNCTIONS };

/* The level of all times is not known at all: exp(+-3 * 10) spans any. */
static const double V_LEVEL = 100;
/* Implementations of one operation differ by a factor of exp(0.5) or its inverse, one standard
 * deviation; five sixths of the variance are effects of attributes. Assumed before any data. */
static const double V_ATTRIBUTE = 0.2, V_OWN = 0.04;
/* Weight of the scatter assumed at first, in tests. */
static const double NOISE_WEIGHT = 4;
/* A first test slower than foreseen by so many standard deviations is repeated once: it may have
 * been disturbed, and the mean of a normal distribution would believe it. */
static const double SURPRISE_SD = 2.5;

/* What is believed of all functions: mean and covariance of log time [log s]. */
struct belief {
	int n;
	double mean[MAX], cov[MAX][MAX];
};

static double shared(const struct selection_set *set, int f, int g)
{
	int n = 0, same = 0;

	for (int a = 0; a < set->n_attributes; a++) {
		if (set->derived[a])
			continue;
		n++;
		same += set->values[f][a] == set->values[g][a];
	}
	return n ? (double)same / n : 0;
}

/* y is an observation of function f with this variance: condition on it. */
static void condition(struct belief *b, int f, double y, double variance)
{
	const double total = b->cov[f][f] + variance, error = y - b->mean[f];
	double gain[MAX] = {0}, row[MAX];

	memcpy(row, b->cov[f], sizeof row); /* it changes below */
	for (int g = 0; g < b->n; g++)
		gain[g] = b->cov[g][f] / total;
	for (int g = 0; g < b->n; g++)
		b->mean[g] += gain[g] * error;
	for (int g = 0; g < b->n; g++) {
		for (int h = 0; h < b->n; h++)
			b->cov[g][h] -= gain[g] * row[h];
	}
}

/* Times handed in are observations, each with its standard deviation, on a level of their own: that
 * of another problem or of a model. Functions that nothing was handed in about learn from those
 * that resemble them. */
static void believe_before(const struct selection *s, struct belief *b)
{
	int any = 0;

	b->n = s->set.n;
	for (int f = 0; f < b->n; f++) {
		b->mean[f] = 0;
		for (int g = 0; g < b->n; g++)
			b->cov[f][g] = V_LEVEL + V_ATTRIBUTE * shared(&s->set, f, g);
		b->cov[f][f] += V_OWN;
	}
	for (int f = 0; f < b->n; f++) {
		if (isnan(s->prior_log_s[f]))
			continue;
		condition(b, f, s->prior_log_s[f], s->prior_sd[f] * s->prior_sd[f]);
		any = 1;
	}
	for (int f = 0; any && f < b->n; f++) {
		for (int g = 0; g < b->n; g++)
			b->cov[f][g] += V_LEVEL;
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

static void believe_now(const struct selection *s, double variance, struct belief *b)
{
	believe_before(s, b);
	for (int f = 0; f < b->n; f++) {
		if (s->n_tests[f] && !s->dropped[f])
			condition(b, f, log(selection_estimate_s(s, f)), variance / s->n_tests[f]);
	}
}

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

/* Gain less costs of another test of f, in times of the best. */
static double worth(const struct belief *b, int best, int f, double variance, double remaining)
{
	const double mean = b->mean[f] - b->mean[best];
	const double v = b->cov[f][f] + b->cov[best][best] - 2 * b->cov[f][best];
	double learnt_sd, cost;

	if (!(v > 0))
		return 0;
	/* What the test will have moved the difference by. */
	learnt_sd = v / sqrt(v + variance);
	cost = exp(mean + v / 2) - 1;
	return remaining * expected_gain(mean, learnt_sd) - (cost > 0 ? cost : 0);
}

/* The function believed fastest, among those tested if there are any; -1 if none is usable. */
static int believed_best(const struct selection *s, const struct belief *b)
{
	int best = -1, any = 0;

	for (int f = 0; f < b->n; f++)
		any |= s->n_tests[f] > 0 && !s->dropped[f];
	for (int f = 0; f < b->n; f++) {
		if (s->dropped[f] || (any && !s->n_tests[f]))
			continue;
		if (best < 0 || b->mean[f] < b->mean[best])
			best = f;
	}
	return best;
}

/* The function whose only test came as a surprise, -1 if there is none. Before the second function
 * was tested, and where the level is not known, nothing is one. The test was disturbed or was not,
 * even chances: repeating it gains what the others let expect of f, or costs what it took. */
static int surprise(struct selection *s, double variance, double remaining)
{
	struct belief others;

	for (int f = 0; f < s->set.n; f++) {
		double sd, took, gain, v;
		int n_others = 0, best = -1;

		if (s->n_tests[f] != 1 || s->surprised[f] || s->dropped[f] || s->options.tests < 2)
			continue;
		believe_before(s, &others);
		for (int g = 0; g < s->set.n; g++) {
			if (g == f || !s->n_tests[g] || s->dropped[g])
				continue;
			n_others++;
			condition(&others, g, log(selection_estimate_s(s, g)),
				  variance / s->n_tests[g]);
		}
		for (int g = 0; g < s->set.n; g++) {
			if (g != f && s->n_tests[g] && !s->dropped[g] &&
			    (best < 0 || others.mean[g] < others.mean[best]))
				best = g;
		}
		took = log(selection_estimate_s(s, f));
		sd = sqrt(others.cov[f][f] + variance);
		if (!n_others || took <= others.mean[f] + SURPRISE_SD * sd)
			continue;
		v = others.cov[f][f] + others.cov[best][best] - 2 * others.cov[f][best];
		gain = expected_gain(others.mean[f] - others.mean[best], sqrt(v > 0 ? v : 0));
		if (remaining * gain > exp(took - others.mean[best]) - 1) {
			s->surprised[f] = 1;
			return f;
		}
	}
	return -1;
}

void selection_eliminate(struct selection *s, long uses, struct selection_plan *out)
{
	const double variance = test_variance(s);
	/* Where more came than was expected, as much is believed to be still to come. */
	const double remaining =
		(double)(s->options.iterations > uses ? s->options.iterations - uses : uses + 1);
	struct belief b;
	double most = 0;
	int best, next = surprise(s, variance, remaining);

	believe_now(s, variance, &b);
	best = believed_best(s, &b);
	if (best < 0) {
		out->chosen = 0; /* nothing is usable: whoever uses it gets the reason */
		return;
	}
	if (next < 0 && !s->n_tests[best])
		next = best; /* nothing was tested yet */
	for (int f = 0; next < 0 && f < b.n; f++) {
		double value;

		if (f == best || s->dropped[f] || s->n_tests[f] >= s->options.tests)
			continue;
		value = worth(&b, best, f, variance, remaining);
		if (value > most) {
			most = value;
			out->entry[0].function = f;
		}
	}
	if (next >= 0)
		out->entry[0].function = next;
	else if (!(most > 0)) {
		out->chosen = best;
		return;
	}
	out->n = 1;
	out->entry[0].tests = 1;
}
