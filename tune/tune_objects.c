#include "tune/tune_objects.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- errors ---- */

const char *ltune_code_text(enum ltune_code code)
{
	switch (code) {
	case LTUNE_OK:
		return "no error";
#define CODE_TEXT(name, text) \
	case LTUNE_##name:    \
		return text;
		LTUNE_CODES(CODE_TEXT)
#undef CODE_TEXT
	}
	return "not an error code";
}

void ltune_record(struct ltune_error *e, enum ltune_code code, const char *fmt, ...)
{
	va_list args;

	if (e && !e->code) {
		e->code = code;
		va_start(args, fmt);
		vsnprintf(e->message, sizeof e->message, fmt, args);
		va_end(args);
	}
}

enum ltune_code ltune_fail_mpi(struct ltune_error *e, int mpi_code, const char *what)
{
	char text[MPI_MAX_ERROR_STRING] = "unknown error";
	int length;

	if (mpi_code == MPI_SUCCESS)
		return LTUNE_OK;
	MPI_Error_string(mpi_code, text, &length);
	return ltune_fail(e, LTUNE_MPI, "%s: %.200s", what, text);
}

enum ltune_code ltune_agree(MPI_Comm comm, enum ltune_code rc, struct ltune_error *e)
{
	int failed = rc != LTUNE_OK, any = 0, mpi_code;

	mpi_code = MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, comm);
	if (rc)
		return rc;
	if (mpi_code != MPI_SUCCESS)
		return ltune_fail_mpi(e, mpi_code, "agreeing on success");
	return any ? ltune_fail(e, LTUNE_PEER, "another process failed; it has the reason")
		   : LTUNE_OK;
}

static enum ltune_code no_memory(struct ltune_error *e, const char *what)
{
	return ltune_fail(e, LTUNE_NOMEM, "%s: out of memory", what);
}

/* strdup(), which C11 does not have. */
static char *copy_name(const char *name)
{
	size_t size = strlen(name) + 1;
	char *copy = malloc(size);

	if (copy)
		memcpy(copy, name, size);
	return copy;
}

static int good_name(const char *name)
{
	/* Names become cells of the log: printable, without what CSV would have to quote. */
	if (!name || !*name || strlen(name) > 63)
		return 0;
	for (; *name; name++) {
		if (*name <= ' ' || *name > '~' || *name == ',' || *name == '"' || *name == '#')
			return 0;
	}
	return 1;
}

/* ---- attributes ---- */

void ltune_attribute_free(struct ltune_attribute **attribute)
{
	struct ltune_attribute *a = attribute ? *attribute : NULL;

	if (!a)
		return;
	*attribute = NULL;
	if (--a->refs)
		return;
	for (int v = 0; v < a->n_values; v++)
		free(a->values[v]);
	free(a->name);
	free(a);
}

static enum ltune_code check_values(const char *name, int n, const char *const *values,
				    struct ltune_error *e)
{
	if (!good_name(name))
		return ltune_fail(e, LTUNE_ARG, "a name has 1 to 63 characters, without blanks");
	if (n < 1 || n > LTUNE_MAX_VALUES || !values)
		return ltune_fail(e, LTUNE_ARG, "attribute %s: %d values, not 1 to %d", name, n,
				  LTUNE_MAX_VALUES);
	for (int v = 0; v < n; v++) {
		if (!good_name(values[v]))
			return ltune_fail(e, LTUNE_ARG, "attribute %s: bad name of value %d", name,
					  v);
		for (int w = 0; w < v; w++) {
			if (!strcmp(values[v], values[w]))
				return ltune_fail(e, LTUNE_ARG, "attribute %s: value %s twice",
						  name, values[v]);
		}
	}
	return LTUNE_OK;
}

enum ltune_code ltune_attribute_create(const char *name, int n_values, const char *const *values,
				       int derived, struct ltune_attribute **out,
				       struct ltune_error *e)
{
	struct ltune_attribute *a;
	enum ltune_code rc;

	if (!out)
		return ltune_fail(e, LTUNE_ARG, "no place for the attribute");
	if ((rc = check_values(name, n_values, values, e)))
		return rc;
	a = calloc(1, sizeof *a);
	if (!a)
		return no_memory(e, name);
	a->refs = 1;
	a->derived = derived != 0;
	a->name = copy_name(name);
	rc = a->name ? LTUNE_OK : no_memory(e, name);
	for (; !rc && a->n_values < n_values; a->n_values++) {
		a->values[a->n_values] = copy_name(values[a->n_values]);
		if (!a->values[a->n_values])
			rc = no_memory(e, name);
	}
	if (rc)
		ltune_attribute_free(&a);
	else
		*out = a;
	return rc;
}

