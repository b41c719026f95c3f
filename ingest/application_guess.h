#ifndef INGEST_APPLICATION_GUESS_H
#define INGEST_APPLICATION_GUESS_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "ingest/ingest.h"
#include "ingest/text_table.h"

/* What a table of an application that nobody knows is likely to hold, from its headers and its
 * first rows. A guess is good enough here: it is put before people, not acted upon. What columns
 * are is guessed in application_guess.c, the command put in application_guess_command.c. */

enum guessed_role {
	GUESS_NONE,	    /* what import reads itself, or does not store */
	GUESS_TARGET,	    /* the run time: one column at most */
	GUESS_RESULT,	    /* a further time or rate: it would leak the answer */
	GUESS_NAME,	    /* words, others in each row: the name of a run */
	GUESS_CIRCUMSTANCE, /* warm or cold: how a run came about */
	GUESS_PROBLEM,	    /* whatever looks like nothing else */
	GUESS_TUNABLE,
	GUESS_RESOURCE
};

struct guessed_column {
	enum guessed_role role;
	const char *resource; /* the field it fills: "nodes"; each once */
	bool words;	      /* the first row has no number there */
	int may_be_target;    /* and so may others, as likely */
};

/* column[n_columns], from the headers and the row at hand. */
void application_guess_columns(const struct text_table *t, const struct table_record *first,
			       struct guessed_column *column);
/* What each row has for itself is no choice that another run could make. Reads the rows of t, which
 * was hashed. Errors: NOMEM, those of text_table_next(). */
enum err_code application_guess_names(struct text_table *t, struct guessed_column *column,
				      struct err *e);
/* "t1", "time2", "run3" (small letters, without a unit): a repeat; the number of it, 0: none. */
long application_guess_repeat_number(const char *stem);
/* Of a run, or of a part of one. */
bool application_guess_is_time(const char *header);

/* The command that imports it as an application of its own, as a shell takes it: "lemnos ingest
 * snap.csv --app snap --machine NAME --target solve_s --problem nx,ny --tunable ichunk --resource
 * nodes=nodes"; then, where there are any, the columns that are left out and why. app NULL: a
 * word to put one in. machine_known: none need be named. Where rows seem to hold several runs each,
 * what to make of them instead. t was hashed; its rows are read, so that first is gone. Errors:
 * NOMEM, those of text_table_next(). */
enum err_code application_guess_put_command(struct text_table *t, const struct table_record *first,
					    const struct ingest_options *o, const char *app,
					    bool machine_known, struct strbuf *out, struct err *e);

/* A column that may be the time of the whole run, if the target is one of a part of it: "total"
 * beside "solve". SIZE_MAX: none. */
size_t application_guess_whole_time(const struct text_table *t, const char *target);

/* "run1" and "run2": the times of repeats, side by side. */
bool application_guess_are_repeats(const char *header, const char *other);

/* What a column is that is not the run time, though it may look like it. */
enum no_run_time {
	IS_RUN_TIME,
	IS_RESULT,	/* "GFLOP/s", "speedup" */
	IS_PART,	/* "time_per_step", "ms/iter" */
	IS_SHARE,	/* "time per rank": of each, or of all by their number? */
	IS_PREPARATION, /* "init_time" */
	IS_SIMULATED,	/* "dt", "sim_time" */
	IS_SUM,		/* "cpu_time", "core_hours": of all processes */
	IS_BEST,	/* "min_time": of several runs */
	IS_LOG,		/* "log10_time" */
	IS_NUMBER,	/* "16": the times on 16 nodes, beside others */
	IS_MOMENT,	/* "end" */
	IS_LIMIT	/* "timelimit" */
};

/* From its header alone. */
enum no_run_time no_run_time_of_header(const char *header);

#endif
