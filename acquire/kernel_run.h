#ifndef ACQUIRE_KERNEL_RUN_H
#define ACQUIRE_KERNEL_RUN_H
#include "acquire/work_folder.h"
#include "base/err.h"
#include "base/progress.h"

/* A program that comes with Lemnos, run by a launcher (mpirun -np 2), without a shell. */
struct kernel_run {
	const char *const *launcher; /* words, NULL-terminated; NULL or none: started by itself */
	const char *program;	     /* its file */
	const char *const *argv;     /* its arguments, NULL-terminated */
	const char *output;	     /* the file of the folder that gets what it prints */
	const char *what;	     /* for progress, which is told how many lines were printed */
	const struct progress *progress;
};

/* Start it here, so that relative names in the launcher's words mean what they mean to whoever
 * wrote them, and wait. What it prints goes to the folder. Errors: NOTFOUND (no such launcher: says
 * what to install or type), IO (it failed: says how it ended and what it said last), INTERRUPTED,
 * NOMEM. */
enum err_code kernel_run(const struct kernel_run *k, const struct work_folder *folder,
			 struct err *e);

#endif
