#ifndef INGEST_CLASS_GUESS_H
#define INGEST_CLASS_GUESS_H
#include <stdbool.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "ingest/ingest.h"
#include "ingest/text_table.h"

/* What a table of an application that nobody knows is likely to hold, from its headers and its
 * first row. A guess is good enough here: it is put before people, not acted upon. */

enum guessed_role {
	GUESS_NONE,    /* what import reads itself, or does not store */
	GUESS_TARGET,  /* the run time: one column at most */
	GUESS_RESULT,  /* a further time or rate: it would leak the answer */
	GUESS_PROBLEM, /* whatever looks like nothing else */
	GUESS_TUNABLE,
	GUESS_RESOURCE
};
struct guessed_column {
	enum guessed_role role;
	const char *resource; /* the field it fills: "nodes"; each once */
	bool words;	      /* the first row has no number there */
};
/* column[n_columns]. first: its first row, raw NULL where there is none. */
void class_guess(const struct text_table *t, const struct table_record *first,
		 struct guessed_column *column);

/* The command that imports it as a class of its own, as a shell takes it: "lemnos ingest
 * snap.csv --app snap --machine NAME --target solve_s --problem nx,ny --tunable ichunk --resource
 * nodes=nodes"; then, where there are any, the columns that are left out and why. app NULL: a
 * word to put one in. machine_known: none need be named. Errors: NOMEM. */
enum err_code class_guess_put_command(const struct text_table *t, const struct table_record *first,
				      const struct ingest_options *o, const char *app,
				      bool machine_known, struct strbuf *out, struct err *e);

#endif