void ltune_attribute_set_free(struct ltune_attribute_set **set)
{
	struct ltune_attribute_set *s = set ? *set : NULL;

	if (!s)
		return;
	*set = NULL;
	if (--s->refs)
		return;
	for (int a = 0; a < s->n; a++)
		ltune_attribute_free(&s->attributes[a]);
	free(s);
}

enum ltune_code ltune_attribute_set_create(int n, struct ltune_attribute *const *attributes,
					   struct ltune_attribute_set **out, struct ltune_error *e)
{
	struct ltune_attribute_set *s;

	if (!out || !attributes || n < 1 || n > LTUNE_MAX_ATTRIBUTES)
		return ltune_fail(e, LTUNE_ARG, "attribute set: %d attributes, not 1 to %d", n,
				  LTUNE_MAX_ATTRIBUTES);
	for (int a = 0; a < n; a++) {
		if (!attributes[a])
			return ltune_fail(e, LTUNE_ARG, "attribute set: attribute %d is NULL", a);
		for (int b = 0; b < a; b++) {
			if (!strcmp(attributes[a]->name, attributes[b]->name))
				return ltune_fail(e, LTUNE_ARG, "attribute set: %s twice",
						  attributes[a]->name);
		}
	}
	s = calloc(1, sizeof *s);
	if (!s)
		return no_memory(e, "attribute set");
	s->refs = 1;
	for (s->n = 0; s->n < n; s->n++) {
		s->attributes[s->n] = attributes[s->n];
		attributes[s->n]->refs++;
	}
	*out = s;
	return LTUNE_OK;
}

/* ---- functions ---- */

void ltune_function_free(struct ltune_function **function)
{
	struct ltune_function *f = function ? *function : NULL;

	if (!f)
		return;
	*function = NULL;
	if (--f->refs) /* NOLINT(clang-analyzer-unix.Malloc): each owner counts once */
		return;
	ltune_attribute_set_free(&f->set);
	free(f->name);
	free(f);
}

enum ltune_code ltune_function_create(const char *name, struct ltune_attribute_set *set,
				      const int *values, const struct ltune_steps *steps,
				      struct ltune_function **out, struct ltune_error *e)
{
	struct ltune_function *f;

	if (!out || !set || !values || !steps || !steps->begin || !good_name(name))
		return ltune_fail(e, LTUNE_ARG,
				  "a function needs a name, an attribute set, values and begin()");
	for (int a = 0; a < set->n; a++) {
		if (values[a] < 0 || values[a] >= set->attributes[a]->n_values)
			return ltune_fail(e, LTUNE_ARG, "function %s: attribute %s has no value %d",
					  name, set->attributes[a]->name, values[a]);
	}
	f = calloc(1, sizeof *f);
	if (!f)
		return no_memory(e, name);
	f->refs = 1;
	f->steps = *steps;
	memcpy(f->values, values, (size_t)set->n * sizeof *values);
	f->set = set;
	set->refs++;
	f->name = copy_name(name);
	if (!f->name) {
		ltune_function_free(&f);
		return no_memory(e, name);
	}
	*out = f;
	return LTUNE_OK;
}

struct ltune_function_set *ltune_function_set_keep(struct ltune_function_set *set)
{
	set->refs++;
	return set;
}

void ltune_function_set_free(struct ltune_function_set **set)
{
	struct ltune_function_set *s = set ? *set : NULL;

	if (!s)
		return;
	*set = NULL;
	if (--s->refs)
		return;
	for (int f = 0; f < s->n; f++)
		ltune_function_free(&s->functions[f]);
	free(s->name);
	free(s);
}

static enum ltune_code check_functions(const char *name, int n,
				       struct ltune_function *const *functions,
				       struct ltune_error *e)
{
	if (!good_name(name) || !functions || n < 1 || n > LTUNE_MAX_FUNCTIONS)
		return ltune_fail(e, LTUNE_ARG, "function set: needs a name and 1 to %d functions",
				  LTUNE_MAX_FUNCTIONS);
	for (int f = 0; f < n; f++) {
		if (!functions[f])
			return ltune_fail(e, LTUNE_ARG, "function set %s: function %d is NULL",
					  name, f);
		if (functions[f]->set != functions[0]->set)
			return ltune_fail(e, LTUNE_MISMATCH,
					  "function set %s: %s has another attribute set than %s",
					  name, functions[f]->name, functions[0]->name);
		for (int g = 0; g < f; g++) {
			if (!strcmp(functions[f]->name, functions[g]->name))
				return ltune_fail(e, LTUNE_ARG, "function set %s: %s twice", name,
						  functions[f]->name);
		}
	}
	return LTUNE_OK;
}

