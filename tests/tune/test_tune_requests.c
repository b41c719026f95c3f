/* Selection over all processes, with clocks that the test winds and functions that it invents. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tune/tune_check.h"

enum { N = 4 };

/* Function f lets so much time pass; a test changes that on the way. */
static double clock_s, takes_s[N];
static int fails, cannot_prepare = -1, n_released;

#define INVENTED(f)                                                                     \
	static int begin_##f(const struct ltune_context *c, void *state)                \
	{                                                                               \
		(void)c;                                                                \
		(void)state;                                                            \
		clock_s += takes_s[f];                                                  \
		return fails ? MPI_ERR_OTHER : MPI_SUCCESS;                             \
	}                                                                               \
	static int prepare_##f(const struct ltune_context *c, void **state)             \
	{                                                                               \
		*state = &takes_s[f];                                                   \
		return cannot_prepare == f && c->rank == c->n_procs - 1 ? MPI_ERR_OTHER \
									: MPI_SUCCESS;  \
	}
INVENTED(0)
INVENTED(1)
INVENTED(2)
INVENTED(3)

static void release(const struct ltune_context *c, void *state)
{
	(void)c;
	n_released += state != NULL;
}

static struct ltune_function_set *invented_set(struct checks *c)
{
	const struct ltune_steps steps[N] = {{prepare_0, begin_0, NULL, release},
					     {prepare_1, begin_1, NULL, release},
					     {prepare_2, begin_2, NULL, release},
					     {prepare_3, begin_3, NULL, release}};
	const char *const names[N] = {"f0", "f1", "f2", "f3"};
	struct ltune_attribute *a[2] = {NULL};
	struct ltune_attribute_set *attributes = NULL;
	struct ltune_function *f[N] = {NULL};
	struct ltune_function_set *set = NULL;
	struct ltune_error e = {0};

	for (int i = 0; i < 2; i++)
		check_ok(c,
			 ltune_attribute_create(i ? "y" : "x", 2, (const char *[]){"a", "b"}, 0,
						&a[i], &e),
			 &e, "attribute");
	check_ok(c, ltune_attribute_set_create(2, a, &attributes, &e), &e, "attributes");
	for (int i = 0; i < N; i++)
		check_ok(c,
			 ltune_function_create(names[i], attributes, (int[]){i / 2, i % 2},
					       &steps[i], &f[i], &e),
			 &e, "function");
	check_ok(c, ltune_function_set_create("invented", N, f, &set, &e), &e, "set");
	for (int i = 0; i < N; i++)
		ltune_function_free(&f[i]);
	ltune_attribute_free(&a[0]);
	ltune_attribute_free(&a[1]);
	ltune_attribute_set_free(&attributes);
	return set;
}

static struct ltune_request *invented(struct checks *c, const struct ltune_options *o)
{
	static double element;
	struct ltune_function_set *set = invented_set(c);
	struct ltune_topology *topology = NULL;
	struct ltune_vector *vector = NULL;
	struct ltune_request *r = NULL;
	struct ltune_error e = {0};

	check_ok(c, ltune_topology_create(MPI_COMM_WORLD, &topology, &e), &e, "topology");
	check_ok(c, ltune_vector_register(1, (int[]){1}, 0, MPI_DOUBLE, &element, &vector, &e), &e,
		 "vector");
	check_ok(c, ltune_request_create(topology, vector, set, o, &r, &e), &e, "request");
	ltune_topology_free(&topology, &e);
	ltune_vector_free(&vector);
	ltune_function_set_free(&set);
	return r;
}

static struct ltune_options wound(const char *logic)
{
	struct ltune_options o;

	ltune_options_init(&o);
	o.logic = logic;
	o.clock = wound_clock;
	o.clock_data = &clock_s;
	o.drift_factor = 0;
	return o;
}

static void start(struct checks *c, struct ltune_request *r, int n)
{
	struct ltune_error e = {0};

	for (int i = 0; i < n; i++)
		check_ok(c, ltune_request_start(r, &e), &e, "start");
}

static void check_choice(struct checks *c, const struct ltune_request *r, const char *wanted)
{
	struct ltune_report report;
	int mine[2], all[2];

	ltune_request_report(r, &report);
	mine[0] = report.chosen_index;
	mine[1] = -report.chosen_index;
	MPI_Allreduce(mine, all, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	check(c, all[0] == -all[1], "processes chose %d to %d", -all[1], all[0]);
	check(c, report.chosen && (!wanted || !strcmp(report.chosen, wanted)), "%s, not %s",
	      report.chosen ? report.chosen : "none", wanted ? wanted : "any");
}

static const char *const logics[] = {"brute", "hypothesis", "elimination"};

/* Function 1 is fast but on one process, where it is slower than function 2 anywhere. */
static void slowest_process_counts(struct checks *c)
{
	const int last = c->rank == c->size - 1;

	for (int l = 0; l < 3; l++) {
		struct ltune_options o = wound(logics[l]);
		struct ltune_request *r = invented(c, &o);

		takes_s[0] = 4e-3;
		takes_s[1] = last ? 3e-3 : 1e-4;
		takes_s[2] = 2e-3;
		takes_s[3] = 5e-3;
		start(c, r, 30);
		check_choice(c, r, "f2");
		if (c->rank == 0)
			check(c, fabs(ltune_request_estimate_s(r, 2) - 2e-3) < 1e-9, "estimate");
		ltune_request_free(&r, NULL);
	}
}

/* Clocks that tell each process something else, backwards too: all choose the same nevertheless,
 * and go on together. */
static double mad_clock(void *data)
{
	uint64_t *state = data;

	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double)(*state >> 40) - 8e6;
}

