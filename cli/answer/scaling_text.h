#ifndef CLI_SCALING_TEXT_H
#define CLI_SCALING_TEXT_H
#include "api/scaling_answer.h"
#include "cli/frame/context.h"

/* Print how a code scales: a table with remarks, CSV or JSON. Errors: NOMEM. */
enum err_code scaling_print(const struct context *c, const struct scaling_question *q,
			    const struct scaling_answer *a, struct err *e);

/* "nodes", "procs": the resource that times are compared over; "" if none has a list. */
const char *scaling_resource_name(const struct scaling_question *q, const struct scaling_answer *a);
/* "n 2000, tile 16": what tells a series from the others; nothing of the only one. */
void scaling_put_series(const struct scaling_question *q, const struct scaling_answer *a,
			size_t i_series, struct strbuf *out);

#endif
