#ifndef KB_KB_RUN_INDEX_ROW_H
#define KB_KB_RUN_INDEX_ROW_H
#include "kb/kb_content.h"
#include "kb/kb_run_index.h"

/* What writing and reading of a run index must agree on. */

/* The box lo .. hi of a's stored columns as text: "50:300 - 1:16", and back: n_columns numbers
 * each. Errors: DAMAGED. */
void index_box_put(const struct application *a, const double *lo, const double *hi,
		   struct strbuf *out);
enum err_code index_box_parse(const struct application *a, const char *text, double *lo, double *hi,
			      struct err *e);

/* What digests are over: a run that stands for n_runs; the columns of a node; those of an index. */
void index_digest_run(struct digest *d, const struct dataset *runs, size_t i, int64_t n_runs);
void index_digest_node(struct digest *d, int64_t number, int64_t n, const char *box,
		       const char *contents);
void index_digest_header(struct digest *d, const char *identity, int64_t n_configurations);

#endif
