#ifndef ACQUIRE_ADDRESS_TRACE_H
#define ACQUIRE_ADDRESS_TRACE_H
#include <stdint.h>
#include "base/err.h"
#include "base/progress.h"
#include "models/memory_hierarchy.h"

/* Send a trace as `valgrind --tool=lackey --trace-mem=yes` writes it (plain, .gz or .zst) through a
 * hierarchy: lines "I  ADDRESS,SIZE", " L", " S" and " M ADDRESS,SIZE", the address in hexadecimal;
 * lines of valgrind itself ("==PID== ...") are passed over. M, an update in place, is one read, as
 * cachegrind counts it. Errors: PARSE (another line: says which; no access at all), IO,
 * INTERRUPTED, NOMEM. */
enum err_code address_trace_replay(const char *path, struct memory_hierarchy *m,
				   const struct progress *p, struct err *e);

#endif
