#include "tests/support/check.h"

#include "models/taskgraph/amva.h"

static void solve(const struct amva_network *n, double *residence_s, double *throughput)
{
	must(amva_solve(n, residence_s, throughput, &err));
}

TEST(a_lone_customer_waits_for_nobody)
{
	const double demand_s[] = {0.1, 0.7, 0.3}, one = 1, think_s = 5;
	const struct amva_network n = {1, 3, &one, &think_s, demand_s};
	double r[3], x;

	solve(&n, r, &x);
	for (int k = 0; k < 3; k++)
		check_abs(r[k], demand_s[k], 0);
	check_rel(x, 1 / 6.1, 1e-15);
}

/* Two customers who only want one server: each finds the other, so R = 2 D and X = 1 / D. */
TEST(a_server_that_is_all_they_want_is_shared_evenly)
{
	const double demand_s = 3, none = 0;
	double r, x;

	for (double population = 1; population <= 64; population *= 2) {
		const struct amva_network n = {1, 1, &population, &none, &demand_s};

		solve(&n, &r, &x);
		check_rel(r, population * demand_s, 1e-12);
		check_rel(x, 1 / demand_s, 1e-12);
	}
}

/* One class, one station: R = D (1 + (N - 1) R / (Z + R)), a quadratic,
 * R = (-b + sqrt(b^2 + 4 D Z)) / 2 with b = Z - N D. For N = 3, D = 2, Z = 4: b = -2,
 * R = (2 + sqrt(36)) / 2 = 4 and X = 3 / 8. */
TEST(one_class_at_one_station_solves_the_quadratic)
{
	const double three = 3, two = 2, four = 4;
	const struct amva_network by_hand = {1, 1, &three, &four, &two};
	double r, x;

	solve(&by_hand, &r, &x);
	check_rel(r, 4.0, 1e-12);
	check_rel(x, 3.0 / 8, 1e-12);
	for (double population = 1; population <= 1000; population *= 3) {
		for (double think_s = 1e-3; think_s <= 1e3; think_s *= 10) {
			const double demand_s = 0.5, b = think_s - population * demand_s;
			const struct amva_network n = {1, 1, &population, &think_s, &demand_s};

			solve(&n, &r, &x);
			check_rel(r, (-b + sqrt(b * b + 4 * demand_s * think_s)) / 2, 1e-9);
		}
	}
}

/* Customers alike are the same in one class or each in a class of its own. */
TEST(classes_may_be_split)
{
	const double population[] = {3, 2}, think_s[] = {1, 0.5};
	const double demand_s[] = {0.4, 0.2, 0.1, 0.9};
	const double each[] = {1, 1, 1, 1, 1}, each_think_s[] = {1, 1, 1, 0.5, 0.5};
	const double each_demand_s[] = {0.4, 0.2, 0.4, 0.2, 0.4, 0.2, 0.1, 0.9, 0.1, 0.9};
	const struct amva_network together = {2, 2, population, think_s, demand_s};
	const struct amva_network apart = {5, 2, each, each_think_s, each_demand_s};
	double r[4], r_each[10];

	solve(&together, r, NULL);
	solve(&apart, r_each, NULL);
	for (int k = 0; k < 2; k++) {
		for (int c = 0; c < 3; c++)
			check_rel(r_each[c * 2 + k], r[k], 1e-12);
		check_rel(r_each[3 * 2 + k], r[2 + k], 1e-12);
		check_rel(r_each[4 * 2 + k], r[2 + k], 1e-12);
	}
}

/* --- a second method: exact mean value analysis, Reiser and Lavenberg 1980, over all populations
 * up to (N_1, N_2): R_ck(N) = D_ck (1 + Q_k(N - 1_c)). */

enum { MAX_N = 6, STATIONS = 3 };

static double queue_of[MAX_N + 1][MAX_N + 1][STATIONS];

