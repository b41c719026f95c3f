#ifndef CLI_RUN_ROWS_H
#define CLI_RUN_ROWS_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "api/session.h"
#include "base/err.h"
#include "cli/frame/output.h"
#include "domain/application.h"

/* Runs of the knowledge base as a table. brief leaves out what people rarely want beside each
 * other: derived columns, line numbers, further columns. */

/* In memory: for lists and JSON. */
enum err_code run_rows_table(struct kb *kb, const struct application *a, const struct kb_filter *f,
			     bool brief, struct out_table **out, struct err *e);
/* CSV, row by row: any number of them. Ends quietly when f cannot be written any more. */
enum err_code run_rows_csv(struct kb *kb, const struct application *a, const struct kb_filter *f,
			   FILE *file, struct err *e);

#endif
