#ifndef BASE_PROGRAM_FILE_H
#define BASE_PROGRAM_FILE_H
#include <stdbool.h>

/* Where the program stands, for what is shipped beside it: /proc/self/exe; for a program of `make
 * bundle`, which its own loader runs, the file of its launcher. The launcher leaves it in
 * $LEMNOS_PROGRAM as PID:PATH, so that programs started from this one, which inherit the variable,
 * do not take it for theirs. */
#define PROGRAM_FILE_ENV "LEMNOS_PROGRAM"

/* Is this a program of a bundle, started by its launcher? */
bool program_file_is_launched(void);

/* FOLDER-OF-THE-PROGRAM/relative, resolved; the caller's to free. NULL: there is none, or errno is
 * ENOMEM. */
char *program_file_beside(const char *relative);

#endif
