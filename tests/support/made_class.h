#ifndef SUPPORT_MADE_CLASS_H
#define SUPPORT_MADE_CLASS_H
#include "base/err.h"
#include "domain/application.h"

/* A class as flags at import make it: the problem columns, the tunables (those that are categorical
 * as well hold text), the resource procs and the target time [s]. Lists end with NULL, categorical
 * may be NULL. NULL: see e, which may be NULL. */
struct application *made_class(const char *name, const char *const *problem,
			       const char *const *tunable, const char *const *categorical,
			       struct err *e);

#endif
