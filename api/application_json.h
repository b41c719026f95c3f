#ifndef API_APPLICATION_JSON_H
#define API_APPLICATION_JSON_H
#include "base/strbuf.h"
#include "domain/application.h"

/* An application's definition as `lemnos apps show` tells it, and its JSON form. */

/* The flag of a column, without dashes: as defined; resources go by their names. NULL: it has none.
 */
const char *application_shown_flag(const struct application *a, const struct column *c);
/* "divisors of kt": the values that are tried when nobody fixed one; nothing where none are. */
void application_put_candidates(const struct application *a, const struct column *c,
				struct strbuf *s);

/* {"format_version", "app": {"name", "title", "model", "target", "columns": [...], "group_flags",
 * "legality", "terms"}}; "terms" only where there are some. NULL: out of memory. */
struct json_t;
struct json_t *application_json(const struct application *a);

#endif