enum ltune_code ltune_function_set_create(const char *name, int n,
					  struct ltune_function *const *functions,
					  struct ltune_function_set **out, struct ltune_error *e)
{
	struct ltune_function_set *s;
	enum ltune_code rc;

	if (!out)
		return ltune_fail(e, LTUNE_ARG, "no place for the function set");
	if ((rc = check_functions(name, n, functions, e)))
		return rc;
	s = calloc(1, sizeof *s);
	if (!s)
		return no_memory(e, name);
	s->refs = 1;
	for (s->n = 0; s->n < n; s->n++) {
		s->functions[s->n] = functions[s->n];
		functions[s->n]->refs++;
	}
	s->name = copy_name(name);
	if (!s->name) {
		ltune_function_set_free(&s);
		return no_memory(e, name);
	}
	*out = s;
	return LTUNE_OK;
}

int ltune_function_set_size(const struct ltune_function_set *set)
{
	return set ? set->n : 0;
}

const char *ltune_function_set_name(const struct ltune_function_set *set, int i)
{
	return set && i >= 0 && i < set->n ? set->functions[i]->name : NULL;
}

static enum ltune_code attributes_from_table(int n, const struct ltune_attribute_row *rows,
					     struct ltune_attribute_set **out,
					     struct ltune_error *e)
{
	struct ltune_attribute *attributes[LTUNE_MAX_ATTRIBUTES] = {NULL};
	enum ltune_code rc = LTUNE_OK;

	for (int a = 0; !rc && a < n; a++) {
		int n_values = 0;

		while (n_values < LTUNE_MAX_VALUES && rows[a].values[n_values])
			n_values++;
		rc = ltune_attribute_create(rows[a].name, n_values, rows[a].values, rows[a].derived,
					    &attributes[a], e);
	}
	if (!rc)
		rc = ltune_attribute_set_create(n, attributes, out, e);
	for (int a = 0; a < n; a++)
		ltune_attribute_free(&attributes[a]);
	return rc;
}

enum ltune_code ltune_set_from_tables(const char *name, int n_attributes,
				      const struct ltune_attribute_row *attributes, int n_functions,
				      const struct ltune_function_row *functions,
				      struct ltune_function_set **out, struct ltune_error *e)
{
	struct ltune_function *made[LTUNE_MAX_FUNCTIONS] = {NULL};
	struct ltune_attribute_set *set = NULL;
	enum ltune_code rc;

	if (!out)
		return ltune_fail(e, LTUNE_ARG, "no place for the function set");
	rc = attributes_from_table(n_attributes, attributes, &set, e);
	for (int f = 0; !rc && f < n_functions; f++)
		rc = ltune_function_create(functions[f].name, set, functions[f].values,
					   &functions[f].steps, &made[f], e);
	if (!rc)
		rc = ltune_function_set_create(name, n_functions, made, out, e);
	for (int f = 0; f < n_functions; f++)
		ltune_function_free(&made[f]);
	ltune_attribute_set_free(&set);
	return rc;
}

/* ---- vectors and topologies ---- */

struct ltune_vector *ltune_vector_keep(struct ltune_vector *vector)
{
	vector->refs++;
	return vector;
}

void ltune_vector_free(struct ltune_vector **vector)
{
	struct ltune_vector *v = vector ? *vector : NULL;

	if (!v)
		return;
	*vector = NULL;
	if (--v->refs)
		return;
	if (!v->named)
		MPI_Type_free(&v->type);
	free(v);
}

enum ltune_code ltune_vector_register(int ndims, const int *dims, int halo, MPI_Datatype type,
				      void *buffer, struct ltune_vector **out,
				      struct ltune_error *e)
{
	struct ltune_vector *v;
	MPI_Aint low, extent, true_low, true_extent;
	int size, counts[3], combiner = MPI_COMBINER_NAMED;
	enum ltune_code rc;

