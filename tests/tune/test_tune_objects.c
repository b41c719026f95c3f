/* Objects: what is refused and why, and in which order they may be freed. */
#include <string.h>

#include "tests/tune/tune_check.h"

static int do_nothing(const struct ltune_context *context, void *state)
{
	(void)context;
	(void)state;
	return MPI_SUCCESS;
}
static const struct ltune_steps nothing = {NULL, do_nothing, NULL, NULL};
static const char *const two[] = {"yes", "no"};

static void attributes_are_checked(struct checks *c)
{
	const char *const same[] = {"yes", "yes"}, *const comma[] = {"a,b"};
	struct ltune_attribute *a = NULL, *b = NULL;
	struct ltune_attribute_set *set = NULL;
	struct ltune_error e = {0};

	check_refused(c, ltune_attribute_create("", 2, two, 0, &a, &e), LTUNE_ARG, &e, "a name");
	check_refused(c, ltune_attribute_create("x", 0, two, 0, &a, &e), LTUNE_ARG, &e, "0 values");
	check_refused(c, ltune_attribute_create("x", 17, two, 0, &a, &e), LTUNE_ARG, &e,
		      "17 values");
	check_refused(c, ltune_attribute_create("x", 2, same, 0, &a, &e), LTUNE_ARG, &e, "twice");
	check_refused(c, ltune_attribute_create("x", 1, comma, 0, &a, &e), LTUNE_ARG, &e,
		      "value 0");
	check(c, !a, "an attribute came out of an error");
	check_ok(c, ltune_attribute_create("x", 2, two, 0, &a, &e), &e, "attribute");
	check_ok(c, ltune_attribute_create("x", 2, two, 0, &b, &e), &e, "attribute");
	check_refused(c,
		      ltune_attribute_set_create(2, (struct ltune_attribute *[]){a, b}, &set, &e),
		      LTUNE_ARG, &e, "x twice");
	check_refused(c, ltune_attribute_set_create(0, &a, &set, &e), LTUNE_ARG, &e,
		      "0 attributes");
	ltune_attribute_free(&a);
	ltune_attribute_free(&a);
	ltune_attribute_free(&b);
}

/* All functions of a set have one attribute set, and each its name. */
static void function_sets_are_checked(struct checks *c)
{
	struct ltune_attribute *a = NULL;
	struct ltune_attribute_set *one = NULL, *other = NULL;
	struct ltune_function *f[3] = {NULL}, *out = NULL;
	struct ltune_function_set *set = NULL;
	struct ltune_error e = {0};

	check_ok(c, ltune_attribute_create("x", 2, two, 0, &a, &e), &e, "attribute");
	check_ok(c, ltune_attribute_set_create(1, &a, &one, &e), &e, "set");
	check_ok(c, ltune_attribute_set_create(1, &a, &other, &e), &e, "set");
	check_refused(c, ltune_function_create("f", one, (int[]){2}, &nothing, &out, &e), LTUNE_ARG,
		      &e, "attribute x has no value 2");
	check_refused(c,
		      ltune_function_create("f", one, (int[]){0},
					    &(struct ltune_steps){.begin = NULL}, &out, &e),
		      LTUNE_ARG, &e, "begin()");
	check_ok(c, ltune_function_create("f", one, (int[]){0}, &nothing, &f[0], &e), &e, "f");
	check_ok(c, ltune_function_create("g", other, (int[]){0}, &nothing, &f[1], &e), &e, "g");
	check_ok(c, ltune_function_create("f", one, (int[]){1}, &nothing, &f[2], &e), &e, "f");
	check_refused(c, ltune_function_set_create("s", 2, f, &set, &e), LTUNE_MISMATCH, &e,
		      "g has another attribute set");
	check_refused(c,
		      ltune_function_set_create("s", 2, (struct ltune_function *[]){f[0], f[2]},
						&set, &e),
		      LTUNE_ARG, &e, "f twice");
	check_refused(c, ltune_function_set_create("s", 0, f, &set, &e), LTUNE_ARG, &e,
		      "1 to 64 functions");
	check_ok(c, ltune_function_set_create("s", 1, f, &set, &e), &e, "set");
	check(c, ltune_function_set_size(set) == 1 && !strcmp(ltune_function_set_name(set, 0), "f"),
	      "the set has not what it was made of");
	check(c, !ltune_function_set_name(set, 1) && !ltune_function_set_name(NULL, 0),
	      "there is no such function");
	/* Parts first: the set keeps what it needs. */
	ltune_attribute_free(&a);
	ltune_attribute_set_free(&one);
	ltune_attribute_set_free(&other);
	for (int i = 0; i < 3; i++)
		ltune_function_free(&f[i]);
	check(c, !strcmp(ltune_function_set_name(set, 0), "f"), "the set lost its function");
	ltune_function_set_free(&set);
}

