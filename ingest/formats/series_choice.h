#ifndef INGEST_FORMATS_SERIES_CHOICE_H
#define INGEST_FORMATS_SERIES_CHOICE_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "ingest/formats/foreign_input.h"

/* A profile measures many regions, and a measurement has many metrics; a run has one time. Which it
 * is, a flag says, unless there is only one. */

enum { SERIES_NAMED_MAX = 6 }; /* in a message */

struct series_choice {
	const char *what;	      /* "region" */
	const char *flag;	      /* "--region" */
	const char *wanted;	      /* its value; "*": all, where may_be_all; NULL: not given */
	bool may_be_all;	      /* rows of several are told apart by a column */
	char *name[SERIES_NAMED_MAX]; /* the first that were seen */
	size_t n_names;
	bool more; /* and others */
	size_t n_taken;
	bool no_memory;
};

/* Is this one taken? Without a flag all are, until series_choice_judge() objects. */
bool series_choice_take(struct series_choice *c, const char *name);
/* Once everything was read. Errors: PARSE (several and no flag; none of that name), NOMEM. */
enum err_code series_choice_judge(const struct series_choice *c, const struct foreign_input *in,
				  struct err *e);
/* Which there are, for who did not say which. */
void series_choice_put_note(const struct series_choice *c, struct strbuf *out);
void series_choice_release(struct series_choice *c);

#endif
