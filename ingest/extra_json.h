#ifndef INGEST_EXTRA_JSON_H
#define INGEST_EXTRA_JSON_H
#include "base/strbuf.h"

/* The cells that are kept beside a run, as one JSON object: {"compiler":"gcc","ranks":16}. Begin
 * with a cleared buffer, put members, end. A cell that is written as JSON writes numbers stays the
 * number it is, digit for digit; everything else is a string. */
void extra_json_put(struct strbuf *json, const char *name, const char *cell);
/* The same in two steps, where a name serves many rows: `"compiler":`, then that and the cell. */
void extra_json_put_name(struct strbuf *json, const char *name);
void extra_json_put_named(struct strbuf *json, const struct strbuf *name, const char *cell);
void extra_json_end(struct strbuf *json); /* stays empty if nothing was put */

#endif
