#ifndef LEMNOS_TUNE_H
#define LEMNOS_TUNE_H

/* liblemnos_tune: the implementation of a communication pattern, chosen while the program runs.
 *
 * A pattern has many correct implementations; which one is fastest depends on network, MPI library
 * and message shape. The iterations of the application are the experiment: each runs one
 * implementation and times it, until one is chosen by all processes for the rest of the run.
 * After Gabriel and Huang, "Runtime Optimization of Application Level Communication Patterns",
 * HIPS 2007 (ADCL); where we differ is said at the place.
 *
 *	ltune_topology_create(cart_comm, &topology, &e);
 *	ltune_vector_register(3, cells, halo, MPI_DOUBLE, u, &vector, &e);
 *	ltune_set_neighbourhood(&set, &e);
 *	ltune_request_create(topology, vector, set, NULL, &request, &e);
 *	for (...)
 *		ltune_request_start(request, &e);
 *	ltune_request_free(&request, &e);
 *
 * Every call returns an error code and puts the reason into *e, which may be NULL. `*out` changes
 * only on success. After an error MPI is usable. No call prints, ends the program, or keeps state
 * outside of its objects. Objects are counted: they may be freed in any order, and a request keeps
 * what it needs. Calls marked collective are called by all processes of the topology in one order.
 * A program calls the library from one thread at a time. */

#include <stddef.h>

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define LTUNE_API __attribute__((visibility("default")))
#else
#define LTUNE_API
#endif

#define LTUNE_VERSION "0.1.0"

/* The list of errors: name and meaning. */
#define LTUNE_CODES(X)                                      \
	X(ARG, "invalid argument")                          \
	X(TYPE, "a datatype that is not supported")         \
	X(MISMATCH, "processes or objects that do not fit") \
	X(STATE, "a call that is not allowed now")          \
	X(NOMEM, "out of memory")                           \
	X(MPI, "MPI reported an error")                     \
	X(IO, "a file could not be read or written")        \
	X(FORMAT, "a file does not match its format")       \
	X(PEER, "another process failed; its message has the reason")

enum ltune_code {
	LTUNE_OK = 0,
#define LTUNE_CODE_ENUM(name, text) LTUNE_##name,
	LTUNE_CODES(LTUNE_CODE_ENUM)
#undef LTUNE_CODE_ENUM
};

struct ltune_error {
	enum ltune_code code;
	char message[256];
};

/* The general meaning of a code. */
LTUNE_API const char *ltune_code_text(enum ltune_code code);

enum {
	LTUNE_MAX_DIMS = 4,	  /* of a vector and a topology */
	LTUNE_MAX_FUNCTIONS = 64, /* of a set */
	LTUNE_MAX_ATTRIBUTES = 8, /* of an attribute set */
	LTUNE_MAX_VALUES = 16,	  /* of an attribute */
	LTUNE_MAX_TESTS = 64	  /* of a function, between two decisions */
};

struct ltune_attribute;
struct ltune_attribute_set;
struct ltune_function;
struct ltune_function_set;
struct ltune_vector;
struct ltune_topology;
struct ltune_request;

/* ---- attributes: what tells one implementation from another ---- */

/* A characteristic and its possible values, 1 to LTUNE_MAX_VALUES names that differ. `derived`: its
 * value follows from the other attributes, so that functions cannot differ in it alone; it is
 * told, and tells elimination of a resemblance; the others take no account of it.
 * Errors: ARG, NOMEM. */
LTUNE_API enum ltune_code ltune_attribute_create(const char *name, int n_values,
						 const char *const *values, int derived,
						 struct ltune_attribute **out,
						 struct ltune_error *e);
LTUNE_API void ltune_attribute_free(struct ltune_attribute **attribute);

/* 1 to LTUNE_MAX_ATTRIBUTES attributes with different names.
 * Errors: ARG, NOMEM. */
LTUNE_API enum ltune_code ltune_attribute_set_create(int n,
						     struct ltune_attribute *const *attributes,
						     struct ltune_attribute_set **out,
						     struct ltune_error *e);
LTUNE_API void ltune_attribute_set_free(struct ltune_attribute_set **set);

/* ---- functions: implementations ---- */

/* What an implementation is given. Pointers hold during the call only. */
struct ltune_context {
	MPI_Comm comm; /* of the topology; errors return */
	int n_procs, rank;
	int ndims; /* of the vector; of the topology, too, where it has a grid */
	/* Of the process grid, or 0 dimensions. neighbour[2 d] is the rank below in dimension d,
	 * neighbour[2 d + 1] the one above, MPI_PROC_NULL where there is none. */
	int grid_ndims;
	const int *grid, *coordinate, *neighbour;
	void *buffer; /* element 0 of the vector, its halo included */
	void *result; /* of the second vector; NULL where the operation works in place */
	const int
		*dims; /* elements owned in each dimension, without halo; the last is contiguous */
	int halo;      /* width on both sides of each dimension */
	MPI_Datatype type; /* of an element, no gaps */
	size_t type_bytes;
	int root;  /* of a collective */
	MPI_Op op; /* of a reduction */
};