static void exact(const struct amva_network *n, double *throughput)
{
	int n1 = (int)n->population[0], n2 = (int)n->population[1];

	memset(queue_of, 0, sizeof queue_of);
	throughput[0] = throughput[1] = 0;
	for (int a = 0; a <= n1; a++) {
		for (int b = 0; b <= n2; b++) {
			const int has[] = {a, b};
			double queue[STATIONS] = {0};

			for (int c = 0; c < 2; c++) {
				double r[STATIONS], cycle = n->think_s[c];

				throughput[c] = 0;
				if (has[c] == 0)
					continue;
				for (int k = 0; k < STATIONS; k++) {
					const double *less = queue_of[a - (c == 0)][b - (c == 1)];

					r[k] = n->demand_s[c * STATIONS + k] * (1 + less[k]);
					cycle += r[k];
				}
				throughput[c] = has[c] / cycle;
				for (int k = 0; k < STATIONS; k++)
					queue[k] += throughput[c] * r[k];
			}
			memcpy(queue_of[a][b], queue, sizeof queue);
		}
	}
}

/* Two customers at two stations of 1 s each: exactly R_k = 1.5, X = 2/3. */
TEST(the_exact_recursion_agrees_with_a_network_solved_by_hand)
{
	const double population[] = {2, 0}, none[] = {0, 0}, demand_s[] = {1, 1, 0, 0, 0, 0};
	const struct amva_network n = {2, STATIONS, population, none, demand_s};
	double x[2];

	exact(&n, x);
	check_rel(x[0], 2.0 / 3, 1e-15);
}

static uint64_t random_state = 1979;

static double uniform(double lo, double hi)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return lo + (hi - lo) * (double)(random_state >> 40) / (double)(1u << 24);
}

/* Known of Schweitzer's approximation: it errs by some per cent where few customers compete, most
 * of all at balanced stations (up to about 15 %), and is low in throughput there. */
TEST(small_networks_are_near_exact_mean_value_analysis)
{
	double worst = 0, sum = 0;
	int n_seen = 0;

	for (int i = 0; i < 300; i++) {
		const double population[] = {floor(uniform(1, MAX_N + 0.99)),
					     floor(uniform(0, MAX_N + 0.99))};
		const double think_s[] = {uniform(0, 5), uniform(0, 5)};
		double demand_s[2 * STATIONS], r[2 * STATIONS], x[2], want[2];
		const struct amva_network n = {2, STATIONS, population, think_s, demand_s};

		for (int k = 0; k < 2 * STATIONS; k++)
			demand_s[k] = uniform(0, 1);
		solve(&n, r, x);
		exact(&n, want);
		for (int c = 0; c < 2; c++) {
			if (population[c] == 0)
				continue;
			worst = fmax(worst, fabs(x[c] / want[c] - 1));
			sum += fabs(x[c] / want[c] - 1);
			n_seen++;
		}
	}
	print_message("throughput: %.1f %% off in the mean, %.1f %% at worst\n", 100 * sum / n_seen,
		      100 * worst);
	assert_true(sum / n_seen < 0.03);
	assert_true(worst < 0.15);
}

TEST(nonsense_is_refused_with_its_place)
{
	const double population[] = {1, 1.5}, think_s[] = {0, -1}, nan_demand[] = {1, NAN};
	const double one[] = {1, 1}, fine[] = {1, 1};
	double r[2] = {7, 7};

	must_fail(amva_solve(&(struct amva_network){2, 1, population, one, fine}, r, NULL, &err),
		  ERR_ARG, "population[1] = 1.5");
	assert_int_equal(
		amva_solve(&(struct amva_network){2, 1, one, think_s, fine}, r, NULL, NULL),
		ERR_ARG);
	assert_int_equal(
		amva_solve(&(struct amva_network){2, 1, one, one, nan_demand}, r, NULL, NULL),
		ERR_ARG);
	check_abs(r[0], 7, 0);
}