	if (!out || !dims || !buffer || ndims < 1 || ndims > LTUNE_MAX_DIMS)
		return ltune_fail(e, LTUNE_ARG, "vector: needs a buffer and 1 to %d dimensions",
				  LTUNE_MAX_DIMS);
	if (halo < 0 || halo > 1000000)
		return ltune_fail(e, LTUNE_ARG, "vector: halo of %d elements", halo);
	for (int d = 0; d < ndims; d++) {
		if (dims[d] < 1 || dims[d] > 2000000000 - 2 * halo)
			return ltune_fail(e, LTUNE_ARG, "vector: %d elements in dimension %d",
					  dims[d], d);
	}
	if (type == MPI_DATATYPE_NULL)
		return ltune_fail(e, LTUNE_TYPE, "vector: no datatype");
	if ((rc = ltune_fail_mpi(e, MPI_Type_size(type, &size), "vector")) ||
	    (rc = ltune_fail_mpi(e, MPI_Type_get_extent(type, &low, &extent), "vector")) ||
	    (rc = ltune_fail_mpi(e, MPI_Type_get_true_extent(type, &true_low, &true_extent),
				 "vector")))
		return rc;
	/* Elements are copied as so many bytes one after another. */
	if (size < 1 || low != 0 || true_low != 0 || extent != size || true_extent != size)
		return ltune_fail(e, LTUNE_TYPE,
				  "vector: an element has %d bytes in %ld: no gaps are supported",
				  size, (long)extent);
	v = calloc(1, sizeof *v);
	if (!v)
		return no_memory(e, "vector");
	*v = (struct ltune_vector){
		.refs = 1,
		.ndims = ndims,
		.halo = halo,
		.type_bytes = (size_t)size,
		.buffer = buffer,
	};
	memcpy(v->dims, dims, (size_t)ndims * sizeof *dims);
	/* MPI_SUM and its kin take MPI's own datatypes only, and no copies of them. */
	v->type = type;
	MPI_Type_get_envelope(type, &counts[0], &counts[1], &counts[2], &combiner);
	v->named = combiner == MPI_COMBINER_NAMED;
	if (!v->named && (rc = ltune_fail_mpi(e, MPI_Type_dup(type, &v->type), "vector"))) {
		free(v);
		return rc;
	}
	*out = v;
	return LTUNE_OK;
}

struct ltune_topology *ltune_topology_keep(struct ltune_topology *topology)
{
	topology->refs++;
	return topology;
}

enum ltune_code ltune_topology_free(struct ltune_topology **topology, struct ltune_error *e)
{
	struct ltune_topology *t = topology ? *topology : NULL;
	enum ltune_code rc = LTUNE_OK;

	if (!t)
		return LTUNE_OK;
	*topology = NULL;
	if (--t->refs)
		return LTUNE_OK;
	rc = ltune_fail_mpi(e, MPI_Comm_free(&t->comm), "topology");
	free(t);
	return rc;
}

static int read_grid(struct ltune_topology *t)
{
	int rc = MPI_Cart_get(t->comm, t->ndims, t->grid, t->periodic, t->coordinate);

	for (int d = 0; !rc && d < t->ndims; d++)
		rc = MPI_Cart_shift(t->comm, d, 1, &t->neighbour[2 * d], &t->neighbour[2 * d + 1]);
	return rc;
}

/* Dimensions of the grid of a communicator, 0 where there is none. */
static int grid_dimensions(MPI_Comm comm, int *ndims)
{
#ifdef SMPI_H /* SimGrid 3.32 has no MPI_Topo_test() */
	if (MPI_Cartdim_get(comm, ndims) != MPI_SUCCESS)
		*ndims = 0;
	return MPI_SUCCESS;
#else
	int kind = MPI_UNDEFINED, rc = MPI_Topo_test(comm, &kind);

	return !rc && kind == MPI_CART ? MPI_Cartdim_get(comm, ndims) : rc;
#endif
}

enum ltune_code ltune_topology_create(MPI_Comm comm, struct ltune_topology **out,
				      struct ltune_error *e)
{
	struct ltune_topology *t;
	int inter = 0, ndims = 0;
	enum ltune_code rc;

	if (!out || comm == MPI_COMM_NULL)
		return ltune_fail(e, LTUNE_ARG, "topology: no communicator");
	if ((rc = ltune_fail_mpi(e, MPI_Comm_test_inter(comm, &inter), "topology")) ||
	    (rc = ltune_fail_mpi(e, grid_dimensions(comm, &ndims), "topology")))
		return rc;
	if (inter)
		return ltune_fail(e, LTUNE_ARG, "topology: an intercommunicator");
	if (ndims > LTUNE_MAX_DIMS)
		return ltune_fail(e, LTUNE_ARG, "topology: %d dimensions, at most %d", ndims,
				  LTUNE_MAX_DIMS);
	t = calloc(1, sizeof *t);
	rc = t ? LTUNE_OK : no_memory(e, "topology");
	if ((rc = ltune_agree(comm, rc, e)) || !t) {
		free(t);
		return rc;
	}
	t->refs = 1;
	t->ndims = ndims;
	if ((rc = ltune_fail_mpi(e, MPI_Comm_dup(comm, &t->comm), "topology"))) {
		free(t);
		return rc;
	}
	MPI_Comm_set_errhandler(t->comm, MPI_ERRORS_RETURN);
	MPI_Comm_size(t->comm, &t->n_procs);
	MPI_Comm_rank(t->comm, &t->rank);
	if (ndims && (rc = ltune_fail_mpi(e, read_grid(t), "topology"))) {
		MPI_Comm_free(&t->comm);
		free(t);
		return rc;
	}
	*out = t;
	return LTUNE_OK;
}
