#include "tune/tune_history.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* MAX_ENTRIES: distances that are looked at. */
enum { MAX_LINE = 2048, MAX_CELLS = 40, MAX_ENTRIES = 4 };

/* ---- columns ---- */

/* Before the attributes of the set, in this order; then "function,tests,chosen,time_s". */
static const char *const leading =
	"machine,mpi,nodes,procs,ndims,halo,type_bytes,msg_bytes,grid_0,grid_1,grid_2,grid_3,"
	"periodic_0,periodic_1,periodic_2,periodic_3,cells_0,cells_1,cells_2,cells_3";
/* What `lemnos predict --from` puts behind them. */
static const char predicted[] = ",predicted_s,lo_s,hi_s,support";
enum { N_LEADING = 20, N_TRAILING = 4, N_PREDICTED = 4 };

static const struct ltune_attribute_set *attributes_of(const struct ltune_function_set *set)
{
	return set->functions[0]->set;
}

static void put_header(const struct ltune_function_set *set, char *line, size_t size)
{
	size_t n = (size_t)snprintf(line, size, "%s", leading);

	for (int a = 0; a < attributes_of(set)->n && n < size; a++)
		n += (size_t)snprintf(line + n, size - n, ",%s",
				      attributes_of(set)->attributes[a]->name);
	if (n < size)
		snprintf(line + n, size - n, ",function,tests,chosen,time_s\n");
}

/* A line of the file without its end; 0: no more. A line without an end was cut off while it was
 * written. */
static int read_line(FILE *in, char *line, size_t size, int *whole)
{
	size_t n;

	if (!fgets(line, (int)size, in))
		return 0;
	n = strlen(line);
	*whole = n > 0 && line[n - 1] == '\n';
	if (*whole)
		line[n - 1] = '\0';
	return 1;
}

static enum ltune_code check_header(FILE *in, const char *path,
				    const struct ltune_function_set *set, int *empty,
				    int *is_predicted, struct ltune_error *e)
{
	char line[MAX_LINE], wanted[MAX_LINE];
	size_t n;
	int whole;

	*empty = !read_line(in, line, sizeof line, &whole);
	if (*empty)
		return ferror(in) ? ltune_fail(e, LTUNE_IO, "%.180s: %s", path, strerror(errno))
				  : LTUNE_OK;
	put_header(set, wanted, sizeof wanted);
	n = strlen(wanted) - 1;
	*is_predicted = whole && strlen(line) >= n && !strcmp(line + n, predicted);
	if (!whole || strncmp(line, wanted, n) != 0 || (!*is_predicted && strlen(line) != n))
		return ltune_fail(e, LTUNE_FORMAT, "%.180s:1: not the log of the set %s", path,
				  set->name);
	return LTUNE_OK;
}

/* ---- writing ---- */

static int put_row(FILE *out, const struct ltune_history_key *key,
		   const struct ltune_function_set *set, int f, double time_s, int tests,
		   int chosen)
{
	const struct ltune_function *function = set->functions[f];
	int ok = fprintf(out, "%s,%s,%d,%d,%d,%d,%d,%.0f", key->machine, key->mpi, key->nodes,
			 key->procs, key->ndims, key->halo, key->type_bytes, key->msg_bytes) > 0;

	/* Dimensions that a vector does not have: one process, one element. */
	for (int d = 0; ok && d < LTUNE_MAX_DIMS; d++)
		ok = fprintf(out, ",%d", d < key->ndims ? key->grid[d] : 1) > 0;
	for (int d = 0; ok && d < LTUNE_MAX_DIMS; d++)
		ok = fprintf(out, ",%d", d < key->ndims ? key->periodic[d] : 0) > 0;
	for (int d = 0; ok && d < LTUNE_MAX_DIMS; d++)
		ok = fprintf(out, ",%d", d < key->ndims ? key->cells[d] : 1) > 0;
	for (int a = 0; ok && a < function->set->n; a++)
		ok = fprintf(out, ",%s",
			     function->set->attributes[a]->values[function->values[a]]) > 0;
	ok = ok && fprintf(out, ",%s,%d,%d,", function->name, tests, chosen) > 0;
	return ok && (isnan(time_s) ? fputs("\n", out) >= 0 : fprintf(out, "%.9g\n", time_s) > 0);
}

