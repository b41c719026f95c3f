#ifndef INGEST_FIELD_NAMES_H
#define INGEST_FIELD_NAMES_H
#include <stdbool.h>
#include "domain/dataset.h"

/* The words of run tables that belong to no application: columns every table of runs may
 * have, and what stands in its status and source columns. All are matched in any case. */

enum field_kind {
	FIELD_COLUMN, /* a column of the application, stored */
	FIELD_LOCAL,  /* a per-processor size */
	FIELD_PROCS,  /* processors, where the application computes them: checked */
	FIELD_PPN,    /* processes per node, where the application has no such column */
	FIELD_TIME,   /* the run time */
	FIELD_APP,
	FIELD_MACHINE,
	FIELD_SOURCE,
	FIELD_STATUS,
	FIELD_EXIT,	 /* exit code: the status, where no column names that */
	FIELD_LIMIT,	 /* the time limit: what a run that met it took at least */
	FIELD_REPEAT,	 /* number of the repeat */
	FIELD_N_REPEATS, /* repeats behind an aggregate */
	FIELD_EXTRA,	 /* kept beside the run, not used */
	FIELD_DROP,	 /* not stored */
	FIELD_KIND_COUNT
};

/* The canonical name of a kind, as --map takes it: "app", "wall_s", ...; "" for FIELD_COLUMN and
 * FIELD_LOCAL, which have names of their own. */
const char *field_kind_name(enum field_kind kind);
/* The kind that a header of this (lower-case) name has by itself; FIELD_KIND_COUNT: none. */
enum field_kind field_kind_of_header(const char *name);
/* A user, an account, a host, a command line: not stored unless asked for. */
bool field_is_personal(const char *name);
/* Of these, the names of the nodes that a run was on. */
bool field_is_host(const char *name);

/* What a run meets, and no submission asks for: a cache, the load of the system, a remark. */
bool field_is_circumstance(const char *name);
/* "cold", "warm": how a run found caches and disks, whatever the column is called. */
bool word_is_circumstance(const char *word);

/* Words of people and of schedulers (Slurm's sacct, PBS, LSF, Flux). */
enum {
	STATUS_UNKNOWN = -1,
	STATUS_NOT_FINISHED = -2, /* "RUNNING": says nothing yet */
	STATUS_TWO_WAYS = -3	  /* "F": failed to Slurm and Flux, finished to PBS */
};
/* enum run_status, or one of the above. A cut one is understood ("CANCELLED+"). */
int status_from_word(const char *word);
/* "0", "0:0" (sacct) -> ok; -29, of PBS where the wall time is used up -> timeout; other numbers ->
 * failed. */
int status_from_exit_code(const char *text);
/* What stands where the time of a run should: "OOM", "timeout", "inf", "DNF". */
int status_from_time_cell(const char *text);
/* "-", "NaN", "not run": nobody took the time. */
bool time_cell_is_missing(const char *text);
int source_from_word(const char *word);

/* What a column that fills no field may say of how a run ended. */
enum outcome_reading {
	OUTCOME_NONE,  /* nothing */
	OUTCOME_WORD,  /* result: "OK", "SEGFAULT", as in a status column */
	OUTCOME_GOOD,  /* converged: "yes" is good, "no" is not */
	OUTCOME_BAD,   /* crashed: "no" and nothing are good, a message and a signal are not */
	OUTCOME_LATE,  /* timed_out: "yes" is a run that met its limit */
	OUTCOME_CODE,  /* exit: 0 is good */
	OUTCOME_SIZE,  /* residual: NaN is a solution that blew up */
	OUTCOME_REMARK /* note: "killed by OOM" in free text */
};
/* By its name; OUTCOME_NONE: its cells may say so all the same. */
enum outcome_reading outcome_of_header(const char *header);
/* enum run_status or one of the above; STATUS_MEASURE: a number that says nothing of it. */
enum { STATUS_MEASURE = -4 };
int outcome_of_cell(enum outcome_reading reading, const char *text);

#endif