static void vectors_are_checked(struct checks *c)
{
	double buffer[64];
	struct ltune_vector *v = NULL;
	struct ltune_error e = {0};

	check_refused(c, ltune_vector_register(0, (int[]){4}, 1, MPI_DOUBLE, buffer, &v, &e),
		      LTUNE_ARG, &e, "1 to 4 dimensions");
	check_refused(c, ltune_vector_register(1, (int[]){0}, 1, MPI_DOUBLE, buffer, &v, &e),
		      LTUNE_ARG, &e, "0 elements in dimension 0");
	check_refused(c, ltune_vector_register(1, (int[]){4}, -1, MPI_DOUBLE, buffer, &v, &e),
		      LTUNE_ARG, &e, "halo of -1");
	check_refused(c, ltune_vector_register(1, (int[]){4}, 1, MPI_DOUBLE, NULL, &v, &e),
		      LTUNE_ARG, &e, "buffer");
	check_refused(c, ltune_vector_register(1, (int[]){4}, 1, MPI_DOUBLE_INT, buffer, &v, &e),
		      LTUNE_TYPE, &e, "12 bytes in 16");
	check_refused(c, ltune_vector_register(1, (int[]){4}, 1, MPI_DATATYPE_NULL, buffer, &v, &e),
		      LTUNE_TYPE, &e, "no datatype");
	check(c, !v, "a vector came out of an error");
}

struct parts {
	struct ltune_topology *topology;
	struct ltune_vector *vector;
	struct ltune_function_set *set;
	double buffer[36];
	MPI_Comm comm;
};

static void parts_make(struct checks *c, struct parts *p)
{
	struct ltune_error e = {0};
	int grid[2];

	p->comm = cart(2, (int[]){1, 1}, grid);
	check_ok(c, ltune_topology_create(p->comm, &p->topology, &e), &e, "topology");
	check_ok(c,
		 ltune_vector_register(2, (int[]){4, 4}, 1, MPI_DOUBLE, p->buffer, &p->vector, &e),
		 &e, "vector");
	check_ok(c, ltune_set_neighbourhood(&p->set, &e), &e, "set");
}

static void parts_free(struct parts *p)
{
	ltune_vector_free(&p->vector);
	ltune_function_set_free(&p->set);
	ltune_topology_free(&p->topology, NULL);
}

static void refuse_options(struct checks *c, struct parts *p, struct ltune_options o,
			   enum ltune_code code, const char *says)
{
	struct ltune_request *r = NULL;
	struct ltune_error e = {0};

	check_refused(c, ltune_request_create(p->topology, p->vector, p->set, &o, &r, &e), code, &e,
		      says);
	check(c, !r, "a request came out of an error");
}

static void options_are_checked(struct checks *c)
{
	struct parts p;
	struct ltune_options o, bad;

	parts_make(c, &p);
	ltune_options_init(&o);
#define REFUSE(member, value, says)                          \
	do {                                                 \
		bad = o;                                     \
		bad.member = (value);                        \
		refuse_options(c, &p, bad, LTUNE_ARG, says); \
	} while (0)
	REFUSE(logic, "best", "no logic is called best");
	REFUSE(logic, NULL, "no logic is called NULL");
	REFUSE(filter, "median", "no filter is called median");
	REFUSE(logic, "fixed", "no function of neighbourhood is called NULL");
	REFUSE(tests, 0, "tests: 0");
	REFUSE(tests, 65, "tests: 65");
	REFUSE(warmup, -1, "warmup");
	REFUSE(threshold, 0, "threshold");
	REFUSE(iterations, 0, "iterations");
	REFUSE(noise, 0, "noise");
	REFUSE(drift_factor, 0.9, "drift");
	REFUSE(drift_window, 65, "drift");
	REFUSE(root, c->size, "no process");
	bad = o;
	bad.result = p.vector;
	bad.history = "/";
	if (c->rank == 0)
		refuse_options(c, &p, bad, LTUNE_IO, "/");
	else
		refuse_options(c, &p, bad, LTUNE_PEER, "another process");
	parts_free(&p);
	MPI_Comm_free(&p.comm);
}