enum ltune_code ltune_history_append(const char *path, const struct ltune_history_key *key,
				     const struct ltune_function_set *set, const double *estimate_s,
				     const int *n_tests, int chosen, struct ltune_error *e)
{
	char header[MAX_LINE];
	FILE *file = fopen(path, "a+");
	int empty, is_predicted = 0, ok = 1;
	enum ltune_code rc;

	if (!file)
		return ltune_fail(e, LTUNE_IO, "%.180s: %s", path, strerror(errno));
	rewind(file);
	rc = check_header(file, path, set, &empty, &is_predicted, e);
	if (!rc && is_predicted)
		rc = ltune_fail(e, LTUNE_FORMAT, "%.180s:1: predictions, not a log", path);
	if (rc) {
		fclose(file);
		return rc;
	}
	fseek(file, 0, SEEK_END);
	put_header(set, header, sizeof header);
	if (empty)
		ok = fputs(header, file) >= 0;
	for (int f = 0; ok && f < set->n; f++) {
		if (!isnan(estimate_s[f]))
			ok = put_row(file, key, set, f, estimate_s[f], n_tests[f], f == chosen);
	}
	ok &= !ferror(file);
	if (fclose(file) || !ok)
		return ltune_fail(e, LTUNE_IO, "%.180s: %s", path, strerror(errno));
	return LTUNE_OK;
}

enum ltune_code ltune_history_candidates(const char *path, const struct ltune_history_key *key,
					 const struct ltune_function_set *set,
					 struct ltune_error *e)
{
	char header[MAX_LINE];
	FILE *file = fopen(path, "w");
	int ok;

	if (!file)
		return ltune_fail(e, LTUNE_IO, "%.180s: %s", path, strerror(errno));
	put_header(set, header, sizeof header);
	ok = fputs(header, file) >= 0;
	for (int f = 0; ok && f < set->n; f++)
		ok = put_row(file, key, set, f, NAN, 0, 0);
	ok &= !ferror(file);
	if (fclose(file) || !ok)
		return ltune_fail(e, LTUNE_IO, "%.180s: %s", path, strerror(errno));
	return LTUNE_OK;
}

/* ---- reading ---- */

struct row {
	struct ltune_history_key key;
	char function[64];
	double time_s, sd; /* sd: of its logarithm, 0 where the log does not tell */
};

static int read_number(const char *cell, double low, double *out)
{
	char *end;

	*out = strtod(cell, &end);
	return end != cell && !*end && isfinite(*out) && *out >= low;
}

static int read_count(const char *cell, int low, int *out)
{
	double value;

	if (!read_number(cell, low, &value) || value > 2147483647 || value != floor(value))
		return 0;
	*out = (int)value;
	return 1;
}

static int split(char *line, char **cell)
{
	char *at = line;
	int n = 0;

	for (int k = 0; k < MAX_CELLS; k++)
		cell[k] = line + strlen(line); /* missing ones are empty */
	while (at && n < MAX_CELLS) {
		cell[n++] = at;
		at = strchr(at, ',');
		if (at)
			*at++ = '\0';
	}
	return n;
}

/* 0.9 of a normal distribution lie within 1.645 standard deviations. */
static int read_prediction(char *const *cell, struct row *out)
{
	double low, high;

	if (!*cell[0]) {
		out->time_s = NAN;
		return 1;
	}
	if (!read_number(cell[0], 0, &out->time_s) || !read_number(cell[1], 0, &low) ||
	    !read_number(cell[2], 0, &high) || !(low > 0) || high < low)
		return 0;
	out->sd = log(high / low) / (2 * 1.645);
	return out->time_s > 0;
}

