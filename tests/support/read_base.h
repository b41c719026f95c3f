#ifndef TESTS_READ_BASE_H
#define TESTS_READ_BASE_H
#include <stdbool.h>
#include "kb/kb.h"

/* Read everything that kb/ reads of a base, of one application and one machine: each read fails or
 * it does not, and what it gives is looked at and released. For bases that may be damaged. */
void read_base(struct kb *kb, const char *application, const char *machine, const char *advice);

#endif
