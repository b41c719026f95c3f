#ifndef ACQUIRE_LAUNCH_H
#define ACQUIRE_LAUNCH_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "base/progress.h"

/* One command on this machine, without a shell: an argument is what it is, blanks and quotes
 * included.
 *
 *	struct launch job = {.argv = argv, .folder = folder, .stdout_path = "out",
 *			     .stderr_path = "err", .limit_s = 60};
 *	rc = launch_run(&job, &end, e);
 *	if (!rc && (rc = launch_check(&job, &end, e))) ...
 *
 * The command leads a process group of its own: what it starts ends with it when it is stopped, and
 * an interrupt from the terminal reaches us, not it. On Linux it is told to end (SIGTERM) should we
 *end first. It reads nothing: its stdin is empty. */
struct launch {
	const char *const *argv; /* NULL-terminated; a name without / is looked for in PATH */
	const char *folder;	 /* where it runs; NULL: here */
	/* Files for what it writes, made or emptied; relative to folder. NULL: nowhere. */
	const char *stdout_path, *stderr_path;
	double limit_s;			 /* stopped after so long; 0: never */
	const struct progress *progress; /* asked whether to go on; NULL: go on */
};

/* How it ended. */
struct launch_end {
	double wall_s;
	bool timed_out;	 /* stopped by limit_s */
	int exit_status; /* -1: a signal ended it */
	int signal;	 /* 0: it ended by itself */
};

/* Start it and wait. A command that fails is no error: see *out. Stopping asks politely (SIGTERM),
 * and after two seconds does not ask (SIGKILL). Errors: NOTFOUND (there is no such program), IO (it
 * cannot be started: says what is wrong with program, folder or file), INTERRUPTED (it was
 * stopped).
 */
enum err_code launch_run(const struct launch *l, struct launch_end *out, struct err *e);

/* For those to whom only success is success. Errors: IO (says how it ended). */
enum err_code launch_check(const struct launch *l, const struct launch_end *end, struct err *e);

/* Is there a program of this name (no /) in PATH? */
bool launch_can_find(const char *name);

/* Split a command line into words as a shell does, and nothing else that a shell does: blanks part
 * words; '...' keeps all; "..." keeps all but \" and \\; \ keeps the next character. Nothing is
 * expanded or run: $ * ? ~ ` | ; & < > are characters. *out ends with NULL and is one block of
 * memory: free() it. *n may be NULL. Errors: USAGE (a quote that does not end, a \ at the end;
 * what: names the text in messages), NOMEM. */
enum err_code command_words(const char *text, const char *what, char ***out, size_t *n,
			    struct err *e);

#endif