static void mad_clocks_agree(struct checks *c)
{
	for (int l = 0; l < 3; l++) {
		for (uint64_t seed = 1; seed <= 10; seed++) {
			uint64_t state = seed * 1000 + (uint64_t)c->rank;
			struct ltune_options o = wound(logics[l]);
			struct ltune_request *r;

			o.clock = mad_clock;
			o.clock_data = &state;
			o.drift_factor = 1.1;
			o.drift_window = 5;
			o.tests = 3;
			r = invented(c, &o);
			start(c, r, 12);
			if (l == 0)
				check_choice(c, r, NULL); /* 4 functions x 3 tests: decided */
			start(c, r, 50);
			ltune_request_free(&r, NULL);
		}
	}
}

static void drift_is_noticed(struct checks *c)
{
	for (int l = 0; l < 3; l++) {
		struct ltune_options o = wound(logics[l]);
		struct ltune_request *r;
		struct ltune_report report;

		o.drift_factor = 1.5;
		o.drift_window = 10;
		o.drift_windows = 2;
		for (int f = 0; f < N; f++)
			takes_s[f] = 1e-3 * (f + 1);
		r = invented(c, &o);
		start(c, r, 20 + 10); /* selection takes 20 at most; a window at least */
		check_choice(c, r, "f0");
		takes_s[0] = 1.4e-3; /* less than the factor */
		start(c, r, 50);
		check_choice(c, r, "f0");
		takes_s[0] = 9e-3; /* a bad window, wherever windows begin, is none */
		start(c, r, 4);
		takes_s[0] = 1e-3;
		start(c, r, 50);
		ltune_request_report(r, &report);
		check(c, report.restarts == 0, "%s: began again for one bad window", logics[l]);
		takes_s[0] = 9e-3;
		start(c, r, 80);
		check_choice(c, r, "f1");
		ltune_request_report(r, &report);
		check(c, report.restarts == 1, "%s: %d restarts", logics[l], report.restarts);
		ltune_request_free(&r, NULL);
	}
}

/* One that cannot be prepared, on one process only, is passed over by all. */
static void unprepared_function_is_passed_over(struct checks *c)
{
	for (int l = 0; l < 3; l++) {
		struct ltune_options o = wound(logics[l]);
		struct ltune_request *r;
		struct ltune_error e = {0};
		enum ltune_code rc;

		for (int f = 0; f < N; f++)
			takes_s[f] = 1e-3 * (f + 1);
		cannot_prepare = 0;
		n_released = 0;
		r = invented(c, &o);
		start(c, r, 40);
		check_choice(c, r, "f1");
		ltune_request_free(&r, NULL);
		check(c, n_released >= 2, "%d states were released", n_released);
		o.logic = "fixed";
		o.fixed = "f0";
		r = invented(c, &o);
		rc = ltune_request_start(r, &e);
		check(c, rc == (c->rank == c->size - 1 ? LTUNE_MPI : LTUNE_PEER), "code %d", rc);
		ltune_request_free(&r, NULL);
		cannot_prepare = -1;
	}
}

static void calls_come_in_pairs(struct checks *c)
{
	struct ltune_options o = wound("brute");
	struct ltune_request *r = invented(c, &o);
	struct ltune_error e = {0};
	struct ltune_report report;

	check_refused(c, ltune_request_wait(r, &e), LTUNE_STATE, &e, "not under way");
	check_ok(c, ltune_request_init(r, &e), &e, "init");
	check_refused(c, ltune_request_init(r, &e), LTUNE_STATE, &e, "under way");
	check_refused(c, ltune_request_start(r, &e), LTUNE_STATE, &e, "under way");
	check_refused(c, ltune_request_free(&r, &e), LTUNE_STATE, &e, "under way");
	clock_s += 10; /* between the two: hidden, and not counted */
	check_ok(c, ltune_request_wait(r, &e), &e, "wait");
	ltune_request_report(r, &report);
	check(c, report.operation_s < 1, "the time between init and wait was counted");
	/* A failure of MPI is passed on; the next use goes well. */
	fails = 1;
	check_refused(c, ltune_request_start(r, &e), LTUNE_MPI, &e, "f0");
	fails = 0;
	check_ok(c, ltune_request_start(r, &e), &e, "start");
	check_refused(c, ltune_request_start(NULL, &e), LTUNE_ARG, &e, "no request");
	check_ok(c, ltune_request_free(&r, &e), &e, "free");
}

