#ifndef BASE_ERR_H
#define BASE_ERR_H
#include <stdbool.h>

/* The one list of errors: name, exit status of the program, meaning.
 * Functions that can fail return enum err_code and take a struct err last; ERR_OK is 0.
 * `*out` parameters change only on success. A pointer argument is borrowed for the call; what
 * comes back through `**out` is the caller's, freed by the same module's _free or _close (NULL
 * allowed); a returned `const char *` lives as long as its object. This holds in every header
 * of the project unless it says otherwise. */
#define ERR_MAP(X)                                                     \
	X(INFEASIBLE, 1, "no configuration does what was asked")       \
	X(USAGE, 2, "the command line is wrong")                       \
	X(ARG, 2, "invalid argument")                                  \
	X(NOTFOUND, 2, "no such thing in the knowledge base")          \
	X(PARSE, 3, "input does not match its format")                 \
	X(NODATA, 3, "not enough data")                                \
	X(SCHEMA, 4, "not a knowledge base this program can use")      \
	X(KB, 4, "the knowledge base refused an operation")            \
	X(BUSY, 4, "another process is writing to the knowledge base") \
	X(NOTMINED, 4, "the knowledge base was never mined")           \
	X(DAMAGED, 4, "knowledge is not what was mined")               \
	X(NOMEM, 5, "out of memory")                                   \
	X(IO, 5, "input or output failed")                             \
	X(NUMERIC, 5, "a computation did not converge")                \
	X(INTERRUPTED, 130, "interrupted")

enum err_code {
	ERR_OK = 0,
#define ERR_ENUM(name, exit_status, text) ERR_##name,
	ERR_MAP(ERR_ENUM)
#undef ERR_ENUM
};

struct err {
	enum err_code code;
	char msg[1024];
};

/* Record an error unless one is recorded already (the first wins), and return its code. e may be
 * NULL: the code is still returned. A message about ERR_NOMEM may just name what there is no room
 * for: ": out of memory" is added. */
enum err_code err_set(struct err *e, enum err_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* err_set() with lines of advice behind it, each beginning with a newline. The message itself is
 * one line: what came from input is shown as \x0a there, as is whatever else a terminal obeys. */
enum err_code err_set_lines(struct err *e, enum err_code code, const char *lines, const char *fmt,
			    ...) __attribute__((format(printf, 4, 5)));
/* The code of an input file that cannot be opened or read, from errno: PARSE (what was asked
 * for is wrong: no permission, a folder), IO (the system fails to do it). */
enum err_code err_of_reading(int number);

/* The general meaning of a code, and the exit status that the program ends with. */
const char *err_text(enum err_code code);
int err_exit_status(enum err_code code);

/* "NOTFOUND", for files; of ERR_OK "OK". */
const char *err_name(enum err_code code);
/* False: there is no such name. */
bool err_from_name(const char *name, enum err_code *out);

#endif