/* The steps of an implementation. Each returns MPI_SUCCESS or an MPI error code. Only `begin` is
 * needed. prepare() runs before the first use (for the first function tested, when the request is
 * made) and is not timed; *state is the implementation's own.
 * begin() starts; the operation is complete after end(), or after begin() where end is NULL.
 * prepare(), begin() and release() may be collective. release() is called if prepare() was. */
struct ltune_steps {
	int (*prepare)(const struct ltune_context *context, void **state);
	int (*begin)(const struct ltune_context *context, void *state);
	int (*end)(const struct ltune_context *context, void *state);
	void (*release)(const struct ltune_context *context, void *state);
};

/* An implementation with a value (index) for each attribute of its set.
 * Errors: ARG, NOMEM. */
LTUNE_API enum ltune_code ltune_function_create(const char *name, struct ltune_attribute_set *set,
						const int *values, const struct ltune_steps *steps,
						struct ltune_function **out, struct ltune_error *e);
LTUNE_API void ltune_function_free(struct ltune_function **function);

/* Implementations of one operation. All have one attribute set, and no two one name.
 * Errors: ARG, MISMATCH (another attribute set; e names the function), NOMEM. */
LTUNE_API enum ltune_code ltune_function_set_create(const char *name, int n,
						    struct ltune_function *const *functions,
						    struct ltune_function_set **out,
						    struct ltune_error *e);
LTUNE_API void ltune_function_set_free(struct ltune_function_set **set);

LTUNE_API int ltune_function_set_size(const struct ltune_function_set *set);
/* The name of function i, or NULL. */
LTUNE_API const char *ltune_function_set_name(const struct ltune_function_set *set, int i);

/* The built-in sets. Neighbourhood: the 20 halo exchanges of ADCL, faces only (no edges or
 * corners), attributes pattern, data, primitive, overlap. Between begin and end nobody writes the
 * halo or the owned elements within the halo width of a face, and nobody reads the halo. Broadcast:
 * the vector of `root` to all. Allreduce: in place, elementwise; `op` is commutative. All-to-all:
 * block j of the vector goes to rank j and into block i of the result vector; the first dimension
 * of both is the number of processes. Errors: NOMEM. */
LTUNE_API enum ltune_code ltune_set_neighbourhood(struct ltune_function_set **out,
						  struct ltune_error *e);
LTUNE_API enum ltune_code ltune_set_broadcast(struct ltune_function_set **out,
					      struct ltune_error *e);
LTUNE_API enum ltune_code ltune_set_allreduce(struct ltune_function_set **out,
					      struct ltune_error *e);
LTUNE_API enum ltune_code ltune_set_alltoall(struct ltune_function_set **out,
					     struct ltune_error *e);

/* ---- vectors and topologies ---- */

/* A row-major array of dims[0] x ... x dims[ndims - 1] elements that this process owns, with `halo`
 * more elements on both sides of each dimension: buffer holds prod(dims[d] + 2 halo) elements.
 * It is borrowed until the last request with this vector is freed.
 * Errors: ARG (ndims, dims < 1, halo < 0), TYPE (a datatype with gaps), MPI, NOMEM. */
LTUNE_API enum ltune_code ltune_vector_register(int ndims, const int *dims, int halo,
						MPI_Datatype type, void *buffer,
						struct ltune_vector **out, struct ltune_error *e);
LTUNE_API void ltune_vector_free(struct ltune_vector **vector);

/* Collective. A Cartesian communicator, or for collectives any other. It is duplicated.
 * Errors: ARG (an intercommunicator, too many dimensions), MPI, NOMEM. */
LTUNE_API enum ltune_code ltune_topology_create(MPI_Comm comm, struct ltune_topology **out,
						struct ltune_error *e);
/* Collective. Errors: MPI. */
LTUNE_API enum ltune_code ltune_topology_free(struct ltune_topology **topology,
					      struct ltune_error *e);

/* ---- requests ---- */

/* Options of a request; ltune_options_init() sets the defaults in brackets. Alike on all processes
 * unless said otherwise. */