static int read_row(char *line, int n_attributes, int is_predicted, struct row *out)
{
	char *cell[MAX_CELLS];
	struct ltune_history_key *k = &out->key;
	const int n = split(line, cell), name = N_LEADING + n_attributes;
	int ok = n == name + N_TRAILING + (is_predicted ? N_PREDICTED : 0) &&
		 strlen(cell[0]) < sizeof k->machine && strlen(cell[1]) < sizeof k->mpi;

	if (!ok || strlen(cell[name]) >= sizeof out->function)
		return 0;
	strcpy(k->machine, cell[0]);
	strcpy(k->mpi, cell[1]);
	strcpy(out->function, cell[name]);
	ok = read_count(cell[2], 1, &k->nodes) && read_count(cell[3], 1, &k->procs) &&
	     read_count(cell[4], 1, &k->ndims) && read_count(cell[5], 0, &k->halo) &&
	     read_count(cell[6], 1, &k->type_bytes) && read_number(cell[7], 1, &k->msg_bytes);
	for (int d = 0; ok && d < LTUNE_MAX_DIMS; d++)
		ok = read_count(cell[8 + d], 1, &k->grid[d]) &&
		     read_count(cell[12 + d], 0, &k->periodic[d]) &&
		     read_count(cell[16 + d], 1, &k->cells[d]);
	out->sd = 0;
	if (is_predicted)
		return ok && read_prediction(cell + name + N_TRAILING, out);
	return ok && read_number(cell[name + 3], 0, &out->time_s) && out->time_s > 0;
}

static double ratio(double a, double b)
{
	return fabs(log2(a / b));
}

/* How far one exchange is from another, in doublings: of the message, of the processes, and with
 * less weight of the shape. Ours; Feki and Gabriel, "Incorporating Historic Knowledge into a
 * Communication Library for Self-Optimizing High Performance Computing Applications", SASO 2008,
 * measure the proximity of problems, too. < 0: nothing to learn from. */
static double distance(const struct ltune_history_key *a, const struct ltune_history_key *b)
{
	double d = ratio(a->msg_bytes, b->msg_bytes) + ratio(a->procs, b->procs) +
		   ratio(a->nodes, b->nodes);

	if (a->ndims != b->ndims || strcmp(a->machine, b->machine) != 0 ||
	    strcmp(a->mpi, b->mpi) != 0)
		return -1;
	for (int k = 0; k < a->ndims; k++)
		d += 0.25 * ratio(a->grid[k], b->grid[k]) + 0.25 * ratio(a->cells[k], b->cells[k]) +
		     0.5 * (a->periodic[k] != b->periodic[k]);
	return d + 0.5 * abs(a->halo - b->halo);
}

/* Times on the same shape differ by a twentieth from start to start, and each doubling adds a
 * tenth: assumed, and checked by the tests that follow. */
static double sd_at(double d)
{
	return sqrt(0.05 * 0.05 + 0.1 * 0.1 * d * d);
}

/* By how much all times together may be off: a start differs from another by a fifth, and a
 * doubling of anything may double them. */
static double level_sd_at(double d)
{
	return sqrt(0.2 * 0.2 + 0.7 * 0.7 * d * d);
}

/* What the entries at one distance say. */
struct entries {
	double distance; /* INFINITY: there are none */
	double log_s[LTUNE_MAX_FUNCTIONS], sd[LTUNE_MAX_FUNCTIONS];
};

/* The nearest entries farther than `beyond`. */
static enum ltune_code read_rows(FILE *in, const char *path, int is_predicted,
				 const struct ltune_history_key *key,
				 const struct ltune_function_set *set, double beyond,
				 struct entries *out, struct ltune_error *e)
{
	char line[MAX_LINE];
	int whole;

