#ifndef API_TOO_FEW_RUNS_H
#define API_TOO_FEW_RUNS_H
#include <stdint.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "domain/application.h"
#include "kb/kb.h"

/* Would mining fail for want of runs? Then "run `lemnos mine`" is no help. *why says what is
 * missing ("1 configuration: the wavefront model wants 8 or more to calibrate on"), and is empty if
 * mining can be tried. n_runs: those of the pair. */
enum err_code check_enough_runs(struct kb *kb, const struct application *app, int64_t app_id,
				int64_t machine_id, int64_t n_runs, struct strbuf *why,
				struct err *e);

#endif
