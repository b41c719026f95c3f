#ifndef INGEST_AD_HOC_APPLICATION_H
#define INGEST_AD_HOC_APPLICATION_H
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/application.h"
#include "ingest/ingest.h"
#include "ingest/text_table.h"

/* An application from flags, and what the table adds to it: parts of columns of sizes, counts of
 * nodes that nobody named, columns of words, and of those the ones that tell the time. */
struct ad_hoc_application {
	struct ad_hoc spec; /* its lists are the ones below, or those of the options */
	const char **problem, **named_tunable, **grid, **tunable;
	const char **categorical, **bytes, **resource_column, **resource_field;
	struct ad_hoc_sizes *sizes;
};

/* Of o->ad_hoc; o->map has nothing that splits columns. Columns of sizes of the table are split,
 * and it is read, so that its rows at hand are gone: it was hashed. A line is added to notes for
 * each column that a flag did not name so. *out: zeros before, and to be released in any case.
 * Errors: NOMEM, those of text_table_next(). */
enum err_code ad_hoc_application_complete(struct kb *kb, struct text_table *t,
					  const struct ingest_options *o,
					  struct ad_hoc_application *out, struct strbuf *notes,
					  struct err *e);
void ad_hoc_application_release(struct ad_hoc_application *c);

#endif
