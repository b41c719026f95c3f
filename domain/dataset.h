#ifndef DOMAIN_DATASET_H
#define DOMAIN_DATASET_H
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "domain/application.h"

enum run_source { SOURCE_MEASURED, SOURCE_SIMULATED, SOURCE_MODELLED, SOURCE_COUNT };
enum run_status { RUN_OK, RUN_FAILED, RUN_TIMEOUT, RUN_STATUS_COUNT };
const char *run_source_name(enum run_source s); /* "measured", ... */
const char *run_status_name(enum run_status s); /* "ok", "failed", "timeout" */
/* -1 when the text is none of them. */
int run_source_from(const char *text);
int run_status_from(const char *text);

/* Runs of one application in memory: row row_of[i] of rows[n_rows * n_columns] (row-major,
 * dataset_row()) is the configuration of run i, columns as in app->column[], derived ones filled
 * in, NaN = missing. Runs may share a row: a row takes several times the memory of all else that is
 * kept of a run. A timeout's wall_s is a lower bound. */
struct dataset {
	const struct application *app; /* borrowed */
	size_t n;
	size_t n_columns;
	size_t n_rows; /* <= n */
	double *rows;
	uint32_t *row_of;
	double *wall_s; /* [s], > 0 for ok and timeout; NaN allowed for failed */
	int64_t *run_id;
	int64_t *machine_id;
	int64_t *import_id;	/* 0: not told; dataset_add() sets 0 */
	unsigned char *source;	/* enum run_source */
	unsigned char *status;	/* enum run_status */
	uint32_t *n_repeats;	/* repeats that an aggregate row stands for; 1 for a raw one */
	unsigned char *flagged; /* 1: suspicious; dataset_add() sets 0 */
	size_t cap, cap_rows;
	struct shared_rows *shared; /* NULL: each run that is added has a row of its own */
};

struct dataset *dataset_new(const struct application *app); /* NULL: out of memory */
void dataset_free(struct dataset *d);
/* From now on a run that is added shares the row of one that is the same in every bit. Its row is
 * then not to be written to. Errors: NOMEM. */
enum err_code dataset_share_rows(struct dataset *d, struct err *e);
/* Append one run; derived columns are computed here. Errors: NOMEM, ARG (2^32 - 1
 * runs). */
enum err_code dataset_add(struct dataset *d, const double *row, double wall_s, int64_t run_id,
			  int64_t machine_id, enum run_source source, enum run_status status,
			  uint32_t n_repeats, struct err *e);
/* A new dataset of the rows with keep[i] != 0. */
enum err_code dataset_subset(const struct dataset *d, const unsigned char *keep,
			     struct dataset **out, struct err *e);
/* Arrange the runs by what they say, whatever order they came in: the same runs are then the same
 * data set, but for the numbers of runs that are alike in everything. Whoever draws, breaks ties or
 * sums by the order of runs gives the same answer for the same facts. Errors: NOMEM (the order is
 * as it was). */
enum err_code dataset_order_by_content(struct dataset *d, struct err *e);
static inline const double *dataset_row(const struct dataset *d, size_t i)
{
	return d->rows + d->row_of[i] * d->n_columns;
}

#endif