/* Vector and topology that do not fit; one process that differs fails on all. */
static void shapes_are_checked(struct checks *c)
{
	struct parts p;
	struct ltune_vector *v = NULL;
	struct ltune_request *r = NULL;
	struct ltune_error e = {0};
	double buffer[64];
	enum ltune_code rc;

	parts_make(c, &p);
	ltune_vector_register(1, (int[]){4}, 1, MPI_DOUBLE, buffer, &v, &e);
	check_refused(c, ltune_request_create(p.topology, v, p.set, NULL, &r, &e), LTUNE_MISMATCH,
		      &e, "1 dimensions on a process grid of 2");
	ltune_vector_free(&v);
	ltune_vector_register(2, (int[]){4, 4}, 0, MPI_DOUBLE, buffer, &v, &e);
	check_refused(c, ltune_request_create(p.topology, v, p.set, NULL, &r, &e), LTUNE_ARG, &e,
		      "needs a halo");
	ltune_vector_free(&v);
	ltune_vector_register(2, (int[]){1, 4}, 2, MPI_DOUBLE, buffer, &v, &e);
	check_refused(c, ltune_request_create(p.topology, v, p.set, NULL, &r, &e), LTUNE_MISMATCH,
		      &e, "cannot fill a halo of 2");
	ltune_vector_free(&v);
	check_refused(c, ltune_request_create(NULL, p.vector, p.set, NULL, &r, &e), LTUNE_ARG, &e,
		      "no topology");
	if (c->size >
	    1) { /* one process has another size: its neighbours see it, others are told */
		ltune_vector_register(2, (int[]){4, c->rank ? 4 : 5}, 1, MPI_DOUBLE, buffer, &v,
				      &e);
		rc = ltune_request_create(p.topology, v, p.set, NULL, &r, &e);
		/* along the only divided dimension sizes may differ */
		if (rc == LTUNE_OK)
			ltune_request_free(&r, &e);
		else
			check(c, rc == LTUNE_MISMATCH || rc == LTUNE_PEER, "code %d", (int)rc);
		e = (struct ltune_error){0};
		ltune_vector_free(&v);
		rc = c->rank ? ltune_request_create(p.topology, p.vector, p.set, NULL, &r, &e)
			     : ltune_request_create(p.topology, NULL, p.set, NULL, &r, &e);
		check(c, rc == (c->rank ? LTUNE_PEER : LTUNE_ARG), "code %d", (int)rc);
		e = (struct ltune_error){0};
	}
	/* MPI is usable, and so are the objects. */
	check_ok(c, ltune_request_create(p.topology, p.vector, p.set, NULL, &r, &e), &e, "request");
	parts_free(&p); /* before the request: it keeps what it needs */
	check_ok(c, ltune_request_start(r, &e), &e, "start");
	check_ok(c, ltune_request_free(&r, &e), &e, "free");
	check_ok(c, ltune_request_free(&r, &e), &e, "free of none");
	MPI_Comm_free(&p.comm);
}

static void thousand_requests_in_any_order(struct checks *c)
{
	enum { N = 1000 };
	static struct ltune_request *r[N];
	struct ltune_options o;
	struct ltune_error e = {0};
	struct parts p;

	parts_make(c, &p);
	ltune_options_init(&o);
	for (int i = 0; i < N; i++) {
		o.logic = i % 2 ? "elimination" : "fixed";
		o.fixed = i % 2 ? NULL : ltune_function_set_name(p.set, i % 12);
		check_ok(c, ltune_request_create(p.topology, p.vector, p.set, &o, &r[i], &e), &e,
			 "request");
		if (i == N / 2)
			parts_free(&p), parts_make(c, &p);
	}
	for (int i = 0; i < N; i++)
		check_ok(c, ltune_request_start(r[i * 7 % N], &e), &e, "start");
	for (int i = 0; i < N; i++)
		check_ok(c, ltune_request_free(&r[i * 3 % N], &e), &e, "free");
	parts_free(&p);
}

void test_objects(struct checks *c)
{
	check(c, !strcmp(ltune_code_text(LTUNE_OK), "no error"), "text of no error");
	check(c, !strcmp(ltune_code_text(LTUNE_NOMEM), "out of memory"), "text of an error");
	check(c, !strcmp(ltune_code_text((enum ltune_code)99), "not an error code"), "no code");
	attributes_are_checked(c);
	function_sets_are_checked(c);
	vectors_are_checked(c);
	options_are_checked(c);
	shapes_are_checked(c);
	thousand_requests_in_any_order(c);
}
