#ifndef BASE_MEMORY_LIMIT_H
#define BASE_MEMORY_LIMIT_H
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"

/* How much memory this process may take. Kept by the system (RLIMIT_DATA), so that it holds for
 * whatever allocates, libraries included: beyond it an allocation fails, which every caller turns
 * into ERR_NOMEM. Code, and files that are mapped, do not count. Builds with a sanitizer, whose
 * shadow memory would count, keep no limit. */

/* Of what the system could give without swapping (MemAvailable, and the memory that the control
 * group has left where that is less) [bytes]; 0: it does not say. */
uint64_t memory_available_bytes(void);

/* At most so much [bytes] from now on; a lower limit that was set before, of the user, stays. Once
 * in a process, before any thread. *kept: is it kept? Errors: IO. */
enum err_code memory_limit_set(uint64_t bytes, bool *kept, struct err *e);

#endif
