/* Each allocation of the library fails once: an error with its reason, no object, nothing lost, and
 * MPI goes on. Linked with --wrap, so that only what the library allocates can fail, not what MPI
 * does. */
#include <stdlib.h>
#include <string.h>

#include "tests/tune/tune_check.h"

/* Which allocation from now on fails; 0: none. */
static long fails_in;
static long n_allocated;

/* The names that --wrap wants.
 * NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void __wrap_free(void *p);

static int fails(void)
{
	return fails_in > 0 && --fails_in == 0;
}

void *__wrap_malloc(size_t size)
{
	void *p = fails() ? NULL : __real_malloc(size);

	n_allocated += p != NULL;
	return p;
}

void *__wrap_calloc(size_t n, size_t size)
{
	void *p = fails() ? NULL : __real_calloc(n, size);

	n_allocated += p != NULL;
	return p;
}

void __wrap_free(void *p)
{
	n_allocated -= p != NULL;
	__real_free(p);
}
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */

/* Whether this was the last round: nothing failed in it any more. */
static int judged(struct checks *c, const char *what, enum ltune_code rc, int refused_here,
		  struct ltune_error *e)
{
	const int disturbed = fails_in == 0;

	fails_in = 0;
	if (refused_here && disturbed)
		check_refused(c, rc, LTUNE_NOMEM, e, "out of memory");
	else
		check(c, disturbed ? rc == LTUNE_PEER : !rc, "%s: code %d", what, (int)rc);
	*e = (struct ltune_error){0};
	return !disturbed;
}

static void attributes_and_functions(struct checks *c)
{
	const char *const values[] = {"a", "b"};
	int whole = 0;

	for (long n = 1; !whole && n < 200; n++) {
		const long before = n_allocated;
		struct ltune_attribute *a = NULL;
		struct ltune_attribute_set *s = NULL;
		struct ltune_error e = {0};
		enum ltune_code rc;

		fails_in = n;
		rc = ltune_attribute_create("x", 2, values, 0, &a, &e);
		if (!rc)
			rc = ltune_attribute_set_create(1, &a, &s, &e);
		whole = judged(c, "attributes", rc, 1, &e);
		check(c, whole == (s != NULL), "attributes: an object out of an error");
		ltune_attribute_set_free(&s);
		ltune_attribute_free(&a);
		check(c, n_allocated == before, "attributes: %ld lost", n_allocated - before);
	}
	check(c, whole, "attributes: never whole");
}

typedef enum ltune_code make_set(struct ltune_function_set **, struct ltune_error *);

static void sets(struct checks *c)
{
	make_set *const make[] = {ltune_set_neighbourhood, ltune_set_broadcast, ltune_set_allreduce,
				  ltune_set_alltoall};

	for (size_t k = 0; k < sizeof make / sizeof make[0]; k++) {
		int whole = 0;

		for (long n = 1; !whole && n < 500; n++) {
			const long before = n_allocated;
			struct ltune_function_set *set = NULL;
			struct ltune_error e = {0};
			enum ltune_code rc;

			fails_in = n;
			rc = make[k](&set, &e);
			whole = judged(c, "set", rc, 1, &e);
			check(c, whole == (set != NULL), "set: an object out of an error");
			ltune_function_set_free(&set);
			check(c, n_allocated == before, "set: %ld lost", n_allocated - before);
		}
		check(c, whole, "set: never whole");
	}
}

