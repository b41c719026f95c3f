#ifndef ACQUIRE_WORK_FOLDER_H
#define ACQUIRE_WORK_FOLDER_H
#include <stdbool.h>
#include "base/err.h"
#include "base/strbuf.h"

/* Where a command runs: a folder of its own under $TMPDIR (/tmp), removed with everything in it, or
 * one that somebody wants to look into afterwards. */
struct work_folder {
	struct strbuf path; /* absolute */
	bool temporary;
};

/* path: an existing folder or one to be made, which stays; NULL: a temporary one. Errors: IO (it
 * cannot be made), NOMEM. */
enum err_code work_folder_open(const char *path, struct work_folder *out, struct err *e);
/* Write a file of this name into it. Errors: IO, NOMEM. */
enum err_code work_folder_write(const struct work_folder *w, const char *name, const char *text,
				struct err *e);
/* Append at most max_bytes of a file of this name to *out: its end. A file that is not there has
 * none. Errors: IO, NOMEM. */
enum err_code work_folder_read(const struct work_folder *w, const char *name, size_t max_bytes,
			       struct strbuf *out, struct err *e);
void work_folder_close(struct work_folder *w);

#endif
