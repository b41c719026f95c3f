#ifndef KB_KB_FILESYSTEM_H
#define KB_KB_FILESYSTEM_H
#include <stdbool.h>
#include "base/err.h"
#include "base/strbuf.h"

/* Where a base lies, and what SQLite may rely on there. */

/* Is magic, the f_type of statfs(2), a file system shared between computers? SQLite's WAL needs
 * memory shared by all users of a file, which these do not give. */
bool filesystem_is_network(unsigned long magic);
/* Is it that of the file or, when it does not exist yet, its directory? */
bool filesystem_of_is_network(const char *path);

/* No, where permission is what is missing. */
bool filesystem_may_read(const char *path);

/* May we write the file itself, or make files next to it? */
bool filesystem_may_write(const char *path);
bool filesystem_may_write_beside(const char *path);
/* The file of path's name with suffix behind it ("-wal"): is it there? May it be written if so? */
bool filesystem_exists(const char *path, const char *suffix);
bool filesystem_may_write_existing(const char *path, const char *suffix);

/* Can files next to path be locked? Yes when that cannot be tried. */
bool filesystem_has_locks(const char *path);
/* Why no file can be made next to path, as errno has it; 0: it can. */
int filesystem_making_fails(const char *path);

/* The directories above path. Errors: IO. */
enum err_code filesystem_make_parents(const char *path, struct err *e);

/* path as the URI that makes SQLite open exactly that file, whatever its name looks like. */
void filesystem_put_uri(const char *path, const char *parameters, struct strbuf *out);

#endif
