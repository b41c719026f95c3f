#ifndef ACQUIRE_SUPERVISED_RUN_H
#define ACQUIRE_SUPERVISED_RUN_H
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "base/err.h"
#include "base/progress.h"

/* A command that outlives us. It is watched by a process of its own, which keeps the time limit and
 * writes down how it ended: whoever comes later finds what ended while nobody looked, waits for
 * what still runs, and knows what never ended. All of it is in the run's folder:
 *
 *	work		the folder in which it runs, and which is its own: whatever it removes there
 *	stdout, stderr	what the command wrote
 *	lock		locked (flock) by the watching process as long as it lives; its number
 *	end		how the command ended; made before it starts, so that a full disk later
 *			loses no run, and filled in by one write
 *
 * The folder is on a file system of this machine: locks of others are not known here. */

#define SUPERVISED_WORK "work"

struct supervised_run {
	const char *folder;	     /* absolute; its parent is there */
	const char *const *argv;     /* NULL-terminated; not taken by a shell */
	const char *const *variable; /* NAME=TEXT, NULL-terminated; may be NULL */
	double limit_s;		     /* stopped after so long; 0: never */
	/* Does the work in the watching process, in place of argv; *elapsed_s is the time that
	 * counts. NULL: argv is run. */
	enum err_code (*instead)(void *arg, const struct progress *progress, double *elapsed_s,
				 struct err *e);
	void *arg;
};

enum supervised_state {
	SUPERVISED_NEVER, /* it has not ended, and nobody watches it */
	SUPERVISED_RUNS,
	SUPERVISED_ENDED,
	SUPERVISED_UNKNOWN /* whoever would know could not be asked: it may run */
};

struct supervised_end {
	double elapsed_s;
	bool timed_out;
	int exit_status;	    /* -1: a signal ended it */
	int signal;		    /* 0: none */
	int64_t started_s, ended_s; /* since 1970 */
	bool untold;		    /* others say that it ended well; what it wrote is lost */
	enum err_code fault;	    /* it could not be started; ERR_OK: it could */
	char why[512];		    /* of a fault, or what others say of its end; "": nothing */
};

/* Returns when it is on its way; *pid is the watching process, a child of ours. Errors: IO (the
 * folder, its files, a process could not be made), NOMEM. */
enum err_code supervised_run_start(const struct supervised_run *r, pid_t *pid, struct err *e);
/* *out is set if it has ended. Errors: IO. */
enum err_code supervised_run_look(const char *folder, enum supervised_state *state,
				  struct supervised_end *out, struct err *e);
/* End it, at once; it counts as never ended unless it had before. Errors: IO. */
enum err_code supervised_run_stop(const char *folder, struct err *e);

/* What `end` says, when somebody else wrote it (a job script): "key value" lines, elapsed_s,
 * exit_status, started, ended, then a line "end". */
bool supervised_end_read(const char *text, struct supervised_end *out);

#endif
