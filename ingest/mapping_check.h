#ifndef INGEST_MAPPING_CHECK_H
#define INGEST_MAPPING_CHECK_H
#include "base/err.h"
#include "base/strbuf.h"
#include "ingest/column_mapping.h"

/* Is every field of a run there, and what should people know about the mapping? The second half of
 * column_mapping_make(). */

/* Errors: PARSE, with file and header line, the fields that no column fills and what there is. */
enum err_code mapping_check(const struct column_mapping *m, const struct mapping_request *q,
			    struct err *e);
/* One line each: units assumed, columns kept, dropped, left aside. */
void mapping_check_put_notes(const struct column_mapping *m, struct strbuf *out);

/* "'nx', 'ny', ...": the headers of a table, cut short if there are very many. */
void mapping_check_list_headers(const struct text_table *t, struct strbuf *out);
/* "it_g, jt_g, ..., wall_s, machine, ...": what --map may name. */
void mapping_check_list_fields(const struct application *a, struct strbuf *out);

#endif
