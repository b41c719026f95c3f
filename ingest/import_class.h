#ifndef INGEST_IMPORT_CLASS_H
#define INGEST_IMPORT_CLASS_H
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/application.h"
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
	int may_be_target;    /* and so may others, as likely */
};

/* The command that imports it as a class of its own, as a shell takes it: "lemnos ingest
 * snap.csv --app snap --machine NAME --target solve_s --problem nx,ny --tunable ichunk --resource
 * nodes=nodes"; then, where there are any, the columns that are left out and why. app NULL: a
 * word to put one in. machine_known: none need be named. Errors: NOMEM. */
enum err_code class_guess_put_command(const struct text_table *t, const struct table_record *first,
				      const struct ingest_options *o, const char *app,
				      bool machine_known, struct strbuf *out, struct err *e);

/* The application class of an import: named by flag, by the app column, by the base's default, the
 * only one there is; or made from flags. */
struct import_class {
	struct application *app;
	int64_t id;   /* 0: not in the knowledge base yet */
	bool assumed; /* nobody named it: the default, or the only one */
};

/* What there is to find it from. */
struct table_at_hand {
	struct kb *kb;
	const struct ingest_options *o;
	const struct text_table *table;
	const struct table_record *first; /* its first row; raw NULL: it has none */
};

/* Errors: NOTFOUND (no such class: says what to type to make one from this table; or several and
 * none chosen), ARG (flags that make a class which has a definition), KB. */
enum err_code import_class_find(const struct table_at_hand *at, struct import_class *out,
				struct err *e);
/* The table does not fit a class that was assumed, for this reason: the error that says so and what
 * to type if it is of another class (PARSE). */
enum err_code import_class_doubt(const struct table_at_hand *at, const struct import_class *class,
				 const char *why, struct err *e);
/* A column that may be the time of the whole run, if the target is one of a part of it: "total"
 * beside "solve". SIZE_MAX: none. */
size_t import_class_whole_time(const struct text_table *t, const char *target);
/* Bring a class made from flags into the base. Inside kb_begin(). */
enum err_code import_class_store(struct kb *kb, struct import_class *c, struct err *e);
void import_class_release(struct import_class *c);

#endif
