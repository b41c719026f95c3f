#ifndef TUNE_OBJECTS_H
#define TUNE_OBJECTS_H

/* Inside of the library: the objects behind the public handles, and the one way to report errors.
 */

#include "tune/lemnos_tune.h"

/* Record an error unless one is recorded already (the first wins). */
void ltune_record(struct ltune_error *e, enum ltune_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* And return its code, a constant. A macro, so that static analysis sees that it is no success. */
#define ltune_fail(e, code, ...) (ltune_record((e), (code), __VA_ARGS__), (enum ltune_code)(code))
/* LTUNE_OK if mpi_code is MPI_SUCCESS; else record what MPI says about it. */
enum ltune_code ltune_fail_mpi(struct ltune_error *e, int mpi_code, const char *what);
/* Collective: rc where all processes pass LTUNE_OK or this one failed, else PEER. */
enum ltune_code ltune_agree(MPI_Comm comm, enum ltune_code rc, struct ltune_error *e);

struct tune_network;

struct ltune_attribute {
	int refs;
	char *name;
	int n_values;
	char *values[LTUNE_MAX_VALUES];
	int derived;
};

struct ltune_attribute_set {
	int refs;
	int n;
	struct ltune_attribute *attributes[LTUNE_MAX_ATTRIBUTES];
};

struct ltune_function {
	int refs;
	char *name;
	struct ltune_attribute_set *set;
	int values[LTUNE_MAX_ATTRIBUTES];
	struct ltune_steps steps;
	/* Functions of a request with this mark and one prepare() are prepared once, and have one
	 * state: no two of them are under way together. */
	int shares_state;
	/* How often all processes agree or wait for each other while it is prepared; 0: nobody
	 * knows. */
	int agreements;
	/* prepare() does not communicate, and needs release(). */
	int prepares_alone;
};

struct ltune_function_set {
	int refs;
	char *name;
	int n;
	struct ltune_function *functions[LTUNE_MAX_FUNCTIONS];
	/* Whether this vector and topology can be used, collective, checked when a request is made;
	 * NULL: by anything. Only built-in sets have one. */
	enum ltune_code (*check)(const struct ltune_context *context, struct ltune_error *e);
	/* The time [s] to be expected of each function on a network between neighbours, at
	 * time_s[n]; NULL: nobody knows. Only built-in sets have one. */
	void (*expect)(const struct ltune_function_set *set, const struct ltune_context *context,
		       const int *periodic, const struct tune_network *network, double *time_s);
};

struct ltune_vector {
	int refs;
	int ndims, dims[LTUNE_MAX_DIMS], halo;
	MPI_Datatype type;
	int named; /* MPI's own, not ours to free */
	size_t type_bytes;
	void *buffer;
};

struct ltune_topology {
	int refs;
	MPI_Comm comm;
	int n_procs, rank;
	int ndims; /* 0: no grid */
	int grid[LTUNE_MAX_DIMS], periodic[LTUNE_MAX_DIMS], coordinate[LTUNE_MAX_DIMS];
	int neighbour[2 * LTUNE_MAX_DIMS];
};

/* Take another reference; the _free() calls give one back. */
struct ltune_vector *ltune_vector_keep(struct ltune_vector *vector);
struct ltune_topology *ltune_topology_keep(struct ltune_topology *topology);
struct ltune_function_set *ltune_function_set_keep(struct ltune_function_set *set);

/* A built-in set from tables: attributes, and functions as rows of name, values and steps. */
struct ltune_attribute_row {
	const char *name;
	int derived;
	const char *values[LTUNE_MAX_VALUES]; /* up to the first NULL */
};
struct ltune_function_row {
	const char *name;
	int values[LTUNE_MAX_ATTRIBUTES];
	struct ltune_steps steps;
};
enum ltune_code ltune_set_from_tables(const char *name, int n_attributes,
				      const struct ltune_attribute_row *attributes, int n_functions,
				      const struct ltune_function_row *functions,
				      struct ltune_function_set **out, struct ltune_error *e);

#endif
