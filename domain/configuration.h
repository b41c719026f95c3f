#ifndef DOMAIN_CONFIGURATION_H
#define DOMAIN_CONFIGURATION_H
#include <stdbool.h>
#include "domain/application.h"
#include "base/err.h"

/* A configuration is a row: double row[application->n_columns], NaN = not given (yet). Text columns
 * hold level codes. These functions fill, complete and judge rows; a row
 * changes only on success. */

/* All NaN. */
void configuration_clear(const struct application *a, double *row);

/* "280x280x255" or "320^3" fills the problem columns in order, "nx=8,ny=32" fills some by name (the
 * only way when one of several is text; the only one is given by its word). Range and type are
 * checked. Every problem column must be there afterwards when `whole`. Errors: ARG with the form
 * expected.
 */
enum err_code configuration_set_problem(const struct application *a, const char *text, bool whole,
					double *row, struct err *e);
/* "mk=10,mmi=3": any column but derived ones, by name or alias; "grid=8x16": a group by its flag.
 * Errors: ARG. */
enum err_code configuration_set(const struct application *a, const char *text, double *row,
				struct err *e);
/* One value as text, checked against type, min and max; an unknown level of a text column is an
 * error that lists the levels. Errors: ARG. */
enum err_code configuration_set_value(const struct application *a, size_t i_column,
				      const char *text, double *row, struct err *e);
/* "8x16" into a group's columns. */
enum err_code configuration_set_group(const struct application *a, const struct group_flag *g,
				      const char *text, double *row, struct err *e);

/* Workload columns that are NaN get their default. */
void configuration_default_workload(const struct application *a, double *row);
/* Compute every derived column whose inputs are there (NaN otherwise). */
void configuration_derive(const struct application *a, double *row);

/* Of nodes, procs and ppn compute what is missing from the others; one process a core, less where
 * there are threads, and one a node where cores_per_node is not known (0). Derived columns follow.
 */
void configuration_complete_resources(const struct application *a, double cores_per_node,
				      double *row);

/* Is the complete row legal? If not, *why (when not NULL) says which rule and why, with values:
 * "mmi must divide the angles per octant, or the program stops (mm = 6, mmi = 4)". The row must
 * have been derived. Rules whose value is NULL because a column is NaN are passed over, so a row
 * that is not complete yet can be judged to prune a search early. */
bool configuration_legal(const struct application *a, const double *row, struct strbuf *why);
/* The broken rule without values, to count by: "mmi must divide ..."; NULL: the row is legal.
 * Besides the rules of the definition, no application has more nodes than processes. */
const char *configuration_broken_rule(const struct application *a, const double *row);

/* Bytes per process, NaN when not known. */
double configuration_memory_bytes_per_proc(const struct application *a, const double *row);

/* What is paid for by the hour where nobody knows of nodes: a core for each thread of each process,
 * or the GPUs where there are neither. */
double configuration_cores(const struct application *a, const double *row);
/* Are those GPUs? */
bool configuration_counts_gpus(const struct application *a);
/* "node"; where nobody knows of nodes "core" or "GPU", of configuration_cores(). "node-hours" ...
 */
const char *configuration_unit_name(const struct application *a, bool no_nodes);
const char *configuration_hours_name(const struct application *a, bool no_nodes);

/* A value as people read it: integers without decimals, levels by name, "" for NaN. */
void configuration_put_value(const struct application *a, size_t i_column, double value,
			     struct strbuf *out);
/* "280x280x255" of the problem columns ("m=8,layout=DGZ" when one is text); "?" for NaN. */
void configuration_put_problem(const struct application *a, const double *row, struct strbuf *out);

#endif
