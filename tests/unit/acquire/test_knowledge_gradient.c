#include "acquire/knowledge_gradient.h"

#include "base/splitmix.h"
#include "tests/support/check.h"

enum { MOST = 12 };

static size_t order[MOST];

static double least(const double *mean, const double *gain, size_t n, double z)
{
	double least = INFINITY;

	for (size_t i = 0; i < n; i++)
		least = fmin(least, mean[i] + gain[i] * z);
	return least;
}

/* By the trapezoidal rule, which converges fast for this integrand. */
static double integrated(const double *mean, const double *gain, size_t n)
{
	const double step = 1e-3;
	double sum = 0;

	for (double z = -9; z <= 9; z += step)
		sum += step * exp(-z * z / 2) / sqrt(2 * M_PI) * least(mean, gain, n, z);
	return least(mean, gain, n, 0) - sum;
}

/* E max(0, Z - 1) = phi(1) - (1 - Phi(1)) = 0.2419707245 - 0.1586552539. */
TEST(of_two_answers_it_is_the_normal_loss_of_their_difference)
{
	const double mean[] = {0, 1}, gain[] = {0.25, 1.25}, apart[] = {0, 0}, by[] = {-1, 1};

	check_rel(knowledge_gradient(mean, gain, 2, order), 0.0833154706, 1e-8);
	/* equal means: 2 phi(0) */
	check_rel(knowledge_gradient(apart, by, 2, order), 0.7978845608, 1e-9);
}

TEST(a_run_that_moves_all_answers_alike_is_worth_nothing)
{
	const double mean[] = {3, 1, 2}, gain[] = {0.7, 0.7, 0.7};

	check_abs(knowledge_gradient(mean, gain, 3, order), 0, 0);
	check_abs(knowledge_gradient(mean, gain, 1, order), 0, 0);
	check_abs(knowledge_gradient(mean, gain, 0, order), 0, 0);
}

TEST(an_answer_that_is_never_the_least_changes_nothing)
{
	const double two_mean[] = {0, 1}, two_gain[] = {0, 1};
	const double mean[] = {0, 2, 1}, gain[] = {0, 1, 1};

	check_rel(knowledge_gradient(mean, gain, 3, order),
		  knowledge_gradient(two_mean, two_gain, 2, order), 1e-15);
}

TEST(it_is_what_integration_gives)
{
	uint64_t random = 1;

	for (int k = 0; k < 50; k++) {
		size_t n = 2 + (size_t)(splitmix_next(&random) % (MOST - 1));
		double mean[MOST], gain[MOST];

		for (size_t i = 0; i < n; i++) {
			mean[i] = splitmix_uniform(&random);
			/* some are equal */
			gain[i] = floor(8 * splitmix_uniform(&random)) / 4 - 1;
		}
		check_abs(knowledge_gradient(mean, gain, n, order), integrated(mean, gain, n),
			  2e-7); /* of the rule, where lines cross between two steps */
	}
}