/* On the last process only: the others are told. All go on to the next round together. */
static void topologies_vectors_and_requests(struct checks *c)
{
	const int here = c->rank == c->size - 1;
	struct ltune_function_set *set = NULL;
	struct ltune_error e = {0};
	double buffer[36] = {0};
	int grid[2], all_whole = 0;
	MPI_Comm comm = cart(2, (int[]){1, 1}, grid);

	check_ok(c, ltune_set_neighbourhood(&set, &e), &e, "set");
	for (long n = 1; !all_whole && n < 200; n++) {
		const long before = n_allocated;
		struct ltune_topology *topology = NULL;
		struct ltune_vector *vector = NULL;
		struct ltune_request *request = NULL;
		struct ltune_options o;
		enum ltune_code rc;
		int disturbed;

		ltune_options_init(&o);
		o.log = "/nowhere/log"; /* its name is kept; written on rank 0 if there is time left
					 */
		fails_in = here ? n : 0;
		rc = ltune_topology_create(comm, &topology, &e);
		if (!rc) {
			enum ltune_code vector_rc = ltune_vector_register(
				2, (int[]){4, 4}, 1, MPI_DOUBLE, buffer, &vector, &e);

			/* Without its vector this process has no request; the others hear of it. */
			rc = ltune_request_create(topology, vector, set, &o, &request, &e);
			rc = vector_rc ? vector_rc : rc;
		}
		disturbed = here && fails_in == 0;
		MPI_Allreduce(MPI_IN_PLACE, &disturbed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
		fails_in = 0;
		all_whole = !disturbed;
		/* What is prepared in advance may fail too: then the first use tries again. */
		if (rc && here)
			check(c, rc == LTUNE_NOMEM && strstr(e.message, "memory"), "code %d: %s",
			      (int)rc, e.message);
		else if (rc)
			check(c, rc == LTUNE_PEER, "code %d, not PEER", (int)rc);
		check(c, !rc == (request != NULL), "an object out of an error");
		e = (struct ltune_error){0};
		if (request)
			check_ok(c, ltune_request_start(request, &e), &e, "a use after a failure");
		rc = ltune_request_free(&request, &e);
		check(c, !rc || (rc == LTUNE_IO && c->rank == 0), "free: code %d", (int)rc);
		e = (struct ltune_error){0};
		ltune_vector_free(&vector);
		check_ok(c, ltune_topology_free(&topology, &e), &e, "topology");
		check(c, n_allocated == before, "%ld: %ld lost", n, n_allocated - before);
	}
	check(c, all_whole, "requests: never whole");
	ltune_function_set_free(&set);
	MPI_Comm_free(&comm);
}

/* A function whose preparation fails is passed over in a selection, and refused where it is fixed.
 */
static void preparations(struct checks *c)
{
	const int here = c->rank == c->size - 1;
	struct ltune_function_set *set = NULL;
	struct ltune_topology *topology = NULL;
	struct ltune_vector *vector = NULL;
	struct ltune_error e = {0};
	double buffer[36] = {0};
	int grid[2];
	MPI_Comm comm = cart(2, (int[]){1, 1}, grid);

	check_ok(c, ltune_set_neighbourhood(&set, &e), &e, "set");
	check_ok(c, ltune_topology_create(comm, &topology, &e), &e, "topology");
	check_ok(c, ltune_vector_register(2, (int[]){4, 4}, 1, MPI_DOUBLE, buffer, &vector, &e), &e,
		 "vector");
	for (long n = 1; n <= 12; n++) {
		const long before = n_allocated;
		struct ltune_request *r = NULL;
		struct ltune_options o;
		struct ltune_report report;

		ltune_options_init(&o);
		o.logic = "brute";
		o.tests = 1;
		check_ok(c, ltune_request_create(topology, vector, set, &o, &r, &e), &e, "request");
		fails_in = here ? n : 0;
		for (int i = 0; i < 30; i++)
			check_ok(c, ltune_request_start(r, &e), &e, "start");
		fails_in = 0;
		ltune_request_report(r, &report);
		check(c, report.chosen != NULL, "nothing was chosen");
		check_ok(c, ltune_request_free(&r, &e), &e, "free");
		check(c, n_allocated == before, "%ld: %ld lost", n, n_allocated - before);
	}
	ltune_vector_free(&vector);
	ltune_topology_free(&topology, &e);
	ltune_function_set_free(&set);
	MPI_Comm_free(&comm);
}

void test_allocations(struct checks *c)
{
	attributes_and_functions(c);
	sets(c);
	topologies_vectors_and_requests(c);
	preparations(c);
}