struct ltune_options {
	/* How an implementation is selected:
	 *   "elimination" [default]: ours; what cannot be worth its test any more is dropped.
	 *   "brute": each one `tests` times, then the smallest maximum over the processes.
	 *   "hypothesis": the performance hypothesis of ADCL, over attributes.
	 *   "fixed": the function named by `fixed`, nothing is tested. */
	const char *logic;
	const char *fixed; /* [NULL] */
	/* Which outliers are left out before times are averaged: "none", "iqr" [default],
	 * "trimmed", "cluster", "robust"; see lemnos_tune(3). */
	const char *filter;
	int tests;     /* [5] of each function; elimination: at most. 1 to LTUNE_MAX_TESTS */
	int warmup;    /* [0] uses of each function before its first test, not counted */
	int threshold; /* [2] hypothesis: confidence at which functions are dropped */
	/* [1000] elimination: how many uses are expected. A test has to pay within them. */
	int iterations;
	double noise; /* [0.05] elimination: relative scatter of a test that is assumed at first */
	/* [NULL] elimination: expected time [s] of each function, NaN or <= 0 where unknown, and
	 * how sure: the standard deviation of its logarithm ([NULL]: 0.2). Only rank 0's are used.
	 */
	const double *prior_time_s, *prior_sd;
	/* [1] elimination on the built-in neighbourhood: if there are functions of which nothing
	 * else is known, a few messages between neighbours are timed when the request is made, and
	 * these functions are expected to take what LogGP says. 0: nothing is expected. */
	int network;
	/* [NULL] log of earlier starts, or predictions for the candidates. Elimination: rank 0
	 * reads it and begins from the nearest entry. A file that is not there is no error. */
	const char *history;
	/* [NULL] rank 0 writes a row for each function into this file when the request is made, for
	 * `lemnos predict --from` to fill in. */
	const char *candidates;
	const char *log;     /* [NULL] rank 0 appends what was learnt when the request is freed */
	const char *machine; /* [NULL: the host name] as the log names it */
	/* Drift: where `drift_windows` [2] windows of `drift_window` [50] uses in a row are slower
	 * than the choice promised by more than `drift_factor` [1.5; 0: never], selection begins
	 * again. */
	double drift_factor;
	int drift_window, drift_windows;
	/* [NULL: MPI_Wtime] seconds, of any start; may differ between processes. */
	double (*clock)(void *clock_data);
	void *clock_data;
	int root;		     /* [0] of a broadcast */
	MPI_Op op;		     /* [MPI_SUM] of an all-reduce */
	struct ltune_vector *result; /* [NULL] of an all-to-all */
};
LTUNE_API void ltune_options_init(struct ltune_options *options);

/* Collective. options NULL: the defaults. A failure on one process fails on all.
 * Errors: ARG, MISMATCH (dimensions of vector, topology and neighbours), IO and FORMAT (history),
 * MPI, NOMEM, PEER. */
LTUNE_API enum ltune_code ltune_request_create(struct ltune_topology *topology,
					       struct ltune_vector *vector,
					       struct ltune_function_set *set,
					       const struct ltune_options *options,
					       struct ltune_request **out, struct ltune_error *e);
/* Collective; releases what implementations hold, and writes the log on rank 0.
 * Errors: IO (the log), MPI, STATE (between init and wait). But for STATE the request is gone. */
LTUNE_API enum ltune_code ltune_request_free(struct ltune_request **request, struct ltune_error *e);

/* Collective. The whole operation. A function that cannot be prepared (some MPI libraries cannot
 * make windows) is passed over during selection. Errors: MPI, NOMEM, PEER, STATE. */
LTUNE_API enum ltune_code ltune_request_start(struct ltune_request *request, struct ltune_error *e);
/* Collective. In two parts, for computation between them. The time of the two calls counts, not
 * that between them: it is what could not be hidden. Errors: as above. */
LTUNE_API enum ltune_code ltune_request_init(struct ltune_request *request, struct ltune_error *e);
LTUNE_API enum ltune_code ltune_request_wait(struct ltune_request *request, struct ltune_error *e);

/* What a request knows, the same on all processes but for the times of this one. */
struct ltune_report {
	const char *chosen; /* the name of the function chosen, NULL as long as there is none */
	int chosen_index;   /* -1 as long as there is none */
	long uses;	    /* of the request so far */
	long tests;	    /* uses spent on selection, warm-ups included */
	int functions;	    /* in the set */
	int functions_tested;
	long decided_after;    /* uses before the (last) choice */
	int restarts;	       /* by drift */
	double operation_s;    /* here, in begin and end */
	double overhead_s;     /* here, in preparing, agreeing and deciding */
	double network_s;      /* here, in timing messages when the request was made */
	double overhead_max_s; /* the largest of all processes at the last decision */
};
LTUNE_API void ltune_request_report(const struct ltune_request *request, struct ltune_report *out);
/* The estimated time [s] of function i, largest over the processes, on rank 0; NaN where there is
 * none. */
LTUNE_API double ltune_request_estimate_s(const struct ltune_request *request, int i);

#ifdef __cplusplus
}
#endif

#endif
