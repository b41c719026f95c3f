#ifndef BASE_WHOLE_FILE_H
#define BASE_WHOLE_FILE_H
#include <stdio.h>
#include "base/err.h"

/* A file that is there as a whole or not at all: it is written under a temporary name beside, put
 * on disk, and gets its name at the end. Killed in between, a program leaves PATH.part-XXXXXX at
 * most, which the next one that writes to PATH removes: a lock tells whether its maker lives. Where
 * locks are not sure (network file systems) it is PATH.XXXXXX, and stays.
 *
 *   if ((rc = whole_file_open(path, WHOLE_FILE_REPLACES, &w, e))) return rc;
 *   fputs("...", whole_file_stream(w));
 *   return whole_file_commit(w, e);       or whole_file_abandon(w) */
struct whole_file;

enum whole_file_name {
	WHOLE_FILE_REPLACES, /* what has the name */
	WHOLE_FILE_IS_NEW    /* nothing has it, or ERR_ARG */
};

/* A file that is not regular (a pipe, /dev/null), and a file that may be written in a folder that
 * may not, is written as it is. Errors: ARG (it exists, at WHOLE_FILE_IS_NEW), IO, NOMEM. */
enum err_code whole_file_open(const char *path, enum whole_file_name how, struct whole_file **out,
			      struct err *e);
/* Has no file descriptor (fileno()). Why a write to it failed is told at the end. */
FILE *whole_file_stream(struct whole_file *w);
/* The name that it has meanwhile, for others who write it. */
const char *whole_file_temporary(const struct whole_file *w);
/* w is freed, also on errors; then nothing has changed under the name. Errors: IO (also a write
 * that failed before, with its reason: "No space left on device"), ARG (somebody else made a file
 * of that name meanwhile). */
enum err_code whole_file_commit(struct whole_file *w, struct err *e);
/* Nothing was written. NULL is allowed. */
void whole_file_abandon(struct whole_file *w);

/* Put the entry `name` of its directory on disk: a file or directory that was made is there after a
 * power failure only then. What cannot be synced (a file system without it) is as good as it gets.
 */
void whole_file_sync_folder(const char *name);

#endif
