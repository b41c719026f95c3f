#ifndef KB_KB_LOCK_HOLDER_H
#define KB_KB_LOCK_HOLDER_H
#include <stdbool.h>

/* The process that keeps others from writing a base: one of this machine that holds one of SQLite's
 * locks on it. Not known where the system does not tell, as of other machines. Not for other rooms.
 */
struct lock_holder {
	long pid;
	char name[16]; /* of its program; "" when not known */
	bool stopped;  /* by a signal: it will not go on by itself */
};

/* False: not known. */
bool lock_holder_find(const char *path, struct lock_holder *out);

/* "process 123 (lemnos, stopped)" into text, "another process" when h is NULL. */
void lock_holder_describe(const struct lock_holder *h, char *text, int size);

#endif
