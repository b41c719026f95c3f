#ifndef ACQUIRE_PROCESS_LOCK_H
#define ACQUIRE_PROCESS_LOCK_H
#include <stdbool.h>
#include <sys/types.h>
#include "base/err.h"

/* A lock that ends with its process: a file that says whose it is, on a file system of this
 * machine. A child has it, too, until both have let go of it. */

/* *fd < 0: another process has it, *holder. One that looks at this moment is waited for. Errors:
 * IO. */
enum err_code process_lock_take(const char *path, int *fd, pid_t *holder, struct err *e);
/* Does a process have it? No file is no lock. Errors: IO. */
enum err_code process_lock_look(const char *path, bool *held, pid_t *holder, struct err *e);
void process_lock_release(int fd);

#endif