	out->distance = INFINITY;
	for (int number = 2; read_line(in, line, sizeof line, &whole); number++) {
		struct row row;
		double d;

		if (!whole || !read_row(line, attributes_of(set)->n, is_predicted, &row))
			return ltune_fail(e, LTUNE_FORMAT, "%.180s:%d: not a row of the log", path,
					  number);
		d = distance(key, &row.key);
		if (d < 0 || d <= beyond + 1e-9 || d > out->distance + 1e-9)
			continue;
		for (int f = 0; d < out->distance - 1e-9 && f < set->n; f++)
			out->log_s[f] = NAN;
		out->distance = d < out->distance ? d : out->distance;
		for (int f = 0; f < set->n; f++) {
			if (strcmp(row.function, set->functions[f]->name) != 0)
				continue;
			out->log_s[f] = log(row.time_s);
			out->sd[f] = hypot(sd_at(d), row.sd);
		}
	}
	return ferror(in) ? ltune_fail(e, LTUNE_IO, "%.180s: %s", path, strerror(errno)) : LTUNE_OK;
}

/* Functions that nearer entries do not have, on the level of those that both have. */
static void fill_in(const struct entries *entries, int n, double *prior_log_s, double *prior_sd)
{
	double shift = 0;
	int n_common = 0;

	for (int f = 0; f < n; f++) {
		if (isnan(prior_log_s[f]) || isnan(entries->log_s[f]))
			continue;
		shift += prior_log_s[f] - entries->log_s[f];
		n_common++;
	}
	for (int f = 0; n_common && f < n; f++) {
		if (!isnan(prior_log_s[f]) || isnan(entries->log_s[f]))
			continue;
		prior_log_s[f] = entries->log_s[f] + shift / n_common;
		prior_sd[f] = entries->sd[f];
	}
}

static enum ltune_code read_nearest(FILE *in, const char *path, int is_predicted,
				    const struct ltune_history_key *key,
				    const struct ltune_function_set *set, double *prior_log_s,
				    double *prior_sd, double *level_sd, struct ltune_error *e)
{
	struct entries entries = {.distance = INFINITY};
	const long rows_at = ftell(in);
	enum ltune_code rc = read_rows(in, path, is_predicted, key, set, -1, &entries, e);

	if (rc || isinf(entries.distance))
		return rc;
	*level_sd = level_sd_at(entries.distance);
	for (int f = 0; f < set->n; f++) {
		prior_log_s[f] = entries.log_s[f];
		prior_sd[f] = entries.sd[f];
	}
	for (int k = 1; !rc && k < MAX_ENTRIES && !isinf(entries.distance); k++) {
		if (fseek(in, rows_at, SEEK_SET))
			return ltune_fail(e, LTUNE_IO, "%.180s: %s", path, strerror(errno));
		rc = read_rows(in, path, is_predicted, key, set, entries.distance, &entries, e);
		if (!rc && !isinf(entries.distance))
			fill_in(&entries, set->n, prior_log_s, prior_sd);
	}
	return rc;
}

enum ltune_code ltune_history_nearest(const char *path, const struct ltune_history_key *key,
				      const struct ltune_function_set *set, double *prior_log_s,
				      double *prior_sd, double *level_sd, int *n_found,
				      struct ltune_error *e)
{
	FILE *in = fopen(path, "r");
	int empty, is_predicted = 0;
	enum ltune_code rc;

	*n_found = 0;
	*level_sd = 0;
	for (int f = 0; f < set->n; f++)
		prior_log_s[f] = NAN;
	if (!in)
		return errno == ENOENT
			       ? LTUNE_OK
			       : ltune_fail(e, LTUNE_IO, "%.180s: %s", path, strerror(errno));
	rc = check_header(in, path, set, &empty, &is_predicted, e);
	if (!rc && !empty)
		rc = read_nearest(in, path, is_predicted, key, set, prior_log_s, prior_sd, level_sd,
				  e);
	fclose(in);
	for (int f = 0; !rc && f < set->n; f++)
		*n_found += !isnan(prior_log_s[f]);
	return rc;
}
