#ifndef INGEST_ROW_VALUES_H
#define INGEST_ROW_VALUES_H
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "domain/application.h"
#include "ingest/column_mapping.h"
#include "ingest/reject_log.h"
#include "ingest/text_table.h"

/* One record as a configuration: cells converted, checked against the definition, and what is
 * missing worked out where that is possible without guessing. */
struct row_values {
	const struct column_mapping *m;
	const struct application *app;
	struct application *growing; /* whose text columns may get new levels; NULL: an unknown word
				      * is refused */
	struct number_style style;   /* of the table, as it was found */
	bool nodes_required;
	double *row;	    /* [n_columns], derived columns filled in; NaN = missing */
	bool *computed;	    /* [n_columns] worked out, not read */
	double *local;	    /* [n_local] per-processor sizes as read; NaN = not given */
	double procs;	    /* as read, for applications that compute it; NaN */
	double ppn;	    /* as read, for applications without such a column; NaN */
	size_t *last_level; /* [n_columns] the level found last: rows repeat themselves */
};

/* growing: NULL or m->app itself. Errors: NOMEM. */
enum err_code row_values_init(struct row_values *v, const struct column_mapping *m,
			      struct application *growing, struct err *e);
void row_values_release(struct row_values *v);

/* Fill v from a record that is not bad. cores_per_node: of the row's machine, 0: not known. False:
 * refused, *why says it; out of memory, why->reason.failed is set. */
bool row_values_read(struct row_values *v, const struct table_record *rec, int64_t cores_per_node,
		     struct reject *why);

#endif
