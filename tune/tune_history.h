#ifndef TUNE_HISTORY_H
#define TUNE_HISTORY_H

/* The log of what was learnt: CSV, a row for each function that was tested. `lemnos ingest` takes
 * it as an application of its own, and the next start begins from its nearest entry. */

#include "tune/tune_objects.h"

/* What an entry is about. msg_bytes: of the largest face (of the whole vector without halo). */
struct ltune_history_key {
	char machine[64], mpi[64];
	const char *set;
	int procs, nodes;
	int ndims, halo, type_bytes;
	int grid[LTUNE_MAX_DIMS], periodic[LTUNE_MAX_DIMS], cells[LTUNE_MAX_DIMS];
	double msg_bytes;
};

/* Append the functions with an estimate (not NaN). A new or empty file gets the header first.
 * Errors: IO, ARG (a machine's name that is no cell of CSV). */
enum ltune_code ltune_history_append(const char *path, const struct ltune_history_key *key,
				     const struct ltune_function_set *set, const double *estimate_s,
				     const int *n_tests, int chosen, struct ltune_error *e);

/* Write a new file: all functions, their times empty.
 * Errors: IO. */
enum ltune_code ltune_history_candidates(const char *path, const struct ltune_history_key *key,
					 const struct ltune_function_set *set,
					 struct ltune_error *e);

/* The newest of the nearest entries, and for functions that those do not have of the next ones:
 * *n_found functions with log of their time [log s] and the standard deviation to believe it with,
 * which grows with the distance; NaN for the others. level_sd: that of the log of a factor common
 * to all of them. Entries of another set, machine, MPI or number of dimensions are none. No file,
 * no entry: *n_found is 0. Errors: IO, FORMAT (e names the line). */
enum ltune_code ltune_history_nearest(const char *path, const struct ltune_history_key *key,
				      const struct ltune_function_set *set, double *prior_log_s,
				      double *prior_sd, double *level_sd, int *n_found,
				      struct ltune_error *e);

#endif
