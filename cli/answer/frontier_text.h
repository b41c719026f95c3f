#ifndef CLI_FRONTIER_TEXT_H
#define CLI_FRONTIER_TEXT_H
#include "base/err.h"
#include "base/strbuf.h"
#include "cli/frame/context.h"

struct json_t;

/* The frontier of an answer (frontier_json.h) for people: a table, shortened to a screen if it is
 * longer, and a plot. Prints nothing if the answer has none. Errors: NOMEM. */
enum err_code frontier_print(const struct context *c, const struct json_t *answer,
			     const struct application *a, struct err *e);

/* The choice that the answer is about: the recommendation or the best effort; NULL: neither. */
const struct json_t *frontier_choice(const struct json_t *answer);

#endif