static void warm_ups_are_not_tests(struct checks *c)
{
	struct ltune_options o = wound("brute");
	struct ltune_request *r;
	struct ltune_report report;

	o.warmup = 2;
	o.tests = 3;
	r = invented(c, &o);
	for (int i = 0; i < N * 5; i++) {
		/* f3 is fastest; its warm-ups are very slow */
		for (int f = 0; f < N; f++)
			takes_s[f] = i % 5 < 2 ? 1 : 1e-3 * (N - f);
		start(c, r, 1);
	}
	check_choice(c, r, "f3");
	ltune_request_report(r, &report);
	check(c, report.tests == N * 5 && report.decided_after == N * 5 && report.uses == N * 5,
	      "%ld tests of %ld uses", report.tests, report.uses);
	check(c, report.functions == N && report.functions_tested == N, "%d functions tested",
	      report.functions_tested);
	ltune_request_free(&r, NULL);
}

static void overhead_is_measured(struct checks *c)
{
	struct ltune_options o;
	struct ltune_request *r;
	struct ltune_report report;

	ltune_options_init(&o);
	r = invented(c, &o);
	start(c, r, 100);
	ltune_request_report(r, &report);
	check(c, report.overhead_s > 0 && report.overhead_max_s > 0, "no overhead");
	check(c, report.overhead_s < 60 && report.operation_s < 60, "more time than there was");
	ltune_request_free(&r, NULL);
}

/* The prior of rank 0 is heeded; others may hand in nothing. */
static void prior_of_rank_0_counts(struct checks *c)
{
	const double prior_s[N] = {4, 3, 2, 1}, sd[N] = {0.01, 0.01, 0.01, 0.01};
	struct ltune_options o = wound("elimination");
	struct ltune_request *r;
	struct ltune_report report;

	for (int f = 0; f < N; f++)
		takes_s[f] = 1e-3 * (N - f);
	o.prior_time_s = c->rank == 0 ? prior_s : NULL;
	o.prior_sd = c->rank == 0 ? sd : NULL;
	r = invented(c, &o);
	start(c, r, 10);
	check_choice(c, r, "f3");
	ltune_request_report(r, &report);
	check(c, report.tests <= 2, "%ld tests", report.tests);
	ltune_request_free(&r, NULL);
}

/* The seconds that a request for a halo exchange spent on timing messages, when it was made. */
static double network_s(struct checks *c, const struct ltune_options *o)
{
	static double u[6 * 5 * 4];
	int grid[3] = {0};
	MPI_Comm comm = cart(3, (int[]){0, 1, 0}, grid);
	struct ltune_topology *topology = NULL;
	struct ltune_vector *vector = NULL;
	struct ltune_function_set *set = NULL;
	struct ltune_request *r = NULL;
	struct ltune_report report = {0};
	struct ltune_error e = {0};

	check_ok(c, ltune_topology_create(comm, &topology, &e), &e, "topology");
	check_ok(c, ltune_vector_register(3, (int[]){4, 3, 2}, 1, MPI_DOUBLE, u, &vector, &e), &e,
		 "vector");
	check_ok(c, ltune_set_neighbourhood(&set, &e), &e, "set");
	check_ok(c, ltune_request_create(topology, vector, set, o, &r, &e), &e, "request");
	start(c, r, 3);
	ltune_request_report(r, &report);
	ltune_request_free(&r, NULL);
	ltune_function_set_free(&set);
	ltune_vector_free(&vector);
	ltune_topology_free(&topology, NULL);
	MPI_Comm_free(&comm);
	return report.network_s;
}

/* Only by elimination, among several processes, and where nobody told what to expect. */
static void network_is_asked_if_nothing_is_known(struct checks *c)
{
	double prior_s[20];
	struct ltune_options o;

	ltune_options_init(&o);
	check(c, (network_s(c, &o) > 0) == (c->size > 1), "the network was not asked");
	o.network = 0;
	check(c, !(network_s(c, &o) > 0), "the network was asked against orders");
	o.network = 1;
	o.logic = "brute";
	check(c, !(network_s(c, &o) > 0), "brute force asked the network");
	o.logic = "elimination";
	for (int f = 0; f < 20; f++)
		prior_s[f] = 1e-3;
	o.prior_time_s = c->rank == 0 ? prior_s : NULL;
	check(c, !(network_s(c, &o) > 0), "the network was asked for what is known");
}

void test_requests(struct checks *c)
{
	slowest_process_counts(c);
	mad_clocks_agree(c);
	drift_is_noticed(c);
	unprepared_function_is_passed_over(c);
	calls_come_in_pairs(c);
	warm_ups_are_not_tests(c);
	overhead_is_measured(c);
	prior_of_rank_0_counts(c);
	network_is_asked_if_nothing_is_known(c);
}
