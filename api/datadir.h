#ifndef API_DATADIR_H
#define API_DATADIR_H
#include "base/err.h"

/* The folder of shipped data (applications/, machines/, runs/): $LEMNOS_DATADIR, else
 * ../share/lemnos or ../data beside the program's own folder, else where it was to be installed.
 * *out is the caller's to free. Errors: IO (none of them is there; lists them). */
enum err_code datadir_find(char **out, struct err *e);

/* The folder of the programs that come with lemnos (sweep_task): kernels or ../libexec/lemnos
 * beside the program's own folder. The caller's to free; NULL: neither is there, or errno is
 * ENOMEM.
 */
char *program_folder_find(void);

/* Paths of DATADIR/folder/PREFIX*SUFFIX, sorted, NULL-terminated; free with datadir_free(). */
enum err_code datadir_list(const char *datadir, const char *folder, const char *prefix,
			   const char *suffix, char ***out, struct err *e);
void datadir_free(char **paths);

#endif
